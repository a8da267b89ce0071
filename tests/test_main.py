"""What is asked of `main.py`: the window or the command line."""

from __future__ import annotations

import pytest

from main import window_options


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], {}),
        (["--home", "h"], {"--home": "h"}),
        (["--open", "a.hexveil.toml"], {"--open": "a.hexveil.toml"}),
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
