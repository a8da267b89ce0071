"""Where an engine sets records aside: a private folder of the cache, swept by the next start after a kill."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from core.store.record_cache import RecordCache, working_place
from core.store.working_folders import working_folder


@contextlib.contextmanager
def set_aside(cache: RecordCache | None) -> Iterator[Path]:
    """A folder that is gone at the end; what is made meanwhile, by started processes too, is private.

    Engines make their files themselves, by the mask of the process alone. Raises InputError where no folder
    can be used, and OSError.
    """
    place = working_place(cache)
    mask = os.umask(0o077)
    try:
        with working_folder(place) as folder:
            yield folder
    finally:
        os.umask(mask)
