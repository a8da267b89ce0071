"""What one release says that it loses: signed lies are found by the program and by the public's one file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.signed.bundle_names import PRIVACY
from core.verify.verify import verify_bundle
from tests.builders import forge, make_exact_release, usual_bundle
from tests.tampering import by_file


def _failed(bundle: Path) -> set[str]:
    return {check.name for check in verify_bundle(bundle).checks if not check.passed}


EXACT_LIES = {
    "a smaller epsilon": (("charges", "vehicle"), "4.806637", {"privacy", "epsilons", "values"}),
    "an epsilon of a query": (("queries", 0, "charges", "vehicle"), "1.1", {"privacy"}),
    "an epsilon of the headline": (("headline", "epsilon"), "4.5", {"privacy", "epsilons", "values"}),
    "a smaller mu": (("headline", "mu"), "0.3", {"privacy"}),
    "a smaller mu for a day": (("charges_mu", "vehicle-day"), "0.2", {"privacy"}),
    "a mu of a query": (("queries", 0, "charges_mu", "vehicle"), "0.316227", {"privacy"}),
    "a mu of Laplace noise": (
        ("queries", 1, "charges_mu"),
        {"vehicle-hat-day": "0.2", "vehicle-day": "0.2", "vehicle": "0.2"},
        {"privacy"},
    ),
    "an attacker who finds less": (("headline", "power_at_1_percent"), "0.3", {"privacy"}),
    "an attacker of a query": (
        ("queries", 1, "charges_power_at_1_percent", "vehicle"),
        "0.3311",
        {"privacy"},
    ),
    "the running total's formula": (("conversion",), "renyi-orders-1", {"privacy", "epsilons", "values"}),
    "a formula of its own": (("queries", 0, "conversion"), "mine-1", {"privacy", "epsilons", "values"}),
    "no formula of a query": (("queries", 0, "conversion"), "", {"privacy", "epsilons"}),
    "an older format": (("format",), "hexveil-privacy-2", {"privacy", "epsilons", "values"}),
}


def test_a_release_that_is_stated_exactly_passes(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path, make_exact_release)
    assert _failed(bundle) == set()
    assert by_file(bundle).holds


@pytest.mark.parametrize("lie", EXACT_LIES)
def test_a_signed_lie_about_what_one_release_loses_is_found(tmp_path: Path, lie: str) -> None:
    """By the program and by the public's one file."""
    path, value, checks = EXACT_LIES[lie]
    bundle = usual_bundle(tmp_path, make_exact_release)
    document = json.loads((bundle / PRIVACY).read_bytes())
    place: Any = document
    for name in path[:-1]:
        place = place[name]
    assert place.get(path[-1]) != value
    place[path[-1]] = value
    forge(bundle, {PRIVACY: json.dumps(document).encode()})
    assert checks <= _failed(bundle)
    assert not by_file(bundle).holds


@pytest.mark.parametrize("name", ["charges_mu", "charges_power_at_1_percent"])
def test_a_statement_from_before_a_figure_holds_without_it(tmp_path: Path, name: str) -> None:
    bundle = usual_bundle(tmp_path, make_exact_release)
    document = json.loads((bundle / PRIVACY).read_bytes())
    document["headline"].pop(name.removeprefix("charges_"))
    for part in (document, *document["queries"]):
        part.pop(name, None)
    forge(bundle, {PRIVACY: json.dumps(document).encode()})
    assert _failed(bundle) == set()
    assert by_file(bundle).holds
