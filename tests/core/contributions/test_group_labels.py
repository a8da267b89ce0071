"""Labels that nobody typed: which of those in the records count."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.contributions.group_labels import with_known_labels
from core.errors import InputError
from core.hats.groups import Group
from core.records.labels import LabelColumn
from core.records.records import Records
from tests.records import Ping, instant, make_records
from tests.strategies import window


def labelled(*texts: str) -> Records:
    """Each record is of another bus but for the last two, which are of one."""
    names = [*range(len(texts) - 1), len(texts) - 2]
    pings = [
        Ping(
            f"bus {name:02d}",
            instant(f"2022-01-01T{10 + number // 60}:{number % 60:02d}:00+05:30"),
            21.1,
            72.8,
            20.0,
        )
        for number, name in enumerate(names)
    ]
    known = tuple(sorted(set(texts)))
    code = np.array([known.index(text) for text in texts], np.int16)
    return dataclasses.replace(make_records(pings), labels={"direction": LabelColumn(texts=known, code=code)})


def labels_of(records: Records, **group: object) -> tuple[str, ...]:
    asked = dataclasses.replace(window(), groups=(Group("direction", **group),))
    (found,) = with_known_labels(asked, records).groups
    return found.labels


def test_labels_of_enough_vehicles_are_those_of_the_records() -> None:
    records = labelled("UP", "UP", "DN", "DN", "DN", "ring", "ring")
    assert labels_of(records) == ("DN", "UP", "ring")
    assert labels_of(records, fewest=2) == ("DN", "UP")  # both records of the ring are of one bus
    assert labels_of(records, fewest=3) == ("DN",)


def test_typed_labels_stay_whatever_the_records_have() -> None:
    assert labels_of(labelled("UP", "UP", "DN", "DN"), labels=("X", "Y")) == ("X", "Y")


def test_a_column_that_names_vehicles_is_no_group() -> None:
    with pytest.raises(InputError, match="names vehicles, drivers") as caught:
        labels_of(labelled("1", "2", "3", "3"))
    assert caught.value.where == "hats.group, direction"


def test_too_many_labels_and_none_of_enough_vehicles_are_refused() -> None:
    many = [f"{number // 2:03d}" for number in range(104)]
    with pytest.raises(InputError, match="52 labels"):
        labels_of(labelled(*many))
    with pytest.raises(InputError, match="No label of the group") as caught:
        labels_of(labelled("UP", "UP", "DN", "DN"), fewest=9)
    assert caught.value.mend
