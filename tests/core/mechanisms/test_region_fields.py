"""Both joint mechanisms offer regions by the same names; requests of before keep their meaning."""

from __future__ import annotations

import pytest

from core.mechanisms.enforced_mean import EnforcedMeanParams
from core.mechanisms.region_fields import NO_PART_IN_REGIONS, REGIONS
from core.mechanisms.tokens import TokensParams
from core.parameter_fields import asked_for, declared


@pytest.mark.parametrize("params", [TokensParams, EnforcedMeanParams])
def test_the_same_names_and_defaults(params: type) -> None:
    fields = {one.name: one for one in declared(params)}
    assert fields[REGIONS].default is False
    assert (fields["promised_error"].default, fields["promised_error"].only_with) == (2.0, REGIONS)


def test_what_has_no_part_is_left_out_of_what_is_told() -> None:
    assert {one.name for one in declared(TokensParams)} - NO_PART_IN_REGIONS == {
        "noise",
        "regions",
        "promised_error",
    }


def test_a_request_without_regions_is_what_it_was() -> None:
    assert {REGIONS, "promised_error"}.isdisjoint(asked_for(EnforcedMeanParams()))
    assert {REGIONS, "promised_error"} <= asked_for(TokensParams()).keys()
