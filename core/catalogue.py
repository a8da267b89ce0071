"""A catalogue of texts in another language: one gettext file (`.po`) for the window and for core.

The English text is the id. Texts of core stand under the context `core`, as templates with fields: a
sentence of core carries the template that it was made by (`core/texts.py`).
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path

from core.place_words import of_places
from core.subject import VEHICLE, Subject
from core.system.paths import resources
from core.texts import FilledText, Name

CORE = "core"
"""The context of texts that core makes."""
_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d+)\])?\s+)?("(?:[^"\\]|\\.)*")\s*')
_PLURAL_RULE = re.compile(r"nplurals=(\d+);\s*plural=([^;]+);")
_WORD = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """One text, and how it is said; empty: not translated yet."""

    text: str
    many: str = ""
    """The English plural, where a count decides the form."""
    context: str = ""
    said: tuple[str, ...] = ()


def read_entries(path: Path) -> Iterator[CatalogueEntry]:
    """The entries of a `.po` file, its head (the empty id) first. Raises ValueError where it is malformed."""
    said: dict[str, str] = {}
    last = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None or not (match[1] or last):
            raise ValueError(f"{path.name}, line {number} is malformed")
        if match[1] and match[1] in ("msgctxt", "msgid") and any(key.startswith("msgstr") for key in said):
            yield _entry(said)
            said = {}
        last = (match[1] + (match[2] or "")) if match[1] else last
        said[last] = said.get(last, "") + json.loads(match[3])
    if said:
        yield _entry(said)


def _entry(said: Mapping[str, str]) -> CatalogueEntry:
    known = tuple(text for key, text in said.items() if key.startswith("msgstr") and text)
    return CatalogueEntry(
        text=said["msgid"], many=said.get("msgid_plural", ""), context=said.get("msgctxt", ""), said=known
    )


@dataclass(frozen=True)
class Catalogue:
    """Texts in one language. What it does not know stays English."""

    language: str
    entries: tuple[CatalogueEntry, ...]
    plural: Callable[[int], int] = field(default=lambda n: int(n != 1))
    number: Callable[[str], str] = field(default=lambda digits: digits)
    """How a whole number of an English text, commas between its thousands, is written."""

    def text(self, text: str) -> str | None:
        """A text of the window or of Qt; None: unknown."""
        known = self._known.get(("", text))
        return known[0] if known else None

    def counted(self, one: str, many: str, count: int) -> str:
        """The form of a text for a count."""
        known = self._known.get(("", one), ())
        chosen = self.plural(count)
        return known[chosen] if chosen < len(known) else (one if count == 1 else many)

    def of_core(self, text: str) -> str:
        """What core says: by its template, with what is in the fields translated in turn, else as a whole."""
        if isinstance(text, Name):
            return text
        if not isinstance(text, FilledText):
            bare = text.strip()
            if not _WORD.search(bare):
                return _GROUPED.sub(lambda digits: self.number(digits[0]), text)
            known = self._known.get((CORE, bare))
            return text.replace(bare, known[0]) if known else text
        template = text.template
        count = int(text.values["n"].replace(",", "")) if text.many else 0
        known = self._known.get((CORE, template.strip()), ())
        chosen = self.plural(count) if text.many else 0
        if chosen < len(known):
            template = template.replace(template.strip(), known[chosen])
        elif text.many and count != 1:
            template = text.many
        said = template.format_map({name: self.of_core(value) for name, value in text.values.items()})
        return _WORD_AND_DANDA.sub("।", said)

    @cached_property
    def _known(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        known = {(entry.context, entry.text): entry.said for entry in self.entries if entry.text}
        ours = ((text, said) for (context, text), said in known.items() if context == CORE)
        return {(CORE, of_places(text)): tuple(map(_of_places, said)) for text, said in ours} | known


_WORD_AND_DANDA = re.compile(r"(?<=[\u0900-\u0963\u0970-\u097f)”])\u00a0।")
"""After a figure it stands apart, else it reads like one more 1; a field may end with a word all the same."""
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)")
ENGLISH = Catalogue("en", ())


@cache
def shipped_catalogue(language: str, number: Callable[[str], str] = lambda digits: digits) -> Catalogue:
    """What ships for a language, read once; of English, which all texts are in, nothing."""
    if language == ENGLISH.language:
        return ENGLISH
    return read_catalogue(resources() / "languages" / f"{language}.po", number)


def read_catalogue(path: Path, number: Callable[[str], str] = lambda digits: digits) -> Catalogue:
    """The catalogue of a `.po` file, named after its language. Raises ValueError where it is malformed."""
    head, *entries = read_entries(path)
    rule = _PLURAL_RULE.search(head.said[0]) if not head.text and head.said else None
    if rule is None:
        raise ValueError(f"{path.name} names no rule of plurals")
    return Catalogue(path.stem, tuple(entries), gettext.c2py(rule[2]), number)


def indian_groups(digits: str) -> str:
    """A whole number, commas between its thousands, with groups as in India: 12,34,567."""
    plain = digits.replace(",", "")
    head, tail = plain[:-3], plain[-3:]
    return f"{_PAIRS.sub(',', head)},{tail}" if head else tail


def as_spoken(text: str, subject: Subject, typed: Collection[str] = (), *, hexagons: bool = True) -> str:
    """A text in either language with what is protected as it was typed; hexagons: whether places are."""
    if not hexagons:
        text = _of_places(of_places(text))
    if subject == VEHICLE:
        return text
    return _VEHICLE.sub(lambda found: subject.plural if found[1] else subject.name, subject.says(text, typed))


def _of_places(said: str) -> str:
    """The same of a text in another language."""
    return _TWICE.sub(r"\1", _SHAPE.sub(_PLACE, said))


_PAIRS = re.compile(r"(?<=\d)(?=(?:\d\d)+$)")
_SHAPE, _PLACE = (
    re.compile("\u0937\u091f\u094d(\u092d\u0941\u091c|\u0915\u094b\u0923)"),
    "\u0938\u094d\u0925\u093e\u0928",
)
_TWICE = re.compile(r"(?i)\b(place), place\b")
"""What `hexagon, place` has become."""
_VEHICLE = re.compile("(?<![\u0900-\u097f-])\u0935\u093e\u0939\u0928(\u094b\u0902)?(?![\u0900-\u097f-])")
"""The Hindi word, of one and of several."""
