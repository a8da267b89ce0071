"""Level-uniform trees: nodes, families, and the nodes that prefixes are made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InternalError
from core.statistics.cdf_tree import LevelTree, level_sums, prefix_nodes
from tests.core.statistics.cdf_reference import design_matrix, trees


def decomposed(tree: LevelTree, bins: int) -> list[tuple[int, int]]:
    """The nodes (level, number) that make up the first `bins` bins, the largest that fit from the left."""
    found, covered = [], 0
    while covered < bins:
        level = next(
            level for level, span in enumerate(tree.spans) if covered % span == 0 and covered + span <= bins
        )
        found.append((level, covered // tree.spans[level]))
        covered += tree.spans[level]
    return found


def test_a_worked_example() -> None:
    """Eleven bins under 3 x 2 x 2: spans of 4, 2 and 1."""
    tree = LevelTree(bins=11, factors=(3, 2, 2))
    assert tree.spans == (4, 2, 1)
    assert tree.nodes == (3, 6, 11)
    assert tree.parents(1).tolist() == [0, 0, 1, 1, 2, 2]
    assert [level.tolist() for level in level_sums(tree, np.arange(11))] == [
        [6, 22, 27],
        [1, 5, 9, 13, 17, 10],
        list(range(11)),
    ]
    assert tree.family_sums(2, np.arange(11)).tolist() == [1, 5, 9, 13, 17, 10]
    assert decomposed(tree, 7) == [(0, 0), (1, 2), (2, 6)]


@given(tree=trees(), data=st.data())
def test_levels_are_sums_of_the_bins_below(tree: LevelTree, data: st.DataObject) -> None:
    leaves = np.array(data.draw(st.lists(st.integers(0, 99), min_size=tree.bins, max_size=tree.bins)))
    levels = level_sums(tree, leaves)
    assert np.array_equal(np.concatenate(levels), design_matrix(tree) @ leaves)
    for level in range(1, tree.height):
        assert np.array_equal(tree.family_sums(level, levels[level]), levels[level - 1])


@given(tree=trees())
def test_prefix_nodes_counts_the_nodes_of_every_prefix(tree: LevelTree) -> None:
    levels = [level for bins in range(tree.bins) for level, _ in decomposed(tree, bins)]
    assert prefix_nodes(tree) == tuple(levels.count(level) for level in range(tree.height))


@pytest.mark.parametrize(("bins", "factors"), [(1, (2,)), (9, (2, 4)), (3, (3, 1))])
def test_a_tree_reaches_every_bin(bins: int, factors: tuple[int, ...]) -> None:
    with pytest.raises(InternalError):
        LevelTree(bins=bins, factors=factors)
