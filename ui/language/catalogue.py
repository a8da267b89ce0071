"""A catalogue of texts in another language: one gettext file (`.po`) for the window and for core.

The English text is the id. Texts of core stand under the context `core`, as templates with fields: core makes
whole sentences, and `of_core` finds the template that a sentence was made by and what is in its fields.
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

CORE = "core"
"""The context of texts that core makes."""
FIELD = re.compile(r"\{(\w+)\}")
"""A field of a text of core."""
_LINE = re.compile(r'(?:(msgctxt|msgid_plural|msgid|msgstr)(?:\[(\d+)\])?\s+)?("(?:[^"\\]|\\.)*")\s*')
_PLURAL_RULE = re.compile(r"nplurals=(\d+);\s*plural=([^;]+);")
_LEAST_WORD = re.compile(r"[^\W\d_]{2}")
_JOINING = (";", ",", ":")
"""How half sentences begin that core adds to others."""
_CHOICE = ", or "
_JOINTS = ("; ", ", ", " or ")
"""What core puts between texts in a row."""
_SENTENCE_ENDS = re.compile(r"(?<=\.) (?=[A-Z])")
_OWN_NAMES = frozenset({"column", "column_name", "columns", "commas", "having", "places"})
"""Fields with names of a person's columns: such a name is no word, though it may be spelt like one."""
COUNTED = "counted_"
"""How fields begin that hold a count and its noun: `1 hexagon slot`."""
_COUNTED_SHAPE = r"\d[\d,]* [A-Za-z -]*[A-Za-z]"
_SHAPES = {
    "n": r"\d[\d,]*",
    "date": r"\d{4}-\d\d-\d\d|\d\d? [A-Z][a-z]+ \d{4}",
    "figure": r"\d[\d.,]*",
    "number": r"\d+",
}
"""What a field matches whose name ends so after a `_`; any other may be anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """One text, and how it is said; no forms: not translated yet."""

    text: str
    many: str = ""
    """The English plural, where a count decides the form."""
    context: str = ""
    forms: tuple[str, ...] = ()


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
    forms = tuple(text for key, text in said.items() if key.startswith("msgstr") and text)
    return CatalogueEntry(
        text=said["msgid"],
        many=said.get("msgid_plural", ""),
        context=said.get("msgctxt", ""),
        forms=forms,
    )


@dataclass(frozen=True, slots=True)
class _Template:
    """A text with fields, and what a sentence made by it looks like."""

    forms: tuple[str, ...]
    pattern: re.Pattern[str]
    longest: str
    """A sentence without it was not made by this template: most are known so immediately."""
    counts: bool
    """Its field `n` decides the form."""
    weight: int
    """Letters outside the fields: of several templates that fit, the one that says most."""


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
        forms = self._known.get(("", text))
        return forms[0] if forms else None

    def counted(self, one: str, many: str, count: int) -> str:
        """The form of a text for a count."""
        forms = self._known.get(("", one), ())
        chosen = self.plural(count)
        return forms[chosen] if chosen < len(forms) else (one if count == 1 else many)

    def of_core(self, text: str) -> str:
        """What core says, line by line where the whole is unknown."""
        said = self._of_core(text)
        if said is None and "\n" in text:
            return "\n".join(self.of_core(line) for line in text.split("\n"))
        return text if said is None else said

    def _of_core(self, text: str) -> str | None:
        forms = self._known.get((CORE, text))
        if forms:
            return forms[0]
        found = self.template_of(text)
        if found is None:
            return self._with_tail(text) or self._in_pieces(text, *_JOINTS)
        template, values = found
        # of several in a row the first one's field does not reach over the others
        several = None
        if any(template.longest in value for value in values.values()):
            several = self._in_pieces(text, *_JOINTS)
        elif any(_CHOICE in value for value in values.values()):
            several = self._in_pieces(text, _CHOICE)
        elif any(_SENTENCE_ENDS.search(value) for value in values.values()):
            several = self._in_sentences(text)
        return several or self._filled(template, values)

    def _filled(self, template: _Template, values: Mapping[str, str]) -> str:
        said = {name: value if name in _OWN_NAMES else self._value(value) for name, value in values.items()}
        count = int(values["n"].replace(",", "")) if template.counts else 0
        texts = template.forms[self.plural(count) if template.counts else 0]
        return _WORD_AND_DANDA.sub("।", texts.format(**said))

    def _with_tail(self, text: str) -> str | None:
        """A text with one of the half sentences that core adds to others: `; and whether …`."""
        for tail in self._tails:
            if tail.longest in text and (match := tail.pattern.search(text)):
                head = self._of_core(text[: match.start()])
                if head is not None:
                    return head + self._filled(tail, match.groupdict())
        return None

    def _in_pieces(self, text: str, *joints: str) -> str | None:
        """Several texts in a row, each of which is known."""
        for joint in joints:
            pieces = text.split(joint)
            if len(pieces) == 1:
                continue
            said = [self._of_core(one) if _LEAST_WORD.search(one) else one for one in pieces]
            texts = [one for one in said if one is not None]
            if len(pieces) == len(texts):
                forms = self._known.get((CORE, joint.strip()))
                return (joint.replace(joint.strip(), forms[0]) if forms else joint).join(texts)
        return None

    def _in_sentences(self, text: str) -> str | None:
        """Several whole sentences, each of which is known: the field of one does not reach over the next."""
        said = [self._of_core(one) for one in _SENTENCE_ENDS.split(text)]
        texts = [one for one in said if one is not None]
        return " ".join(texts) if len(said) == len(texts) else None

    def template_of(self, text: str) -> tuple[_Template, Mapping[str, str]] | None:
        """The template that a text was made by, and what is in its fields; None: none is known."""
        for template in self._templates:
            if template.longest in text and (match := template.pattern.fullmatch(text)):
                return template, match.groupdict()
        return None

    def _value(self, value: str) -> str:
        if _LEAST_WORD.search(value):
            said = value.strip()
            return value.replace(said, self.of_core(said))
        return _GROUPED.sub(lambda digits: self.number(digits[0]), value)

    @cached_property
    def _known(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        return {(entry.context, entry.text): entry.forms for entry in self.entries if entry.text}

    @cached_property
    def _tails(self) -> tuple[_Template, ...]:
        return tuple(
            _template(entry, entry.text, begins=False)
            for entry in self.entries
            if entry.context == CORE and entry.forms and entry.text.startswith(_JOINING)
        )

    @cached_property
    def _templates(self) -> tuple[_Template, ...]:
        made = [
            _template(entry, text)
            for entry in self.entries
            if entry.context == CORE and entry.forms and FIELD.search(entry.text)
            for text in (entry.text, entry.many)
            if text
        ]
        return tuple(sorted(made, key=lambda template: -template.weight))


_WORD_AND_DANDA = re.compile(r"(?<=[\u0904-\u0963\u0970-\u097f)”])\u00a0।")
"""After a figure it stands apart, else it reads like one more 1; a field may end with a word all the same."""
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)")
ENGLISH = Catalogue("en", ())


def _template(entry: CatalogueEntry, text: str, *, begins: bool = True) -> _Template:
    """text: of the entry, in one form or the other; begins: it is a whole text, else the end of one."""
    pieces = FIELD.split(text)
    literal, names = pieces[::2], pieces[1::2]
    pattern = re.escape(literal[0])
    for number, name in enumerate(names):
        # of two fields that touch, the first is a number: it has no blank in it
        touches = not literal[number + 1] and number + 1 < len(names)
        within = _SHAPES.get(name.rpartition("_")[2], r"\S*" if touches else ".*?")
        within = _COUNTED_SHAPE if name.startswith(COUNTED) else within
        pattern += f"(?P<{name}>{within})" if name not in names[:number] else f"(?P={name})"
        pattern += re.escape(literal[number + 1])
    return _Template(
        forms=entry.forms,
        pattern=re.compile(pattern if begins else pattern + r"\Z", re.DOTALL),
        longest=max(literal, key=len),
        counts=bool(entry.many),
        weight=sum(map(len, literal)),
    )


def read_catalogue(path: Path, number: Callable[[str], str] = lambda digits: digits) -> Catalogue:
    """The catalogue of a `.po` file, named after its language. Raises ValueError where it is malformed."""
    head, *entries = read_entries(path)
    rule = _PLURAL_RULE.search(head.forms[0]) if not head.text and head.forms else None
    if rule is None:
        raise ValueError(f"{path.name} names no rule of plurals")
    return Catalogue(path.stem, tuple(entries), gettext.c2py(rule[2]), number)
