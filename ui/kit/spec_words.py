"""Labels and meanings of the spec's keys, translated: the window takes them from the declared table."""

from __future__ import annotations

from core.spec import SPEC
from ui.kit.translation import translator

_tr = translator("Spec")


def relation_words() -> dict[str, str]:
    """Each relation with its name, a colon, and what it means: what differs between neighbouring data."""
    return {
        "values": _tr("values: what is measured is protected, presence is public"),
        "user": _tr("user: presence too (arrives with strict mode)"),
    }


def label_of(path: str) -> str:
    """The name of a key's field, `&` before its letter; `path` as in `data.mapping.vehicle`."""
    return _tr(SPEC.key(path).label)


def caption_of(path: str) -> str:
    """The name of a key's field without the mark of its letter."""
    return label_of(path).replace("&", "")


def word_of(path: str) -> str:
    """What sentences call a key."""
    return _tr(SPEC.key(path).word)


def help_of(path: str) -> str:
    """What a key means, in one sentence."""
    return _tr(SPEC.key(path).help).replace("`", "")
