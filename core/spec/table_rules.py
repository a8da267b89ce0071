"""How a contribution table is read that nobody wrote a spec for: what a spec would say, by its metadata."""

from __future__ import annotations

import re
import unicodedata

from core.clean.bounded_value import BoundedValue
from core.clean.mapping import ReadingRules
from core.contributions.file_facts import TableFacts
from core.quantity import SPEED, Measured
from core.spec.spec import TABLE_MAPPING

_NO_LETTERS = re.compile(r"[^a-z0-9]+")
_LONGEST = 40


def rules_of_table(facts: TableFacts) -> ReadingRules:
    """As `[data]` without `[data.mapping]` would be read, with the zone, the bound and the value it names.

    Where a table keeps silent on its physical limits they are its bounds: nothing is read by them.
    """
    lower, upper = facts.measured.lower, facts.measured.lower + facts.upper_bound
    value: BoundedValue | None = None
    if facts.measured != SPEED.measured:
        least, most = facts.physical or (lower, upper)
        value = BoundedValue(
            name=facts.measured.name,
            column_unit=_column_unit(facts.measured),
            unit=facts.measured.unit,
            lower=lower,
            upper=upper,
            physical_min=least,
            physical_max=most,
        )
    return ReadingRules(
        mapping=TABLE_MAPPING,
        zone=facts.zone,
        upper_bound=facts.upper_bound,
        value=value,
        filters=facts.filters,
    )


def _column_unit(measured: Measured) -> str:
    """The unit as columns of a release may call it: a table names it for people only."""
    plain = unicodedata.normalize("NFKD", measured.unit.casefold())
    text = _NO_LETTERS.sub("_", plain.encode("ascii", "ignore").decode()).strip("_")[:_LONGEST]
    return text if text[:1].isalpha() else measured.name
