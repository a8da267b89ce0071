"""Texts that carry their template, so that the window can say them in another language.

A `FilledText` is its English sentence: it is compared, joined, written and pickled like any string. Beside
that it knows the template that it was made by and what is in its fields. These are never read as templates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class FilledText(str):
    """An English text with its template; `+` keeps the templates of both sides."""

    __slots__ = ("many", "template", "values")

    template: str
    many: str
    """The template of several, where the field `n` is a count that decides."""
    values: Mapping[str, str]

    def __new__(cls, english: str, template: str, values: Mapping[str, str], many: str = "") -> FilledText:
        made = super().__new__(cls, english)
        made.template, made.values, made.many = template, values, many
        return made

    def __getnewargs__(self) -> tuple[str, str, Mapping[str, str], str]:  # type: ignore[override]
        return str(self), self.template, self.values, self.many

    def __add__(self, other: str) -> str:
        return text_of("{head}{tail}", head=self, tail=other)

    def __radd__(self, other: str) -> str:
        return text_of("{head}{tail}", head=other, tail=self)


class Name(str):
    """What a person calls something of theirs: it is no word of any language, even if spelt like one."""

    __slots__ = ()


def text_of(template: str, /, **values: object) -> str:
    """`There is no parameter {name} here.` with its fields filled in; without values it is itself.

    Templates are written out where it is called: the catalogues find them there.
    """
    if not values:
        return template
    filled = {name: value if isinstance(value, str) else str(value) for name, value in values.items()}
    return FilledText(template.format_map(filled), template, filled)


def joined(joint: str, texts: Iterable[str]) -> str:
    """Texts in a row, as `joint.join(texts)`, each with its template."""
    row: list[str] = []
    for text in texts:
        row += [joint, text] if row else [text]
    values = {f"_{number}": text for number, text in enumerate(row)}
    return text_of("".join(f"{{{name}}}" for name in values), **values)
