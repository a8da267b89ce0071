"""Names that are in published files for ever."""

from __future__ import annotations

from core.bounding.bounding_facts import NOISY_WEIGHTS
from core.bounding.weight_columns import CAPPED_RECORDS_DP, RECORDS_DP, VEHICLE_DAYS_DP, VEHICLES_DP


def test_every_noisy_weight_is_explained() -> None:
    assert (VEHICLES_DP, RECORDS_DP) == ("vehicles_dp", "records_dp")
    assert set(NOISY_WEIGHTS) == {VEHICLES_DP, RECORDS_DP, VEHICLE_DAYS_DP, CAPPED_RECORDS_DP}
