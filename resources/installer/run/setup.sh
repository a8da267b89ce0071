#!/bin/sh
# Runs from the unpacked archive: installs Hexveil for this person only, without administrator rights.
# An older version is replaced as a whole; ledger, keys and settings lie elsewhere and are not touched.
set -eu

data=${XDG_DATA_HOME:-$HOME/.local/share}
target=$data/hexveil-program
bin=$HOME/.local/bin
source=$(cd "$(dirname "$0")" && pwd)

mkdir -p "$data" "$bin" "$data/applications" "$data/mime/packages" "$data/icons"
rm -rf "$target.new"
cp -R "$source/hexveil" "$target.new"
cp "$source/uninstall.sh" "$target.new/uninstall.sh"
chmod 755 "$target.new/uninstall.sh"
# the old version stays whole until the new one lies beside it
rm -rf "$target.old"
if [ -d "$target" ]; then mv "$target" "$target.old"; fi
mv "$target.new" "$target"
rm -rf "$target.old"

for name in hexveil hexveil-window; do ln -sf "$target/$name" "$bin/$name"; done
sed -e "s|^Exec=hexveil-window|Exec=\"$bin/hexveil-window\"|" -e "s|^TryExec=.*|TryExec=$bin/hexveil-window|" \
  "$source/hexveil.desktop" > "$data/applications/hexveil.desktop"
cp "$source/hexveil-mime.xml" "$data/mime/packages/hexveil.xml"
cp -R "$source/icons/." "$data/icons/"
if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$data/applications" || true; fi
if command -v update-mime-database >/dev/null; then update-mime-database "$data/mime" || true; fi

echo "Hexveil is installed in $target."
echo "Start it from the menu, or: $bin/hexveil-window     Command line: $bin/hexveil"
echo "Remove it with: $target/uninstall.sh"
