"""Every key of a spec file, gathered from one file a section; a row there, and nowhere else.

A new key is a row of its section (`data_keys` and the like) and the field of the dataclass that carries it.
It is then read, checked, written, part of what makes two requests the same (if `identity` says where), and in
docs/file-formats.md after `make docs`. A field of the window takes its label from here (`ui.kit.spec_words`).
"""

from __future__ import annotations

from typing import Any

from core.spec.data_keys import DATA
from core.spec.hats_keys import HATS
from core.spec.privacy_keys import PRIVACY_TABLE
from core.spec.query_keys import QUERY
from core.spec.release_keys import RELEASE_TABLE
from core.spec.schema import Key, Sub, Table, Tables
from core.spec.selection_keys import SELECTION

SPEC = Table(
    help="A release spec.",
    entries=(
        Key(name="release", kind=Sub(RELEASE_TABLE), help="The texts.", required=True),
        Key(name="data", kind=Sub(DATA), help="The records.", required=True),
        Key(name="hats", kind=Sub(HATS), help="The grid and the window.", required=True),
        Key(name="selection", kind=Sub(SELECTION), help="Which hexagon slots.", required=True),
        Key(name="privacy", kind=Sub(PRIVACY_TABLE), help="Who is protected.", required=True),
        Key(
            name="query",
            kind=Tables(QUERY, ("There is no query.", "add [[query]]")),
            help="What is published.",
            required=True,
            field="queries",
            identity="queries",
        ),
    ),
)
"""The whole file."""


def default_of(path: str) -> Any:
    """The default of the key at a path with dots: `hats.resolution`."""
    return SPEC.key(path).default
