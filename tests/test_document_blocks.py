"""The commands of README and docs run as printed, page by page, from a checkout with a home that is new.

The first word behind the three signs names the language, the second says how the commands are run:
none here, at every run of the tests, those of one page as processes at a terminal; `long` takes minutes or
fetches packages, and `make blocks` runs it; `elsewhere` needs another system, a certificate or something that
no checkout has, and nothing here runs it.
"""

from __future__ import annotations

import io
import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.cli import main

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
NO_COMMANDS = {"text", "toml", "sql", "python"}
NOT_OF_A_CHECKOUT = {".git", ".venv", "build", "dist"}


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    """Of the first command."""
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks_of(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT).as_posix()
    return [
        Block(name, text.count("\n", 0, found.start()) + 2, found["kind"], found["text"])
        for found in FENCE.finditer(text)
    ]


PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
COMMANDS = [block for page in PAGES for block in blocks_of(page) if block.kind not in NO_COMMANDS]
QUICK = [block for block in COMMANDS if block.kind == "sh"]
LONG = [block for block in COMMANDS if block.kind == "sh long"]


PASSPHRASES = {
    "HEXVEIL_PASSPHRASE": "correct horse battery staple",
    "HEXVEIL_TABLE_PASSPHRASE": "staple battery horse correct",
}
OURS = re.compile(r"^((?:hexveil|cd) (?:.*\\\n)*.*\n)", re.MULTILINE)
"""A command of the program, with the lines that it goes on in, or of the shell that those after it feel."""


class Terminal(io.StringIO):
    """Standard input with a person before it."""

    def isatty(self) -> bool:
        return True


def run_here(commands: str, checkout: Path, home: Path) -> None:
    """As `run`, with the program's commands in this process: to start it takes longer than most of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(checkout)
        for name, value in ({"HEXVEIL_HOME": str(home)} | PASSPHRASES).items():
            patch.setenv(name, value)
        patch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
        for number, part in enumerate(OURS.split(commands)):
            patch.setattr("sys.stdin", Terminal("yes\n"))
            if not number % 2:
                subprocess.run(["bash", "-euxo", "pipefail", "-c", part], check=True)
                continue
            command, *arguments = shlex.split(part.replace("\\\n", ""), comments=True)
            if command == "cd":
                os.chdir(*arguments)
            else:
                assert main(arguments) == 0, part


def run(commands: str, checkout: Path, home: Path) -> None:
    """At a terminal, with each passphrase in the environment and the answer to each question typed ahead."""
    programs = home.with_name(f"{home.name}-programs")
    programs.mkdir()
    hexveil = programs / "hexveil"
    hexveil.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {ROOT}/main.py "$@"\n', encoding="utf-8"
    )
    hexveil.chmod(0o755)
    person, terminal = pty.openpty()
    try:
        os.write(person, b"yes\n" * commands.count("hexveil release"))
        done = subprocess.run(
            ["bash", "-euxo", "pipefail", "-c", commands],
            cwd=checkout,
            env=os.environ
            | {
                "PATH": os.pathsep.join(
                    (str(programs), str(Path(sys.executable).parent), os.environ["PATH"])
                ),
                "HEXVEIL_HOME": str(home),
            }
            | PASSPHRASES,
            stdin=terminal,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
    finally:
        os.close(person)
        os.close(terminal)
    assert done.returncode == 0, done.stdout[-4000:]


def test_every_block_says_what_it_is_and_those_that_nobody_runs_here_are_these() -> None:
    counted = Counter((block.page, block.kind) for block in COMMANDS if block.kind not in {"sh", "sh long"})
    assert counted == {
        ("README.md", "sh elsewhere"): 2,  # package index; a window
        ("docs/building.md", "bat elsewhere"): 1,
        ("docs/building.md", "sh elsewhere"): 1,  # an archive from python.org
        ("docs/statistics.md", "sh elsewhere"): 1,  # records that are not in the repository
        ("docs/verify.md", "sh elsewhere"): 1,  # macOS
        ("docs/verify.md", "powershell elsewhere"): 1,
    }
    assert len(QUICK) + len(LONG) + counted.total() == len(COMMANDS)
    assert len(QUICK) >= 8


@pytest.mark.skipif(not shutil.which("minisign"), reason="needs the minisign program")
@pytest.mark.parametrize("page", sorted({block.page for block in QUICK}))
def test_the_commands_of_a_page_run_as_printed(page: str, tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for entry in ROOT.iterdir():
        if entry.name not in NOT_OF_A_CHECKOUT:
            (checkout / entry.name).symlink_to(entry)
    commands = "".join(block.text for block in QUICK if block.page == page)
    if page == "docs/verify.md":
        run(commands, checkout, tmp_path / "home")
    else:
        run_here(commands, checkout, tmp_path / "home")


@pytest.fixture(scope="module")
def clone(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is committed. An environment that is complete serves it; else the first command makes one."""
    if request.config.getoption("markexpr") != "long":
        pytest.skip("takes long: make blocks")
    folder = tmp_path_factory.mktemp("clone") / "checkout"
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
    if Path(sys.prefix, ".complete").exists():
        (folder / ".venv").symlink_to(sys.prefix)
        os.utime(folder / "requirements.lock", (0, 0))
    return folder


@pytest.mark.long
@pytest.mark.parametrize("block", LONG, ids=str)
def test_what_takes_long_runs_as_printed(block: Block, clone: Path, tmp_path: Path) -> None:
    run(block.text, clone, tmp_path / "home")
