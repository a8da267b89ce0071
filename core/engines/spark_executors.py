"""Whether a cluster still has anybody who works: Spark itself waits for ever when all are lost."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import Any

from core.errors import InputError

LOST_SECONDS = 60.0
"""Without any executor of a cluster, after there were some. Before the first one a queue may make a job wait
for hours.
"""


class Executors:
    """Those of one job, as they are seen from time to time."""

    def __init__(self, master: str, now: Callable[[], float] = clock.monotonic) -> None:
        self._master = master
        self._now = now
        self._seen: float | None = None

    @property
    def are_lost(self) -> bool:
        """There were some, and have been none for too long."""
        return self._seen is not None and self._now() - self._seen > LOST_SECONDS

    def require_some(self, context: Any) -> None:
        """Raise InputError once all are lost; context: of Spark. This machine itself cannot be lost."""
        if self._master.partition("[")[0] == "local":
            return
        # the driver is among them
        if len(context._jsc.sc().statusTracker().getExecutorInfos()) > 1:
            self._seen = self._now()
        elif self.are_lost:
            raise InputError(
                "All machines of the cluster were lost while they worked, and none came in their place.",
                where=self._master,
                mend="look at the cluster, then run it again",
            )
