"""The commands are those that the documents name, and each file holds what a command needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.cli import main
from core.cli.commands import COMMANDS, load_command, module_of
from core.cli.ledger import ACTIONS

ROOT = Path(__file__).resolve().parent.parent.parent.parent
SHARED = {"__init__", "begin_spec", "commands", "evaluate_city", "parser", "plan_user"}
"""Files of core/cli that are no command."""
WHOLE = {name for name in COMMANDS if name != "ledger"} | {f"ledger {action}" for action in ACTIONS}


def named(text: str) -> set[str]:
    """Commands in a text's code spans; after `ledger show` a lone `check` is an action of the ledger too.

    Spans that begin with an option name none: they speak of the window.
    """
    found = set()
    ledger = False
    for span in re.findall(r"`([^`]+)`", text):
        first, *rest = span.split()
        ledger = first == "ledger" or (ledger and not rest)
        if not first.startswith("--"):
            found.add(f"ledger {rest[0] if first == 'ledger' else first}" if ledger else first)
    return found


def method_commands() -> set[str]:
    section = (ROOT / "docs" / "method.md").read_text("utf-8").split("\n## 15 Command line\n", 1)[1]
    listed = section.split("`--help` tells all of them:", 1)[1].split("\n\n", 1)[0]
    # what follows the ledger's actions in the running text is set off by their section
    return {command for part in listed.split("(section 13)") for command in named(part)}


def test_the_method_lists_every_command_and_no_other() -> None:
    assert method_commands() == WHOLE


def test_a_left_over_command_would_be_found() -> None:
    assert named("`inspect DATA... [--json]`, `verify B`; `ledger show`, `check`") == {
        "inspect",
        "verify",
        "ledger show",
        "ledger check",
    }
    assert named("`--open FILE`") == set()


def test_every_file_is_a_command_or_shared() -> None:
    files = {path.stem for path in (ROOT / "core" / "cli").glob("*.py")}
    assert files - SHARED == {module_of(name).rpartition(".")[2] for name in COMMANDS}
    assert files >= SHARED


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_what_its_parser_needs(name: str) -> None:
    command = load_command(name)
    assert callable(command.add_arguments)
    assert callable(command.run)


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_every_command_has_a_help_and_takes_a_home(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*name.split(), "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: python main.py {name} ")
    assert "--home HOME" in shown
