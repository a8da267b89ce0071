"""Rare labels of a table are left out as those of records are; whole releases: tests/contracts."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.contributions import contributions_of
from core.contributions.common_labels import with_common_labels
from core.errors import InputError
from core.hats.groups import Group
from core.records.labels import LabelColumn
from tests.records import Ping, assert_same, instant, make_records
from tests.strategies import window

TEXTS = ("DN", "UP", "ring")


def table_of(asked: Group, codes: tuple[int, ...] = (0, 1, 0, 1, 2, 2, 0)):  # type: ignore[no-untyped-def]
    """Seven buses but that the ring is of one."""
    pings = [
        Ping(
            f"bus {4 if code == 2 else number}",
            instant(f"2022-01-01T{10 + number % 2}:{number:02d}:00+05:30"),
            21.1 + number % 3 / 10,
            72.8,
            20.0 + number,
        )
        for number, code in enumerate(codes)
    ]
    labels = {"way": LabelColumn(texts=TEXTS, code=np.array(codes, np.int16))}
    records = dataclasses.replace(make_records(pings), labels=labels)
    return contributions_of(records, 7, dataclasses.replace(window(), groups=(asked,)))


def test_the_rest_is_what_the_records_give_without_the_rare_label() -> None:
    asked = Group("way", fewest=2)
    loose, strict = table_of(Group("way")), table_of(asked)
    assert loose.window.groups[0].labels == TEXTS
    found = with_common_labels(loose, (asked,))
    assert found.window.groups[0].labels == ("DN", "UP")
    assert_same(found, strict)
    assert len(found.values) == len(loose.values) - 2


def test_typed_labels_and_common_ones_change_nothing() -> None:
    loose = table_of(Group("way"))
    assert with_common_labels(loose, (Group("way", TEXTS),)) is loose
    assert with_common_labels(loose, (Group("way", fewest=1),)) is loose


def test_labels_of_one_vehicle_each_are_refused() -> None:
    alone = table_of(Group("way", TEXTS), (0, 1, 2))
    with pytest.raises(InputError, match="names vehicles"):
        with_common_labels(alone, (Group("way"),))
