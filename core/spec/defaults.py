"""What counts where nothing is said: the usual U, mechanism, and 10 vehicles a day."""

from __future__ import annotations

from core.fixed_point import THOUSAND

DEFAULT_UPPER_BOUND = 65 * THOUSAND
"""U of the papers, thousandths of km/h."""
DEFAULT_MINIMUM_VEHICLES = 2
DEFAULT_THRESHOLD = 10
"""Distinct vehicles a day where a spec names no threshold (TR III.C)."""
DEFAULT_MECHANISM = "two-step-clipping"
"""Of a new query for the mean, in the window; the advised one takes its place once there are counts."""
