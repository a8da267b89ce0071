#!/usr/bin/env bash
# Make dist/hexveil_VERSION_ARCH.deb from the built folder dist/hexveil.
#
# The folder lies in /opt/hexveil, with two links in /usr/bin. No file is written there at run time:
# ledger, keys and settings are in the person's own folders and outlive upgrade and removal.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=resources/installer
python=.venv/bin/python
stage=build/deb

version=$("$python" $here/parts.py version)
architecture=$(dpkg --print-architecture)
rm -rf $stage
install -d $stage/DEBIAN $stage/opt $stage/usr/bin $stage/usr/share/{applications,mime/packages,icons} \
  $stage/usr/share/doc/hexveil
cp -a --reflink=auto dist/hexveil $stage/opt/hexveil
chmod -R u=rwX,go=rX $stage/opt/hexveil
for name in hexveil hexveil-window; do ln -s /opt/hexveil/$name $stage/usr/bin/$name; done
install -m 644 $here/hexveil.desktop $stage/usr/share/applications/
install -m 644 $here/hexveil-mime.xml $stage/usr/share/mime/packages/hexveil.xml
"$python" $here/icons.py $stage/usr/share/icons
install -m 644 LICENSE $stage/usr/share/doc/hexveil/copyright
install -m 644 dist/hexveil/THIRD_PARTY.md $stage/usr/share/doc/hexveil/
find $stage/usr -type d -exec chmod 755 {} + -o -type f -exec chmod 644 {} +

# what system-packages.sh wants for running is what the package depends on
glibc=$(dpkg-query -W -f='${Version}' libc6 | sed -E 's/^([0-9]+\.[0-9]+).*/\1/')
depends=$(bash $here/system-packages.sh list | sed -E 's/\|/ | /g; s/$/,/' | tr '\n' ' ' | sed 's/, *$//')
size=$(du -sk --exclude=DEBIAN $stage | cut -f1)
sed -e "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$size/; s/@DEPENDS@/libc6 (>= $glibc), $depends/" \
  $here/debian/control.in > $stage/DEBIAN/control
install -m 755 $here/debian/postinst $here/debian/postrm $stage/DEBIAN/
# zstd: a tenth of the time of xz for 5 % more; every system with a new enough glibc reads it
dpkg-deb --root-owner-group -Zzstd -z"${HEXVEIL_COMPRESSION:-12}" --build $stage dist/ >/dev/null
rm -rf $stage
ls dist/hexveil_"${version}"_"${architecture}".deb
