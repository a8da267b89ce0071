"""How far the values of a spec may go, such as the upper bound U."""

from __future__ import annotations

MOST_KMH = 1000
"""The largest upper bound U that is accepted."""
