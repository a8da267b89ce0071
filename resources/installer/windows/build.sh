#!/usr/bin/env bash
# Make dist/hexveil-VERSION-setup.exe and dist/hexveil-VERSION-windows.zip on a Debian-like machine.
#
# Nothing of Windows is run: the parts are fetched (fetch.py), laid out (layout.py), the launchers compiled by
# mingw. All times are those of the newest commit, so that two builds give the same bytes.
#
# HEXVEIL_SIGN_CODE names a command that signs the program file that it is given (docs/building.md): launchers,
# uninstaller and setup program. A signature holds its time: then two builds differ there.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=resources/installer/windows
python=.venv/bin/python
stage=build/windows
program=$stage/hexveil
export PYTHONPATH=. PYTHONHASHSEED=0 LC_ALL=C.UTF-8 TZ=UTC
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

version=$("$python" resources/installer/parts.py version)
"$python" $here/fetch.py
"$python" $here/layout.py

"$python" resources/installer/icons.py --ico $stage/hexveil.ico
cp $here/hexveil.manifest $here/launcher.rc $stage/
numbers="${version//./,},0"
x86_64-w64-mingw32-windres -I $stage "-DNUMBERS=$numbers" "-DTEXT_VERSION=\\\"$version\\\"" \
  $stage/launcher.rc -O coff -o $stage/launcher.res
for kind in console:hexveil windows:hexveil-window; do
  define=
  if [ "${kind%%:*}" = windows ]; then define=-DWINDOW; fi
  x86_64-w64-mingw32-gcc-posix -std=c11 -O2 -Wall -Wextra -Werror -municode "-m${kind%%:*}" $define -s \
    -static -Wl,--no-insert-timestamp -Wl,--dynamicbase,--nxcompat,--high-entropy-va \
    -o "$program/${kind##*:}.exe" $here/launcher.c $stage/launcher.res
  if [ -n "${HEXVEIL_SIGN_CODE:-}" ]; then "$HEXVEIL_SIGN_CODE" "$program/${kind##*:}.exe"; fi
done
find $program -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +

rm -f dist/hexveil-*-setup.exe* dist/hexveil-*-windows.zip*
mkdir -p dist
"$python" $here/pack.py $program "dist/hexveil-$version-windows.zip"
defines=("-DVERSION=$version" "-DICON=$PWD/$stage/hexveil.ico" "-DSOURCE=$PWD/$program")
if [ -n "${HEXVEIL_SIGN_CODE:-}" ]; then defines+=("-DSIGN=$HEXVEIL_SIGN_CODE"); fi
makensis -V2 -WX "${defines[@]}" "-DTARGET=$PWD/dist/hexveil-$version-setup.exe" $here/hexveil.nsi
ls -l "dist/hexveil-$version-setup.exe" "dist/hexveil-$version-windows.zip"
