"""What no joint release of true weights can beat: stated before any solving (city-release 3).

Every vehicle's budget is spent at most, and a HAT's weights sum to 1. So with Laplace noise
`sum 1 / b_g <= L eps / U`, whatever the shares are, and with Gaussian noise
`sum 1 / (K_g sigma_g^2) <= 2 L rho / U^2`, K effective vehicles.
"""

from __future__ import annotations

import math

from core.arrays import Floats
from core.city.city_pairs import CityPairs


def least_epsilon(hats: int, vehicles: int, noise: float, upper: float) -> float:
    """What G HATs with mean Laplace noise b cost every vehicle at least: `G U / (L b)`."""
    return hats * upper / (vehicles * noise)


def most_hats(epsilon: float, vehicles: int, noise: float, upper: float) -> int:
    """How many HATs can have mean Laplace noise b at most: `L eps b / U`, rounded down."""
    return math.floor(vehicles * epsilon * noise / upper)


def effective_vehicles(pairs: CityPairs) -> Floats:
    """K_g: so many vehicles of equal weight would have the same sum of squared weights; shape (G,)."""
    return 1.0 / pairs.by_hat(pairs.shares**2)
