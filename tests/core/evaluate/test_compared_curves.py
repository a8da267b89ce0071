"""Which curves there are, and ranges of epsilons."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import numpy as np
import pytest

from core.accounting.zcdp import rho_of
from core.contributions import HatUsers
from core.errors import InputError, InternalError
from core.evaluate.compared_curves import SharedTotal, all_series, epsilon_points, series_of
from core.mechanisms.registry import mechanisms_of
from core.parameter_fields import declared
from core.privacy import Relation


def test_every_mechanism_of_the_registry_has_its_curves() -> None:
    found = [(curve.mechanism.key, curve.grouping) for curve in all_series()]
    assert [key for key, grouping in found if grouping != "wraparound"] == list(
        mechanisms_of(Relation.VALUES)
    )
    for key, mechanism in mechanisms_of(Relation.VALUES).items():
        takes = "grouping" in {parameter.name for parameter in declared(mechanism.Params)}
        groupings = [grouping for name, grouping in found if name == key]
        assert groupings == (["bestfit", "wraparound"] if takes else [None])


def test_named_mechanisms_once_each_in_the_order_named() -> None:
    found = [curve.mechanism.key for curve in all_series(["levy", "baseline", "levy"])]
    assert found == ["levy", "levy", "baseline"]


@pytest.mark.parametrize("keys", [["laplace"], ["levy", ""]])
def test_an_unknown_mechanism_is_refused(keys: list[str]) -> None:
    with pytest.raises(InputError, match="unknown") as refusal:
        all_series(keys, where="--mechanisms")
    assert refusal.value.where == "--mechanisms"
    assert "levy" in refusal.value.mend


def test_parameters_can_be_given() -> None:
    assert series_of("array-averaging", m_ub="sqrt").params.m_ub == "sqrt"
    with pytest.raises(InputError):
        series_of("array-averaging", m_ub="mean")


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("0.5:2:4", ["0.5", "1", "1.5", "2"]),
        ("1:1:1", ["1"]),
        ("0.001:100:2", ["0.001", "100"]),
        ("1:2:4", ["1", "1.333333", "1.666667", "2"]),
    ],
)
def test_points_are_evenly_spaced_with_both_ends(text: str, points: list[str]) -> None:
    assert list(epsilon_points(text, where="--eps")) == [Decimal(point) for point in points]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "1:2",
        "1:2:3:4",
        "a:2:3",
        "1:b:3",
        "1:2:c",
        "2:1:3",
        "1:2:1",
        "1:1:2",
        "0:1:3",
        "-1:1:3",
        "1:inf:3",
        "nan:1:3",
        "1:2:0",
        "1:2:-3",
        "1:2:2.5",
        "1:2:1001",
        "1:2:99999999999",
        "1:2:²",
        "1:1.000001:3",
        "0.0000001:1:2",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InputError) as refusal:
        epsilon_points(text, where="--eps")
    assert refusal.value.where == "--eps"
    assert refusal.value.mend


def test_a_shared_total_adds_gaussian_noise_of_linear_mechanisms() -> None:
    shared = SharedTotal(hats=30, delta=Decimal("1e-6"))
    found = all_series(["baseline", "levy"], shared=shared)
    assert [(one.mechanism.key, one.noise) for one in found] == [
        ("baseline", "laplace"),
        ("baseline", "gauss"),
        ("levy", "laplace"),
        ("levy", "laplace"),
    ]
    users = HatUsers(counts=np.array([3, 2, 1]))
    plan = found[1].plan(users, Decimal("0.5"), 65_000)
    assert plan.rho == rho_of(Decimal(15), Decimal("1e-6")) / 30
    with pytest.raises(InputError, match="buys no Gaussian noise"):
        found[1].plan(users, Decimal("0.001"), 65_000)
    with pytest.raises(InternalError, match="takes none"):
        dataclasses.replace(found[2], shared=shared).plan(users, Decimal("0.5"), 65_000)


def test_parameters_as_texts_go_to_the_mechanisms_that_have_them() -> None:
    found = all_series(["baseline", "levy", "array-averaging"], given={"m_ub": "all", "gamma": "0.1"})
    told = [
        (one.mechanism.key, getattr(one.params, "m_ub", None), getattr(one.params, "gamma", None))
        for one in found
    ]
    assert told == [
        ("baseline", None, None),
        ("levy", "all", 0.1),
        ("levy", "all", 0.1),
        ("array-averaging", "all", None),
        ("array-averaging", "all", None),
    ]
    (own,) = all_series(["array-averaging"], given={"m_ub": "12", "grouping": "wraparound"})
    assert (own.params.m_ub, own.grouping) == (12, "wraparound")


@pytest.mark.parametrize(
    ("keys", "given", "what"),
    [
        (["baseline"], {"m_ub": "3"}, "No mechanism that is evaluated has"),
        (None, {"suppress_users": "true"}, "No mechanism that is evaluated has"),
        (None, {"gamma": "0"}, "not allowed"),
        (None, {"m_ub": "half"}, "not allowed"),
        (None, {"m_ub": "0"}, "not allowed"),
    ],
)
def test_a_parameter_that_fits_nothing_is_refused(
    keys: list[str] | None, given: dict[str, str], what: str
) -> None:
    with pytest.raises(InputError, match=what) as refusal:
        all_series(keys, given=given)
    assert refusal.value.where
    assert refusal.value.mend
