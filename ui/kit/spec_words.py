"""Labels and meanings of the spec's keys, translated: the window takes them from the declared table."""

from __future__ import annotations

from dataclasses import dataclass

from core.spec import SPEC
from ui.kit.translation import core_text, translator, without_mnemonic

_tr = translator("Spec")


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationTexts:
    """What a person reads before choosing."""

    title: str
    examples: str
    """Whose data it is for."""
    brief: str
    """What becomes public, and what does not, in a few words."""
    public: str
    """The same at length."""


def relation_texts() -> dict[str, RelationTexts]:
    """Of each relation."""
    return {
        "values": RelationTexts(
            title=_tr("Values only"),
            examples=_tr("Buses and trams on a public timetable."),
            brief=_tr("Public: where and when they were. Protected: what they measured."),
            public=_tr(
                "Public: which vehicles were where and when, and how often they sent. "
                "Protected: what they measured, such as their speeds."
            ),
        ),
        "user": RelationTexts(
            title=_tr("Presence too"),
            examples=_tr("Taxis, ambulances, delivery vans, private cars."),
            brief=_tr("Public: only what you type. Protected: all else, less exactly."),
            public=_tr(
                "Public: only the constants that you type, none of them from the records. "
                "Protected: speeds, places, and whether a vehicle was there at all. Numbers are less exact."
            ),
        ),
    }


def label_of(path: str) -> str:
    """The name of a key's field, `&` before its letter; `path` as in `data.mapping.vehicle`."""
    return core_text(SPEC.key(path).label)


def caption_of(path: str) -> str:
    """The name of a key's field without the mark of its letter."""
    return without_mnemonic(label_of(path))


def word_of(path: str) -> str:
    """What sentences call a key."""
    return core_text(SPEC.key(path).word)


def help_of(path: str) -> str:
    """What a key means, in one sentence."""
    return core_text(SPEC.key(path).help).replace("`", "")
