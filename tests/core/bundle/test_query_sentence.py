"""What made a query, in one sentence for README and report."""

from __future__ import annotations

from decimal import Decimal

from core.bundle.interval_rules import NOISE_ONLY
from core.bundle.query_facts import SuppressedHats
from core.bundle.query_sentence import query_sentence
from core.bundle.smoothed_facts import caveat
from tests.builders import make_city_query, make_facts, make_query, make_release


def test_a_query_is_told_in_one_sentence() -> None:
    assert query_sentence(make_release(), make_query()) == (
        "Mean speed by Array-Averaging: grouping bestfit, m_ub median; a total epsilon of 20 per vehicle, "
        "divided over its hexagon slots (equal); at most 3 to 46 records of one vehicle count in a hexagon "
        "slot; noise in 3 HATs; speed_mean_kmh: sensitivity 0.5 to 0.89 (median 0.75) km/h, noise scale 0.5 "
        "to 0.89 (median 0.75) km/h, typical error 1.2 km/h in the median hexagon slot and 2.5 km/h in the "
        "least accurate, at worst 2.4 and 3 km/h; 95 % intervals of noise and modelled bias."
    )


def test_what_was_done_besides_is_said() -> None:
    facts = make_facts(
        parameters={"bins": 13, "histogram": True, "limits": (20.0, 40.5)},
        asked=("epsilon", Decimal("0.5")),
        dwell_correction=True,
        suppression=SuppressedHats(9, 4),
        made_by={"branching_factors": (4, 4)},
    )
    text = query_sentence(make_release(), make_query(facts=facts))
    for part in (
        "bins 13, histogram yes, limits 20, 40.5",
        "epsilon 0.5 for each hexagon slot",
        "one vehicle is in at most 4 hexagon slots instead of 9",
        "branching factors 4, 4",
        "send more because they stand",
    ):
        assert part in text


def test_amounts_in_a_fact_are_shown_as_people_read_them() -> None:
    facts = make_facts(made_by={"budget_pays_for": "one vector of 12 noisy sums, rho 1.330353000902"})
    assert "12 noisy sums, rho 1.331;" in query_sentence(make_release(), make_query(facts=facts))


def test_a_suppression_of_nobody_is_called_so() -> None:
    facts = make_facts(suppression=SuppressedHats(9, 9))
    assert "nobody could be suppressed" in query_sentence(make_release(), make_query(facts=facts))


def test_draws_that_were_stored_earlier_say_what_they_hold() -> None:
    release = make_release(interval_rule=NOISE_ONLY, pings=None, queries=(make_query(facts=None),))
    assert query_sentence(release, release.queries[0]) == (
        "Mean speed by Array-Averaging: noise scale up to 0.89 km/h; sensitivity up to 0.89 km/h; "
        "95 % intervals of noise."
    )


def test_a_joint_query_tells_how_its_total_was_shared_and_what_is_smoothed() -> None:
    query = make_city_query()
    text = query_sentence(make_release(queries=(query,)), query)
    for part in (
        "Mean speed by Tokens: mode split; a total epsilon of 20 per vehicle, divided over all hexagon slots "
        "together",
        "laplace noise; shares within a fraction of 0.0041 of the best possible",
        f"speed_smoothed_kmh: {caveat()}; typical error about 0.91 km/h in the median hexagon slot "
        "(between 0.607 and 1.36) and 1.72 km/h "
        "in the "
        "least",
    ):
        assert part in text
    assert "smoothed" not in query_sentence(make_release(), make_query())
