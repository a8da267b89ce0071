#!/usr/bin/env bash
# What `make run` does without a display: release the sample in a temporary home, signed with a
# throw-away key, verify it, and say where it is.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=.venv/bin/python
out=build/sample-$(date +%Y%m%d-%H%M%S)
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
HEXVEIL_HOME=$home
HEXVEIL_PASSPHRASE=$(head -c 24 /dev/urandom | base64)
export HEXVEIL_HOME HEXVEIL_PASSPHRASE

mkdir -p build
"$python" main.py keygen
"$python" main.py ledger set-limit "Sample buses" --per-vehicle 10
"$python" main.py release resources/sample/sample.toml --out "$out" --yes
bundle=$(dirname "$(find "$out" -name SHA256SUMS)")
"$python" main.py verify "$bundle" --public-key "$home/keys/release-key.pub"
echo
echo "The released sample is in $bundle"
