"""Marks of encrypted parts: renamed, missing, there twice, or of different runs.

Who has no passphrase can make no mark. So a part that comes from another run, has another name, stands twice
or is missing is found out, whatever is in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from core.counted import count_of
from core.errors import InputError
from core.hats.window import Window
from core.system.nested_texts import json_value
from core.texts import text_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PartMark:
    """What a part is of the table that one run wrote."""

    run: str
    """Drawn at random for each run."""
    name: str
    """The path of the part in the folder of its run; empty where the run wrote one file, of any name."""
    parts: int
    """How many the run wrote."""
    first: str
    last: str
    """Of the dates that the run was made for."""

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    def root(self, path: Path) -> Path:
        """The folder of the run, or its only file. Raises InputError where the part has another name."""
        names = PurePosixPath(self.name).parts
        folder = path.absolute()
        for name in reversed(names):
            if folder.name != name:
                raise InputError(
                    "A part of the encrypted contribution table has been renamed.",
                    where=str(path),
                    mend=text_of("remove it, or give it back its name {name}", name=self.name),
                )
            folder = folder.parent
        return folder


def mark_of(run: str, name: str, parts: int, window: Window) -> PartMark:
    """The mark of a part that is written."""
    first, last = (str(date) for date in (window.dates[0], window.dates[-1]))
    return PartMark(run=run, name=name, parts=parts, first=first, last=last)


def read_mark(content: bytes) -> PartMark:
    """The inverse of `to_bytes`. Raises ValueError or TypeError."""
    return PartMark(**json_value(content))


def require_whole(marks: Mapping[Path, PartMark]) -> None:
    """Raise InputError unless the parts are those of whole runs, each in its own place."""
    roots: dict[Path, list[Path]] = {}
    places: dict[str, Path] = {}
    for path, mark in marks.items():
        root = mark.root(path)
        here = roots.setdefault(root, [])
        if here and marks[here[0]].run != mark.run:
            raise InputError(
                "Two parts of the encrypted contribution table were written by different runs.",
                where=f"{here[0]} and {path}",
                mend="remove what does not belong there; give a run that you add its own folder",
            )
        here.append(path)
        if places.setdefault(mark.run, root) != root:
            raise InputError(
                "The encrypted contribution table contains the parts of one run twice.",
                where=f"{places[mark.run]} and {root}",
                mend="take out the copy",
            )
    for root, here in roots.items():
        mark = marks[here[0]]
        if len(here) != mark.parts:
            raise InputError(
                "The encrypted contribution table is not whole: its run for {first} to {last} wrote "
                "{counted_parts}, and {here} can be found.",
                first=mark.first,
                last=mark.last,
                counted_parts=count_of(mark.parts, "part"),
                here=len(here),
                where=str(root),
                mend="name this folder as the table, put back what was removed, or write the table again",
            )
