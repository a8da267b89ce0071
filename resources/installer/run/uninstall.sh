#!/bin/sh
# Removes what setup.sh installed, by name. Ledger, keys and settings stay: a spent budget remains spent.
set -eu

data=${XDG_DATA_HOME:-$HOME/.local/share}
bin=$HOME/.local/bin
target=$data/hexveil-program

for name in hexveil hexveil-window; do
  if [ "$(readlink "$bin/$name" 2>/dev/null)" = "$target/$name" ]; then rm -f "$bin/$name"; fi
done
rm -f "$data/applications/hexveil.desktop" "$data/mime/packages/hexveil.xml"
rm -f "$data"/icons/hicolor/*/apps/hexveil.png
if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$data/applications" || true; fi
if command -v update-mime-database >/dev/null; then update-mime-database "$data/mime" || true; fi
for part in hexveil hexveil-window _internal licences LICENSE THIRD_PARTY.md uninstall.sh; do rm -rf "$target/$part"; done
if [ -d "$target" ] && ! rmdir "$target" 2>/dev/null; then echo "What else lies in $target stays."; fi
echo "Hexveil is removed. Ledger, keys and settings are still in ${HEXVEIL_HOME:-$data/hexveil}."
