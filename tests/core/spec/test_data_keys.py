"""core.spec.data_keys: what is said of the records, as the import dialog shows it."""

from __future__ import annotations

import copy
import re
from pathlib import Path

import pytest

from core.clean.mapping import DEFAULT_PHYSICAL_MAX, UnitRange
from core.draft.draft import document as document_of
from core.draft.draft import draft_of
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.spec.data_keys import DATA, FORMAT, MAPPING
from core.spec.keys import SPEC, default_of
from core.spec.limits import MOST_KMH
from core.spec.reading import parse_spec, reading_rules
from tests.specs import SMALL


def test_the_records_are_a_section_of_the_spec() -> None:
    assert SPEC.key("data").inner is DATA
    assert SPEC.key("data.mapping").inner is MAPPING
    assert SPEC.key("data.format").inner is FORMAT


def test_limits_are_told_and_start_from_their_defaults() -> None:
    assert str(MOST_KMH) in SPEC.key("data.upper_bound_kmh").kind.phrase()
    assert default_of("data.mapping.physical_max_kmh") is None  # it follows U
    assert str(DEFAULT_PHYSICAL_MAX // THOUSAND) in SPEC.key("data.mapping.physical_max_kmh").without


def test_no_two_fields_of_the_import_dialog_have_the_same_letter() -> None:
    """Fields of a speed and of another value are never shown together, nor one column of places and two."""
    of_speed = {"data.upper_bound_kmh", "data.mapping.physical_max_kmh", "data.mapping.unit", "data.pings"}
    of_speed |= {path for path, _ in SPEC.walk() if path.startswith("data.derived_speed.")}
    of_others = {path for path, _ in SPEC.walk() if path.startswith("data.value.")}
    of_two, of_one = (
        {f"data.mapping.{name}" for name in names}
        for names in (("latitude", "longitude"), ("position", "position_order"))
    )
    for hidden in (value | place for value in (of_speed, of_others) for place in (of_two, of_one)):
        labels = [key.label for path, key in SPEC.walk() if path.startswith("data.") and path not in hidden]
        letters = [found[1].lower() for label in labels if (found := re.search("&(.)", label))]
        assert len(letters) > 10
        assert len(set(letters)) == len(letters)


def test_a_unit_of_any_factor_is_read_and_written(tmp_path: Path) -> None:
    (tmp_path / "records.csv").touch()
    document = copy.deepcopy(SMALL)
    del document["data"]["mapping"]["unit"]
    document["data"]["mapping"]["unit_kmh"] = 0.036
    spec = parse_spec(document, tmp_path)
    assert spec.data.rules.mapping.units == (UnitRange(unit="0.036 km/h"),)
    columns = 'vehicle = "a"\ntime = "b"\nposition = "c"\nvalue = "d"\n'
    (tmp_path / "counts.toml").write_text(f"[data.mapping]\n{columns}unit_kmh = 0.036\n")
    counted = reading_rules(tmp_path / "counts.toml", counts_only=True)
    assert counted.mapping.units == spec.data.rules.mapping.units
    by_date = copy.deepcopy(SMALL)
    del by_date["data"]["mapping"]["unit"]
    by_date["data"]["units"] = [{"unit_kmh": 0.036, "to": "2016-11-25"}, {"unit": "kn", "from": "2016-11-26"}]
    assert [item.unit for item in parse_spec(by_date, tmp_path).data.rules.mapping.units] == [
        "0.036 km/h",
        "kn",
    ]
    for again in (document, by_date):
        told = document_of(*draft_of(parse_spec(again, tmp_path)), tmp_path)["data"]
        assert told.get("units", told["mapping"].get("unit_kmh")) == again["data"].get("units", 0.036)
    document["data"]["mapping"]["unit"] = "km/h"
    with pytest.raises(InputError, match="given twice"):
        parse_spec(document, tmp_path)
