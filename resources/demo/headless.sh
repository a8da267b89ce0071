#!/usr/bin/env bash
# What `make run` does without a display: a practice release of the sample, whose ledger and key are
# thrown away; verify it, and say where it is.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=.venv/bin/python
out=build/sample-$(date +%Y%m%d-%H%M%S)
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export HEXVEIL_HOME=$home

mkdir -p build
"$python" main.py practice --out "$out"
bundle=$(dirname "$(find "$out" -name SHA256SUMS)")
"$python" main.py verify "$bundle" --practice
echo
echo "The released sample is in $bundle"
