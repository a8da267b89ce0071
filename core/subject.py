"""Who or what is protected, in words and which words may be typed: a vehicle unless named (method 5).

Code, keys of files and units say vehicle whatever a spec names. What people read goes through `says`, and the
names of columns and files through `column`, where it leaves core: there, and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.errors import InputError
from core.texts import FilledText, Name

_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9]*( [A-Za-z0-9]+)*")
_LONGEST = 40
_BEFORE, _AFTER = r"(?<![\w.`\"'/\\={-])(?<!\bunit )", r"(?![\w`\"/\\=}-]|\.\w)"
"""What a code name, a path, a key or its value has beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """One of those whose records are protected, and several."""

    name: str = "vehicle"
    plural: str = "vehicles"

    def __post_init__(self) -> None:
        """Raises InputError for words that columns and pages cannot bear."""
        for key, text in (("subject", self.name), ("subject_plural", self.plural)):
            if not _WORDS.fullmatch(text) or len(text) > _LONGEST:
                raise InputError(
                    "What is protected is called by letters, digits and single blanks, a letter first, at "
                    "most {longest} of them.",
                    longest=_LONGEST,
                    where=f"privacy.{key}",
                    mend='write for instance subject = "sensor" and subject_plural = "sensors"',
                )

    def says(self, text: str, typed: Collection[str] = ()) -> str:
        """A text of the program with this subject in it; typed: by somebody, which stays as it is."""
        if self == VEHICLE or isinstance(text, Name):
            return text
        names: list[str] = []
        said = _pattern(self.name, self.plural, tuple(typed)).sub(self._word, _without_names(text, names))
        return _MARK.sub(lambda found: names[int(found[1])], said) if names else said

    def carried(self, text: str) -> str:
        """As `says`, with the template, by which another language says it before it names this subject."""
        said = self.says(text)
        if said == text:
            return text
        if isinstance(text, FilledText):
            return FilledText(said, text.template, text.values, text.many)
        return FilledText(said, text, {})

    def column(self, name: str) -> str:
        """A name of a column or a file with this subject in it, in small letters and `_` for blanks."""
        if self == VEHICLE:
            return name
        one, many = (word.lower().replace(" ", "_") for word in (self.name, self.plural))
        return _KEY.sub(lambda found: many if found[1] else one, name)

    def document(self, value: Any) -> Any:
        """JSON values with this subject in their sentences; keys and single words, which are names, stay."""
        if isinstance(value, dict):
            return {key: self.document(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.document(inner) for inner in value]
        return self.carried(value) if isinstance(value, str) and " " in value else value

    def _word(self, found: re.Match[str]) -> str:
        initial, several, article = found["initial"], found["several"], found["article"] or ""
        if initial is None:
            return self.column(found["column"]) if found["column"] else found[0]
        word = self.plural if several else self.name
        word = word[0].upper() + word[1:] if initial == "V" else word
        return article + ("n " if article and word[0].lower() in "aeiou" else " " * bool(article)) + word


def _without_names(text: str, names: list[str]) -> str:
    """A text with a mark in place of each name in it, which is added to the list."""
    if isinstance(text, Name):
        names.append(text)
        return f"\ue000{len(names) - 1}\ue000"
    if not isinstance(text, FilledText):
        return text
    used = next((one for one in (text.template, text.many) if one.format_map(text.values) == text), None)
    if used is None:  # English says it otherwise than its template
        return text
    return used.format_map({name: _without_names(value, names) for name, value in text.values.items()})


@lru_cache(maxsize=8)
def _pattern(name: str, plural: str, typed: tuple[str, ...]) -> re.Pattern[str]:
    """What stays, first, then the word: so that a text may be said twice; columns of noisy weights, too."""
    free = [re.escape(text) for text in sorted(typed, key=len, reverse=True) if "vehicle" in text.lower()]
    own = [rf"\b{text}\b" for text in sorted((name, plural), key=len, reverse=True)]
    stays = "|".join(free + own)
    column = r"(?P<column>\bvehicle(?:s|\\?_days)\\?_dp\b)"
    return re.compile(
        rf"{stays}|{column}|(?:\b(?P<article>[Aa]) )?{_BEFORE}(?P<initial>[Vv])ehicle(?P<several>s?){_AFTER}"
    )


_MARK = re.compile("\ue000([0-9]+)\ue000")
_KEY = re.compile(r"(?<![A-Za-z0-9])vehicle(s?)(?![A-Za-z0-9])")
VEHICLE = Subject()


def subject_called(name: str, plural: str) -> Subject:
    """What a spec calls it; several of another than a vehicle get an s where nothing is said of them."""
    usual = plural == VEHICLE.plural and name != VEHICLE.name
    return Subject(name=name, plural=f"{name}s" if usual else plural)
