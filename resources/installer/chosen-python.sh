#!/usr/bin/env bash
# The Python 3.11 on PATH that makes the virtual environment; no word when there is none.
#
#   chosen-python.sh [system folder, /usr/bin]
#
# The distribution's own goes first: it was compiled with what profiles of it have shown, which a Python compiled
# in a home folder seldom was, and takes a tenth less time for everything that is Python. One that can make no
# environment (Debian has that part apart) waits for all others.
set -eu

system=${1:-/usr/bin}

is_of_our_version() {
  "$1" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null
}

can_make_environments() {
  "$1" -c 'import ensurepip, venv' 2>/dev/null
}

incomplete=""
for place in "$system" ""; do
  while IFS= read -r python; do
    case "$python" in "$place"/*) ;; *) continue ;; esac
    if is_of_our_version "$python"; then
      if can_make_environments "$python"; then
        echo "$python"
        exit 0
      fi
      incomplete=${incomplete:-$python}
    fi
  done < <(type -aP python3.11 python3 || true)
done
echo "$incomplete"
