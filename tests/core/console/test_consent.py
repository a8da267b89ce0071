"""Consent is a word typed at a terminal, or an option of the command."""

from __future__ import annotations

import io

import pytest

from core.console.consent import consents
from core.errors import InputError


class Terminal(io.StringIO):
    """Standard input with a person before it."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("typed", "agreed"), [("yes", True), (" YES ", True), ("y", False), ("", False), ("no", False)]
)
def test_only_the_word_yes_agrees(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], typed: str, agreed: bool
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(f"{typed}\n"))
    assert consents("Really?", what="This", mend="add --yes") is agreed
    assert capsys.readouterr().out == "Really? Type yes: "


def test_without_a_terminal_nobody_can_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("yes\n"))
    with pytest.raises(InputError, match="This needs your consent") as refused:
        consents("Really?", what="This", mend="add --yes")
    assert (refused.value.where, refused.value.mend) == ("standard input", "add --yes")
