"""The command line (method 15): one file for each command; only here does the core print.

A command's file holds `add_arguments` and `run`; `commands` names them all, `parser` finds the one
that was asked for. The other files are what several commands share.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from core.cli.parser import build_parser
from core.console.plain_output import plain_output
from core.console.termination import EXIT_CODE, AskedToEnd, ends_in_order
from core.errors import HexveilError
from core.store.working_folders import sweep_working_folders
from core.system.fault_report import log_fault, unexpected
from core.system.open_home import close_to_others
from core.system.paths import find_home


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code (method 15)."""
    with plain_output(), ends_in_order():
        return _run(arguments)


def _run(arguments: Sequence[str]) -> int:
    options = argparse.Namespace()
    try:
        options = build_parser(arguments).parse_args(arguments)
        home = find_home(options.home if "home" in options else None)
        home.sweep()
        if said := close_to_others(home):
            print(f"note: {said}", file=sys.stderr)
        sweep_working_folders(home.cache)
        code: int = options.run(options)
        # a short output leaves its buffer only now: a reader that has gone is noticed here, not at exit
        print(end="", flush=True)
    except HexveilError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt as stop:
        print("stopped", file=sys.stderr)
        return EXIT_CODE if isinstance(stop, AskedToEnd) else 130
    except BrokenPipeError:
        # the reader of our output has gone: what is still to be printed goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        # whatever nobody foresaw: shown in three parts like all else, and its place is in a log
        log = log_fault(find_home(getattr(options, "home", None)).fault_log, error)
        print(f"error: {unexpected(error, log)}", file=sys.stderr)
        return 1
    return code
