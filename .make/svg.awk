# Draws spans (see spans.awk) as a timeline. The greys and colours are readable
# on a light background and on a dark one.
#
#   awk -v unit=minute -v least=20 -f svg.awk
#
# The axis has `least` units at least, so that pictures can be compared.

BEGIN { FS = "\t"; left = 84; wide = 640; row_height = 34; top = 14 }

{
    if (!($1 in row)) {
        row[$1] = rows++
        name[rows - 1] = $1
    }
    who[NR] = $1; from[NR] = $2; to[NR] = $3; what[NR] = $4
    if ($3 > end) end = $3
}

function x(time) { return left + time * wide / span }

END {
    # Whole units for the axis, and not more marks than there is room for.
    span = end == int(end) ? end : int(end + 0.9)
    if (span < least) span = least
    for (step = 1; span / step > 20; step = step == 1 ? 5 : 2 * step);
    height = top + rows * row_height + 34
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"13\">\n",
        left + wide + 24, height, left + wide + 24, height
    print "<g stroke=\"#8b949e\" stroke-opacity=\"0.35\">"
    for (t = 0; t <= span; t += step)
        printf "<path d=\"M%.1f %dv%d\"/>\n", x(t), top - 4, rows * row_height + 8
    print "</g>"
    print "<g fill=\"#7d8590\">"
    for (i = 0; i < rows; i++)
        printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", left - 10, top + i * row_height + 21, name[i]
    for (t = 0; t <= span; t += step)
        printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", x(t), height - 14, t
    printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%ss</text>\n", left - 10, height - 14, unit
    print "</g>"
    for (i = 1; i <= NR; i++)
        printf "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"><title>%s, %s: %s to %s</title></rect>\n",
            x(from[i]) + 1, top + row[who[i]] * row_height + 5, x(to[i]) - x(from[i]) - 2, row_height - 10,
            row[who[i]] % 3 == 0 ? "#d9822b" : row[who[i]] % 3 == 1 ? "#3b82c4" : "#5a9e4b",
            who[i], what[i], from[i], to[i]
    print "</svg>"
}
