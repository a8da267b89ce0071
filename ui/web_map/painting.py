"""What a map shows, as plain data: one layer's classes, the class of each cell, its words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Final, Literal

from ui.session.hat_texts import place_text

SUPPRESSED_FILL: Final = "suppressed"
OUTSIDE_FILL: Final = "outside"
UNKNOWN_FILL: Final = "unknown"
"""Of a value whose interval leaves everything open."""

Fill = int | Literal["suppressed", "outside", "unknown"]
"""The index of a legend class, or a constant above; `OUTSIDE_FILL` of every cell that is not named."""


MOST_CLASSES: Final = 9
"""A reader tells no more colours apart; and a class is one digit on its way to the page."""

_LETTERS: dict[Fill, str] = {
    SUPPRESSED_FILL: "s",
    OUTSIDE_FILL: "o",
    UNKNOWN_FILL: "u",
    **{number: f"{number}" for number in range(MOST_CLASSES)},
}


@dataclass(frozen=True, slots=True)
class LegendClass:
    """One line of the legend."""

    label: str
    colour: str
    """As `#rrggbb`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPainting:
    """One layer, ready to be drawn: no values, only classes, colours and words."""

    title: str
    unit: str = ""
    confidential: bool
    sample: bool = False
    """It follows from the records, and these are made up."""
    made_up: bool = False
    """Of a preview: nothing of it is of the records, and nobody may take it for a release."""
    of_before: bool = False
    """Of choices that are no longer those of the person: at half ink."""
    classes: tuple[LegendClass, ...]
    fills: Mapping[str, Fill]
    tooltips: Mapping[str, Sequence[str]]
    """Plain text lines per cell; the first is its heading. Never read as HTML."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Names of cells, for those that nothing else is said of."""
    outside: str = ""
    """What the legend calls cells without a class; empty for the map's own word."""
    note: str = ""
    """What a reader must know of the numbers: below the legend's classes."""
    lines: Sequence[Sequence[tuple[float, float]]] = ()
    """Closed lines around cells that belong together: (latitude, longitude) in degrees."""
    _letters: Mapping[str, str] = field(init=False, repr=False)
    """Cell -> letter: made with the painting, in a worker, so that the window has little left to do."""
    counts: Mapping[Fill, int] = field(init=False, repr=False)
    """Fill -> hexagons that have it, for those who hear the map."""

    def __post_init__(self) -> None:
        if len(self.classes) > MOST_CLASSES:
            raise ValueError(f"{len(self.classes)} legend classes; at most {MOST_CLASSES} are distinct")
        for fill in self.fills.values():
            known = (
                fill in (SUPPRESSED_FILL, OUTSIDE_FILL, UNKNOWN_FILL)
                if isinstance(fill, str)
                else 0 <= fill < len(self.classes)
            )
            if not known:
                raise ValueError(f"no legend class {fill!r} among {len(self.classes)}")
        letters = {cell: _LETTERS[fill] for cell, fill in self.fills.items()}
        object.__setattr__(self, "_letters", letters)
        object.__setattr__(self, "counts", Counter(self.fills.values()))

    def fill_of(self, cell: str) -> Fill:
        """How this cell is drawn."""
        return self.fills.get(cell, OUTSIDE_FILL)

    def words_of(self, cell: str, outside: str) -> tuple[str, ...]:
        """Lines to be shown of a cell, its heading first; outside: what one without a class is called."""
        lines = self.tooltips.get(cell)
        lines = lines or (cell, place_text(self.places.get(cell, "")), self.outside or outside)
        return tuple(line for line in lines if line)

    def script(self, cells: Sequence[str]) -> str:
        """The painting of these cells as a script literal in plain ASCII: one letter a cell.

        Tooltips stay behind; the page asks for the one it needs.
        """
        return json.dumps(
            {
                "title": self.title,
                "unit": self.unit,
                "confidential": self.confidential,
                "sample": self.sample,
                "made_up": self.made_up,
                "of_before": self.of_before,
                "outside": self.outside,
                "note": self.note,
                "classes": [{"label": entry.label, "colour": entry.colour} for entry in self.classes],
                "fills": "".join(map(self._letters.get, cells, repeat(_LETTERS[OUTSIDE_FILL]))),
            }
        )
