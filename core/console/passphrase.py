"""Where a passphrase comes from, of a signing key or an encrypted table: a file in UTF-8 (method 18)."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from core.console.console import can_ask
from core.errors import InputError
from core.read.unreadable_files import unreadable_as_input_error
from core.system.regular_files import read_regular


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """How one kind of passphrase is asked for."""

    whose: str
    option: str
    variable: str
    prompt: str


_OF_KEY = _Source(
    whose="key", option="--passphrase-file", variable="HEXVEIL_PASSPHRASE", prompt="Passphrase: "
)
_OF_TABLE = _Source(
    whose="table",
    option="--table-passphrase-file",
    variable="HEXVEIL_TABLE_PASSPHRASE",
    prompt="Passphrase of the contribution table: ",
)


def read_passphrase(file: str | None, *, new: bool = False) -> str:
    """From a file, standard input (`-`), the environment, or a prompt; a `new` one is asked for twice.

    Raises InputError when there is none, the file cannot be read, or the two differ.
    """
    return _read(_OF_KEY, file, new=new)


def add_table_passphrase(parser: argparse.ArgumentParser) -> None:
    """The option that names it, for commands that read or write contribution tables."""
    parser.add_argument(
        _OF_TABLE.option,
        metavar="FILE|-",
        help=f"of an encrypted table; or {_OF_TABLE.variable}",
    )


def read_table_passphrase(options: argparse.Namespace, *, new: bool = False) -> str:
    """The same of a contribution table; raises as `read_passphrase` does."""
    return _read(_OF_TABLE, options.table_passphrase_file, new=new)


def _read(source: _Source, file: str | None, *, new: bool) -> str:
    if file == "-":
        return sys.stdin.readline().rstrip("\r\n")
    if file:
        with unreadable_as_input_error(Path(file)):
            content = read_regular(Path(file), pipes=True)
        return _text(content, file)
    if source.variable in os.environ:
        return os.environ[source.variable]
    if not can_ask():
        raise InputError(
            f"The {source.whose}'s passphrase is missing.",
            where=source.option,
            mend=f"name a file that holds it, or set {source.variable}",
        )
    first = getpass.getpass(source.prompt)
    if new and getpass.getpass("Again: ") != first:
        raise InputError("The two passphrases differ.", where="prompt", mend="run the command again")
    return first


def _text(content: bytes, file: str) -> str:
    try:
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    except UnicodeDecodeError:
        raise InputError(
            "The passphrase is not text in UTF-8.", where=file, mend="save the file as plain text in UTF-8"
        ) from None
