"""Metadata of a contribution file: told apart, checked, never quoted."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.contributions.file_facts import facts_of, read_facts
from core.contributions.file_read import read_contributions
from core.contributions.file_write import write_contributions
from core.errors import InputError
from core.hats.window import build_window
from tests.contribution_files import small_table
from tests.records import SECRET, assert_tells


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("hexveil_contributions", "4"),
        ("hexveil_contributions", None),
        ("zone", "Nowhere/City"),
        ("resolution", "4"),
        ("resolution", "seven"),
        ("slot_minutes", "45"),
        ("slot_minutes", None),
        ("hours", "09:30-12:00"),
        ("hours", "9"),
        ("dates", "2022-01-03"),
        ("dates", "2022-01-04/2022-01-03"),
        ("dates", None),
        ("upper_bound", "0"),
        ("upper_bound", "-5"),
        ("unit", "km/h"),
        ("derived_speed", "yes"),
        ("derived_speed", None),
        ("value_name", "De lay"),
        ("unit", "0.001 s"),
        ("lower", "5"),
        ("lower", "0.5"),
        ("physical_max", "200000"),
        ("physical_min", "low"),
        ("other_vehicles", "{}"),
        ("other_vehicles", '["bus", " "]'),
        ("other_vehicles", r'["\ud800"]'),
        ("other_vehicles", "[" * 100_000),
        ("other_vehicles", f"[{SECRET}"),
    ],
)
def test_metadata_that_does_not_fit_is_told(key: str, text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    write_contributions(small_table(), path)
    rows = pq.read_table(path)
    metadata = {k.decode(): v.decode() for k, v in rows.schema.metadata.items()} | {key: text or ""}
    if text is None:
        del metadata[key]
    pq.write_table(rows.replace_schema_metadata(metadata), path)
    with pytest.raises(InputError) as caught:
        read_contributions(path)
    assert_tells(caught.value, hidden=(SECRET, SECRET.lower()))


def test_facts_come_back_from_their_text() -> None:
    ranges = ((dt.date(2022, 1, 1), dt.date(2022, 1, 3)), (dt.date(2022, 2, 1), dt.date(2022, 2, 1)))
    table = dataclasses.replace(small_table(), window=build_window(ranges, ("00:00", "24:00"), 15))
    facts = facts_of(table, {1})
    assert len(facts.other_vehicles) == 2
    metadata = {key.encode(): text.encode() for key, text in facts.to_metadata().items()}
    assert read_facts(metadata, Path("table.parquet")) == facts
    assert not facts.derived
    derived = facts_of(dataclasses.replace(table, derived=True), {1}).to_metadata()
    assert read_facts({key.encode(): text.encode() for key, text in derived.items()}, Path("a")).derived
    assert "derived_speed_by_day" not in derived
    assert repr(facts).startswith("<confidential TableFacts: ")
    assert SECRET.lower() not in repr(facts)


def test_speeds_that_end_at_midnight_are_said_to_in_a_version_of_their_own() -> None:
    by_day = dataclasses.replace(small_table(), derived=True, derived_by_day=True)
    told = facts_of(by_day, {1}).to_metadata()
    assert (told["hexveil_contributions"], told["derived_speed_by_day"]) == ("3", "true")

    def read_by_day(**texts: str) -> bool:
        metadata = {key.encode(): text.encode() for key, text in (told | texts).items()}
        return read_facts(metadata, Path("a")).derived_by_day

    assert read_by_day()
    assert not read_by_day(derived_speed_by_day="false")
    assert not read_by_day(hexveil_contributions="2"), "which knew no such word"
    for wrong in ({"derived_speed_by_day": "yes"}, {"derived_speed": "false"}):
        with pytest.raises(InputError, match="derived_speed_by_day") as caught:
            read_by_day(**wrong)
        assert_tells(caught.value)


def test_vehicles_without_a_row_are_folded_as_ids_are(tmp_path: Path) -> None:
    path = tmp_path / "table.parquet"
    table = small_table()
    write_contributions(table, path)
    rows = pq.read_table(path)
    written = [f"  {name.upper()}\u00a0" for name in table.vehicles]
    metadata = rows.schema.metadata | {b"other_vehicles": json.dumps(written).encode()}
    pq.write_table(rows.replace_schema_metadata(metadata), path)
    assert read_contributions(path).vehicles == table.vehicles


def _metadata(**texts: str | None) -> dict[bytes, bytes]:
    """Of a written table, with other texts; None: without that key."""
    metadata = facts_of(small_table(), {1}).to_metadata() | texts
    return {key.encode(): text.encode() for key, text in metadata.items() if text is not None}


def test_the_first_version_may_keep_silent_on_where_its_speeds_come_from() -> None:
    old = {"hexveil_contributions": "1", "lower": None, "value_name": None}
    assert read_facts(_metadata(**old, derived_speed=None), Path("a")).derived is None
    assert read_facts(_metadata(**old, derived_speed="true"), Path("a")).derived is True


def test_physical_limits_inside_the_protected_range_are_refused() -> None:
    """As those of a spec are: how many records remain is public, and would tell values."""
    limits = facts_of(small_table(), {1}, (0, 65_000))
    assert limits.physical == (0, 65_000)
    metadata = {key.encode(): text.encode() for key, text in limits.to_metadata().items()}
    assert read_facts(metadata, Path("a")) == limits
    for lowest, highest, key in (("0", "64999", "physical_max"), ("1", "65000", "physical_min")):
        with pytest.raises(InputError, match="inside the protected range") as caught:
            read_facts(_metadata(physical_min=lowest, physical_max=highest), Path("a"))
        assert str(caught.value.where).endswith(key)
        assert_tells(caught.value)


def test_other_texts_of_ids_come_back_and_no_other_ids(tmp_path: Path) -> None:
    facts = dataclasses.replace(facts_of(small_table(), {1}), other_texts={"bus 7": ("bus  7", "ｂｕｓ 7")})
    metadata = {key.encode(): text.encode() for key, text in facts.to_metadata().items()}
    assert read_facts(metadata, tmp_path) == facts
    for told in (
        '{"bus 7": ["bus 8"]}',
        '{"bus 7": "bus  7"}',
        "[]",
        r'{"bus 7": ["\ud800"]}',
        '{"a": [" "]}',
    ):
        with pytest.raises(InputError, match="metadata other_texts") as caught:
            read_facts(metadata | {b"other_texts": told.encode()}, tmp_path)
        assert_tells(caught.value, hidden=("bus",))
    assert "other_texts" not in facts_of(small_table(), {1}).to_metadata()
