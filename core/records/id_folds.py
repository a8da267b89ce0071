"""Ids of vehicles in the forms under which they are compared (method 2): records, tables and ledger fold so.

Ids are text and never numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

_SIGNS = dict.fromkeys(map(ord, "=\"'`‘’‚‛“”„‟‹›«»′″"))
_THOUSANDS = re.compile(
    r"[0-9]{1,3}(?:([, ])(?:[0-9]{2,3}\1)*[0-9]{3}|(?:\.[0-9]{3}){2,}|\.(?!000)[0-9]{3})"  # 7.000 is 7
)
_MARKS = re.compile(r"[,. ]")
_FRACTION = re.compile(r"(?<=\w)\.0+\Z")
_ZEROS = re.compile(r"\A0+(?=\w)")
_NUMBER_SIGN = re.compile(r"\A(?:#|no|n°|nr(?=[. ]))[. ]*(?=[0-9])")
"""`#7`, `No. 7`, `nr 7`; the sign of one letter is `no` in NFKC."""


PART = "\x1f"
"""Stands between the texts of an id that comes from several columns; no text of one column holds it."""


class IdFolds(NamedTuple):
    """One id in three forms, each of which follows from the one before and is its own fold."""

    as_read: str
    """Trimmed and case-folded: what contribution tables hold, and what ledgers knew at first."""
    id: str
    """The id: in one Unicode form (NFKC) too, with single blanks."""
    further: str
    """Without what programs and people add: unseen signs, quotes, `=`, `#` and `No.` before a number,
    thousands marks, `.0`, zeros in front."""


def id_folds(text: str) -> IdFolds:
    """The forms of an id; all are empty for blanks alone."""
    if text.isascii() and text.isalnum() and not text.startswith(("0", "n", "N")):
        return IdFolds(*[text.lower()] * 3)
    as_read = text.strip().casefold()
    name = _settled(_normal, as_read)
    return IdFolds(as_read, name, _settled(_bare, name) or name)


def vehicle_id(text: str, *, folded: bool) -> str:
    """What a vehicle is called that was read so; folded: by the further form (`vehicle_fold`)."""
    folds = id_folds(text)
    return folds.further if folded else folds.id


def ids_alike(ids: Iterable[str]) -> int:
    """How many ids fall together with another one in the further form: perhaps one vehicle, written twice."""
    same = Counter(id_folds(name).further for name in ids)
    return sum(count for count in same.values() if count > 1)


def ids_marked(ids: Iterable[str]) -> int:
    """How many ids hold what is added to a number or a text; zeros in front may be part of an id."""
    return sum(
        _of_parts(lambda part: _ZEROS.sub("", part), name) != id_folds(name).further
        for name in ids
        if not name.isalnum()
    )


OtherTexts = Mapping[str, tuple[str, ...]]
"""Id -> the other texts, trimmed and case-folded, that it was read as; without ids that have none."""


def other_texts(names: Iterable[tuple[str, str]]) -> OtherTexts:
    """Of ids and texts that they were read as."""
    found: dict[str, set[str]] = {}
    for name, text in names:
        if text != name:
            found.setdefault(name, set()).add(text)
    return {name: tuple(sorted(found[name])) for name in sorted(found)}


def _settled(fold: Callable[[str], str], text: str) -> str:
    """Folded until nothing changes: what one step leaves may be another one's to take."""
    while (folded := fold(text)) != text:
        text = folded
    return text


def _normal(text: str) -> str:
    return _of_parts(lambda part: " ".join(unicodedata.normalize("NFKC", part).casefold().split()), text)


def _bare(text: str) -> str:
    return _of_parts(_bare_part, text)


def _of_parts(fold: Callable[[str], str], text: str) -> str:
    """Each part for itself; one of which nothing would be left stays: two columns never become one."""
    return PART.join(filter(None, (fold(part) or part.strip() for part in text.split(PART))))


def _bare_part(text: str) -> str:
    if not text.isascii():
        text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    text = _NUMBER_SIGN.sub("", _normal(text.translate(_SIGNS)))
    if _THOUSANDS.fullmatch(text):
        text = _MARKS.sub("", text)
    return _ZEROS.sub("", _FRACTION.sub("", text))
