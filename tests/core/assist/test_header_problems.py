"""core.assist.header_problems: each problem with its column; only what cannot be told apart blocks."""

from __future__ import annotations

import pytest

from core.assist.header_problems import header_problems


def told(*columns: str) -> list[tuple[str, int]]:
    return [(problem.kind, problem.number) for problem in header_problems(columns)]


def test_good_names_have_no_problem() -> None:
    assert told("plate", "time", "lat", "location.coordinates", "Speed (km/h)", "größe") == []


@pytest.mark.parametrize(
    ("name", "kind", "blocks"),
    [
        ("", "empty", True),
        ("  ", "empty", True),
        (" speed", "padded", False),
        ("sp\teed", "tab", False),
        ("sp\ufffded", "unreadable", True),
        ("12", "numeric", False),
        ("-1.5", "numeric", False),
    ],
)
def test_each_problem_is_named_with_its_column(name: str, kind: str, blocks: bool) -> None:
    (problem,) = header_problems(("plate", name))
    assert (problem.kind, problem.column, problem.number, problem.blocks) == (kind, name, 2, blocks)


def test_a_name_that_repeats_is_told_once() -> None:
    assert told("speed", "plate", "speed", "speed") == [("duplicate", 3)]
    assert header_problems(("a", "a"))[0].blocks


def test_a_single_column_asks_for_another_delimiter() -> None:
    (problem,) = header_problems(("plate;time;speed",))
    assert (problem.kind, problem.blocks) == ("single", False)


def test_one_name_may_have_several_problems() -> None:
    assert told("a", " 12 ") == [("padded", 2), ("numeric", 2)]
