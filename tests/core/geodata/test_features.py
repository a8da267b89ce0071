"""What a layer tells of itself."""

from __future__ import annotations

import pytest

from core.errors import InputError
from core.geodata.features import may_name, name_in_cell, require_field, too_many, usual_name_field


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ("<script>window.x = 1</script>", "<script>window.x = 1</script>"),
        (" a\nb ", "a b"),
        (12, "12"),
        (10**400, "1" + "0" * 19),
        (2.50, "2.5"),
        (True, ""),
        (None, ""),
        ({"a": 1}, ""),
        (b"x", ""),
    ],
)
def test_text_and_numbers_name_features_as_they_stand(cell: object, name: str) -> None:
    assert name_in_cell(cell) == name
    assert may_name(cell) or not name


def test_the_usual_field_of_names_is_found_in_whatever_letters() -> None:
    assert usual_name_field(("id", "Label", "NAME")) == "NAME"
    assert usual_name_field(("id", "kind")) == ""


def test_a_field_has_to_be_there_and_none_is_none() -> None:
    require_field("", (), "here")
    require_field("name", ("name",), "here")
    with pytest.raises(InputError) as caught:
        require_field("name", (), "here")
    assert "no fields" in caught.value.mend
    assert "1,000,000" in too_many("here").what
