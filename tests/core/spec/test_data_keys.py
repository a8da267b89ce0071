"""core.spec.data_keys: what is said of the records, as the import dialog shows it."""

from __future__ import annotations

import re

from core.clean.mapping import DEFAULT_PHYSICAL_MAX
from core.spec.data_keys import DATA, FORMAT, MAPPING
from core.spec.keys import SPEC, default_of
from core.spec.limits import MOST_KMH


def test_the_records_are_a_section_of_the_spec() -> None:
    assert SPEC.key("data").inner is DATA
    assert SPEC.key("data.mapping").inner is MAPPING
    assert SPEC.key("data.format").inner is FORMAT


def test_limits_are_told_and_start_from_their_defaults() -> None:
    assert str(MOST_KMH) in SPEC.key("data.upper_bound_kmh").kind.phrase()
    assert default_of("data.mapping.physical_max_kmh") == DEFAULT_PHYSICAL_MAX


def test_no_two_fields_of_the_import_dialog_have_the_same_letter() -> None:
    labels = [key.label for path, key in SPEC.walk() if path.startswith("data.")]
    letters = [found[1].lower() for label in labels if (found := re.search("&(.)", label))]
    assert len(letters) > 10
    assert len(set(letters)) == len(letters)
