"""core.release.unnoted_bundle: what is no sound bundle is never noted; the rest with whole releases."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.release.unnoted_bundle import note_bundle
from tests.builders import usual_bundle


@pytest.mark.parametrize("what", ["nothing", "file", "folder", "damaged", "unknown"])
def test_nothing_is_noted_of_what_the_ledger_did_not_draw(tmp_path: Path, what: str) -> None:
    ledger, place = Ledger.open(tmp_path / "ledger.sqlite"), tmp_path / "place"
    ledger.set_limit("City buses", per_vehicle=Decimal(1))
    if what == "file":
        place.write_text("x")
    elif what == "folder":
        place.mkdir()
    elif what != "nothing":
        place = usual_bundle(tmp_path)
    if what == "damaged":
        (place / "README.md").write_text("x")
    assert note_bundle(place, ledger, "City buses") is None
