"""privacy.json, read strictly."""

from __future__ import annotations

import copy
import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from core.bundle.privacy_statement import privacy_statement
from core.privacy import Unit
from core.signed.bundle_names import PRIVACY
from core.signed.findings import Finding
from core.verify.folder import BundleFolder
from core.verify.folder_source import FolderSource
from core.verify.statement_reader import read_statement
from tests.builders import NOW, make_key, make_mixed_release, make_release, make_texts

STATED = privacy_statement(make_release(), make_texts(), make_key().public, NOW.date())


def _folder(document: Any) -> BundleFolder:
    content = document if isinstance(document, bytes) else json.dumps(document).encode()
    return BundleFolder(
        source=FolderSource(Path()),
        files=frozenset({PRIVACY}),
        folders=frozenset(),
        strange=(),
        contents={PRIVACY: content},
    )


def _changed(path: str, value: Any) -> dict[str, Any]:
    document = copy.deepcopy(STATED)
    *outer, last = path.split(".")
    inner: Any = document
    for name in outer:
        inner = inner[name]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return document


def test_the_claim_is_read() -> None:
    statement = read_statement(_folder(STATED))
    assert statement.release == "austin-bus-speed-1.0.0"
    assert statement.charges[Unit.VEHICLE] == Decimal("3.5")
    assert (statement.first, statement.last, statement.days) == ("2024-03-01", "2024-03-09", 5)
    assert (statement.lower, statement.upper, statement.unit) == ("0.000", "65.000", Unit.VEHICLE)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("format", "other"),
        ("name", None),
        ("name", 7),
        ("version", ""),
        ("relation", "nothing"),
        ("relation", ["values"]),
        ("privacy_unit", "person"),
        ("charges", None),
        ("charges", []),
        ("charges", 3),
        ("charges.vehicle", None),
        ("charges.vehicle", 3.5),
        ("charges.vehicle", "3.50"),
        ("charges.vehicle", "NaN"),
        ("charges.vehicle", "1e5"),
        ("charges.vehicle", "9" * 10_000),
        ("charges.person", "1"),
        ("headline.epsilon", "1"),
        ("headline.unit", "vehicle-day"),
        ("headline.relation", "user"),
        ("headline", "3.5"),
        ("bounds.upper", "65"),
        ("bounds.lower", "-1.000"),
        ("bounds", []),
        ("period.days", 6),
        ("period.days", True),
        ("period.days", "5"),
        ("period.date_ranges", []),
        ("period.date_ranges", {}),
        ("period.date_ranges", ["2024-03-01"]),
        ("period.date_ranges", [["2024-03-01"]]),
        ("period.date_ranges", [["2024-03-01", 5]]),
        ("period.date_ranges", [["2024-03-05", "2024-03-01"]]),
        ("period.date_ranges", [["2024-03-01", "2024-03-03"], ["2024-03-02", "2024-03-03"]]),
        ("period.date_ranges", [["2024-03-01", "2024-02-31"]]),
        ("period.hours", None),
        ("period.hours", "09:00"),
        ("period.hours", ["09:00"]),
        ("period.hours", ["09:00", 11]),
        ("period.hours", ["9:00", "11:00"]),
        ("period.hours", ["11:00", "09:00"]),
        ("period.hours", ["09:30", "11:00"]),
        ("grid.slot_minutes", 0),
        ("grid.slot_minutes", 90),
        ("parameters_chosen_after_confidential_evaluation", None),
        ("parameters_chosen_after_confidential_evaluation", 0),
        ("parameters_chosen_after_confidential_evaluation", "false"),
        ("grid.h3_resolution", "7"),
        ("grid", None),
        ("signature.key_id", None),
        ("signature", 1),
    ],
)
def test_any_other_shape_is_a_finding(path: str, value: Any) -> None:
    with pytest.raises(Finding):
        read_statement(_folder(_changed(path, value)))


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b"\xff"])
def test_no_object_is_a_finding(content: bytes) -> None:
    with pytest.raises(Finding):
        read_statement(_folder(content))


def test_one_day_is_a_period() -> None:
    day = dt.date(2024, 3, 1)
    stated = privacy_statement(
        make_release(date_ranges=((day, day),)), make_texts(), make_key().public, NOW.date()
    )
    assert read_statement(_folder(stated)).days == 1


MIXED = privacy_statement(make_mixed_release(), make_texts(), make_key().public, NOW.date())


def test_the_parts_of_epsilons_are_read() -> None:
    assert read_statement(_folder(STATED)).parts is None
    assert read_statement(_folder(STATED)).cumulative_parts is None
    statement = read_statement(_folder(MIXED))
    assert statement.parts is not None
    assert statement.cumulative_parts is not None
    assert statement.parts.delta == statement.cumulative_parts.delta == Decimal("1e-6")
    assert (statement.parts.pure[Unit.VEHICLE], statement.parts.rho[Unit.VEHICLE]) == (
        Decimal("3.5"),
        Decimal("0.05"),
    )
    assert statement.parts.epsilon(Unit.VEHICLE) == statement.charges[Unit.VEHICLE]
    assert statement.cumulative_parts.rho[Unit.VEHICLE] == Decimal("0.15")


@pytest.mark.parametrize("name", ["charges_pure", "charges_rho", "cumulative_pure", "cumulative_rho"])
def test_parts_without_a_delta_are_no_statement(name: str) -> None:
    with pytest.raises(Finding, match=r"parts of .* without a delta"):
        read_statement(_folder(STATED | {name: MIXED[name]}))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("headline.delta", 1e-6),
        ("headline.delta", "1e-6"),
        ("headline.delta", "1"),
        ("headline.rho", "0.04"),
        ("headline.rho", None),
        ("cumulative_delta", ["0.1"]),
        ("cumulative_delta", "-1"),
        ("cumulative_rho", None),
        ("cumulative_pure.vehicle", "x"),
        ("charges_pure", None),
        ("charges_rho.vehicle-day", 0.03),
    ],
)
def test_parts_of_another_shape_are_a_finding(monkeypatch: pytest.MonkeyPatch, path: str, value: Any) -> None:
    monkeypatch.setitem(globals(), "STATED", MIXED)
    with pytest.raises(Finding):
        read_statement(_folder(_changed(path, value)))
