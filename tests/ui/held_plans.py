"""Plans that a test holds up: what a person sees until they are there."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from core.advice.forecast import Forecast
from tests.ui.small_city import TIMEOUT
from ui.session import planning


class HeldPlans:
    """Plans, or what smoothing makes of them, that end only once they may; or fail then."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, work: str = "forecast", error: Exception | None = None
    ) -> None:
        self.may_end = threading.Event()
        plan = getattr(planning, work)

        def held(*given: Any, **named: Any) -> Forecast:
            assert self.may_end.wait(TIMEOUT / 1000)
            if error is not None:
                raise error
            return plan(*given, **named)

        monkeypatch.setattr(planning, work, held)
