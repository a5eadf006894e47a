# Sourced by the others: from the top of the course, which folder is which.
# shellcheck shell=bash

cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

# A bats that runs us must not show through in the one that we run.
outside_bats() {
    PATH=${PATH//"${BATS_LIBEXEC:-/none}:"/}
    # shellcheck disable=SC2086 # several names
    unset ${!BATS_@}
}

# The folder of chapter $1, or one line that says what would be right.
chapter() {
    local folder
    for folder in 0"$1"-*/; do
        [[ $1 == [1-6] && -d $folder ]] && echo "${folder%/}" && return
    done
    echo "N=$1: there are chapters 1 to 6" >&2
    exit 2
}
