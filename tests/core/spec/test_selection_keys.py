"""core.spec.selection_keys: which HATs are published."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.spec.keys import SPEC
from core.spec.selection_keys import SELECTION


def test_the_selection_is_a_section_of_the_spec() -> None:
    assert SPEC.key("selection").inner is SELECTION


@pytest.mark.parametrize("name", ["threshold", "minimum_vehicles"])
def test_numbers_of_vehicles_begin_with_one(name: str) -> None:
    check = SPEC.key(f"selection.{name}").check
    assert check is not None
    assert check(1) == 1
    with pytest.raises(InputError, match=r"[Aa]t least"):
        check(0)
