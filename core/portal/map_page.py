"""`map.html`: the release as one page for the public, which needs no network (method 14.9).

The page around the data is the same for every bundle: styles and script stand in it, and its policy lets no
script run but this one, by its hash. Only the block of data differs.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from core.portal.embedded_json import embedded_json
from core.system.paths import resources
from core.system.regular_files import read_regular

MAP_DATA_ID = "hexveil-data"
"""Of the element that holds the data."""
_PARTS = "bundle_map"


def map_page(data: Mapping[str, Any]) -> bytes:
    """The page of what `map_data` gives."""
    return _empty_page().replace("<!-- data -->", embedded_json(MAP_DATA_ID, data), 1).encode("utf-8")


@cache
def _empty_page() -> str:
    """All but the data, with a place for them."""
    script = page_part("page.js")
    policy = (
        f"default-src 'none'; script-src 'sha256-{_sha256(script)}'; style-src 'unsafe-inline'; "
        "base-uri 'none'; form-action 'none'"
    )
    page = page_part("page.html")
    for place, text in (("POLICY", policy), ("STYLE", page_part("page.css")), ("SCRIPT", script)):
        page = page.replace(place, text, 1)
    return page


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def page_part(name: str) -> str:
    """Script, style or frame of the page, as it ships. Raises InputError where it is gone."""
    return read_regular(resources() / _PARTS / name).decode()
