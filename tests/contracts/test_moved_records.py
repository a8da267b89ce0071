"""Relation `values`: a record that moves inside its hexagon and timeslot moves nothing public.

Method 5.1: what a release is asked for, charged and scaled by follows from numbers of records and visits.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import h3
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.accounting.ledger import Ledger
from core.bundle.privacy_statement import grids_compared
from core.hats.cells import RESOLUTIONS
from core.hats.slots import SLOT_MINUTES
from core.mechanisms.registry import mechanisms_of
from core.privacy import Relation
from core.release.prepare_publish import prepare
from core.spec import load_spec
from tests.builders import make_release
from tests.city import EVERY_STATISTIC, SPEC, write_city, write_records
from tests.region_bundles import open_ledger

MECHANISM = SPEC[SPEC.index('mechanism = "array-averaging"') :]
ASKED = {
    "every statistic": EVERY_STATISTIC,
    **{key: ((MECHANISM, f'mechanism = "{key}"\ntotal = "40"\n'),) for key in mechanisms_of(Relation.VALUES)},
}
SLOT = dt.timedelta(minutes=SLOT_MINUTES[0])
"""The shortest: whole slots of every other length are made of it."""


def moved_within(lat: float, lon: float, rng: np.random.Generator) -> tuple[float, float]:
    """Elsewhere in the same hexagon of every resolution."""
    cells = [h3.latlng_to_cell(lat, lon, resolution) for resolution in RESOLUTIONS]
    for _ in range(20):
        place = lat + rng.uniform(-7e-4, 7e-4), lon + rng.uniform(-7e-4, 7e-4)
        if [h3.latlng_to_cell(*place, resolution) for resolution in RESOLUTIONS] == cells:
            return place
    return lat, lon


def moved(content: str, seed: int) -> str:
    """The records elsewhere in their hexagons and at other instants of their slots, in the same order."""
    rng = np.random.default_rng(seed)
    header, *rows = csv.reader(io.StringIO(content))
    together: dict[tuple[str, int], list[tuple[dt.datetime, list[str]]]] = defaultdict(list)
    for row in rows:
        instant = dt.datetime.fromisoformat(row[1])
        together[row[0], int(instant.timestamp() // SLOT.total_seconds())].append((instant, row))
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(header)
    for (vehicle, slot), found in together.items():
        seconds = sorted(rng.choice(int(SLOT.total_seconds()), len(found), replace=False).tolist())
        for second, (_, row) in zip(seconds, sorted(found), strict=True):
            instant = dt.datetime.fromtimestamp(slot * SLOT.total_seconds() + second, dt.UTC)
            writer.writerow(
                (vehicle, instant.isoformat(), *moved_within(float(row[2]), float(row[3]), rng), row[4])
            )
    return file.getvalue()


@pytest.fixture(scope="module")
def ledger() -> Iterator[Ledger]:
    with TemporaryDirectory() as folder, open_ledger(Path(folder)) as opened:
        yield opened


def public(folder: Path, asked: str, ledger: Ledger) -> object:
    """All that is asked for, charged and scaled."""
    made = prepare(load_spec(write_city(folder, edit=ASKED[asked])), ledger)
    scales = [
        (plan.charge, [(one.epsilon, one.m_ub, one.lead.noise_scale) for one in plan.plans])
        for plan in made.plans
    ]
    return made.review, scales


@cache
def at_rest(asked: str, ledger: Ledger) -> object:
    with TemporaryDirectory() as folder:
        return public(Path(folder), asked, ledger)


@settings(max_examples=12)
@given(asked=st.sampled_from(sorted(ASKED)), seed=st.integers(0, 2**32 - 1))
def test_records_that_move_inside_hexagon_and_slot_move_nothing_public(
    asked: str, seed: int, ledger: Ledger
) -> None:
    with TemporaryDirectory() as name:
        records = write_records(Path(name) / "records.csv")
        content = records.read_text(encoding="utf-8")
        records.write_text(moved(content, seed), encoding="utf-8")
        assert public(Path(name), asked, ledger) == at_rest(asked, ledger)


def test_the_grids_compared_are_all_that_the_program_compares() -> None:
    """The records of the law stay in the hexagons and slots of each of them."""
    compared = grids_compared(make_release())
    assert compared.h3_resolutions == tuple(RESOLUTIONS)
    assert set(SLOT_MINUTES) <= set(compared.slot_minutes)
    assert all(minutes % SLOT_MINUTES[0] == 0 for minutes in compared.slot_minutes)
