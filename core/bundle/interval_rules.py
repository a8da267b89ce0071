"""What intervals cover, a sentence for each rule: noise, bias, quotients, the value's range (method 14.2)."""

from __future__ import annotations

NOISE_ONLY = "noise"
"""Until version 0.1: of the noise, around the published value."""
NOISE_AND_BIAS = "noise-and-modelled-bias"
"""Around the noisy value before it was cut to its range, of noise and, where it is modelled, of bias."""
NEWEST_RULE = NOISE_AND_BIAS
EXTREMES = "extremes-of-a-quotient"
"""Of relation `user`, where a noisy sum is divided by a noisy number."""

WITHIN_NOISE = "what-the-noise-leaves-open"
"""The same where there are other statistics than means beside."""

COVERS_NOISE = "noise"
COVERS_BIAS = "noise and modelled bias"
COVERS = (COVERS_NOISE, COVERS_BIAS)
"""What the intervals of one query may cover."""

INTERVAL_RULES = {
    NOISE_ONLY: (
        "each interval lies around the published value and covers the noise, not the bias, with a "
        "probability of at least 95 %"
    ),
    NOISE_AND_BIAS: (
        "each interval lies around the noisy value before it was cut to its range, and covers with a "
        "probability of 95 % the noise and, where a query says so, the bias that a public model of values "
        "leads to expect; where the range holds nothing of it, the interval is the whole range and the row "
        "tells nothing"
    ),
    EXTREMES: (
        "each interval holds all quotients of a sum and a number that both lie as close to the noisy ones as "
        "their noise does with a probability of 97.5 % each (95 % together), cut to the range of the "
        "value; where the number may be none, the interval is the whole range and the row tells nothing; "
        "what the constants left out is in no interval"
    ),
    WITHIN_NOISE: (
        "each interval holds what the noisy numbers leave open with a probability of 95 %: of a mean all "
        "quotients of a sum and a number that both lie as close to the noisy ones as their noise does with a "
        "probability of 97.5 % each, of vehicles above a limit all numbers as close to the noisy one, of a "
        "distribution all shares whose part of the noisy total is as close to the noisy sum up to the edge; "
        "intervals are cut to the range of their column; where the number that is divided by may be none, or "
        "the range holds nothing of an interval, the row tells nothing; what the constants left out is in no "
        "interval"
    ),
}
"""Rule -> what it says, as a part of a sentence."""


def covers(*, models_bias: bool) -> str:
    """What intervals of the newest rule cover."""
    return COVERS_BIAS if models_bias else COVERS_NOISE
