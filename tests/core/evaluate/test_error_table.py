"""The table of errors: the JSON of method 15, and a text that shows nothing."""

from __future__ import annotations

import json
from decimal import Decimal

from core.evaluate.error_table import ErrorRow, ErrorTable
from core.privacy import Confidential

ROW = ErrorRow(
    mechanism="levy",
    grouping="bestfit",
    eps=Decimal("0.500000"),
    m_ub=56,
    arrays=164,
    sensitivity=0.3125,
    noise_scale=1.25,
    bias=0.125,
    mae=1.3125,
    mae_exact=None,
    trials=10_000,
    standard_error=0.0123,
)


def test_the_json_has_the_keys_of_the_contract() -> None:
    told = json.loads(json.dumps(ErrorTable(source="replica", rows=(ROW,)).to_json()))
    assert told == {
        "results": [
            {
                "mechanism": "levy",
                "grouping": "bestfit",
                "eps": 0.5,
                "m_ub": 56,
                "arrays": 164,
                "sensitivity": 0.3125,
                "noise_scale": 1.25,
                "bias": 0.125,
                "mae": 1.3125,
                "mae_exact": None,
                "trials": 10_000,
            }
        ]
    }


def test_errors_are_confidential_and_their_text_shows_no_number() -> None:
    table = ErrorTable(source="replica", rows=(ROW,))
    assert isinstance(ROW, Confidential)
    assert isinstance(table, Confidential)
    assert "1.3125" not in repr(ROW) + repr(table)
