"""A block of JSON in a page of HTML: put in so that none of it is markup, and found again (method 14.9)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from core.signed.findings import decoded, json_object, require

_ESCAPES = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"}
_OPENING = '<script type="{kind}" id="{name}">'
_CLOSING = "</script>"


def embedded_json(name: str, document: Mapping[str, Any], *, kind: str = "application/json") -> str:
    """An element of that id. Letters that begin or end markup stand in it as escapes of JSON."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)
    return f"{_OPENING.format(kind=kind, name=name)}{text}{_CLOSING}"


def find_json(path: str, page: bytes, name: str, *, kind: str = "application/json") -> dict[str, Any]:
    """What the page `path` holds under that id. Raises Finding unless it holds it once."""
    text, opening = decoded(path, page), _OPENING.format(kind=kind, name=name)
    found = re.findall(rf"{re.escape(opening)}([^<]*){re.escape(_CLOSING)}", text)
    once = len(found) == 1 == text.count(f'id="{name}"')
    require(once, "{path} does not hold its data once", path=path)
    return json_object(path, found[0].encode())
