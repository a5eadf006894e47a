# Splits a Markdown text into its fenced blocks. Each goes to a file
# DIR/<number>.<kind>, preceded by a line: line number, the rest of the fence's
# info string, and what an HTML comment right above it says.
#
#   awk -v dir=DIR -f blocks.awk README.md

/^```/ {
    if (!inside) {
        inside = 1
        info = substr($0, 4)
        kind = info
        sub(/ .*/, "", kind)
        rest = info
        sub(/^[^ ]* ?/, "", rest)
        file = sprintf("%s/%03d.%s", dir, ++count, kind == "" ? "text" : kind)
        printf "%d\t%s\t%s\n", NR, rest, comment > file
        comment = ""
        next
    }
    inside = 0
    close(file)
    next
}
inside { print > file; next }
/^<!-- .* -->$/ { comment = substr($0, 6, length($0) - 9); next }
NF { comment = "" }
END { if (inside) { print "a fence is left open" > "/dev/stderr"; exit 1 } }
