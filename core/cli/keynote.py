"""`keynote`: a note that names a signing key's successor or revokes it, to be published (method 18.3)."""

from __future__ import annotations

import argparse
import datetime as dt
from pathlib import Path

from core.console.home_option import add_home, home_of
from core.console.passphrase import read_passphrase
from core.keys.signing_key import load_key
from core.signed.key_notes import key_note_path
from core.signed.minisign import read_public_key
from core.verify.key_note import publish_key_note


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--replaced-by", metavar="KEY", help="the new key: its text or its .pub file")
    kind.add_argument("--revoke", action="store_true", help="somebody else may have the key; final")
    parser.add_argument("--reason", required=True, help="one line, for everybody to read")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the bundles")
    parser.add_argument(
        "--published",
        type=Path,
        nargs="*",
        default=[],
        metavar="BUNDLE",
        help="with --revoke: what stays good",
    )
    parser.add_argument("--key", type=Path, help="the key that the note is about (default: the home's)")
    parser.add_argument("--passphrase-file", metavar="FILE|-", help="or HEXVEIL_PASSPHRASE")


def run(options: argparse.Namespace) -> int:
    """Sign the note and say where it lies."""
    successor = read_public_key(options.replaced_by) if options.replaced_by else None
    key = load_key(options.key or home_of(options).default_key, read_passphrase(options.passphrase_file))
    note = publish_key_note(
        options.out,
        key=key,
        reason=options.reason,
        now=dt.datetime.now(dt.UTC),
        successor=successor,
        published=options.published,
    )
    print(f"{note.sentence[0].upper()}{note.sentence[1:]}")
    path = key_note_path(options.out, key.public)
    print(f"Note: {path}, and its signature beside it: publish both beside the bundles and on your own site.")
    return 0
