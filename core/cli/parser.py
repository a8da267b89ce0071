"""How a command line is read: the commands are known by name, the arguments of one when it is asked for."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from core import __version__
from core.cli.commands import COMMANDS, load_command
from core.system.paths import program_name


class CommandParser(argparse.ArgumentParser):
    """The parser of one command, which loads the command's file when it begins to parse."""

    def __init__(self, *, command: str, **options: Any) -> None:
        super().__init__(**options)
        self._command = command

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As every parser does, with the arguments that the command's file adds, and its `run`."""
        command = load_command(self._command)
        command.add_arguments(self)
        self.set_defaults(run=command.run)
        return super().parse_known_args(args, namespace)


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of these arguments; what it returns holds `run`, the chosen command.

    Where they begin with a command, that one alone is known: twenty parsers take longer than many a command.
    """
    parser = argparse.ArgumentParser(
        prog=program_name(),
        description="Publish traffic statistics under differential privacy.",
        epilog="Without a command the window opens: --open FILE opens it with records, a spec or a bundle, "
        "--language CODE in a language (en, hi), --home DIR with another home.",
    )
    parser.add_argument("--version", action="version", version=f"Hexveil {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=CommandParser)
    asked = [name for name in arguments[:1] if name in COMMANDS] or COMMANDS
    for name in asked:
        commands.add_parser(name, command=name, help=COMMANDS[name])
    return parser
