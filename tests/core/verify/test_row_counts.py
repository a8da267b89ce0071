"""core.verify.row_counts: whose bundle has counts is known from its statement or its tables."""

from __future__ import annotations

from pathlib import Path

from core.release.prepare_publish import prepare, publish
from core.spec import load_spec
from core.verify.folder import read_folder
from core.verify.row_counts import check_counts, holds_counts
from tests.builders import make_key, usual_bundle
from tests.city import write_city
from tests.region_bundles import open_ledger
from tests.share_bundles import NOW


def test_a_bundle_without_counts_has_none_to_check(tmp_path: Path) -> None:
    assert not holds_counts(read_folder(usual_bundle(tmp_path)))


def test_counts_of_all_places_are_counted(tmp_path: Path) -> None:
    ledger, licence = open_ledger(tmp_path), 'licence = "CC-BY-4.0"'
    spec = load_spec(write_city(tmp_path / "city", edit=((licence, f"{licence}\ncounts = true"),)))
    bundle = publish(prepare(spec, ledger), ledger, key=make_key(), out=tmp_path / "out", now=NOW).bundle
    folder = read_folder(bundle)
    assert holds_counts(folder)
    assert check_counts(folder) == "exact counts of 12 places and times"
