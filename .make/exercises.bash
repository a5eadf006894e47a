# Sourced by what works on exercises: which folder is which, and how a program
# in it is built.
# shellcheck shell=bash
# shellcheck source=chapters.bash
source "$(dirname "${BASH_SOURCE[0]}")/chapters.bash"

: "${CC:=cc}" "${CFLAGS:=-O2 -g}"
export CC CFLAGS
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion)

# The folder of exercise $2 of chapter $1, or one line that says what would be
# right.
exercise() {
    local folder
    for folder in 0"$1"-*/exercises/"$2"-*/; do
        [[ $1 == [1-6] && $2 == [1-9] && -d $folder ]] && echo "${folder%/}" && return
    done
    echo "N=$1 E=$2: there are chapters 1 to 6 and exercises 1 to 3 in each, as in N=2 E=1" >&2
    exit 2
}

# The first line of the README in folder $1.
title() {
    local line
    read -r line <"$1/README.md"
    echo "${line#\# }"
}

# What stands under the heading $2 in the README of folder $1, with code
# indented; without $2, what stands before the first heading.
section() {
    awk -v wanted="${2:-}" '
        /^# /  { next }
        /^## / { heading = substr($0, 4); next }
        heading != wanted { next }
        /^```/ { code = !code; next }
        /^$/   { gap = some; next }
               { print (gap ? "\n" : "") (code ? "    " : "") $0; some = 1; gap = 0 }' "$1/README.md"
}

# The compiler with what every chapter needs; $1 is the chapter's folder.
compile() {
    local chapter=$1 flags=(-pthread)
    shift
    [[ ${chapter##*/} == 0[1-3]-* ]] || flags+=(-fstack-clash-protection)
    # shellcheck disable=SC2086 # CFLAGS are several words
    $CC "${warnings[@]}" "${flags[@]}" $CFLAGS -I"$chapter" "$@"
}

# All modules of the chapter in folder $1, as the archive $2. From an archive
# the linker takes what is missing alone: so an answer may bring a scheduler of
# its own.
build_modules() {
    local objects=$2.objects file name
    mkdir "$objects"
    for file in "$1"/*.c; do
        [[ $file == */bakery.c ]] && continue
        name=${file##*/}
        compile "$1" -c "$file" -o "$objects/${name%.c}.o" || return
    done
    ar rcs "$2" "$objects"/*.o
    rm -r "$objects"
}

# Checks the program $answer that was built from $source, with check.bats of
# folder $1; more arguments are for bats. What is printed is TAP.
check_answer() (
    export answer source chapter modules
    outside_bats
    exec bats --tap "${@:2}" "$1/check.bats"
)

# How many hints were given in folder $1.
hints() {
    if [[ -e $1/.hints ]]; then cat "$1/.hints"; else echo 0; fi
}
