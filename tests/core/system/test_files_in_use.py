"""Changes to files that another program holds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.system import files_in_use
from core.system.files import write_atomic
from core.system.files_in_use import when_released


class Held(PermissionError):
    """As Windows raises it."""

    winerror = 32


class Refused(PermissionError):
    """As opening a file raises it on Windows: C's library has lost the system's error."""

    winerror = None


class Forbidden(PermissionError):
    """Nobody holds the file: a right is missing."""

    winerror = 1314


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waited: list[float] = []
    monkeypatch.setattr(files_in_use.clock, "sleep", waited.append)
    return waited


def test_a_file_that_is_held_for_a_moment_is_tried_again(
    tmp_path: Path, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_bytes(b"old")
    real, tries = Path.replace, iter((Held, Held))

    def scanned(self: Path, target: Path) -> Path:
        for error in tries:
            raise error
        return real(self, target)

    monkeypatch.setattr(Path, "replace", scanned)
    write_atomic(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert waits == list(files_in_use.WAITS[:2])


def test_a_file_that_cannot_be_opened_for_a_moment_is_tried_again(waits: list[float]) -> None:
    tries = iter((Refused, Held))

    def replaced() -> bytes:
        for error in tries:
            raise error
        return b"new"

    assert when_released(replaced) == b"new"
    assert waits == list(files_in_use.WAITS[:2])


def test_who_never_lets_go_is_told_after_two_seconds_at_most(waits: list[float]) -> None:
    with pytest.raises(Held):
        when_released(lambda: (_ for _ in ()).throw(Held()))
    assert 1 < sum(waits) < 2


def test_any_other_refusal_comes_at_once(waits: list[float]) -> None:
    for error in (Forbidden(13, "no"), FileNotFoundError(2, "no")):
        with pytest.raises(type(error)):
            when_released(lambda error=error: (_ for _ in ()).throw(error))
    assert waits == []


@pytest.mark.skipif(os.name == "nt", reason="there each refusal has the system's error")
def test_elsewhere_a_refusal_comes_at_once(waits: list[float]) -> None:
    with pytest.raises(PermissionError):
        when_released(lambda: (_ for _ in ()).throw(PermissionError(13, "no")))
    assert waits == []
