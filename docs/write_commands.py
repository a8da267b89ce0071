"""Write commands.md from the parsers of the command line: `make docs`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from core.cli.commands import COMMANDS, load_command

PAGE = Path(__file__).with_name("commands.md")
_WIDTH = 100
_HEAD = """\
# Commands

Made from the program by `make docs`; do not edit. `hexveil COMMAND --help` prints the same.

Where Hexveil is installed, the command is `hexveil`. In a checkout it is `.venv/bin/python main.py`.
Without a command it opens the window: `--open FILE` opens it with records, a spec or a bundle, and
`--language hi` in a language (`en`, `hi`), whatever the settings say.

`--home DIR` or `HEXVEIL_HOME` says where ledger, keys and settings live. `HEXVEIL_PASSPHRASE` holds the
key's passphrase where no file is named. Exit codes: 0 done, 1 a check failed, 2 wrong use or unusable
input, 3 refused by the budget, 130 stopped by Ctrl+C, 143 by SIGTERM. An error says
what happened, where, and what to do.

*Confidential*: what the command prints or writes follows from the records and is not for the public.
"""


def commands_page() -> str:
    """Every command with its line, then the usage and the arguments of each."""
    lines = [f"| [`{name}`](#{name}) | {does} |" for name, does in COMMANDS.items()]
    table = "\n".join(["| command | does |", "| --- | --- |", *lines, ""])
    return "\n".join([_HEAD, table, *map(_section, COMMANDS)])


def _section(name: str) -> str:
    parser = argparse.ArgumentParser(prog=f"hexveil {name}")
    load_command(name).add_arguments(parser)
    blocks = (f"```text\n{text}```\n" for text in _helps(parser))
    return "\n".join([f"## {name}\n", *blocks])


def _helps(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The help of a parser, and of the actions that it chooses among."""
    parser.formatter_class = partial(parser.formatter_class, width=_WIDTH)
    yield parser.format_help()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for chosen in action.choices.values():
                yield from _helps(chosen)


if __name__ == "__main__":
    PAGE.write_text(commands_page(), encoding="utf-8")
