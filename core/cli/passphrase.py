"""Where the passphrase of a signing key comes from (method 18)."""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path

from core.cli.console import can_ask
from core.errors import InputError
from core.read.input_files import unreadable_as_input_error


def read_passphrase(file: str | None, *, new: bool = False) -> str:
    """From a file, standard input (`-`), the environment, or a prompt; a `new` one is asked for twice.

    Raises InputError when there is none, the file cannot be read, or the two differ.
    """
    if file == "-":
        return sys.stdin.readline().rstrip("\r\n")
    if file:
        with unreadable_as_input_error(Path(file)):
            return Path(file).read_text("utf-8").rstrip("\r\n")
    if "HEXVEIL_PASSPHRASE" in os.environ:
        return os.environ["HEXVEIL_PASSPHRASE"]
    if not can_ask():
        raise InputError(
            "The key's passphrase is missing.",
            where="--passphrase-file",
            mend="name a file that holds it, or set HEXVEIL_PASSPHRASE",
        )
    first = getpass.getpass("Passphrase: ")
    if new and getpass.getpass("Again: ") != first:
        raise InputError("The two passphrases differ.", where="prompt", mend="run the command again")
    return first
