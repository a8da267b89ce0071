"""Black-box audits of Gaussian noise: what draws betray of a user is no more than the rho that was paid.

A user moves the whole vector; the adversary knows in which direction and looks along it.
"""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from numpy.typing import NDArray

from core.noise.secure import gaussian_scale
from tests.audit import noise_by_law, rho_lower_bound
from tests.audit_table import WHOLE, Audits
from tests.fakes import secure_noise

ALPHA = 1e-6
RHO = Decimal("0.5")
GAUSSIAN = "gaussian vector (rho)"
FEW, MANY, CATCHING = 20_000, 1_000_000, 100_000
MOVED = np.array([600_000_000, -640_000_000, 480_000_000], np.int64)
SENSITIVITY = 1_000_000_000
"""The L2 norm of `MOVED`."""


def along(drawn: NDArray[np.int64]) -> NDArray[np.float64]:
    """The best test statistic there is: where a vector lies in the direction that the user moves it."""
    return drawn @ (MOVED / SENSITIVITY)


def bound(trials: int, *, stretch: float = 1.0) -> float:
    """What draws with and without the user certify."""
    rng, scale = np.random.default_rng(20_240_708), gaussian_scale(SENSITIVITY, RHO) * stretch
    samples = []
    for centres in (np.zeros_like(MOVED), MOVED):
        noise = noise_by_law(rng, scale, trials * MOVED.size, squared=True)
        samples.append(along(centres + noise.reshape(trials, -1)))
    return rho_lower_bound(*samples, ALPHA)


def test_the_sensitivity_is_the_distance() -> None:
    assert int((MOVED.astype(object) ** 2).sum()) == SENSITIVITY**2


@pytest.mark.parametrize(("trials", "least"), [(FEW, 0.4), pytest.param(MANY, 0.57, marks=pytest.mark.audit)])
def test_gaussian_noise_costs_no_more_than_its_rho(trials: int, least: float, audits: Audits) -> None:
    """One cut of a Gaussian keeps at most 2 / pi of the divergence."""
    found = bound(trials)
    audits.holds(
        GAUSSIAN, WHOLE, setting="by its law", claimed=RHO, certified=found, trials=trials, least=least
    )


@pytest.mark.parametrize("trials", [FEW, pytest.param(CATCHING, marks=pytest.mark.audit)])
def test_halved_deviation_is_caught(trials: int, audits: Audits) -> None:
    found = bound(trials, stretch=0.5)
    audits.caught(GAUSSIAN, WHOLE, setting="noise halved", claimed=RHO, certified=found, trials=trials)


@pytest.mark.parametrize(
    ("trials", "least"), [(3_000, 0.15), pytest.param(100_000, 0.5, marks=pytest.mark.audit)]
)
def test_the_very_source_of_a_release_passes_in_rho(trials: int, least: float, audits: Audits) -> None:
    """One metered vector at a time, as a release draws it."""
    samples = []
    for centres in (np.zeros_like(MOVED), MOVED):
        noise = secure_noise(Decimal(0), RHO * trials)
        drawn = [noise.gaussian_vector(centres, SENSITIVITY, spend=RHO) for _ in range(trials)]
        samples.append(along(np.array(drawn)))
    found = rho_lower_bound(*samples, ALPHA)
    setting = "metered, one by one"
    audits.holds(GAUSSIAN, WHOLE, setting=setting, claimed=RHO, certified=found, trials=trials, least=least)


def test_an_audit_of_equal_samples_certifies_nothing() -> None:
    rng = np.random.default_rng(3)
    found = [rho_lower_bound(*rng.normal(size=(2, 2_000)), 1e-3) for _ in range(50)]
    assert max(found) < 0.02


@pytest.mark.parametrize("apart", [0.3, 1.0, 3.0])
def test_the_audit_never_certifies_more_than_a_gaussian_has(apart: float) -> None:
    rng = np.random.default_rng(4)
    found = rho_lower_bound(rng.normal(size=FEW), rng.normal(apart, size=FEW), 1e-3)
    assert 0.2 * apart**2 / 2 < found <= apart**2 / 2
