"""One HAT from a small CSV file of users and speeds, for evaluation only; rows that are wrong (method 15)."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.contributions import EVALUATION_TIE_KEY, HatData, tie_ranks
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.read.unreadable_files import unreadable_as_input_error
from core.records.id_folds import id_folds
from core.system.regular_files import read_regular

HEADER = ["user", "value"]


def read_hat(path: Path, upper_bound: int) -> HatData:
    """Users by non-increasing count, each with its values in the order of the rows.

    Values are km/h, rounded to thousandths; those above U count as U. upper_bound: thousandths of
    km/h. Raises InputError that names the line at fault, never its content.
    """
    of_user: dict[str, list[int]] = {}
    for line, cells in _rows(path):
        user, value = _cells(cells, where=f"{path}, line {line}")
        of_user.setdefault(user, []).append(min(value, upper_bound))
    if not of_user:
        raise InputError("The file contains no record.", where=str(path), mend="write rows of user,value")
    users = tuple(of_user)
    ranks = tie_ranks(users, EVALUATION_TIE_KEY)
    order = sorted(range(len(users)), key=lambda user: (-len(of_user[users[user]]), ranks[user]))
    lists = [of_user[users[user]] for user in order]
    counts = np.array([len(values) for values in lists], np.int64)
    return HatData(
        counts=counts,
        starts=np.cumsum(counts) - counts,
        values=np.concatenate([np.array(values, np.int32) for values in lists]),
        upper_bound=upper_bound,
    )


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each row; a header and empty lines are passed over."""
    with unreadable_as_input_error(path):
        content = read_regular(path)
    try:
        reader = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
        for number, cells in enumerate(reader):
            trimmed = [cell.strip() for cell in cells]
            if any(trimmed) and not (number == 0 and [cell.casefold() for cell in trimmed] == HEADER):
                yield reader.line_num, trimmed
    except (UnicodeDecodeError, csv.Error):
        raise InputError(
            "The file is not CSV in UTF-8.", where=str(path), mend="save it as CSV in UTF-8 again"
        ) from None


def _cells(cells: list[str], *, where: str) -> tuple[str, int]:
    """The user and the value in thousandths. Raises InputError for anything else."""
    if len(cells) != len(HEADER):
        raise InputError("This row is not one user and one value.", where=where, mend="write user,value")
    user, text = cells
    if not user:
        raise InputError("This row names no user.", where=where, mend="write user,value")
    try:
        value = float(text.replace("_", " "))
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0.0):
        raise InputError(
            "The value of this row is not a speed.", where=where, mend="write a number of km/h, 0 or above"
        )
    return id_folds(user).id, round(min(value, 1e6) * THOUSAND)
