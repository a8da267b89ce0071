"""Features of a layer: too many, without geometry, crossing themselves, and what was left out."""

from __future__ import annotations

from dataclasses import dataclass

from core.counted import count_of
from core.errors import InputError
from core.geodata.shapes import Parts
from core.release_texts import one_line
from core.texts import text_of

MOST_FEATURES = 1_000_000
USUAL_NAME_FIELDS = ("name", "name:en", "name_en", "label", "title", "place", "stop_name")
"""In the order in which they are taken for the field of names, in whatever letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """One layer, read."""

    parts: Parts
    names: tuple[str, ...]
    """Of each feature, one printable line; empty where it has none, or no field of names was chosen."""
    fields: tuple[str, ...]
    """That may name features, in the file's order."""
    system: str = ""
    """The reference system that it was turned from; empty: it was in degrees."""

    @property
    def count(self) -> int:
        """How many there are, with those that cannot be drawn."""
        return len(self.names)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a person ought to know of the reading, in sentences; none where all is well."""
        empty, unusable, mended = self.parts.empty, self.parts.unusable, self.parts.mended
        texts = (
            (
                empty,
                count_of(
                    empty,
                    "of its features has no geometry and is not drawn.",
                    "of its features have no geometry and are not drawn.",
                ),
            ),
            (
                unusable,
                count_of(
                    unusable,
                    "of its features has an unusable geometry and is left out.",
                    "of its features have an unusable geometry and are left out.",
                ),
            ),
            (
                mended,
                count_of(
                    mended,
                    "of its areas crosses itself and was repaired.",
                    "of its areas cross themselves and were repaired.",
                ),
            ),
        )
        remarks = [text for count, text in texts if count]
        return (
            (*remarks, text_of("It was converted from {system}.", system=self.system))
            if self.system
            else tuple(remarks)
        )


def name_in_cell(value: object) -> str:
    """What a cell names its feature: text or a number, as one printable line; nothing else names anything."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return one_line(f"{value:.12g}" if isinstance(value, float) else str(value)[:20])
    return ""


def may_name(value: object) -> bool:
    """Whether a cell is of a kind that names features, or has nothing in it."""
    return value is None or (isinstance(value, str | int | float) and not isinstance(value, bool))


def usual_name_field(fields: tuple[str, ...]) -> str:
    """The field that names features as far as its own name tells; empty where none does."""
    lower = {name.lower(): name for name in reversed(fields)}
    return next((lower[name] for name in USUAL_NAME_FIELDS if name in lower), "")


def require_field(name: str, fields: tuple[str, ...], where: str) -> None:
    """Raise InputError for a field of names that the layer does not have; an empty one is none."""
    if name and name not in fields:
        known = ", ".join(one_line(field) for field in fields[:10])
        raise InputError(
            "The layer has no field {name}.",
            name=f"{one_line(name)!r}",
            where=where,
            mend=text_of("choose one of: {known}", known=known)
            if known
            else "its features have no fields; choose another layer",
        )


def too_many(where: str) -> InputError:
    """What to say of a layer that no map on a screen could show."""
    return InputError(
        "The layer has more than {most_features} features.",
        most_features=f"{MOST_FEATURES:,}",
        where=where,
        mend="save a part of it, such as the area of your city or the main roads",
    )
