"""Integer tokens from shares of budgets: what is drawn is made of them alone (city-release 6)."""

from __future__ import annotations

import numpy as np

from core.arrays import Floats, Ints
from core.city.city_pairs import CityPairs
from core.city.noise_kind import NoiseKind
from core.city.row_check import require_rows_within
from core.mechanisms.tokens import SAFE, TOKENS


def tokens_of(pairs: CityPairs, shares: Floats, noise: NoiseKind) -> Ints:
    """y_lg, shape (n,): rounded down, and checked vehicle by vehicle. Raises InternalError."""
    taken = np.sqrt(shares) if noise.squared else shares
    tokens: Ints = np.floor(TOKENS * SAFE * taken).astype(np.int64)
    require_rows_within(pairs.vehicle.tolist(), tokens.tolist(), TOKENS, squared=noise.squared)
    return tokens
