from __future__ import annotations

from core.mechanisms.enforced_mean import MECHANISM, EnforcedMeanParams


def test_public_counts_are_typed_or_in_a_file_and_none_is_guessed() -> None:
    params = EnforcedMeanParams()
    assert (params.fleet, params.vehicles, params.records) == (0, 0, 0)
    assert MECHANISM.takes_public_counts
