# Whether the lines of the second file are what the first says they are. A line
# "..." in the first stands for any number of lines.
#
#   awk -f compare.awk wanted got

NR == FNR { wanted[++w] = $0; next }
{ got[++g] = $0 }

# wanted[i..] against got[j..]; `missing` is the first line that did not fit.
function fits(i, j) {
    for (; i <= w; i++) {
        if (wanted[i] == "...") {
            for (; j <= g + 1; j++)
                if (fits(i + 1, j))
                    return 1
            return 0
        }
        if (j > g || wanted[i] != got[j]) {
            if (i > furthest) {
                furthest = i
                instead = j > g ? "the end" : got[j]
            }
            return 0
        }
        j++
    }
    if (j <= g) {
        instead = got[j]
        furthest = w + 1
        wanted[w + 1] = "the end"
    }
    return j > g
}
END {
    if (fits(1, 1))
        exit 0
    print "wanted: " wanted[furthest] "\ngot:    " instead
    exit 1
}
