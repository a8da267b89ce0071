"""Texts of a release and what is wrong: its name, one line each, the languages of its pages."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from dataclasses import dataclass, fields

from core.errors import InputError
from core.texts import text_of

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
COUNTED = ("visits", "records", "days")
"""What is counted beside those who are protected, where exact counts are published."""
PRACTICE_PREFIX = "practice-"
"""How the name of a practice release begins, and of no other."""
_LONGEST_NAME = 80
_CHECKED = ("name", "version", "title", "publisher", "contact", "licence")
_JOINER_INSIDE = re.compile("(?<=[^\u200c\u200d])[\u200c\u200d](?=[^\u200c\u200d])")
"""Zero-width (non-)joiners: words of Devanagari and other scripts, and some emoji, are written with them."""
LONGEST_NAME_OF_PLACE = 80
"""Letters of a place in a release's name; longer ones are cut."""
_VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")


IN_ENGLISH, HINDI = "en", "hi"
LANGUAGES = (IN_ENGLISH, HINDI)
"""That README, report and map page may be in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryTexts:
    """What only people know of an entry in a registry of deployments; empty: not said yet."""

    region: str = ""
    description: str = ""
    domain: str = ""
    actors: str = ""
    data_source: str = ""
    access: str = ""
    justification: str = ""

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of what is not said yet."""
        return tuple(one.name for one in fields(self) if not getattr(self, one.name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Handling:
    """What a publisher says of the raw records, for a privacy officer; empty or None: not said."""

    who_sees_records: str = ""
    kept_until: str = ""
    review_date: dt.date | None = None
    intruder_test: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesTexts:
    """The series that a release is a member of."""

    name: str
    """Of the template: what stands before the period in the release's name."""
    title: str
    every: str
    """`day`, `week` or `month`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseTexts:
    """Checked on construction; raises InputError that names the field at fault."""

    name: str
    version: str
    title: str
    publisher: str
    contact: str
    licence: str
    policy: bool = False
    """The epsilon policy lies in the bundle."""
    counts: bool = False
    """Exact counts stand beside each number, of relation `values`."""
    languages: tuple[str, ...] = (IN_ENGLISH,)
    """Of README, report and map page; English is among them."""
    registry: RegistryTexts | None = None
    handling: Handling | None = None
    series: SeriesTexts | None = None

    def __post_init__(self) -> None:
        for field in _CHECKED:
            require_text(field, getattr(self, field))

    @property
    def typed(self) -> tuple[str, ...]:
        """Free text, in which nothing is said otherwise than it was typed."""
        return self.title, self.publisher, self.contact, self.name

    @property
    def beside_english(self) -> tuple[str, ...]:
        """The other languages of README, report and map page."""
        return tuple(one for one in self.languages if one != IN_ENGLISH)

    @property
    def practice(self) -> bool:
        """Whether it was made to try things out, with a ledger and a key that are thrown away."""
        return self.name.startswith(PRACTICE_PREFIX)

    @property
    def folder(self) -> str:
        """The bundle's folder: `<name>-<version>`."""
        return f"{self.name}-{self.version}"


def require_text(field: str, text: str) -> str:
    """The text, if that field of a release may hold it. Raises InputError that names the field."""
    if field == "name" and (len(text) > _LONGEST_NAME or not _NAME.fullmatch(text)):
        raise InputError(
            "A release's name is lower-case letters, digits and single hyphens, at most {longest_name}.",
            longest_name=_LONGEST_NAME,
            where="release.name",
            mend='write for instance name = "austin-bus-speed"',
        )
    if field == "version" and not _VERSION.fullmatch(text):
        raise InputError(
            "A version is three numbers.", where="release.version", mend='write version = "1.0.0"'
        )
    if not text.strip():
        raise InputError(
            "The {field} is missing.",
            field=field,
            where=f"release.{field}",
            mend=text_of('write {field} = "..."', field=field),
        )
    if not is_line(text):
        raise InputError(
            "The {field} must be one line of text.",
            field=field,
            where=f"release.{field}",
            mend=text_of('write {field} = "..."', field=field),
        )
    return text


def require_said(field: str, text: str) -> str:
    """A text that may stay empty, if it is one line. Raises InputError that names the field."""
    return require_text(field, text) if text else text


def require_languages(languages: tuple[str, ...]) -> tuple[str, ...]:
    """The languages, if the bundle can be in them, English first. Raises InputError otherwise."""
    if languages[0] != IN_ENGLISH or set(languages) - set(LANGUAGES) or len(set(languages)) < len(languages):
        raise InputError(
            "README, report and map page are in English, and beside it in one of: {others}.",
            others=", ".join(LANGUAGES[1:]),
            where="release.languages",
            mend='write languages = ["en", "hi"]',
        )
    return languages


def is_line(text: str) -> bool:
    """Whether it is printable, on one line; words of every script are."""
    return _JOINER_INSIDE.sub("", text).isprintable()


def one_line(text: str, most: int = LONGEST_NAME_OF_PLACE) -> str:
    """Text of a stranger's as one printable line of at most `most` letters; empty where nothing is left.

    What turns the direction of writing, or joins letters unseen, goes; line breaks and tabs become blanks.
    """
    if text.isascii() and text.isprintable() and len(text) <= most and "  " not in text:
        return text.strip()
    seen = (letter for letter in text if unicodedata.category(letter) != "Cf")
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in seen).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
