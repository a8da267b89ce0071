"""TOML and JSON as plain values: what nests too deep is no sound text, as what never ends is none.

Code that works on the values may then call itself for each level.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from typing import Any

MOST_NESTED = 100
"""Levels of lists and tables in TOML or JSON; what this program writes, or asks of a person, has under
twenty.
"""
_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_LONG_KEY = re.compile(rf"(?<![A-Za-z0-9_-])(?:{_PART}[ \t]*\.[ \t]*){{{MOST_NESTED}}}")
"""A dotted key is a table for each part; the reader takes hours for a long one."""


def toml_document(content: bytes) -> dict[str, Any]:
    """A file of TOML in UTF-8, with or without its mark. Raises ValueError, which says what is wrong."""
    text = content.decode("utf-8-sig")
    if _LONG_KEY.search(text):
        raise _too_deep()
    document: dict[str, Any] = _checked(lambda: tomllib.loads(text))
    return document


def json_value(text: str | bytes, **hooks: Any) -> Any:
    """A JSON value; hooks: those of `json.loads`. Raises ValueError: JSONDecodeError for no JSON."""
    return _checked(lambda: json.loads(text, **hooks))


def _checked(read: Callable[[], Any]) -> Any:
    try:
        value = read()
    except RecursionError:
        raise _too_deep() from None
    level = [value]
    for _ in range(MOST_NESTED + 1):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one if isinstance(one, list) else ())
            if isinstance(inner, dict | list)
        ]
        if not level:
            return value
    raise _too_deep()


def _too_deep() -> ValueError:
    return ValueError(f"it nests more than {MOST_NESTED} levels deep")
