"""One HAT of loaded records: found by its id text, ordered as nothing released would be."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import numpy as np
import pytest

from core.contributions import EVALUATION_TIE_KEY, contributions_of, users_of
from core.errors import InputError
from core.evaluate.loaded_hat import loaded_hat
from core.hats.slots import ALL, SlotLength
from core.hats.window import Window, build_window
from core.privacy import Unit
from core.records.records import Records
from core.spec import load_spec
from core.store.load_records import load_records
from tests.city import write_city
from tests.labelled_city import BY_ROUTE, write_labelled_city


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Records:
    folder = tmp_path_factory.mktemp("city")
    spec = load_spec(write_city(folder))
    return load_records(spec.data.paths(), spec.data.rules).records


def window_of(slot_minutes: SlotLength = 60, hours: tuple[str, str] = ("09:00", "12:00")) -> Window:
    return build_window(((dt.date(2022, 1, 3), dt.date(2022, 1, 4)),), hours, slot_minutes)


@pytest.mark.parametrize(
    ("slot_minutes", "resolution", "hours"),
    [
        (60, 7, ("09:00", "12:00")),
        (60, 8, ("09:00", "12:00")),
        (30, 7, ("09:00", "12:00")),
        (15, 6, ("09:00", "12:00")),
        (60, 7, ("08:30", "12:30")),
        (240, 7, ("09:00", "13:00")),
        (ALL, 7, ("08:50", "12:10")),
    ],
)
def test_every_hat_is_found_by_its_name(
    records: Records, slot_minutes: SlotLength, resolution: int, hours: tuple[str, str]
) -> None:
    window = window_of(slot_minutes, hours)
    table = contributions_of(records, resolution, window)
    users = users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY)
    for index in range(table.hats):
        found = loaded_hat(records, table.hat_name(index), window=window)
        wanted = users.hat_data(index)
        assert np.array_equal(found.counts, wanted.counts)
        assert np.array_equal(found.sums(), wanted.sums())


def test_a_hat_of_labels_that_records_have_is_found(tmp_path: Path) -> None:
    grouped = ("slot_minutes = 60", 'slot_minutes = 60\ngroup = ["route", "day_kind"]')
    spec = load_spec(write_labelled_city(tmp_path, edit=(BY_ROUTE[0], grouped)))
    records = load_records(spec.data.paths(), spec.data.rules).records
    table = contributions_of(records, spec.resolution, spec.window)
    assert table.hats > 12
    users = users_of(table, Unit.VEHICLE, EVALUATION_TIE_KEY)
    for index in range(table.hats):
        found = loaded_hat(records, table.hat_name(index).replace("\x1f", " "), window=spec.window)
        assert np.array_equal(found.sums(), users.hat_data(index).sums())


def test_without_a_window_all_dates_and_hours_count(records: Records) -> None:
    table = contributions_of(records, 7, window_of())
    name = table.hat_name(0)
    whole = loaded_hat(records, name.upper())
    narrow = loaded_hat(records, name, window=window_of())
    assert whole.counts.sum() == narrow.counts.sum()


@pytest.mark.parametrize("hat", ["", "9 8742d9d69ffffff", "8742d9d69ffffff", "09 8742", "09 87ffffffffffff0"])
def test_what_is_no_hat_is_refused(records: Records, hat: str) -> None:
    with pytest.raises(InputError):
        loaded_hat(records, hat)


@pytest.mark.parametrize("hat", ["23 8742d9d69ffffff", "09:15 8742d9d69ffffff", "77 8742d9d69ffffff"])
def test_a_hat_without_records_is_refused(records: Records, hat: str) -> None:
    with pytest.raises(InputError, match="no record"):
        loaded_hat(records, hat)
