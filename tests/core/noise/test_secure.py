"""Real noise is metered, its scale covers the sensitivity exactly, and nothing turns it off."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import numpy as np
import opendp.prelude as dp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, kstest, norm

from core.errors import InternalError, LedgerError
from core.noise import secure
from core.noise.secure import ScopedNoise, SecureNoise, gaussian_scale, laplace_scale
from core.privacy import Allowance
from tests.fakes import FakeReservation

AWKWARD = [Decimal(text) for text in ("0.1", "0.3", "0.000001", "123456.789", "0.7", "3", "1000000")]
SENSITIVITIES = [1, 3, 65_000, 65_001, 65 << 30, (65 << 30) + 1, 2**53 + 1, 2**62 - 1]


RHO = Decimal("0.5")


def rho_of_one_scope(rho: str, epsilon: str = "0") -> SecureNoise:
    """Noise that may be Gaussian in the scope "a"."""
    return SecureNoise(FakeReservation([Allowance(scope="a", epsilon=Decimal(epsilon), rho=Decimal(rho))]))


def reservation(**allowances: str) -> FakeReservation:
    return FakeReservation(
        [Allowance(scope=name, epsilon=Decimal(epsilon)) for name, epsilon in allowances.items()]
    )


def test_the_reservation_is_confirmed_before_anything_else() -> None:
    order: list[str] = []

    class Watched:
        def confirm(self) -> None:
            order.append("confirm")

        @property
        def allowances(self) -> list[Allowance]:
            order.append("allowances")
            return []

    SecureNoise(Watched())
    assert order == ["confirm", "allowances"]


def test_an_unconfirmed_reservation_buys_nothing() -> None:
    spent = FakeReservation([Allowance(scope="a", epsilon=Decimal(1))], LedgerError("already drawn"))
    with pytest.raises(LedgerError, match="already drawn"):
        SecureNoise(spent)
    assert spent.confirmed == 1


def test_an_unknown_scope_is_refused() -> None:
    noise = SecureNoise(reservation(a="1"))
    with pytest.raises(InternalError, match="scope"):
        noise.scope("b")


def test_the_allowance_can_be_spent_in_parts_and_no_further() -> None:
    noise = SecureNoise(reservation(a="0.3"))
    for _ in range(3):
        noise.scope("a").laplace(0, 1, spend=Decimal("0.1"))
    assert noise.left("a") == 0
    with pytest.raises(InternalError, match="more noise budget"):
        noise.scope("a").laplace(0, 1, spend=Decimal("0.000001"))


def test_two_sources_of_one_scope_share_its_allowance() -> None:
    noise = SecureNoise(reservation(a="1"))
    noise.scope("a").laplace(0, 1, spend=Decimal("0.6"))
    with pytest.raises(InternalError, match="more noise budget"):
        noise.scope("a").laplace(0, 1, spend=Decimal("0.6"))


def test_scopes_do_not_lend_to_each_other() -> None:
    noise = SecureNoise(reservation(a="1", b="2"))
    with pytest.raises(InternalError, match="more noise budget"):
        noise.scope("a").laplace(0, 1, spend=Decimal("1.5"))
    noise.scope("b").laplace(0, 1, spend=Decimal("1.5"))
    assert (noise.left("a"), noise.left("b")) == (Decimal(1), Decimal("0.5"))


@pytest.mark.parametrize("spend", ["1.000001", "0", "-1", "Infinity"])
def test_a_refused_spend_draws_and_takes_nothing(spend: str) -> None:
    noise = SecureNoise(reservation(a="1"))
    with pytest.raises(InternalError, match="more noise budget"):
        noise.scope("a").laplace(0, 1, spend=Decimal(spend))
    assert noise.left("a") == 1


@pytest.mark.parametrize("sensitivity", [0, -1])
def test_a_sensitivity_that_means_no_noise_is_refused(sensitivity: int) -> None:
    noise = SecureNoise(reservation(a="1"))
    with pytest.raises(InternalError, match="sensitivity"):
        noise.scope("a").laplace(5, sensitivity, spend=Decimal(1))


@pytest.mark.parametrize("epsilon", AWKWARD, ids=str)
@pytest.mark.parametrize("sensitivity", SENSITIVITIES)
def test_the_scale_covers_the_sensitivity_without_tolerance(sensitivity: int, epsilon: Decimal) -> None:
    exact = Fraction(sensitivity) / Fraction(epsilon)
    scale = laplace_scale(sensitivity, epsilon)
    assert exact < Fraction(scale) < exact * (1 + Fraction(1, 2**49))
    measurement = dp.m.make_laplace(dp.atom_domain(T="i64"), dp.absolute_distance(T="i64"), scale=scale)
    assert Fraction(measurement.map(sensitivity)) <= Fraction(epsilon)
    drawn = SecureNoise(reservation(a=str(epsilon))).scope("a").laplace(0, sensitivity, spend=epsilon)
    assert drawn.shape == (1,)
    assert drawn.dtype == np.int64


@given(sensitivity=st.integers(1, 2**62), steps=st.integers(1, 10**12))
def test_the_scale_is_never_below_the_quotient(sensitivity: int, steps: int) -> None:
    epsilon = Decimal(steps) / 1_000_000
    assert Fraction(laplace_scale(sensitivity, epsilon)) >= Fraction(sensitivity) / Fraction(epsilon)


def test_a_scale_that_is_too_small_by_one_part_in_a_trillion_is_never_drawn_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        secure, "laplace_scale", lambda sensitivity, epsilon: sensitivity / float(epsilon) * (1 - 1e-12)
    )
    with pytest.raises(InternalError, match="does not cover"):
        SecureNoise(reservation(a="1")).scope("a").laplace(0, 65 << 30, spend=Decimal("0.3"))


def test_noise_at_the_end_of_the_integers_saturates_and_does_not_wrap() -> None:
    largest = 2**63 - 1
    noise = SecureNoise(reservation(a="100")).scope("a")
    drawn = [int(noise.laplace(largest, 2**40, spend=Decimal(1))[0]) for _ in range(50)]
    assert all(value > 2**62 for value in drawn)


def test_two_sources_draw_differently() -> None:
    """Operating-system randomness: no two of these 40-bit draws should agree."""
    noise = SecureNoise(reservation(a="20")).scope("a")
    drawn = {int(noise.laplace(0, 2**40, spend=Decimal(1))[0]) for _ in range(20)}
    assert len(drawn) == 20


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (SecureNoise, ["reservation"]),
        (SecureNoise.scope, ["self", "name"]),
        (ScopedNoise.laplace, ["self", "centre", "sensitivity", "spend"]),
        (ScopedNoise.laplace_vector, ["self", "centres", "sensitivity", "spend"]),
        (ScopedNoise.gaussian_vector, ["self", "centres", "sensitivity", "spend"]),
        (ScopedNoise.select, ["self", "scores", "sensitivity", "spend", "size"]),
        (laplace_scale, ["sensitivity", "epsilon"]),
        (gaussian_scale, ["sensitivity", "rho"]),
    ],
    ids=lambda value: getattr(value, "__qualname__", ""),
)
def test_no_signature_takes_a_seed_or_a_switch(function: Callable[..., object], names: list[str]) -> None:
    assert list(inspect.signature(function).parameters) == names
    assert all(
        parameter.default is inspect.Parameter.empty or (parameter.name, parameter.default) == ("size", None)
        for parameter in inspect.signature(function).parameters.values()
    )


SCORES = np.array([-30, 0, -30, -31])


def test_a_selection_spends_its_share_and_no_more_than_is_left() -> None:
    noise = SecureNoise(reservation(a="1"))
    chosen = noise.scope("a").select(SCORES, 1, spend=Decimal("0.75"))
    assert (chosen.shape, chosen.dtype) == ((1,), np.int64)
    assert noise.left("a") == Decimal("0.25")
    with pytest.raises(InternalError, match="more noise budget"):
        noise.scope("a").select(SCORES, 1, spend=Decimal("0.5"))
    assert noise.left("a") == Decimal("0.25")


def test_the_highest_score_is_the_likeliest() -> None:
    """The direction, which a release of OpenDP once had wrong: the others have e^-15 together."""
    noise = SecureNoise(reservation(a="30")).scope("a")
    assert [int(noise.select(SCORES, 1, spend=Decimal(1))[0]) for _ in range(30)] == [1] * 30


@pytest.mark.parametrize(("sensitivity", "size"), [(0, None), (-1, None), (1, 2), (1, 0)])
def test_a_selection_without_noise_or_in_bulk_is_refused(sensitivity: int, size: int | None) -> None:
    noise = SecureNoise(reservation(a="1"))
    with pytest.raises(InternalError, match="each selection once"):
        noise.scope("a").select(SCORES, sensitivity, spend=Decimal(1), size=size)
    assert noise.left("a") == 1


@pytest.mark.parametrize("spoiled", [1 - 1e-12, 0.5], ids=["a-trillionth", "exponent-without-the-half"])
def test_an_exponent_that_is_too_large_is_never_drawn_from(
    spoiled: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        secure, "laplace_scale", lambda sensitivity, epsilon: sensitivity / float(epsilon) * spoiled
    )
    with pytest.raises(InternalError, match="does not cover"):
        SecureNoise(reservation(a="1")).scope("a").select(SCORES, 10, spend=Decimal("0.3"))


@pytest.mark.parametrize("epsilon", AWKWARD, ids=str)
@pytest.mark.parametrize("sensitivity", [1, 2, 10, 20, 2**40])
def test_a_selection_covers_its_sensitivity_without_tolerance(sensitivity: int, epsilon: Decimal) -> None:
    chosen = SecureNoise(reservation(a=str(epsilon))).scope("a").select(SCORES, sensitivity, spend=epsilon)
    assert 0 <= chosen[0] < SCORES.size


HISTOGRAM = np.array([7, 0, 31, 2], np.int64)


def test_a_vector_is_paid_for_once() -> None:
    noise = SecureNoise(reservation(a="1"))
    drawn = noise.scope("a").laplace_vector(HISTOGRAM, 2, spend=Decimal("0.75"))
    assert (drawn.shape, drawn.dtype) == ((4,), np.int64)
    assert noise.left("a") == Decimal("0.25")
    with pytest.raises(InternalError, match="more noise budget"):
        noise.scope("a").laplace_vector(HISTOGRAM, 2, spend=Decimal("0.5"))
    assert noise.left("a") == Decimal("0.25")


@pytest.mark.parametrize("sensitivity", [0, -1])
def test_a_vector_sensitivity_that_means_no_noise_is_refused(sensitivity: int) -> None:
    noise = SecureNoise(reservation(a="1"))
    with pytest.raises(InternalError, match="sensitivity"):
        noise.scope("a").laplace_vector(HISTOGRAM, sensitivity, spend=Decimal(1))
    assert noise.left("a") == 1


@pytest.mark.parametrize("epsilon", AWKWARD, ids=str)
@pytest.mark.parametrize("sensitivity", SENSITIVITIES)
def test_a_vector_covers_its_sensitivity_without_tolerance(sensitivity: int, epsilon: Decimal) -> None:
    noise = SecureNoise(reservation(a=str(epsilon))).scope("a")
    assert noise.laplace_vector(HISTOGRAM, sensitivity, spend=epsilon).shape == (4,)


def test_a_vector_scale_that_is_too_small_is_never_drawn_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        secure, "laplace_scale", lambda sensitivity, epsilon: sensitivity / float(epsilon) * (1 - 1e-12)
    )
    with pytest.raises(InternalError, match="does not cover"):
        SecureNoise(reservation(a="1")).scope("a").laplace_vector(HISTOGRAM, 2, spend=Decimal("0.3"))


def test_each_number_of_a_vector_has_discrete_laplace_noise_of_its_own() -> None:
    """P(noise = 0) = tanh(1/4) at scale 2, and neighbours in the vector agree no more often than chance."""
    size = 20_000
    noise = SecureNoise(reservation(a="1")).scope("a")
    drawn = noise.laplace_vector(np.full(size, 1_000), 2, spend=Decimal(1)) - 1_000
    decay = math.exp(-0.5)
    law = np.array([(1 - decay) / (1 + decay) * decay ** abs(k) for k in range(-8, 9)])
    seen = np.array([(drawn == k).sum() for k in range(-8, 9)])
    observed, expected = np.append(seen, size - seen.sum()), size * np.append(law, 1 - law.sum())
    assert chisquare(observed, expected).pvalue > 1e-6
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 5 / math.sqrt(size)


def test_a_gaussian_vector_is_paid_for_once_in_rho() -> None:
    noise = rho_of_one_scope("0.75", epsilon="2")
    drawn = noise.scope("a").gaussian_vector(HISTOGRAM, 2, spend=RHO)
    assert (drawn.shape, drawn.dtype) == ((4,), np.int64)
    assert (noise.left_rho("a"), noise.left("a")) == (Decimal("0.25"), Decimal(2))
    with pytest.raises(InternalError, match="more noise budget"):
        noise.scope("a").gaussian_vector(HISTOGRAM, 2, spend=RHO)
    assert noise.left_rho("a") == Decimal("0.25")


def test_a_second_gaussian_vector_needs_another_allowance() -> None:
    noise = rho_of_one_scope("0.5")
    noise.scope("a").gaussian_vector(HISTOGRAM, 2, spend=RHO)
    with pytest.raises(InternalError, match="more noise budget"):
        noise.scope("a").gaussian_vector(HISTOGRAM, 2, spend=Decimal("1e-12"))


def test_epsilon_buys_no_gaussian_noise_and_rho_no_other() -> None:
    with pytest.raises(InternalError, match="more noise budget"):
        SecureNoise(reservation(a="1")).scope("a").gaussian_vector(HISTOGRAM, 2, spend=RHO)
    for ask in (
        lambda scope: scope.laplace(0, 1, spend=RHO),
        lambda scope: scope.laplace_vector(HISTOGRAM, 1, spend=RHO),
        lambda scope: scope.select(SCORES, 1, spend=RHO),
    ):
        noise = rho_of_one_scope("1")
        with pytest.raises(InternalError, match="more noise budget"):
            ask(noise.scope("a"))
        assert noise.left_rho("a") == 1


@pytest.mark.parametrize("spend", ["0.500000000001", "0", "-1", "Infinity"])
def test_a_refused_rho_draws_and_takes_nothing(spend: str) -> None:
    noise = rho_of_one_scope("0.5")
    with pytest.raises(InternalError, match="more noise budget"):
        noise.scope("a").gaussian_vector(HISTOGRAM, 2, spend=Decimal(spend))
    assert noise.left_rho("a") == RHO


@pytest.mark.parametrize("sensitivity", [0, -1])
def test_a_gaussian_sensitivity_that_means_no_noise_is_refused(sensitivity: int) -> None:
    noise = rho_of_one_scope("1")
    with pytest.raises(InternalError, match="sensitivity"):
        noise.scope("a").gaussian_vector(HISTOGRAM, sensitivity, spend=RHO)
    assert noise.left_rho("a") == 1


rhos = st.integers(1, 10**16).map(lambda steps: Decimal(steps) * Decimal("1e-12"))


@given(sensitivity=st.integers(1, 2**62), rho=rhos)
def test_the_gaussian_scale_covers_the_sensitivity_without_tolerance(sensitivity: int, rho: Decimal) -> None:
    scale = gaussian_scale(sensitivity, rho)
    square = Fraction(sensitivity) ** 2 / (2 * Fraction(rho))
    assert square < Fraction(scale) ** 2 < square * (1 + Fraction(1, 2**47))
    measurement = dp.m.make_gaussian(
        dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T="i64"), scale=scale
    )
    assert Fraction(measurement.map(sensitivity)) <= Fraction(rho)


@pytest.mark.parametrize("sensitivity", [1, 65_000, 10**11, 2**53 + 1])
@pytest.mark.parametrize("rho", ["1e-12", "0.1", "0.3", "12345.678"])
def test_a_gaussian_vector_of_any_size_is_drawn(sensitivity: int, rho: str) -> None:
    drawn = rho_of_one_scope(rho).scope("a").gaussian_vector(HISTOGRAM, sensitivity, spend=Decimal(rho))
    assert drawn.shape == (4,)


def test_a_gaussian_scale_that_is_too_small_is_never_drawn_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        secure,
        "gaussian_scale",
        lambda sensitivity, rho: sensitivity / math.sqrt(2 * float(rho)) * (1 - 1e-12),
    )
    with pytest.raises(InternalError, match="does not cover"):
        rho_of_one_scope("1").scope("a").gaussian_vector(HISTOGRAM, 2, spend=Decimal("0.3"))


def test_each_number_of_a_vector_has_gaussian_noise_of_its_own() -> None:
    """Deviation 10^9: half the sensitivity's root of 2 rho."""
    size, sensitivity = 4_000, 10**9
    drawn = rho_of_one_scope("0.5").scope("a").gaussian_vector(np.full(size, 7), sensitivity, spend=RHO) - 7
    scaled = drawn / sensitivity
    assert kstest(scaled, norm.cdf).pvalue > 1e-6
    assert abs(scaled.mean()) < 5 / math.sqrt(size)
    assert abs(scaled.std() - 1) < 5 / math.sqrt(2 * size)
    assert abs(np.corrcoef(scaled[:-1], scaled[1:])[0, 1]) < 5 / math.sqrt(size)


