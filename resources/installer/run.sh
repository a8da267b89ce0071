#!/usr/bin/env bash
# Make dist/hexveil-VERSION-MACHINE.run: unpacks itself and installs for one person, without root.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=resources/installer
python=.venv/bin/python
stage=build/run

version=$("$python" $here/parts.py version)
target=dist/hexveil-$version-$(uname -m).run
rm -rf $stage
install -d $stage/icons
cp -a --reflink=auto dist/hexveil $stage/hexveil
install -m 755 $here/run/setup.sh $here/run/uninstall.sh $stage/
install -m 644 $here/hexveil.desktop $here/hexveil-mime.xml $stage/
"$python" $here/icons.py $stage/icons
chmod -R u=rwX,go=rX $stage
# gzip, since every machine unpacks it; level 6 takes less than half of the time of 9 for 0.7 % more
makeself --gzip --complevel 6 --nox11 --tar-quietly --quiet $stage "$target" "Hexveil $version" ./setup.sh >/dev/null
rm -rf $stage
ls "$target"
