"""What lies beyond a limit is refused by a message that names it."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.fixed_point import THOUSAND
from core.spec import upper_bound_of
from core.spec.limits import MOST_KMH


def test_the_largest_bound_is_taken_and_none_beyond() -> None:
    assert upper_bound_of(MOST_KMH, where="U") == MOST_KMH * THOUSAND
    with pytest.raises(InputError, match=str(MOST_KMH)):
        upper_bound_of(MOST_KMH + 0.001, where="U")
