"""What a publisher hears after a paid release: smoothed numbers that are missing, counts that it refutes."""

from __future__ import annotations

from core.bundle.contradicted_promise import contradicted_counts
from core.bundle.release_result import Release
from core.texts import text_of


def said_afterwards(release: Release) -> tuple[str, ...]:
    """A sentence each, computed from the public result alone."""
    return (*contradicted_counts(release), *_unsmoothed(release))


def _unsmoothed(release: Release) -> tuple[str, ...]:
    return tuple(
        text_of(
            "The smoothed numbers of {query_id} are missing: {reason} "
            "Its raw numbers are published whole, and the budget is spent.",
            query_id=query.query_id,
            reason=query.unsmoothed,
        )
        for query in release.queries
        if query.unsmoothed
    )


def why_unsmoothed(error: Exception) -> str:
    """What stopped smoothing, without anything that the error may have to say about the data."""
    if isinstance(error, MemoryError):
        return "this computer ran out of memory."
    return "the model of the city found no answer for these noisy numbers."
