"""A table in the window: its choices are those of the draft, its contributions those of the command line."""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
import os
from pathlib import Path

import pytest

from core.contributions.file_write import write_contributions
from core.draft.draft import Draft, draft_of, spec_of
from core.errors import InputError
from core.hats.window import build_window
from core.privacy import Confidential, Relation
from core.progress import Cancelled
from core.release.contributions_source import contributions_for
from core.release.loaded_table import LoadedTable, load_table
from core.spec import load_spec
from tests.city import write_city
from tests.records import assert_same

TABLE = ('files = ["records.csv"]', 'contributions = "table.parquet"')
EVENTS = ("[data.mapping]", 'pings = "events"\n[data.mapping]')
DAY = dt.date(2022, 2, 1)
"""None of the table's."""


@pytest.fixture
def city(tmp_path: Path) -> Path:
    write_contributions(contributions_for(load_spec(write_city(tmp_path)))[0], tmp_path / "table.parquet")
    return tmp_path


def _loaded(city: Path, *edits: tuple[str, str]) -> tuple[LoadedTable, Draft]:
    draft, source = draft_of(load_spec(write_city(city, edit=(TABLE, *edits))))
    return load_table(source, resolution=draft.resolution), draft


@pytest.mark.parametrize("edits", [(), (EVENTS,)])
def test_what_is_shown_is_what_the_command_line_releases(
    city: Path, edits: tuple[tuple[str, str], ...]
) -> None:
    loaded, draft = _loaded(city, *edits)
    spec = load_spec(write_city(city, edit=(TABLE, *edits)))
    told, report = contributions_for(spec)
    assert report is None
    assert_same(loaded.of_window(draft.resolution, spec.window), told)
    assert (told.visits is None) is bool(edits)
    assert isinstance(loaded, Confidential)


def test_a_draft_gets_the_choices_of_the_table_and_makes_a_spec_that_it_was_made_for(city: Path) -> None:
    loaded, draft = _loaded(city)
    other = dataclasses.replace(
        draft, resolution=9, slot_minutes=15, hours=("00:00", "24:00"), date_ranges=()
    )
    assert loaded.fitted(other) == draft
    presence = loaded.fitted(Draft(relation=Relation.USER))
    assert (presence.zone, presence.resolution, presence.hours) == ("Asia/Kolkata", 7, ("09:00", "12:00"))
    contributions_for(spec_of(loaded.fitted(other), loaded.source, city))


def test_another_window_is_refused_by_name(city: Path) -> None:
    loaded, draft = _loaded(city)
    window = build_window(draft.date_ranges, ("09:00", "11:00"), 60)
    with pytest.raises(InputError, match="another choice") as caught:
        loaded.of_window(7, window)
    assert caught.value.where == "hats.hours"
    with pytest.raises(InputError) as caught:
        loaded.of_window(8, loaded.table.window)
    assert caught.value.where == "hats.resolution"


def test_fewer_dates_are_read_anew_as_the_command_line_reads_them(city: Path) -> None:
    loaded, draft = _loaded(city)
    edits = (TABLE, ('dates = ["2022-01-03", "2022-01-04"]', 'dates = ["2022-01-04", "2022-01-04"]'))
    spec = load_spec(write_city(city, edit=edits))
    fewer, _ = draft_of(spec)
    assert loaded.fitted(fewer) == fewer
    assert_same(loaded.of_window(7, spec.window), contributions_for(spec)[0])
    os.utime(loaded.source.files[0], ns=(1, 1))
    with pytest.raises(InputError, match="changed"):
        loaded.of_window(7, spec.window)
    assert loaded.of_window(7, loaded.table.window).hats  # what is held is still what was read
    beyond = build_window(((DAY, DAY),), draft.hours, 60)
    with pytest.raises(InputError, match="changed"):
        loaded.of_window(7, beyond)


def test_dates_that_the_table_has_not_are_refused_by_name(city: Path) -> None:
    loaded, draft = _loaded(city)
    with pytest.raises(InputError, match="does not cover") as caught:
        loaded.of_window(7, build_window(((DAY, DAY),), draft.hours, 60))
    assert caught.value.where == "hats.dates"
    other = dataclasses.replace(draft, date_ranges=((DAY, DAY),))
    assert loaded.fitted(other) == draft


def test_a_folder_of_several_resolutions_offers_each(city: Path) -> None:
    for resolution in (7, 8):
        spec = load_spec(write_city(city, edit=(("resolution = 7", f"resolution = {resolution}"),)))
        folder = city / "table" / f"resolution={resolution}"
        folder.mkdir(parents=True)
        write_contributions(contributions_for(spec)[0], folder / "part.parquet")
    edits = (('files = ["records.csv"]', 'contributions = "table"'),)
    draft, source = draft_of(load_spec(write_city(city, edit=edits)))
    loaded = load_table(source, resolution=9)
    assert loaded.offer.resolutions == (7, 8)
    assert loaded.table.resolution == 7
    assert loaded.of_window(8, loaded.table.window).resolution == 8
    assert loaded.fitted(dataclasses.replace(draft, resolution=8)).resolution == 8
    assert loaded.fitted(dataclasses.replace(draft, resolution=9)).resolution == 7


def test_what_is_no_table_is_refused(city: Path) -> None:
    _, source = draft_of(load_spec(write_city(city, edit=(TABLE,))))
    with pytest.raises(InputError, match="not a contribution table"):
        load_table(dataclasses.replace(source, files=(city / "records.csv",)), resolution=7)


def test_an_empty_table_is_refused_unless_presence_is_private(city: Path) -> None:
    loaded, _ = _loaded(city)
    table = loaded.table
    nothing = {name: getattr(table, name)[:0] for name in ("cell", "slot", "hat", "vehicle", "day")}
    empty = dataclasses.replace(loaded, table=dataclasses.replace(table, **nothing))
    assert not empty.of_window(7, table.window, empty_allowed=True).hats
    with pytest.raises(InputError, match="no rows"):
        empty.of_window(7, table.window)


def test_a_table_that_changes_meanwhile_and_a_stop_leave_nothing(city: Path) -> None:
    _, source = draft_of(load_spec(write_city(city, edit=(TABLE,))))

    times = itertools.count(1, 1000)  # nanoseconds, of which Windows keeps hundreds

    def touch(_: float, __: str = "") -> None:
        os.utime(source.files[0], ns=(0, next(times)))

    with pytest.raises(InputError, match="changed while it was read"):
        load_table(source, touch, resolution=7)

    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        load_table(source, stop, resolution=7)
