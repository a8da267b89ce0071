"""How far the values of a spec may go."""

from __future__ import annotations

MOST_KMH = 1000
"""The largest upper bound U that is accepted."""
