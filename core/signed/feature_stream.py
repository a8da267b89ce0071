"""A FeatureCollection read feature by feature, up to so many characters; a byte order mark.

What is no such collection is the same finding as where the file is read whole (`findings.json_object`).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from typing import Any

from core.signed.findings import Finding, json_parts, require

_LARGEST_PART = 8 << 20
"""Characters of one feature of a FeatureCollection, or of what else stands in the document."""
_AFTER = frozenset(",]}: \t\n\r")
"""What may stand behind a value."""
_SPACE = re.compile(r"[ \t\n\r]*")


class _Text:
    """The text of a file, as far as it was read and is not behind yet."""

    def __init__(self, name: str, pieces: Iterable[bytes]) -> None:
        self._name, self._pieces = name, iter(pieces)
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._decode, self._text, self._place, self._begun = json_parts(), "", 0, False

    def wrong(self) -> Finding:
        return Finding("{name} is not valid JSON", name=self._name)

    def _more(self) -> bool:
        """Read a piece; False at the end of the file."""
        piece = next(self._pieces, None)
        try:
            added = self._decoder.decode(piece or b"", final=piece is None)
        except UnicodeDecodeError:
            raise Finding("{name} is not UTF-8", name=self._name) from None
        if not self._begun and added:
            self._begun = True
            require(not added.startswith("\ufeff"), "{name} begins with a byte order mark", name=self._name)
        self._text, self._place = self._text[self._place :] + added, 0
        return piece is not None

    def sign(self) -> str:
        """The next sign that is no space, which stays; empty at the end of the file."""
        while True:
            space = _SPACE.match(self._text, self._place)
            self._place = space.end() if space else self._place
            if self._place < len(self._text):
                return self._text[self._place]
            if not self._more():
                return ""

    def take(self, sign: str) -> None:
        """Pass the next sign. Raises Finding where it is another."""
        if self.sign() != sign:
            raise self.wrong()
        self._place += 1

    def value(self) -> Any:
        """Pass the next value. Raises Finding."""
        self.sign()
        whole = False
        while True:
            found = self._decode(self._text, self._place)
            # a number may go on in the next piece
            if found is not None and (whole or self._text[found[1] : found[1] + 1] in _AFTER):
                self._place = found[1]
                return found[0]
            if whole or len(self._text) - self._place > _LARGEST_PART:
                raise self.wrong()
            whole = not self._more()


def features_of(name: str, pieces: Iterable[bytes]) -> Iterator[Any]:
    """What stands in the list of a FeatureCollection, in order. Raises Finding for any other file."""
    text, seen = _Text(name, pieces), set[str]()
    require(text.sign() == "{", "{name} is not a FeatureCollection", name=name)
    text.take("{")
    while text.sign() != "}" or not seen:
        if seen:
            text.take(",")
        key = text.value()
        text.take(":")
        if key in seen or not isinstance(key, str):
            raise text.wrong()
        seen.add(key)
        if key == "features" and text.sign() == "[":
            yield from _listed(text)
        else:
            require(
                key == "type" and text.value() == "FeatureCollection",
                "{name} is not a FeatureCollection",
                name=name,
            )
    text.take("}")
    if text.sign():
        raise text.wrong()
    require(seen == {"type", "features"}, "{name} is not a FeatureCollection", name=name)


def _listed(text: _Text) -> Iterator[Any]:
    text.take("[")
    if text.sign() != "]":
        yield text.value()
        while text.sign() != "]":
            text.take(",")
            yield text.value()
    text.take("]")
