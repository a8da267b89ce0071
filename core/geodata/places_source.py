"""Which layer names the hexagons of a release, by which field, and from how far."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.texts import text_of

USUAL_WITHIN_M = 3000
"""Metres: a layer names a hexagon of the usual size by what lies in it, or close by."""
WITHIN_M = (1, 100_000)
"""Metres, from and to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacesSource:
    """Checked on construction; raises InputError that names the key at fault."""

    file: str
    """Path as it was typed; a spec's is relative to its folder."""
    name_field: str
    table: str = ""
    """Of a file that holds several; empty for its only one."""
    within_m: int = USUAL_WITHIN_M

    def __post_init__(self) -> None:
        least, most = WITHIN_M
        if not least <= self.within_m <= most:
            raise InputError(
                "A place names hexagons within {least} to {most} metres.",
                least=least,
                most=f"{most:,}",
                where="release.places.within_m",
                mend=text_of("write for instance within_m = {usual_within_m}", usual_within_m=USUAL_WITHIN_M),
            )

    def path(self, folder: Path) -> Path:
        """Where the file lies, for a spec in `folder`."""
        return folder / self.file
