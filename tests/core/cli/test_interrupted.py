"""Ctrl+C, or SIGTERM, while a release is written: a clean end, nothing half written, the ledger sound."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.cli import main
from tests.city import write_city
from tests.commands import limit, release


@pytest.fixture(autouse=True)
def _heard() -> Iterator[None]:
    """Ctrl+C reaches the program, also where the tests run in the background of a shell, which ignores it.

    And SIGTERM ends no more than a test.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    ended = signal.signal(signal.SIGTERM, lambda *_: pytest.fail("the process would have ended"))
    yield
    signal.signal(signal.SIGINT, before)
    signal.signal(signal.SIGTERM, ended)


@pytest.mark.parametrize("when", [1, 2, 4, 8, 12])
@pytest.mark.parametrize(("told", "exit_code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_it_leaves_a_whole_bundle_or_none(
    when: int,
    told: signal.Signals,
    exit_code: int,
    tmp_path: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    limit()
    spec, out = write_city(tmp_path / "city"), tmp_path / "out"
    real: Callable[[int], None] = os.fsync
    calls = 0

    def pressed(number: int) -> None:
        nonlocal calls
        calls += 1
        if calls == when:
            signal.raise_signal(told)
        real(number)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", pressed)
        code = release(spec, out)
    assert code == (exit_code if calls >= when else 0)
    assert "Traceback" not in capsys.readouterr().err
    assert not (home / "errors.log").exists()
    left = [path for folder in (out, home) if folder.exists() for path in folder.rglob("*")]
    assert [path.name for path in left if path.name.endswith(".partial")] == []
    assert main(["ledger", "check"]) == 0
    for manifest in out.glob("*/SHA256SUMS"):
        assert main(["verify", str(manifest.parent)]) == 0
    assert release(spec, out) == 0
