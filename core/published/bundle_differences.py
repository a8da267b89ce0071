"""Parts of one bundle compared by `read --differences`; none in common, no noise stated (method 14.8)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from core.errors import InputError
from core.portal.difference_words import DifferenceCard, card_of, chance_sentence
from core.portal.differences import Difference, differences
from core.portal.row_parts import part_named
from core.published.bundle_frames import PublishedTable
from core.verify.folder import read_folder
from core.verify.maps import published_of

_DECIMALS = 3


def differences_in(
    bundle: Path, table: PublishedTable, pairs: Sequence[tuple[str, str]]
) -> tuple[pd.DataFrame, list[str]]:
    """A row for each pair of parts, and what is to be said of them.

    bundle: one that holds, of which `table` was read; pairs: names of parts (`part_named`). Columns: both
    parts, the difference with its 95 % interval as it is stated, `clear`, the raw one with its interval, and
    the mean of each part. Raises InputError for parts that it does not have, and for numbers that do not say
    how much noise they have.
    """
    published = published_of(read_folder(bundle))
    rows = published.rows(table.statistic)
    if rows is None:
        raise InputError(
            "Rows of {path} do not state their noise, so parts of them cannot be compared.",
            path=table.table.path,
            where=str(bundle),
            mend="choose a release of means with one budget for all of its hexagon slots (tokens)",
        )
    found = differences(
        rows, [(part_named(rows, first), part_named(rows, second)) for first, second in pairs]
    )
    if len(found) < len(pairs):
        raise InputError(
            "Two parts have no place in common.",
            where="--differences",
            mend="compare hours or groups in which the same places have numbers",
        )
    return pd.DataFrame([_row(one) for one in found]), [
        *(f"{table.release}, {_sentence(card_of(one, published.quantity))}" for one in found),
        f"{table.release}: {chance_sentence(len(found), fixed=False)}",
    ]


def _sentence(card: DifferenceCard) -> str:
    return f"{card.heading}: {card.figure}, {card.range}. {card.chance} {card.detail}"


def _row(one: Difference) -> dict[str, str | float | bool]:
    stated = zip(
        ("difference", "difference_raw", "mean_first", "mean_second"),
        (one.said, one.raw, *one.means),
        strict=True,
    )
    numbers = {
        f"{name}{end}": round(number, _DECIMALS)
        for name, ranged in stated
        for end, number in zip(("", "_low", "_high"), ranged, strict=True)
    }
    return {"first": one.first.key, "second": one.second.key, "clear": one.clear, **numbers}
