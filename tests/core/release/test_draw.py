"""From the reservation to draws that are stored: what goes wrong there, and what it costs."""

from __future__ import annotations

import datetime as dt
import itertools
import json
from pathlib import Path

import h3
import pytest

from core.accounting.ledger import Ledger, LedgerReservation
from core.bundle.release_result import Release
from core.city import lapack
from core.codec import from_json, to_json
from core.errors import LedgerError, ReleaseAborted
from core.keys.signing_key import SigningKey
from core.release import draw
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.release.prepared import Prepared
from core.release.said_afterwards import said_afterwards
from core.spec import load_spec
from core.verify.verify import verify_bundle
from tests.city import TOKENS, write_city

NOW = dt.datetime(2026, 11, 21, 12, 0, tzinfo=dt.UTC)


def prepared(spec: Path, ledger: Ledger) -> Prepared:
    return prepare(load_spec(spec), ledger)


def released(spec: Path, ledger: Ledger, key: SigningKey, out: Path) -> PublishedRelease:
    return publish(prepared(spec, ledger), ledger, key=key, out=out, now=NOW)


class LedgerBusy(LedgerError):
    """As the ledger raises it."""

    passing = True


@pytest.mark.parametrize("times", [3, 1000])
def test_a_ledger_that_is_busy_when_draws_are_stored_is_tried_again(
    tmp_path: Path, ledger: Ledger, key: SigningKey, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """Other windows hold it for a while, or to the end of our patience."""
    store, asked, told = LedgerReservation.store_draws, itertools.count(), list[str]()

    def busy(self: LedgerReservation, draws: dict[str, object]) -> None:
        if next(asked) < times:
            raise LedgerBusy("Another window is using the ledger.", mend="wait until it has finished")
        store(self, draws)

    monkeypatch.setattr(LedgerReservation, "store_draws", busy)
    monkeypatch.setattr(draw, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(draw, "_PATIENCE_SECONDS", 30.0 if times == 3 else 0.0)
    plan, out = prepared(write_city(tmp_path / "city"), ledger), tmp_path / "out"
    if times == 3:
        assert publish(plan, ledger, key=key, out=out, now=NOW, waiting=told.append).bundle.is_dir()
        assert len(told) == 3
        assert "Another window is using the ledger." in told[0]
    else:
        # the clock of Windows stands still for 15 ms at a time
        monkeypatch.setattr(draw.time, "monotonic", lambda: 7.0)
        with pytest.raises(ReleaseAborted, match=r"counts as spent\. Another window"):
            publish(plan, ledger, key=key, out=out, now=NOW)
    assert [path.name for path in (tmp_path / "home").iterdir() if path.suffix == ".room"] == []


def test_a_few_hexagons_with_records_among_many_without_are_released(
    tmp_path: Path, ledger: Ledger, key: SigningKey
) -> None:
    """The rehearsal draws some of them: of none that is published it made a mistake of the program."""
    spec = write_city(
        tmp_path / "city", edit=(('rule = "hat"\nthreshold = 2', 'rule = "cells"\nfile = "all"'),)
    )
    (tmp_path / "city" / "all").write_text("\n".join(h3.grid_disk(h3.latlng_to_cell(21.17, 72.83, 7), 8)))
    assert len(released(spec, ledger, key, tmp_path / "out").release.queries[0].rows) == 217 * 3


def test_a_ledger_that_is_busy_before_anything_is_drawn_is_tried_again(
    tmp_path: Path, ledger: Ledger, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between reservation and draws it is read once more: that this fails may not cost the budget."""
    confirm, asked, told = LedgerReservation.confirm, itertools.count(), list[str]()

    def busy(self: LedgerReservation) -> None:
        if next(asked) == 1:  # the rehearsal has a ledger that nobody else uses
            raise LedgerBusy("Another window is using the ledger.", mend="wait until it has finished")
        confirm(self)

    monkeypatch.setattr(LedgerReservation, "confirm", busy)
    monkeypatch.setattr(draw, "_PAUSE_SECONDS", 0.0)
    plan, out = prepared(write_city(tmp_path / "city"), ledger), tmp_path / "out"
    assert publish(plan, ledger, key=key, out=out, now=NOW, waiting=told.append).bundle.is_dir()
    assert told == [
        "The budget is reserved, and nothing is drawn yet. Another window is using the ledger. To fix it: "
        "wait until it has finished."
    ]


def test_draws_that_are_stored_and_a_head_that_is_not_cost_nothing_again(
    tmp_path: Path, ledger: Ledger, key: SigningKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, store = prepared(write_city(tmp_path / "city"), ledger), LedgerReservation.store_draws

    def stored(self: LedgerReservation, draws: dict[str, object]) -> None:
        store(self, draws)
        raise LedgerError("The head file was not written.", mend="make room on the disk")

    with monkeypatch.context() as patch:
        patch.setattr(LedgerReservation, "store_draws", stored)
        with pytest.raises(ReleaseAborted, match="stored in the ledger, and nothing is published") as told:
            publish(plan, ledger, key=key, out=tmp_path / "out", now=NOW)
    assert "costs nothing" in told.value.mend
    assert released(tmp_path / "city" / "spec.toml", ledger, key, tmp_path / "out").repeated


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (None, "the model of the city found no answer"),
        (MemoryError, "this computer ran"),
        (KeyError, "the model of the city found no answer"),
    ],
)
def test_where_smoothing_finds_no_answer_the_paid_numbers_are_published_alone_and_it_is_said(
    tmp_path: Path,
    ledger: Ledger,
    key: SigningKey,
    monkeypatch: pytest.MonkeyPatch,
    error: type[Exception] | None,
    why: str,
) -> None:
    """The library calls a matrix not positive definite once the budget is spent, or has no memory left."""

    def failing(*_: object) -> int:
        if error is not None:
            message = "31.7 km/h"
            raise error(message)
        return 1

    ready = prepared(write_city(tmp_path / "city", edit=TOKENS), ledger)
    with monkeypatch.context() as patch:
        patch.setattr(lapack, "_call", failing)
        result = publish(ready, ledger, key=key, out=tmp_path / "out", now=NOW)
    (query,) = result.release.queries
    assert query.smoothing is None
    (told,) = said_afterwards(result.release)
    assert f"smoothed numbers of {query.query_id} are missing: {why}" in told
    stored = json.dumps(to_json(result.release))
    assert "31.7 km/h" not in stored
    assert said_afterwards(from_json(Release, json.loads(stored))) == (told,)
    assert any(len(row.estimates) == 1 for row in query.rows)
    assert "smoothed" not in (result.bundle / "data" / "speed_by_hat.csv").read_text(encoding="utf-8")
    assert all(check.passed for check in verify_bundle(result.bundle).checks)
