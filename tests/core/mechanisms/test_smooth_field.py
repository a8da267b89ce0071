"""The parameter `smooth`: off unless a mechanism says otherwise, and then part of what is asked."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from core.errors import InputError
from core.mechanisms.registry import all_mechanisms
from core.mechanisms.smooth_field import SMOOTH, smooth_field
from core.parameter_fields import build, declared


@dataclass(frozen=True, kw_only=True)
class Off:
    smooth: bool = smooth_field()


@dataclass(frozen=True, kw_only=True)
class On:
    smooth: bool = smooth_field(default=True)


@pytest.mark.parametrize(("params", "default"), [(Off, False), (On, True)])
def test_it_is_declared_once_for_all(params: type, default: bool) -> None:
    (parameter,) = declared(params)
    assert (parameter.name, parameter.default, parameter.flag) == (SMOOTH, default, True)
    assert parameter.help
    assert build(params, {}, where="query").smooth is default
    assert build(params, {SMOOTH: not default}, where="query").smooth is not default
    with pytest.raises(InputError):
        build(params, {SMOOTH: "yes"}, where="query")


def test_where_it_is_off_requests_stay_what_they_were() -> None:
    """A parameter that came later is part of a request only where it is not at its default."""
    assert declared(Off)[0].later
    assert not declared(On)[0].later


def test_every_mechanism_that_smooths_offers_the_same() -> None:
    offered = [
        one for each in all_mechanisms().values() for one in declared(each.Params) if one.name == SMOOTH
    ]
    assert offered
    assert len({one.help for one in offered}) == 1
