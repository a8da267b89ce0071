"""Workers that compute with something else than this machine are found out."""

from __future__ import annotations

import pytest

from core.engines import software as room
from core.engines.software import require_same_software, software
from core.errors import InputError
from core.records.zones import ZoneOffsets, offsets_of

ZONE = "Europe/Berlin"


def test_the_same_passes() -> None:
    require_same_software(software(ZONE), ZONE)
    assert any(part.startswith("h3 ") for part in software(ZONE))
    assert software(ZONE) != software("Europe/London")


def test_another_version_and_another_idea_of_a_zone_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"pyarrow 1\.0"):
        require_same_software(software(ZONE) | {"pyarrow 1.0"}, ZONE)

    def older(zone: str, first: int, last: int) -> ZoneOffsets:
        found = offsets_of(zone, first, last)
        return ZoneOffsets(starts=found.starts, offset_ms=found.offset_ms + 1)

    monkeypatch.setattr(room, "offsets_of", older)
    elsewhere = software.__wrapped__(ZONE)
    with pytest.raises(InputError, match="zone data"):
        require_same_software(elsewhere, ZONE)
