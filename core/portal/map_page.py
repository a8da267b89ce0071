"""`map.html`: the release on a map that needs no network, made with folium (method 14.9).

The page around the data is the same for every bundle: Leaflet, styles and scripts stand in it, and its
policy lets no script run but these, by their hashes. Only the block of data differs.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import importlib.resources
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from core.portal.embedded_json import embedded_json
from core.subject import VEHICLE, Subject
from core.system.paths import resources
from core.system.regular_files import read_regular

MAP_DATA_ID = "hexveil-data"
"""Of the element that holds the data."""
_DATA, _POLICY = "<!-- data -->", "POLICY"
_MAP_ID = "release"
_PARTS = "bundle_map"
_NO_ZOOM = re.compile(r",\s*maximum-scale=1.0, user-scalable=no")
"""What folium forbids fingers, and readers with weak eyes."""
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_HEAD = """<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{ this.policy }}">
<meta name="color-scheme" content="light dark">
<title>Map</title>"""
_START = "{% macro script(this, kwargs) %}hexveilBundle.start({{ this.map }});{% endmacro %}"


def map_page(data: Mapping[str, Any], subject: Subject = VEHICLE) -> bytes:
    """The page of what `map_data` gives."""
    return empty_page(subject).replace(_DATA, embedded_json(MAP_DATA_ID, data), 1).encode("utf-8")


@cache
def empty_page(subject: Subject) -> str:
    """All but the data, with a place for them."""
    page = subject.says(_rendered())
    hashes = " ".join(f"'sha256-{_sha256(script)}'" for script in _SCRIPT.findall(page))
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; base-uri 'none'; "
        "form-action 'none'"
    )
    return page.replace(_POLICY, policy, 1).replace("<html>", '<html lang="en">', 1)


def _sha256(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _rendered() -> str:
    # folium costs 0.4 s, and only who writes a bundle needs it
    with _without_sockets():
        folium = importlib.import_module("folium")
        elements = importlib.import_module("branca.element")
    sheet = folium.Map(
        location=(0, 0), zoom_start=2, tiles=None, attribution_control=False, height="68vh", zoom_snap=0.25
    )
    sheet._id = _MAP_ID  # else another one each time
    sheet.default_js, sheet.default_css = [], []
    figure = sheet.get_root()
    scripts = [
        library_part("leaflet.js"),
        read_regular(resources() / "map" / "graticule.js").decode(),
        _part("page.js"),
    ]
    styles = [_without_pictures(library_part("leaflet.css")), _part("page.css")]
    figure.header.add_child(_element(elements.Element, _HEAD, policy=_POLICY), index=0)
    figure.html.add_child(
        _element(elements.Element, "{{ this.text }}", text=_part("head.html") + _DATA), index=0
    )
    for style in styles:
        figure.header.add_child(_element(elements.Element, "<style>{{ this.text }}</style>", text=style))
    for script in scripts:
        figure.html.add_child(_element(elements.Element, "<script>{{ this.text }}</script>", text=script))
    sheet.add_child(_element(elements.MacroElement, _START, map=sheet.get_name()))
    page = str(figure.render()).replace("</body>", f"{_part('below.html')}</body>", 1)
    return _NO_ZOOM.sub("", page).rstrip() + "\n"


@contextmanager
def _without_sockets() -> Iterator[None]:
    """folium brings urllib3, which would try out an IPv6 socket when it is imported."""
    known = socket.has_ipv6
    socket.has_ipv6 = False
    try:
        yield
    finally:
        socket.has_ipv6 = known


def library_part(name: str) -> str:
    """A file of Leaflet, from its package."""
    leaflet = importlib.resources.files("js_lib_leaflet") / "static" / "js_lib_leaflet"
    return (leaflet / name).read_text("utf-8")


def _part(name: str) -> str:
    return read_regular(resources() / _PARTS / name).decode()


def _without_pictures(style: str) -> str:
    """Leaflet's pictures are of controls that the map does not have."""
    return re.sub(r"url\([^)]*\)", "none", style)


def _element(kind: Any, template: str, **values: Any) -> Any:
    """A branca element that renders `template` with `values` as its attributes."""
    element = kind()
    element._template = importlib.import_module("jinja2").Template(template)
    for name, value in values.items():
        setattr(element, name, value)
    return element
