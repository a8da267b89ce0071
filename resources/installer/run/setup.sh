#!/bin/sh
# Runs from the unpacked archive: installs Hexveil for this person only, without administrator rights.
# An older version is replaced as a whole; ledger, keys and settings lie elsewhere and are not touched, and what
# else lies in the program's folder, or under its names in ~/.local/bin, stays.
set -eu

data=${XDG_DATA_HOME:-$HOME/.local/share}
target=$data/hexveil-program
bin=$HOME/.local/bin
source=$(cd "$(dirname "$0")" && pwd)

mkdir -p "$data" "$bin" "$data/applications" "$data/mime/packages" "$data/icons"

parts="hexveil hexveil-window _internal licences LICENSE THIRD_PARTY.md uninstall.sh"
remove_parts() { for part in $parts; do rm -rf "${1:?}/$part"; done; }
# What is left of a folder that a version lay in, and who put it there, is not known: it goes back to its place.
end_old() {
  [ -d "$target.old" ] || return 0
  remove_parts "$target.old"
  mkdir -p "$target"
  find "$target.old" -mindepth 1 -maxdepth 1 -exec mv -n {} "$target/" \;
  rmdir "$target.old" || { echo "Move what lies in $target.old elsewhere, then run this again." >&2; exit 1; }
}

remove_parts "$target.new"
mkdir -p "$target.new"
cp -R "$source/hexveil/." "$target.new"
cp "$source/uninstall.sh" "$target.new/uninstall.sh"
chmod 755 "$target.new/uninstall.sh"
# the old version stays whole until the new one lies beside it
end_old
if [ -d "$target" ]; then mv "$target" "$target.old"; fi
mv "$target.new" "$target"
end_old

for name in hexveil hexveil-window; do
  if [ -L "$bin/$name" ] && [ "$(readlink "$bin/$name")" = "$target/$name" ]; then continue; fi
  if [ -e "$bin/$name" ] || [ -L "$bin/$name" ]; then
    echo "$bin/$name is not of this program: it stays. Hexveil's is $target/$name." >&2
  else
    ln -s "$target/$name" "$bin/$name"
  fi
done
sed -e "s|^Exec=hexveil-window|Exec=\"$target/hexveil-window\"|" -e "s|^TryExec=.*|TryExec=$target/hexveil-window|" \
  "$source/hexveil.desktop" > "$data/applications/hexveil.desktop"
cp "$source/hexveil-mime.xml" "$data/mime/packages/hexveil.xml"
cp -R "$source/icons/." "$data/icons/"
if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$data/applications" || true; fi
if command -v update-mime-database >/dev/null; then update-mime-database "$data/mime" || true; fi

echo "Hexveil is installed in $target."
echo "Start it from the menu, or: $bin/hexveil-window     Command line: $bin/hexveil"
echo "Remove it with: $target/uninstall.sh"
