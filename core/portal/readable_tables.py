"""Tables as pages show them: of a distribution a few round limits, with shares in percent (method 14.9)."""

from __future__ import annotations

import copy
import dataclasses
from decimal import Decimal

from core.bundle.distribution_words import first_limit, is_distribution, shown_limits
from core.bundle.public_tables import PublicTable
from core.fixed_point import THOUSAND
from core.quantity import Quantity


def with_shown_rows(public: PublicTable) -> PublicTable:
    """A distribution with the rows that people are shown; any other table as it is."""
    label = public.statistic.label
    if label is None or not is_distribution(public.statistic):
        return public
    limits = set(shown_limits(sorted({_thousandths(row[label.name]) for row in public.rows})))
    statistic = copy.copy(public.statistic)
    measures = tuple(dataclasses.replace(one, percent=True) for one in statistic.measures)
    vars(statistic).update(measures=measures)
    rows = [row for row in public.rows if _thousandths(row[label.name]) in limits]
    return dataclasses.replace(public, statistic=statistic, rows=rows)


def first_text(public: PublicTable, quantity: Quantity, span: int) -> str:
    """The limit that is shown first, as rows have it; empty of what is no distribution.

    public: `with_shown_rows`.
    """
    label = public.statistic.label
    if label is None or not is_distribution(public.statistic) or not public.rows:
        return ""
    shown = {_thousandths(row[label.name]) for row in public.rows}
    first = first_limit(sorted(shown), quantity, span)
    return next(row[label.name] for row in public.rows if _thousandths(row[label.name]) == first)


def _thousandths(text: str) -> int:
    return int(Decimal(text) * THOUSAND)
