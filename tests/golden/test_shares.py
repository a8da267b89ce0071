"""Bundles of shares that were signed once verify for ever, and their draws come out as they were stored.

Nothing in `shares/` is ever made anew.
"""

from __future__ import annotations

import dataclasses
import json

import pytest

from core.bundle.data_files import data_files
from core.bundle.release_result import Release
from core.codec import from_json
from core.release.contributions_source import contributions_for
from core.release.row_counts import counts_of_rows
from core.spec import load_spec
from core.verify.verify import verify_bundle
from resources.verifier.hexveil_verify import read_key, verify
from tests.golden.steady import GOLDEN, INPUT, SHARES, key

FOLDER = GOLDEN / "shares"


@pytest.mark.parametrize("name", SHARES)
def test_a_published_bundle_verifies(name: str) -> None:
    bundle, text = FOLDER / f"{name}-1.0.0", key().public_text
    found = verify_bundle(bundle, public_key=text)
    assert found.ok, [check for check in found.checks if not check.passed]
    assert found.trusted
    names = {check.name for check in found.checks}
    assert "shares" in names
    assert ("exact_counts" in names) is (name == "shares")
    labels = bundle / "data" / "speed_percentiles_by_hat.csv"
    assert (labels.exists() and ",mean," in labels.read_text("utf-8")) is (name == "shares-mean")
    assert all(holds for _, holds, _ in verify(str(bundle), read_key(text)))


@pytest.mark.parametrize("name", SHARES)
def test_stored_draws_give_the_same_tables(name: str) -> None:
    stored = json.loads((FOLDER / f"{name}.draws.json").read_text(encoding="utf-8"))
    release, spec = from_json(Release, stored), load_spec(INPUT / f"{name}.toml")
    table, _ = contributions_for(spec)
    counts = counts_of_rows(table, release) if spec.texts.counts else None
    made = data_files(dataclasses.replace(release, counts=counts))
    bundle = FOLDER / f"{name}-1.0.0"
    assert made == {
        path.relative_to(bundle).as_posix(): path.read_bytes() for path in (bundle / "data").iterdir()
    }
