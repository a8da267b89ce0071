"""The registry finds every statistic, and their files and columns never collide."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.mechanisms.registry import all_mechanisms
from core.parameter_fields import declared
from core.privacy import Relation
from core.statistics.base import Question
from core.statistics.cdf import OF_VEHICLES, STATISTIC, CdfParams
from core.statistics.registry import all_statistics, published_statistics, require_statistic, statistics_of


def test_all_statistics_of_the_contract_are_there() -> None:
    assert set(all_statistics()) == {"mean", "mean_variance", "query1", "query2", "cdf", "share"}


def test_a_distribution_over_vehicles_is_published_as_one() -> None:
    """Its shares are not those of records, and it has no bias that a model would tell."""
    records, vehicles = (
        Question(statistic=STATISTIC, params=CdfParams(weights=one)) for one in ("records", "user")
    )
    assert STATISTIC.published(records) is STATISTIC
    assert STATISTIC.published(vehicles) is OF_VEHICLES
    assert OF_VEHICLES.measures[0].name == "cumulative_share_of_vehicles"
    assert require_statistic(OF_VEHICLES.key) is OF_VEHICLES
    assert set(published_statistics()) - set(all_statistics()) == {
        OF_VEHICLES.key,
        "mean_by_region",
        "share_percentiles",
    }
    assert (records.models_bias, vehicles.models_bias) == (True, False)


def test_each_is_described_and_has_its_own_file() -> None:
    statistics = published_statistics().values()
    assert len({statistic.table for statistic in statistics}) == len(statistics)
    for statistic in statistics:
        assert statistic.title
        assert statistic.summary.endswith(".")
        assert statistic.reference
        assert statistic.version >= 1
        assert statistic.relations
        names = [
            name for one in statistic.measures for name in (one.name, one.low, one.high, one.bias) if name
        ]
        assert len(set(names)) == len(names)


def test_a_method_of_its_own_is_no_mechanism() -> None:
    """But for what is answered by one mechanism alone, for the whole city."""
    methods = {one.method for one in all_statistics().values() if not one.joint} - {""}
    assert {one.method for one in all_statistics().values() if one.joint} == {"tokens"}
    assert not methods & set(all_mechanisms())


def test_every_parameter_has_a_default_that_it_accepts() -> None:
    for statistic in all_statistics().values():
        for parameter in declared(statistic.Params):
            assert parameter.accept(parameter.default, where="here") is not None


def test_an_unknown_key_is_told_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="'median' is unknown") as caught:
        require_statistic("median")
    assert "query1" in caught.value.mend


def test_each_relation_offers_its_own() -> None:
    assert set(statistics_of(Relation.VALUES)) == set(all_statistics())
    assert set(statistics_of(Relation.USER)) == {"mean", "query1", "query2", "cdf", "share"}


def test_labels_follow_from_parameters_and_bounds() -> None:
    """So that the lines of a file need not follow from who was there."""
    parameters = {"limits": (20.0, 40.5), "bins": 4, "ranges": ()}
    found = {key: one.labels_of(parameters, 65_000) for key, one in all_statistics().items()}
    assert found["query2"] == (20_000, 40_500)
    assert found["cdf"] == (16_250, 32_500, 48_750, 65_000)
    assert found["mean"] == found["query1"] == ()
