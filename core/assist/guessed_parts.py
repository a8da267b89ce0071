"""How a file is read as one list of parts: what was found, why or why not, and the key that decides it."""

from __future__ import annotations

from dataclasses import dataclass

from core.assist.column_guesses import UNIT_NOT_STATED
from core.assist.proposed_format import ProposedFormat
from core.assist.suggested_choices import Suggestion
from core.clean.placed_positions import DEGREES
from core.texts import Name, joined, text_of

KEYS = {
    "encoding": "data.format.encoding",
    "sheet": "data.format.sheet",
    "vehicle": "data.mapping.vehicle",
    "time": "data.mapping.time",
    "date": "data.mapping.date",
    "time_format": "data.mapping.time",
    "zone": "data.zone",
    "position": "data.mapping.position",
    "latitude": "data.mapping.latitude",
    "longitude": "data.mapping.longitude",
    "position_unit": "data.mapping.position_unit",
    "value": "data.mapping.value",
    "unit": "data.mapping.unit",
    "decimal": "data.format.decimal",
    "date_order": "data.format.date_order",
    "pings": "data.pings",
}
"""Part -> the key of a spec that decides it."""
DERIVED_KEY = "data.derived_speed"
UNIT_OF_OTHER = "data.value.unit"
NOT_NEEDED = "not needed"
_TO_READ = frozenset(KEYS) - {"encoding", "sheet", "zone", "unit", "time_format", "pings", "position_unit"}
"""Without these no row can be read; the rest is asked for before a release."""
_NO_POSITION = "nothing found: name position, or latitude and longitude"


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessedPart:
    """One part: a column, a mark, a zone."""

    part: str
    found: str
    """Empty: still open."""
    reason: str
    key: str

    @property
    def open(self) -> bool:
        """Somebody has to say it."""
        return not self.found

    @property
    def blocks(self) -> bool:
        """Nothing can be read before it is said."""
        return self.open and self.part in _TO_READ

    def to_json(self) -> dict[str, object]:
        """Plain values."""
        return {
            "part": self.part,
            "found": self.found,
            "open": self.open,
            "reason": self.reason,
            "key": self.key,
        }


def guessed_parts(suggestion: Suggestion, proposed: ProposedFormat) -> tuple[GuessedPart, ...]:
    """All parts, found or open, in the order in which they are read; proposed: what the look itself took."""
    choices, reasons = suggestion.choices, suggestion.reasons
    found = dict(choices.columns)
    if not choices.one_column and not (choices.latitude or choices.longitude):
        for part in ("latitude", "longitude"):
            found.pop(part)
        found["position"] = ""
    if choices.one_column:
        found["position"] += f", {choices.position_order}"
    if choices.vehicle and choices.vehicle_within:
        found["vehicle"] = " / ".join((*choices.vehicle_within, choices.vehicle))
    other = suggestion.other
    if other:
        usual = text_of("usual for {name}", name=Name(other.name)) if other.unit else UNIT_NOT_STATED
        reasons = reasons | {"unit": usual}
    if choices.derives:
        found["value"] = "derived from positions"
        reasons = reasons | {"unit": "a derived speed is in km/h"}
    # what is undecided is None, and an order that no date needs is empty
    order = choices.date_order
    found |= {
        "zone": choices.zone,
        "time_format": suggestion.time_format,
        "unit": other.unit if other else "km/h" if choices.derives else choices.units[0].unit,
        "decimal": choices.decimal or "",
        "date_order": NOT_NEEDED if order == "" else order or "",
        "pings": choices.pings,
    }
    if reasons.get("position_unit"):
        found["position_unit"] = choices.position_unit if choices.position_unit != DEGREES else ""
    if proposed.encodings:
        found["encoding"] = ""
        reasons = reasons | {"encoding": "not UTF-8; looks like " + joined(", ", proposed.encodings)}
    if proposed.sheets:
        found["sheet"] = ""
        reasons = reasons | {"sheet": "several sheets contain data: " + joined(", ", proposed.sheets)}
    if not choices.time:
        reasons = reasons | {"time": reasons["time_format"] or reasons["time"]}
        for part in ("time_format", "date_order", "zone"):
            found.pop(part)
    if "position" in found and not found["position"] and reasons["position"].startswith("nothing found"):
        reasons = reasons | {"position": _NO_POSITION}
    keys = {"value": DERIVED_KEY} if choices.derives else {"unit": UNIT_OF_OTHER} if other else {}
    return tuple(
        GuessedPart(
            part=part,
            found=found[part],
            reason=reasons[part],
            key=keys.get(part, key),
        )
        for part, key in KEYS.items()
        if part in found
    )
