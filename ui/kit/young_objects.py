"""Objects that Python's collector of cyclic garbage has not looked at yet."""

from __future__ import annotations

import gc

MANY_BROUGHT = 100_000
"""Objects that take about as long to look at as the window may stand still; a window's own are fewer."""


def young_objects(generation: int = 0) -> int:
    """How many a collection of this generation would look at. For the window's thread alone.

    Python's own count may be far less: it goes down with whatever is freed, older objects too. To count
    takes a tenth of the time of a collection. A worker that does it may be the last to hold an object of
    Qt, and would destroy it in a foreign thread.
    """
    return sum(len(gc.get_objects(generation=one)) for one in range(generation + 1))


def spare_what_was_brought(since: int) -> None:
    """Leave out, for good, very many objects that a piece of work has brought: what it brings stays.

    since: Python's count of young objects when the work began. What grew young before is none of its:
    windows that were closed are among it, and would never be freed.
    Objects that are left out are freed as all are once nobody holds them; cyclic garbage that is there by
    now never is. So call it before what was brought takes the place of something else. Where Python
    collects by itself, nothing is left out.
    """
    if not gc.isenabled() and gc.get_count()[0] - since > MANY_BROUGHT:
        gc.freeze()
