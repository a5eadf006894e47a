# What is missing in a story, or too much, to judge by what make diff prints.
#
#   awk -v story=.make/story/3 -f story.awk .make/story/3 printed

BEGIN { support = "^((options|report|liboven|sanitizer|overflow|child)[.][ch]|stack[.]c):" }

FILENAME == ARGV[1] {
    if (/^#/ || !NF)
        next
    split($0, part, / *[|] */)
    file_of[++told] = part[1]
    piece_of[told] = part[2]
    why_of[told] = part[3]
    next
}

/^[+][+][+] / { sub(/.*\//, ""); there[file = $0] = 1 }

/^@@ / {
    why = $0
    sub(/^@@ .* @@ ?/, "", why)
    places[file "|" why]++
    if (why == "")
        print file " @@ " $2 ": no sentence in " story
    if (length > 80)
        print file " @@ " $2 ": its sentence in " story " is too long by " length - 80
}

/^[a-z_]*[.][ch]: removed, / {
    file = substr($1, 1, length($1) - 1)
    why = $0
    sub(/^[^.]*[.][ch]: [^.]*[.] /, "", why)
    there[file] = 1
    places[file "|" why]++
}

/[.] Support: make diff N=/ && $0 !~ support {
    print $1 " not in " story ", and not one of the files of support"
}

END {
    for (i = 1; i <= told; i++) {
        times = places[file_of[i] "|" why_of[i]] + 0
        entry = story ": " file_of[i] " | " piece_of[i] " |"
        if (!(file_of[i] in there))
            print entry " this file does not change"
        else if (why_of[i] != "" && times == 0)
            print entry " no hunk has this piece, or another sentence has its place"
        else if (why_of[i] != "" && times > 1)
            print entry " stands in " times " places; choose a piece that stands once"
    }
}
