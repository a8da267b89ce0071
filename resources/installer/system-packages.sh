#!/usr/bin/env bash
# System libraries on Debian and its relatives: silent when nothing is missing.
#
#   system-packages.sh [run|test|build|windows|wine]     test: also what the test suite uses; build: also what
#                                           `make installer` and `make smoke` use; windows: `make windows`;
#                                           wine: what tries the Windows program here
#   system-packages.sh list                 print what the window needs, one a line, new|old names
#
# Exit 0: all there, installed now (as root), or not a dpkg system. Exit 2: the printed line must be run.
set -eu

here=${BASH_SOURCE[0]%/*}

widgets="libgl1 libegl1 libdbus-1-3 libfontconfig1 libfreetype6 libglib2.0-0t64|libglib2.0-0 libxkbcommon0"
xcb="libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-xkb1 libxcb-shape0 libxkbcommon-x11-0"
web="libnss3 libxcomposite1 libxdamage1 libxrandr2 libxtst6 libasound2t64|libasound2 libxkbfile1"
fonts="fonts-lohit-deva"
testing="minisign strace xvfb"
building="binutils debootstrap dpkg-dev fakeroot makeself xdotool"
windows="gcc-mingw-w64-x86-64-posix nsis"
wine="gcc-mingw-w64-x86-64-posix wine wine64 xdotool xvfb"

if [ "${1:-run}" = list ]; then
  for entry in $widgets $xcb $web; do echo "$entry"; done
  exit 0
fi

command -v dpkg-query >/dev/null || exit 0

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

is_offered() {
  apt-cache show --no-all-versions "$1" >/dev/null 2>&1
}

# The Python that the Makefile will choose.
chosen_python() {
  "$BASH" "$here/chosen-python.sh"
}

# What it needs to make a virtual environment.
python_packages() {
  local python
  python=$(chosen_python)
  if [ -n "$python" ]; then
    "$python" -c 'import ensurepip, venv' 2>/dev/null || echo 'python3.11-venv|python3-venv'
  elif is_offered python3.11; then
    echo 'python3.11 python3.11-venv|python3-venv'
  fi
}

# Its library, which PyInstaller takes along and Debian has apart.
python_library() {
  local python look
  python=$(chosen_python)
  look='import ctypes, sysconfig; ctypes.CDLL(sysconfig.get_config_var("INSTSONAME"))'
  if [ -z "$python" ] || ! "$python" -c "$look" 2>/dev/null; then
    if is_offered libpython3.11; then echo libpython3.11; fi
  fi
}

of_python() {
  python_packages
  if [ "$purpose" = build ]; then python_library; fi
}

# Of each `new|old` entry with no name installed: the first name that this release offers, else the last.
missing_packages() {
  local entry name chosen
  for entry in "$@"; do
    chosen=""
    for name in ${entry//|/ }; do
      if is_installed "$name"; then continue 2; fi
    done
    for name in ${entry//|/ }; do
      chosen=$name
      if is_offered "$name"; then break; fi
    done
    printf '%s ' "$chosen"
  done
}

purpose=${1:-run}
wanted="$widgets $xcb $web $fonts $(of_python)"
case "$purpose" in
  test) wanted="$wanted $testing" ;;
  build) wanted="$wanted $testing $building $windows" ;;
  windows) wanted="$wanted $windows" ;;
  wine) wanted="$wanted $wine" ;;
esac
# shellcheck disable=SC2086
missing=$(missing_packages $wanted)
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  echo "Installing system packages: $missing" >&2
  export DEBIAN_FRONTEND=noninteractive
  if apt-get update -qq >&2; then
    # The first look may have been at an empty or old package list.
    # shellcheck disable=SC2086
    missing=$(missing_packages $wanted $(of_python))
    # shellcheck disable=SC2086
    if apt-get install -y -qq --no-install-recommends $missing >&2; then exit 0; fi
  fi
fi
echo "System packages are missing. Run this, then try again:" >&2
echo "  sudo apt-get install --no-install-recommends ${missing% }" >&2
exit 2
