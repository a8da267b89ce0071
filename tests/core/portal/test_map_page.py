"""core.portal.map_page: one page for every bundle but for its data; only its own script runs.

That it opens in a browser, and what it shows there: `tests/ui/test_bundle_page.py`.
"""

from __future__ import annotations

import base64
import hashlib
import re

from core.portal.embedded_json import embedded_json
from core.portal.map_page import MAP_DATA_ID, map_page

PAGE = map_page({"told": "one"}).decode()


def test_only_the_data_differ() -> None:
    one, other = (embedded_json(MAP_DATA_ID, {"told": told}) for told in ("one", "other"))
    assert map_page({"told": "other"}).decode() == PAGE.replace(one, other)


def test_it_names_no_address_to_fetch() -> None:
    assert not re.search(r"<(?:link|img|iframe|object|embed)\b|<script[^>]*\bsrc=", PAGE)
    assert not re.search(r"url\(|@import", "".join(re.findall(r"<style>(.*?)</style>", PAGE, re.DOTALL)))


def test_the_policy_names_each_script_by_its_hash_and_nothing_else() -> None:
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', PAGE)
    hashes = {
        "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        for script in re.findall(r"<script>(.*?)</script>", PAGE, re.DOTALL)
    }
    assert policy.startswith("default-src 'none'; script-src ")
    assert set(re.findall(r"'(sha256-[^']*)'", policy)) == hashes
    assert "unsafe-eval" not in policy
    assert "unsafe-inline" not in policy.partition("style-src")[0]


def test_readers_may_zoom_the_page() -> None:
    assert "user-scalable" not in PAGE
    assert '<html lang="en">' in PAGE
