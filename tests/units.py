"""One run of a test for each unit of privacy."""

from __future__ import annotations

import pytest

from core.privacy import Unit

EVERY_UNIT = pytest.mark.parametrize("unit", list(Unit))
