from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.accounting.fingerprint import Pieces
from core.contributions import Contributions, contributions_of
from core.release import request_identity
from core.release.request_identity import canonical, table_bytes
from core.spec import load_spec
from core.store.load_records import load_records
from tests.city import write_city, write_records
from tests.strategies import contributions


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"1.0.0"', '"2.0.0"'),
        ('"City"', '"Town"'),
        ('"records.csv"', '"./records.csv"'),
        ('m_ub = "median"\n', ""),
        ('total = "6"', 'total = "6.0"'),
    ],
)
def test_texts_paths_and_defaults_do_not_matter(tmp_path: Path, old: str, new: str) -> None:
    before = canonical(load_spec(write_city(tmp_path)))
    assert canonical(load_spec(write_city(tmp_path, edit=((old, new),)))) == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("threshold = 2", "threshold = 3"),
        ('total = "6"', 'total = "7"'),
        ('total = "6"', 'epsilon = "6"'),
        ("resolution = 7", "resolution = 8"),
        ('unit = "vehicle"', 'unit = "vehicle-day"'),
        ("upper_bound_kmh = 65.0", "upper_bound_kmh = 60.0"),
        ('m_ub = "median"', "m_ub = 3"),
        ('mechanism = "array-averaging"\n', 'mechanism = "baseline"\n'),
        ("minimum_vehicles = 2", "minimum_vehicles = 3"),
    ],
)
def test_every_choice_matters(tmp_path: Path, old: str, new: str) -> None:
    before = canonical(load_spec(write_city(tmp_path)))
    edits = [(old, new)]
    if "baseline" in new:
        edits.append(('grouping = "bestfit"\nm_ub = "median"\n', ""))
    assert canonical(load_spec(write_city(tmp_path, edit=tuple(edits)))) != before


def _joined(table: Contributions) -> tuple[bytes, ...]:
    parts = table_bytes(table)
    joined = tuple(b"".join(part.pieces) if isinstance(part, Pieces) else part for part in parts)
    assert list(map(len, joined)) == list(map(len, parts))
    return joined


@given(contributions(), st.integers(1, 7))
def test_the_bytes_are_those_of_whole_columns(table: Contributions, block: int) -> None:
    """Requests of earlier versions stay identical, however the columns are cut."""
    columns = (table.cell, table.slot, table.hat, table.vehicle, table.day, table.start, table.values[:])
    names = "\n".join(table.vehicles).encode()
    kinds = ("<u8", *["<i8"] * 6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(request_identity, "_BLOCK", block)
        assert _joined(table) == (
            names,
            *(column.astype(kind).tobytes() for column, kind in zip(columns, kinds, strict=True)),
        )


def test_the_table_changes_with_one_value(tmp_path: Path) -> None:
    spec = load_spec(write_city(tmp_path))

    def table() -> tuple[bytes, ...]:
        loaded = load_records(spec.data.paths(), spec.data.rules)
        return _joined(contributions_of(loaded.records, spec.resolution, spec.window))

    before = table()
    assert table() == before
    write_records(tmp_path / "records.csv", bump=0.1)
    assert table() != before
