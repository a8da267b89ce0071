"""What regions promise: shares of the records, noise at most; stored with draws (city-release 10)."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

from core.accounting.epsilon_rounding import PlainDecimal, plain, readable


class RegionFacts(NamedTuple):
    """Of one query; errors are in the value's unit."""

    regions: int
    promised_error: PlainDecimal
    """What the noise of a region misses on average, at most."""
    kept_error: PlainDecimal
    """The same of the noisiest region, after rounding to tokens; in relation `user` at the public counts."""
    record_share: PlainDecimal
    """Of the window's records, or those that public counts expect: what the regions hold."""

    def sentence(self, unit: str, *, expected: bool = False) -> str:
        """As README and report tell it, without a full stop.

        expected: all of it rests on public counts, of relation `user`.
        """
        share = plain((100 * self.record_share).quantize(Decimal("0.1")).normalize() + 0)
        measured = f" {unit}" if unit else ""
        # rounded up, for it is a bound, and to no more than the promise, which is one too
        shown = min(readable(self.kept_error), self.promised_error)
        missed, promised = (f"{plain(one)}{measured}" for one in (shown, self.promised_error))
        verdict = "as promised" if shown == self.promised_error else f"where {promised} was promised"
        if expected:
            return (
                f"{self.regions} regions hold {share} % of the records that public counts expect; if these "
                f"are right, a region's number is off by at most {missed} on average, {verdict}; "
                "its interval shows how far off it can really be"
            )
        return (
            f"{self.regions} regions hold {share} % of the records; on average the noise of a region is at "
            f"most {missed}, {verdict}"
        )
