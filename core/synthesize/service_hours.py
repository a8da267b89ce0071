"""When the made-up buses begin and end their day, and how much earlier or later each may."""

from __future__ import annotations

DAY_START, DAY_END = round(8.25 * 3600), round(21.7 * 3600)
"""Mean first and last second of service; about 90 % of it lies in 09:00-21:00."""
SHIFT_JITTER = 900
"""Seconds that a made-up bus may begin and end its day earlier or later."""
