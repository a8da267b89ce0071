from __future__ import annotations

from core.mechanisms.bounded_mean import MECHANISM, BoundedMeanParams
from core.parameter_fields import declared


def test_nothing_of_the_data_is_a_parameter() -> None:
    assert [one.name for one in declared(MECHANISM.Params)] == ["noise", "smooth"]
    assert BoundedMeanParams() == BoundedMeanParams(noise="auto", smooth=True)
    assert not MECHANISM.takes_public_counts
