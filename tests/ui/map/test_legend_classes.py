"""ui.map.legend_classes: limits say what the classes hold, and are printed so that they can be read."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QLocale

from ui.map.legend_classes import ClassScale

ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
GERMAN = QLocale(QLocale.Language.German)


def test_a_class_holds_its_lower_limit_and_the_last_also_its_upper():
    scale = ClassScale((0, 12, 18, 24))
    values = [0, 11.9, 12, 18, 24]
    assert [scale.classify(value) for value in values] == [0, 0, 1, 2, 2]
    assert scale.classes_of(np.array([*values, -1, 24.1, np.nan]), outside=-3).tolist() == [
        *(0, 0, 1, 2, 2),
        *(-3, -3, -3),
    ]


@pytest.mark.parametrize("value", [-0.1, 24.1, math.nan])
def test_a_value_outside_the_limits_is_refused_without_being_told(value):
    with pytest.raises(ValueError, match="outside") as refused:
        ClassScale((0, 12, 18, 24)).classify(value)
    assert str(value) not in str(refused.value)


def test_open_ends_hold_everything():
    scale = ClassScale((-math.inf, 10, 20, math.inf))
    assert [scale.classify(value) for value in (-1e9, 10, 20, 1e9, math.inf)] == [0, 1, 2, 2, 2]
    assert [entry.label for entry in scale.legend(ENGLISH)] == ["< 10", "10 – 20", "≥ 20"]


def test_limits_are_printed_with_the_same_decimals():
    assert [entry.label for entry in ClassScale((0, 0.5, 1.25)).legend(ENGLISH)] == [
        "0.00 – 0.50",
        "0.50 – 1.25",
    ]


def test_counts_do_not_overlap():
    scale = ClassScale((1, 2, 5, 10, math.inf), whole=True)
    assert [entry.label for entry in scale.legend(ENGLISH)] == ["1", "2 – 4", "5 – 9", "≥ 10"]
    closed = ClassScale((0, 5, 10), whole=True)
    assert [entry.label for entry in closed.legend(ENGLISH)] == ["0 – 4", "5 – 10"]


def test_numbers_are_written_as_the_language_does():
    assert ClassScale((0, 1.5, 2000)).legend(GERMAN)[1].label == "1,5 – 2.000,0"


@pytest.mark.parametrize("limits", [(), (1,), (1, 1), (2, 1), (0, math.inf, math.inf), (0, math.nan, 2)])
def test_limits_that_do_not_ascend_are_refused(limits):
    with pytest.raises(ValueError, match=r"limits"):
        ClassScale(limits)
