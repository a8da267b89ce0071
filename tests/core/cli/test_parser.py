"""A command line loads the file of its own command, and what that needs, but nothing else."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from core import __version__
from core.cli import main
from core.cli.commands import COMMANDS, module_of
from core.cli.parser import build_parser
from main import WINDOW_OPTIONS
from ui.language.translation import languages

ROOT = Path(__file__).resolve().parent.parent.parent.parent
ENGINE = {"numpy", "pandas", "pyarrow", "h3", "opendp", "shapely", "jinja2"}
"""Libraries that take long to load."""
LOADED = """
import contextlib, io, json, sys
from core.cli import main
for line in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main(line)
print(json.dumps(sorted(sys.modules)))
"""


def modules_of(*lines: list[str]) -> set[str]:
    """Every module that is loaded once these commands have run in a process of their own."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, json.dumps(lines)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout))


def commands_in(modules: set[str]) -> set[str]:
    return {name for name in COMMANDS if module_of(name) in modules}


def test_the_ledger_is_shown_without_the_engine() -> None:
    modules = modules_of(*(["ledger", action] for action in ("show", "check", "export")))
    assert "core.accounting.ledger" in modules
    assert modules & ENGINE == set()
    assert commands_in(modules) == {"ledger"}


def test_the_help_loads_no_command() -> None:
    modules = modules_of(["--help"], ["--version"])
    assert modules & ENGINE == set()
    assert commands_in(modules) == set()


def test_a_key_is_made_without_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXVEIL_PASSPHRASE", "several words")
    modules = modules_of(["keygen", "--out", str(tmp_path / "key")])
    assert (tmp_path / "key.pem").is_file()
    assert modules & ENGINE == set()


def test_noise_is_loaded_for_a_release_only() -> None:
    assert "opendp" not in modules_of(["mechanisms"], ["verify", "no-such-bundle"])
    importlib.import_module(module_of("release"))
    assert "opendp" in sys.modules, "its name"


def test_the_help_names_every_command_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name, does in COMMANDS.items():
        assert f" {name} {does}" in shown
    for option in WINDOW_OPTIONS:
        assert f"{option} " in shown
    assert f"in a language ({', '.join(languages())})" in shown


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"Hexveil {__version__}\n"


@pytest.mark.parametrize(
    "arguments", [[], ["paint"], ["led", "show"], ["ledger"], ["ledger", "spend"], ["mechanisms", "--colour"]]
)
def test_wrong_use_is_exit_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("usage: python main.py ")


def test_a_parser_reads_more_than_once() -> None:
    assert build_parser().parse_args(["ledger", "show"]).action == "show"
    assert build_parser().parse_args(["ledger", "check"]).action == "check"
