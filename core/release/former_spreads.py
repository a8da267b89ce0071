"""What the newest release was fitted to: errors of the next are foretold by it (city-release 9)."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from core.accounting.ledger import Ledger
from core.bundle.parameter_texts import periods_text
from core.bundle.smoothed_facts import SmoothedFacts
from core.codec import from_json
from core.hats.window import DateRange
from core.planning.query_plan import Query
from core.quantity import SPEED, Quantity
from core.texts import text_of


@dataclass(frozen=True, slots=True)
class FormerSpreads:
    """Published with the release that they were fitted to, so they cost nothing more."""

    quantity: Quantity = SPEED
    by_statistic: tuple[tuple[str, tuple[float, ...]], ...] = ()
    """Key of a statistic of means -> its spreads, as `Query.former_spreads`."""
    dates: tuple[DateRange, ...] = ()
    """Of that release; none where its draws do not name them."""

    @classmethod
    def read(cls, draws: Mapping[str, Any] | None) -> Self:
        """draws: as the ledger stores them, of any version; None: nothing was released yet."""
        if draws is None:
            return cls()
        found = []
        for query in draws["queries"]:
            facts = from_json(SmoothedFacts, query["smoothing"]) if query.get("smoothing") else None
            if facts is not None and not facts.spreads_of_ranges:
                found.append((str(query["statistic"]), tuple(map(float, facts.spreads))))
        stored = draws.get("quantity")
        # without spreads nothing is foretold, and no plan is made anew after a release
        ranges = draws.get("date_ranges", ()) if found else ()
        dates = tuple((_date(first), _date(last)) for first, last in ranges)
        return cls(SPEED if stored is None else from_json(Quantity, stored), tuple(found), dates)

    def given_to(self, query: Query) -> Query:
        """The query, with the spreads of the same statistic of the same quantity."""
        statistic = query.question.statistic
        alike = statistic.quantity == self.quantity
        spreads = dict(self.by_statistic).get(statistic.key, ()) if alike else ()
        return dataclasses.replace(query, former_spreads=spreads)

    def sentence_of(self, query: Query) -> str:
        """Why errors are others than before that release. Empty where the query has nothing of it."""
        if not query.former_spreads or not self.dates:
            return ""
        return text_of("Foretold by the release of {dates}.", dates=periods_text(self.dates))


def _date(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def former_spreads(ledger: Ledger, population: str) -> FormerSpreads:
    """Those of the newest release of a population that has draws; none of a population without any."""
    newest = ledger.newest_draws(population)
    return FormerSpreads.read(None if newest is None else newest.draws)
