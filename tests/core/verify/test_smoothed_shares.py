"""core.verify.smoothed_shares: the prior that a bundle states is the public one, range by range."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.verify.verify import verify_bundle
from tests.builders import make_key, resign
from tests.share_bundles import released


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return released(tmp_path_factory.mktemp("bundle"), make_key(), "ranges = [[0, 10], [40, 65]]").bundle


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("model", {"mean": "22", "mean_spread": "12"}),
        ("spreads_of_ranges", lambda listed: listed[:1]),
        ("spreads_of_ranges", lambda listed: [listed[0], listed[1] | {"hat": "0"}]),
        ("share_smoothed", lambda listed: [one | {"hat": "0.9"} for one in listed]),
    ],
)
def test_another_prior_is_found(name: str, edit: object, bundle: Path) -> None:
    path = bundle / "privacy.json"
    before = {path: path.read_bytes() for path in bundle.rglob("*") if path.is_file()}
    document = json.loads(path.read_text("utf-8"))
    smoothing = document["queries"][0]["smoothing"]
    key = "model" if name == "model" else "spreads_of_ranges"
    smoothing[key] = edit(smoothing[key]) if callable(edit) else edit
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    resign(bundle, make_key())
    try:
        (found,) = (one for one in verify_bundle(bundle).checks if one.name == "shares")
    finally:
        for one, content in before.items():
            one.write_bytes(content)
    assert not found.passed
    assert name in found.detail
