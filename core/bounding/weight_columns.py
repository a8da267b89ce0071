"""What published columns of noisy weights are called (method 12.10)."""

from __future__ import annotations

VEHICLES_DP, RECORDS_DP = "vehicles_dp", "records_dp"
"""Units that count in a limited number of HATs; records that their units could pay for."""
VEHICLE_DAYS_DP, CAPPED_RECORDS_DP = "vehicle_days_dp", "capped_records_dp"
"""Vehicles on each of a limited number of days; records, of each unit a limited number."""
