"""Facts of regions survive being stored, and are told in one sentence."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from core.bundle.region_facts import RegionFacts
from core.codec import from_json, to_json

FACTS = RegionFacts(
    regions=25,
    promised_error=Decimal("2"),
    kept_error=Decimal("1.99999835"),
    record_share=Decimal("0.8622"),
)


def test_they_are_stored_as_plain_values() -> None:
    stored = json.loads(json.dumps(to_json(FACTS)))
    assert stored == {
        "regions": 25,
        "promised_error": "2",
        "kept_error": "1.99999835",
        "record_share": "0.8622",
    }
    assert from_json(RegionFacts, stored) == FACTS


def test_the_sentence_tells_promise_and_share() -> None:
    assert FACTS.sentence("km/h") == (
        "25 regions hold 86.2 % of the records; on average the noise of a region is at most 2 km/h, "
        "as promised"
    )
    everything = FACTS._replace(record_share=Decimal(1))
    assert everything.sentence("").startswith("25 regions hold 100 % of the records")
    assert "is at most 2," in everything.sentence("")


@pytest.mark.parametrize(
    ("retained", "promised", "told"),
    [
        ("1.5001234", "2", "is at most 1.501 km/h, where 2 km/h was promised"),
        ("2.00031", "2.0004", "is at most 2.0004 km/h, as promised"),
        ("0.00123456", "0.002", "is at most 0.0013 km/h, where 0.002 km/h was promised"),
    ],
)
def test_a_bound_is_rounded_up_and_never_beyond_the_promise(retained: str, promised: str, told: str) -> None:
    facts = FACTS._replace(kept_error=Decimal(retained), promised_error=Decimal(promised))
    assert told in facts.sentence("km/h")


def test_what_rests_on_public_counts_says_so() -> None:
    said = FACTS.sentence("km/h", expected=True)
    assert said.startswith(
        "25 regions hold 86.2 % of the records that public counts expect; if these are right"
    )
    assert "is off by at most 2 km/h on average, as promised; its" in said
    assert said.endswith("can really be")
