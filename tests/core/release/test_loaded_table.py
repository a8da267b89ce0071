"""A table in the window: its choices are those of the draft, its contributions those of the command line."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from core.contributions.file_write import write_contributions
from core.draft import Draft, draft_of, spec_of
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


@pytest.fixture
def city(tmp_path: Path) -> Path:
    write_contributions(contributions_for(load_spec(write_city(tmp_path)))[0], tmp_path / "table.parquet")
    return tmp_path


def _loaded(city: Path, *edits: tuple[str, str]) -> tuple[LoadedTable, Draft]:
    draft, source = draft_of(load_spec(write_city(city, edit=(TABLE, *edits))))
    return load_table(source), draft


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

    def touch(_: float, __: str = "") -> None:
        os.utime(source.files[0], ns=(1, 1))

    with pytest.raises(InputError, match="changed while it was read"):
        load_table(source, touch)

    def stop(_: float, __: str = "") -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        load_table(source, stop)
