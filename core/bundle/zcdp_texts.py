"""What a release says of Gaussian noise: rho adds up, how epsilon follows from it, what mu means."""

from __future__ import annotations

from core.accounting.epsilon_rounding import plain
from core.accounting.exact_loss import RUNNING
from core.accounting.zcdp import ORDERS

ZCDP_VARIANT = "zCDP"
PURE_VARIANT = "Pure"
RUNNING_TOTAL = (
    "{rule}: epsilon = pure epsilon + the least over a in {orders} of a R + (ln({count} / delta) - "
    "ln(a - 1) + a ln(1 - 1/a)) / (a - 1), where R is the sum of rho; without rho nothing is added; "
    "rounded up to 1e-6"
).format(rule=RUNNING, orders="{" + ", ".join(map(plain, ORDERS)) + "}", count=len(ORDERS))
"""How epsilon follows from pure epsilon, rho and delta (method 13.6)."""
MU_EXPLAINED = (
    "Mu says the same of this release's Gaussian noise for every delta: to find out something about one "
    "vehicle is at least as hard as to tell apart two normal laws whose means lie mu deviations apart."
)
"""Said wherever a release states mu."""
EXPLAINED = (
    "Gaussian noise is accounted in rho (zero-concentrated differential privacy), which adds up exactly over "
    "queries and releases, beside pure epsilon; epsilon is what both come to at delta. With a probability of "
    "at most delta a release may reveal more than epsilon says."
)
"""Said wherever an epsilon has a delta."""
