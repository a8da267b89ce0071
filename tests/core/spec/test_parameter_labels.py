"""core.spec.parameter_labels: a key of a statistic or a mechanism as its field is called."""

from __future__ import annotations

import pytest

from core.spec.parameter_labels import label_of_parameter


@pytest.mark.parametrize(
    ("name", "label"),
    [("percentiles", "Percentiles"), ("zoom", "Measure in two steps (zoom)"), ("unheard_of", "unheard_of")],
)
def test_a_parameter_is_called_as_its_field_is(name: str, label: str) -> None:
    assert label_of_parameter(name) == label
