"""What is asked of `main.py`: the window or the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from main import main, window_options


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], {}),
        (["--home", "h"], {"--home": "h"}),
        (["--open", "a.hexveil.toml"], {"--open": "a.hexveil.toml"}),
        (["--language", "hi"], {"--language": "hi"}),
        (["--open", "o", "--home", "h"], {"--home": "h", "--open": "o"}),
    ],
)
def test_the_window_is_meant(arguments: list[str], options: dict[str, str]) -> None:
    assert window_options(arguments) == options


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", "bundle"],
        ["--home"],
        ["--version"],
        ["--open", "a", "b"],
        ["--open", "a", "--open", "b"],
        ["--home", "h", "ledger", "show"],
        ["ledger", "show"],
    ],
)
def test_the_command_line_is_meant(arguments: list[str]) -> None:
    assert window_options(arguments) is None


def test_a_language_that_does_not_ship_is_refused_with_those_that_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["main.py", "--language", "xx"])
    assert main() == 2
    assert "choose one of: en, hi" in capsys.readouterr().err


STARTED = """
import sys, main
assert "numpy" not in sys.modules
sys.argv = ["main.py", "--version"]
try:
    main.main()
except SystemExit:
    pass
import os
try:
    import resource
    print(max(resource.getrlimit(resource.RLIMIT_CORE)))
except ImportError:
    print(0)
print(os.environ["OPENBLAS_NUM_THREADS"])
"""


@pytest.mark.parametrize(("told", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "4"}, "4")])
def test_linear_algebra_has_one_thread_unless_told_otherwise(told: dict[str, str], threads: str) -> None:
    without = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", STARTED],
        cwd=Path(__file__).resolve().parent.parent,
        env=without | told,
        capture_output=True,
        text=True,
        check=True,
    )
    dumped, used = done.stdout.split()[-2:]
    assert used == threads
    assert dumped in ("0", "1")  # bytes: whoever has a passphrase or a key in memory leaves no picture of it


THREADS = """
import pathlib, sys, tests.conftest
assert "numpy" in sys.modules
names = [path.read_text() for path in pathlib.Path("/proc/self/task").glob("*/comm")]
print(names.count(pathlib.Path("/proc/self/comm").read_text()))  # Arrow's have names of their own
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted as Linux lists them")
def test_nor_has_it_more_in_the_tests() -> None:
    """Two threads that wait for each other cost a quarter of what smoothing takes of the processor."""
    without = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", THREADS],
        cwd=Path(__file__).resolve().parent.parent,
        env=without,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["1"]


class Interrupted:
    """Ctrl+C while the command line is being loaded."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "core.cli":
            raise KeyboardInterrupt


def test_ctrl_c_while_the_engine_is_loaded_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "core.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    monkeypatch.setattr(sys, "argv", ["main.py", "mechanisms"])
    assert main() == 130
    assert capsys.readouterr().err == "stopped\n"
