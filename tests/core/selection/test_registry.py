"""The registry of selection rules."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.selection.registry import all_rules, require_rule
from tests.records import assert_tells


def test_the_registry_names_its_rules() -> None:
    assert {"boundary", "cells", "every-slot", "hat"} <= set(all_rules())
    with pytest.raises(InputError, match="unknown") as caught:
        require_rule("best")
    assert_tells(caught.value)


def test_every_title_fits_the_column_of_the_window() -> None:
    assert max(len(rule.title) for rule in all_rules().values()) <= 20
