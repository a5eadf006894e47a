# Reads a story (.make/story/README says how it is written), then a patch, and
# prints the patch with the story's sentences behind the @@ of the hunks. A hunk
# with several is cut before the function of each but the first. Of a file that
# is not in the story, and of one that is gone, there is one line. Last comes a
# line that counts.
#
# With `all` set every file is shown, and hunks are not cut, as git apply takes
# less than patch. With `one` set there is one file, and it is shown.

FILENAME == ARGV[1] {
    if (/^#/ || !NF)
        next
    split($0, part, / *[|] */)
    story_file[++told] = part[1]
    story_line[told] = part[2]
    sentence[told] = part[3]
    next
}

/^--- / && !old_left && !new_left {
    end_file()
    from = $2
    next
}

/^[+][+][+] / && !old_left && !new_left {
    to = $2
    file = to
    sub(/.*\//, "", file)
    shown = ""
    added = removed = hunks = 0
    next
}

# @@ -1,23 +1,25 @@, where a count of 1 may be missing.
/^@@ / {
    split(substr($2, 2) ",1", old, ",")
    split(substr($3, 2) ",1", new, ",")
    old_left = old[2]
    new_left = new[2]
    old_at[1] = old[1] + !old_left
    new_at[1] = new[1] + !new_left
    if ($2 == "-0,0")
        from = "/dev/null"
    if ($3 == "+0,0")
        to = "/dev/null"
    lines = 0
    hunks++
    next
}

/^[-+ ]/ {
    line[++lines] = $0
    old_left -= is_old = !/^[+]/
    new_left -= is_new = !/^-/
    old_at[lines + 1] = old_at[lines] + is_old
    new_at[lines + 1] = new_at[lines] + is_new
    added += !is_old
    removed += !is_new
    if (!old_left && !new_left)
        end_hunk()
}

function end_hunk(   i, at, because, begin, why) {
    for (i = 1; i <= told; i++)
        if (story_file[i] == file && story_line[i] == "" && hunks == 1)
            because[1] = sentence[i]
        else if (story_file[i] == file && story_line[i] != "")
            for (at = 1; at <= lines; at++)
                if (line[at] !~ /^-/ && index(line[at], story_line[i]))
                    because[paragraph(at)] = sentence[i]
    begin = 1
    for (at = 1; at <= lines; at++) {
        if (!(at in because) || because[at] == "")
            continue
        if (why != "" && !all) {
            add_hunk(begin, at - 1, why)
            begin = at
            why = ""
        }
        why = why " " because[at]
    }
    add_hunk(begin, lines, why)
}

# Where the function, or whatever stands between empty lines, begins.
function paragraph(at) {
    while (at > 1 && !(line[at - 1] ~ /^.$/ && line[at] ~ /^.[^ \t}]/))
        at--
    return at
}

# patch takes a hunk for the end of the file if less stays the same behind what
# changes than before it. So what is cut may take lines of the next hunk along.
function add_hunk(begin, end, why,   before, behind, olds, news) {
    while (line[begin + before] ~ /^ /)
        before++
    while (line[end - behind] ~ /^ /)
        behind++
    for (; behind < before && end < lines && line[end + 1] ~ /^ /; end++)
        behind++
    for (; behind < before && (end < lines || behind == 3); begin++)
        before--
    olds = old_at[end + 1] - old_at[begin]
    news = new_at[end + 1] - new_at[begin]
    shown = shown sprintf("@@ -%d,%d +%d,%d @@%s\n", old_at[begin] - !olds,
        olds, new_at[begin] - !news, news, why)
    for (; begin <= end; begin++)
        shown = shown line[begin] "\n"
}

# Prints the file, or its one line.
function end_file(   i, how, why) {
    if (file == "")
        return
    for (i = told; i > 0 && story_file[i] != file; i--)
        ;
    how = from == "/dev/null" ? "new" : to == "/dev/null" ? "removed" : "changed"
    why = i > 0 ? sentence[i] : "Support: make diff N=" n " FILE=" file
    if (all || one || (i > 0 && to != "/dev/null"))
        printf "--- %s\n+++ %s\n%s", from, to, shown
    else
        printf "%s: %s, +%d -%d. %s\n", file, how, added, removed, why
    files[i > 0]++
    adds[i > 0] += added
    removes[i > 0] += removed
}

END {
    end_file()
    printf "0%d -> 0%d: ", n - 1, n
    if (files[1])
        printf "%s, %d lines added, %d removed", many(files[1]), adds[1], removes[1]
    if (files[1] && files[0])
        printf "; "
    if (files[0])
        printf "support: %s, +%d -%d", many(files[0]), adds[0], removes[0]
    print ""
}

function many(count) {
    return count " file" (count == 1 ? "" : "s")
}