def test_many_small_vectors_have_the_discrete_gaussian_law() -> None:
    """P(k) ~ exp(-k^2 / 8) at deviation 2, one metered draw after the other."""
    rounds = 1_500
    noise = rho_of_one_scope(str(RHO * rounds)).scope("a")
    drawn = np.concatenate(
        [noise.gaussian_vector(HISTOGRAM, 2, spend=RHO) - HISTOGRAM for _ in range(rounds)]
    )
    steps = np.arange(-40, 41)
    law = np.exp(-(steps**2) / 8)
    inner = np.abs(steps) <= 6
    expected = (law / law.sum())[inner]
    seen = np.array([(drawn == step).sum() for step in steps[inner]])
    observed = np.append(seen, drawn.size - seen.sum())
    assert chisquare(observed, drawn.size * np.append(expected, 1 - expected.sum())).pvalue > 1e-6


def test_gaussian_noise_at_the_end_of_the_integers_saturates_and_does_not_wrap() -> None:
    noise = rho_of_one_scope("0.5").scope("a")
    assert (noise.gaussian_vector(np.full(50, 2**63 - 1), 2**40, spend=RHO) > 2**62).all()


def test_what_is_drawn_from_is_of_the_sensitivity_and_the_amount_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Made and checked anew when either changes; what is kept is paid for all the same."""
    made = []
    for name in ("_laplace", "_laplace_vector", "_noisy_max"):
        make = getattr(secure, name)

        def recorded(sensitivity: int, spend: Decimal, make: Callable[..., object] = make) -> object:
            made.append((make.__name__, sensitivity, spend))
            return make(sensitivity, spend)

        monkeypatch.setattr(secure, name, recorded)
    source = SecureNoise(reservation(a="10", b="10"))
    one, half = Decimal(1), Decimal("0.5")
    asked = [(1, one), (1, one), (2**40, one), (2**40, half), (1, one)]
    for scope in ("a", "b"):
        for sensitivity, spend in asked:
            source.scope(scope).laplace(0, sensitivity, spend=spend)
            assert source.scope(scope).select(SCORES, sensitivity, spend=spend).shape == (1,)
        assert source.left(scope) == 1
    different = [(1, one), (2**40, one), (2**40, half), (1, one)]
    for name in ("_laplace", "_noisy_max"):
        wanted = [(name, *pair) for pair in different] + [(name, *pair) for pair in different[1:]]
        assert [one for one in made if one[0] == name] == wanted
    source.scope("a").laplace_vector(HISTOGRAM, 1, spend=half)
    assert made[-1] == ("_laplace_vector", 1, half), "another kind of noise of the same sensitivity"


def test_a_scale_is_checked_though_another_was_good(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = SecureNoise(reservation(a="10")).scope("a")
    noise.laplace(0, 10, spend=Decimal(1))
    monkeypatch.setattr(
        secure, "laplace_scale", lambda sensitivity, epsilon: sensitivity / float(epsilon) * (1 - 1e-12)
    )
    for _ in range(2):
        with pytest.raises(InternalError, match="does not cover"):
            noise.laplace(0, 11, spend=Decimal(1))
