"""A language made by a function, and a window that speaks another one for a while."""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Iterable, Iterator

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from core.catalogue import ENGLISH, Catalogue, CatalogueEntry
from ui.language.translation import speak

OPENED, CLOSED = "⟦", "⟧"
"""Round every text that went through the catalogue."""
_LONGER = 0.4
_KEPT = re.compile(r"\{[^{}]*\}|%\w|&\w|\(\*[^)]*\)|\n")
"""What is no text of a text: fields, the marks of letters, patterns of files, ends of lines."""
_ACCENTS = str.maketrans("aceinouyACEINOUY", "áçéíñóúýÁÇÉÍÑÓÚÝ")


def disguised(text: str) -> str:
    """The text with accents, 40 % longer and in brackets; blank ends stay."""
    bare = text.strip()
    pieces = _KEPT.split(bare)
    retained = [*_KEPT.findall(bare), ""]
    told = "".join(piece.translate(_ACCENTS) + keep for piece, keep in zip(pieces, retained, strict=True))
    dots = math.ceil(_LONGER * len("".join(pieces)))
    padding = " ".join("·" * min(6, dots - start) for start in range(0, dots, 6))
    return text.replace(bare, f"{OPENED}{told}{' ' if dots > 6 else ''}{padding}{CLOSED}") if bare else text


def pseudo_language(entries: Iterable[CatalogueEntry]) -> Catalogue:
    """Every text of a catalogue, disguised; its numbers are written as in Hindi."""
    return Catalogue(
        "hi",
        tuple(
            CatalogueEntry(
                text=entry.text,
                many=entry.many,
                context=entry.context,
                said=tuple(disguised(text) for text in (entry.text, entry.many) if text),
            )
            for entry in entries
        ),
    )


@contextlib.contextmanager
def spoken(app: QApplication, catalogue: Catalogue) -> Iterator[None]:
    """The language of everything that asks for a text, until the end."""
    before = QLocale()
    try:
        speak(app, catalogue)
        yield
    finally:  # a test that fails leaves no language to the next
        speak(app, ENGLISH)
        QLocale.setDefault(before)
