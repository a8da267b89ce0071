"""What a check of a bundle finds wrong, such as a file that is no JSON object; texts of strangers."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn

from core.signed.bundle_names import (
    CATALOGUE_RECORD,
    CELLS_PATH,
    DATAPACKAGE,
    MANIFEST,
    MAP_PAGE,
    PLACES_PATH,
    PRIVACY,
    PUBLIC_KEY,
    REGIONS_PATH,
    REPORT,
    SIGNATURE,
)
from core.system.nested_texts import json_value
from core.texts import text_of

_LONGEST = 80
NAMED_FILES = {
    "catalogue_record": CATALOGUE_RECORD,
    "cells_path": CELLS_PATH,
    "datapackage": DATAPACKAGE,
    "manifest": MANIFEST,
    "map_page": MAP_PAGE,
    "places_path": PLACES_PATH,
    "privacy": PRIVACY,
    "public_key": PUBLIC_KEY,
    "regions_path": REGIONS_PATH,
    "report": REPORT,
    "signature": SIGNATURE,
}
"""Field of a text -> the file that it names."""


class Finding(Exception):
    """A check fails; the text says why, with values a template. Never leaves who reads the bundle.

    What files of a bundle are called is known: `{privacy} is malformed` needs no value.
    """

    def __init__(self, finding: str, /, **values: object) -> None:
        files = {field: name for field, name in NAMED_FILES.items() if f"{{{field}}}" in finding}
        super().__init__(text_of(finding, **{**files, **values}))

    def __str__(self) -> str:
        text: str = self.args[0]
        return text


def require(holds: bool, finding: str, /, **values: object) -> None:
    """Raises Finding unless it holds."""
    if not holds:
        raise Finding(finding, **values)


def shown(text: str) -> str:
    """Text from a bundle, safe for a terminal: quoted, ASCII, short."""
    quoted = ascii(text)
    return quoted if len(quoted) <= _LONGEST else quoted[:_LONGEST] + "..."


def decoded(name: str, content: bytes) -> str:
    """UTF-8 without BOM as text. Raises Finding otherwise."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise Finding("{name} is not UTF-8", name=name) from None
    require(not text.startswith("\ufeff"), "{name} begins with a byte order mark", name=name)
    return text


def json_object(name: str, content: bytes) -> dict[str, Any]:
    """A JSON object without NaN and without repeated keys. Raises Finding otherwise."""
    try:
        document = json_value(decoded(name, content), object_pairs_hook=_unique, parse_constant=_no_constant)
    except ValueError:
        raise Finding("{name} is not valid JSON", name=name) from None
    require(isinstance(document, dict), "{name} is not a JSON object", name=name)
    return dict(document)


def json_parts() -> Callable[[str, int], tuple[Any, int] | None]:
    """A function of a text and a place in it: the value that begins there and where it ends.

    Values as of `json_object`; None where none does, or none that ends in the text.
    """
    decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)

    def read(text: str, place: int) -> tuple[Any, int] | None:
        try:
            return decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            return None

    return read


def same_json(one: object, other: object) -> bool:
    """Whether two JSON values are equal, types included (`true` is not 1)."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def value_at(document: Any, *names: str, document_name: str = PRIVACY) -> Any:
    """What a JSON document states under names, each inside of the one before. Raises Finding otherwise."""
    for name in names:
        if not isinstance(document, dict) or name not in document:
            raise Finding(
                "{document_name} states no {names}", document_name=document_name, names=".".join(names)
            )
        document = document[name]
    return document


def text_at(document: Any, *names: str, document_name: str = PRIVACY) -> str:
    """The same where it is a text that is not empty. Raises Finding otherwise."""
    value = value_at(document, *names, document_name=document_name)
    if not isinstance(value, str) or not value:
        raise Finding(
            "{document_name}: {names} is not text", document_name=document_name, names=".".join(names)
        )
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError
    return document


def _no_constant(_: str) -> NoReturn:
    raise ValueError
