"""Regions for totals: from public counts alone."""

from __future__ import annotations

from decimal import Decimal

import pytest

from core.advice.region_offer import offered_regions
from core.advice.user_advice import public_picture, typed_hats
from core.city.noise_kind import NoiseKind
from core.errors import InputError
from tests.bounding import constants_of
from tests.records import assert_tells

CONSTANTS = constants_of()
LISTED = public_picture(CONSTANTS, typed_hats(CONSTANTS, vehicles=20, records=3), 60).listed
TOTALS = [Decimal(one) for one in ("0.000001", "1", "4", "16")]


def test_each_total_that_buys_regions_has_a_line() -> None:
    told = offered_regions(LISTED, list(NoiseKind), TOTALS, 2.0, delta=Decimal("1e-6"))
    assert [one.total for one in told] == TOTALS[1:]
    assert [one.regions for one in told] == sorted(one.regions for one in told)
    assert all(0 < one.largest_error <= 2.0 and 0 < one.record_share <= 1 for one in told)
    assert told[0].to_json().keys() == {"total", "noise", "regions", "record_share", "kept_error"}


def test_where_no_total_buys_any_it_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        offered_regions(LISTED, [NoiseKind.LAPLACE], TOTALS, 0.001)
    assert_tells(caught.value)
    assert "16" in caught.value.what
