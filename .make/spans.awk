# Turns the log of any chapter into spans, one a line, between tabs:
#
#   who   from   to   what

BEGIN { OFS = "\t"; FS = " *\\| *" }

# Chapter 1: minute 01 | oven | batch baking | ...
/^minute [0-9]+ \|/ {
    split($1, word, " ")
    print $2, word[2] - 1, word[2] + 0, $3
}

# Chapters 2 to 4: tick 01 (...), and below it a line for each turn.
/^tick / { split($0, word, " "); tick = word[2] + 0 }
/^  [a-z]+ *\|/ {
    sub(/^ +/, "", $1)
    print $1 == "cash" ? "cashier" : $1, tick - 1, tick, $2
}

# Chapters 5 and 6: +0.000 s | oven 1 | bread | in, 3 s, and later: out
/^\+[0-9.]+ s/ {
    time = substr($1, 2) + 0
    if ($4 ~ /^in/) {
        oven[++ovens] = $2
        began[$2] = time
    } else {
        ended[$2] = time
        what[$2] = $3
    }
}
END {
    for (i = 1; i <= ovens; i++)
        if (oven[i] in ended)
            print oven[i], began[oven[i]], ended[oven[i]], what[oven[i]]
}
