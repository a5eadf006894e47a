# What differs from run to run: times, process ids, addresses, ports.
s/[0-9]+\.[0-9]+ (s|ms|µs|ns)\b/<time> \1/g
s/\b[0-9]+ (ms|µs|ns)\b/<time> \1/g
s/0x[0-9a-f]+/<address>/g
s/127\.0\.0\.1:[0-9]+/127.0.0.1:<port>/g
s/\bpid [0-9]+/pid <number>/g
s/ +<time>/ <time>/g
