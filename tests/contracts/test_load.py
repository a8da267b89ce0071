"""What `make load` takes for a problem, and that a part of it runs."""

from __future__ import annotations

import dataclasses

import pytest

from tests.fire import load
from tests.fire.load import PARTS, problems_of


@pytest.mark.parametrize(
    ("half", "whole", "problem"),
    [
        ((1.0, 100.0), (2.0, 200.0), ""),
        ((1.0, 100.0), (2.9, 240.0), ""),
        ((1.0, 100.0), (400.0, 200.0), "400.0 s of at most 300 s"),
        ((10.0, 100.0), (50.0, 200.0), "time grows faster than the size"),
        ((1.0, 900.0), (2.0, 1001.0), "1001 MB of at most 1000 MB"),
        ((1.0, 100.0), (2.0, 400.0), "memory grows faster than the size"),
    ],
)
def test_what_grows_too_fast_or_takes_too_much_is_a_problem(
    half: tuple[float, float], whole: tuple[float, float], problem: str
) -> None:
    assert problems_of(PARTS["files"], [half, half, whole])[:1] == ([problem] if problem else [])


def test_a_part_is_made_measured_and_drawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(load, "SHARES", load.SHARES[-2:])
    monkeypatch.setitem(load.PARTS, "ledger", dataclasses.replace(PARTS["ledger"], whole=40))
    assert load.main(["1", "ledger"]) == 0
    told = capsys.readouterr().out
    assert told.endswith("0 problems\n")
    assert told.count("#" * 30) >= 2  # the largest of each
