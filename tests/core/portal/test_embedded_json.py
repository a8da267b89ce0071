"""core.portal.embedded_json: nothing in a block is markup; it is found once or not at all."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.portal.embedded_json import embedded_json, find_json
from core.signed.findings import Finding

HOSTILE = "</script><script>alert(1)</script><!-- & \u2028\u2029 <img onerror=x>"


@given(st.text() | st.sampled_from([HOSTILE, "]]>", "<!--<script>"]))
def test_what_is_put_in_is_found_and_is_no_markup(text: str) -> None:
    block = embedded_json("one", {"told": text})
    inside = block.removeprefix('<script type="application/json" id="one">').removesuffix("</script>")
    assert not set("<>&\u2028\u2029") & set(inside)
    assert json.loads(inside) == {"told": text}
    assert find_json(
        "p.html", f"<p>before</p>{block}\n<p>after</p>".encode("utf-8", "replace"), "one"
    ) == json.loads(inside.encode("utf-8", "replace"))


BLOCK = embedded_json("one", {})


@pytest.mark.parametrize(
    "page",
    [
        "",
        BLOCK + BLOCK,
        BLOCK + '<p id="one">',
        BLOCK.replace("{}", "[]"),
        BLOCK.replace("{}", "NaN"),
        BLOCK.replace("{}", '{"a":1,"a":2}'),
        embedded_json("two", {}),
        embedded_json("one", {}, kind="text/plain"),
    ],
)
def test_anything_else_is_a_finding(page: str) -> None:
    with pytest.raises(Finding):
        find_json("p.html", page.encode(), "one")
