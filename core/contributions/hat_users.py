"""What is public of one HAT's users in relation `values` (method 4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class HatUsers:
    """How many records each user has, and how often each came; users by non-increasing count."""

    counts: Ints
    """Shape (L,): m_l, at least 1 each."""
    visits: Ints | None = None
    """Shape (L,): from 1 to m_l; None where they are not known, or say nothing about the value."""
    suppressed: HatUsers | None = None
    """Users who left the HAT before it was planned (method 7.4): their records are part of its true mean."""

    @property
    def size(self) -> int:
        """L."""
        return int(self.counts.size)

    @property
    def records(self) -> int:
        """M, the sum of all m_l."""
        return int(self.counts.sum())

    @property
    def shares(self) -> Floats:
        """w_l = m_l / M; shape (L,)."""
        shares: Floats = self.counts / self.records
        return shares

    @property
    def dwell(self) -> Floats | None:
        """h_l minus its mean over records, `h_l = ln(m_l / visits_l)`; shape (L,), None without visits.

        Pings come at a fixed rate, so that records of a visit tell how long it took (method 10.2).
        """
        if self.visits is None:
            return None
        per_visit = np.log(self.counts / self.visits)
        dwell: Floats = per_visit - float(self.shares @ per_visit)
        return dwell

    @property
    def everyone(self) -> HatUsers:
        """With those who left, after those who stay: who the true mean is about."""
        gone = self.suppressed
        if gone is None:
            return self
        visits = None
        if self.visits is not None and gone.visits is not None:
            visits = np.concatenate((self.visits, gone.visits))
        return HatUsers(counts=np.concatenate((self.counts, gone.counts)), visits=visits)

    @property
    def all_records(self) -> int:
        """M with the records of those who left."""
        return self.records + (0 if self.suppressed is None else self.suppressed.records)

    @property
    def other_facts(self) -> tuple[bytes, ...]:
        """Tells users of equal counts apart, for caches: by their visits, and by who left."""
        visits = b"" if self.visits is None else self.visits.tobytes()
        gone = self.suppressed
        return (visits,) if gone is None else (visits, gone.counts.tobytes(), *gone.other_facts)
