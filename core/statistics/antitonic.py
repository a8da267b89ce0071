"""Antitonic regression: the closest sequence that never rises, by pooling adjacent violators."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def antitonic(numbers: Sequence[int]) -> list[Fraction]:
    """The non-increasing sequence with the least sum of squared differences from `numbers`.

    Equal weights, exact. As a projection on a convex set it brings noisy numbers no further from a truth
    that never rises, in squares and in the largest difference.
    """
    blocks: list[tuple[int, int]] = []
    for number in numbers:
        total, size = number, 1
        while blocks and blocks[-1][0] * size < total * blocks[-1][1]:
            before, many = blocks.pop()
            total, size = total + before, size + many
        blocks.append((total, size))
    return [Fraction(total, size) for total, size in blocks for _ in range(size)]
