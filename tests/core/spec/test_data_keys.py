"""core.spec.data_keys: what is said of the records, as the import dialog shows it."""

from __future__ import annotations

import re

from core.clean.mapping import DEFAULT_PHYSICAL_MAX
from core.fixed_point import THOUSAND
from core.spec.data_keys import DATA, FORMAT, MAPPING
from core.spec.keys import SPEC, default_of
from core.spec.limits import MOST_KMH


def test_the_records_are_a_section_of_the_spec() -> None:
    assert SPEC.key("data").inner is DATA
    assert SPEC.key("data.mapping").inner is MAPPING
    assert SPEC.key("data.format").inner is FORMAT


def test_limits_are_told_and_start_from_their_defaults() -> None:
    assert str(MOST_KMH) in SPEC.key("data.upper_bound_kmh").kind.phrase()
    assert default_of("data.mapping.physical_max_kmh") is None  # it follows U
    assert str(DEFAULT_PHYSICAL_MAX // THOUSAND) in SPEC.key("data.mapping.physical_max_kmh").without


def test_no_two_fields_of_the_import_dialog_have_the_same_letter() -> None:
    """The fields of a speed and those of another value are never shown together."""
    of_speed = {"data.upper_bound_kmh", "data.mapping.physical_max_kmh", "data.mapping.unit", "data.pings"}
    of_speed |= {path for path, _ in SPEC.walk() if path.startswith("data.derived_speed.")}
    of_others = {path for path, _ in SPEC.walk() if path.startswith("data.value.")}
    for hidden in (of_speed, of_others):
        labels = [key.label for path, key in SPEC.walk() if path.startswith("data.") and path not in hidden]
        letters = [found[1].lower() for label in labels if (found := re.search("&(.)", label))]
        assert len(letters) > 10
        assert len(set(letters)) == len(letters)
