"""A release that could be published: it shows nothing true, and asks the ledger for what it will spend."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.accounting.ledger_events import ReservationRequest
from core.privacy import Confidential
from core.release.prepare_publish import prepare
from core.release.prepared import Prepared
from core.spec import load_spec
from tests.city import write_city


def prepared(spec: Path, ledger: Ledger) -> Prepared:
    return prepare(load_spec(spec), ledger)


def test_the_ledger_is_told_how_ids_were_read(
    tmp_path: Path, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By that it knows the vehicles of entries from before they were folded so."""
    spec = write_city(tmp_path / "city")
    path = tmp_path / "city" / "records.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("bus-03", "ＢＵＳ-03"), encoding="utf-8")
    asked: list[ReservationRequest] = []
    monkeypatch.setattr(Ledger, "check_exact", lambda _, request: asked.append(request))
    prepared(spec, ledger)
    assert asked[0].other_texts == {"bus-03": ("ｂｕｓ-03",)}
    assert "bus-03" in asked[0].vehicles


def test_types_that_hold_true_values_show_sizes_only(tmp_path: Path, ledger: Ledger) -> None:
    plan = prepared(write_city(tmp_path / "city"), ledger)
    assert isinstance(plan, Confidential)
    for shown in (repr(plan), repr(plan.contributions), repr(plan.users), repr(plan.report)):
        assert shown.startswith("<confidential")
        assert "bus-" not in shown
