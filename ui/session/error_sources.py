"""Sources of the error plot with tips: replicas with more vehicles or records, or the loaded HAT."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

import numpy as np

from core.contributions import HatData, HatUsers
from core.evaluate.replica import (
    replica,
    replica_counts,
    replica_visits,
    replica_with_dwell,
    replica_with_effects,
)
from core.evaluate.scaling import FACTOR, sample_scaled, user_scaled
from ui.language.translation import translator

_tr = translator("ErrorSources")

_SEED = 0
"""Of the scaled sets: the same picture every time."""


class Source(StrEnum):
    """Where the curves come from."""

    REPLICA = "replica"
    EFFECTS = "replica-effects"
    DWELL = "replica-dwell"
    SAMPLES = "replica-sample-scaling"
    USERS = "replica-user-scaling"
    LOADED = "loaded"

    @property
    def is_loaded(self) -> bool:
        """Follows from the loaded records: confidential, never exported."""
        return self is Source.LOADED


def source_title(source: Source) -> str:
    """As the list of sources calls it."""
    return {
        Source.REPLICA: _tr("Replica of the papers"),
        Source.EFFECTS: _tr("Replica with vehicle effects"),
        Source.DWELL: _tr("Replica with dwell time"),
        Source.SAMPLES: _tr("Replica, sample scaling ×10"),
        Source.USERS: _tr("Replica, user scaling ×10"),
        Source.LOADED: _tr("Loaded hexagon slot: true error (confidential)"),
    }[source]


def source_note(source: Source) -> str:
    """One sentence on what it is."""
    return {
        Source.REPLICA: _tr("Rebuilt from published figures; contains no real records."),
        Source.EFFECTS: _tr("The same counts, but each vehicle has its own mean speed (sd 3 km/h)."),
        Source.DWELL: _tr(
            "The same counts, with visits: vehicles that stay long are slower, as in real feeds."
        ),
        Source.SAMPLES: _tr("The replica with ten times as many records of each vehicle."),
        Source.USERS: _tr("The replica with ten times as many vehicles."),
        Source.LOADED: _tr("Errors against the true mean of your records. Keep them to yourself."),
    }[source]


def public_users(source: Source) -> HatUsers:
    """Counts of a bundled set, without a job; of values nothing is made."""
    counts = replica_counts()
    if source is Source.DWELL:
        return HatUsers(counts=counts, visits=replica_visits())
    if source is Source.SAMPLES:
        counts = counts * FACTOR
    return HatUsers(counts=np.repeat(counts, FACTOR) if source is Source.USERS else counts)


@cache
def bundled_hat(source: Source) -> HatData:
    """A bundled set with its values, in a worker thread."""
    if source is Source.EFFECTS:
        return replica_with_effects()
    if source is Source.DWELL:
        return replica_with_dwell()
    if source is Source.SAMPLES:
        return sample_scaled(replica(), _SEED)
    if source is Source.USERS:
        return user_scaled(replica(), _SEED)
    return replica()
