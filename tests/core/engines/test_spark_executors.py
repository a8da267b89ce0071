"""When a cluster counts as lost; Spark's own count of executors is stood in for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from core.engines.spark_executors import LOST_SECONDS, Executors
from core.errors import InputError


def context_with(executors: int) -> Any:
    """As Spark's: the driver counts too."""
    tracker = SimpleNamespace(getExecutorInfos=lambda: [None] * (executors + 1))
    java = SimpleNamespace(statusTracker=lambda: tracker)
    return SimpleNamespace(_jsc=SimpleNamespace(sc=lambda: java))


def test_a_cluster_without_executors_is_lost_once_it_had_some() -> None:
    now = [0.0]
    watched = Executors("spark://host:7077", lambda: now[0])
    now[0] = 100 * LOST_SECONDS  # a queue may take its time
    watched.require_some(context_with(0))
    watched.require_some(context_with(2))
    now[0] += LOST_SECONDS
    watched.require_some(context_with(0))
    assert not watched.are_lost
    watched.require_some(context_with(1))  # one came in their place
    now[0] += LOST_SECONDS + 1
    with pytest.raises(InputError, match="were lost"):
        watched.require_some(context_with(0))
    assert watched.are_lost


@pytest.mark.parametrize("master", ["local", "local[2]"])
def test_this_machine_has_none_to_lose(master: str) -> None:
    now = [0.0]
    watched = Executors(master, lambda: now[0])
    watched.require_some(context_with(1))
    now[0] += 2 * LOST_SECONDS
    watched.require_some(context_with(0))
    assert not watched.are_lost
