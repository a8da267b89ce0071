"""By which rules files are read: a spec's, or guessed."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.console.reading_options import cache_of, first_rows, rules_for
from core.spec import DEFAULT_UPPER_BOUND, load_spec
from tests.city import write_city


def test_a_spec_says_how_to_read(tmp_path: Path) -> None:
    spec = write_city(tmp_path)
    rules, reasons = rules_for([tmp_path / "no-such-file.csv"], spec)
    assert rules == load_spec(spec).data.rules
    assert reasons == {}


def test_without_one_the_first_file_is_looked_at(tmp_path: Path) -> None:
    write_city(tmp_path)
    rules, reasons = rules_for([tmp_path / "records.csv", tmp_path / "no-such-file.csv"], None)
    assert (rules.mapping.vehicle, rules.mapping.value) == ("vehicle", "speed")
    assert (rules.zone, rules.upper_bound) == (None, DEFAULT_UPPER_BOUND)
    assert reasons["value"] == "named speed"
    assert "speed" in first_rows(tmp_path / "records.csv").columns


def test_loaded_records_are_kept_in_the_home(tmp_path: Path) -> None:
    assert cache_of(argparse.Namespace(home=tmp_path)).folder == tmp_path / "cache"
