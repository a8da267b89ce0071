"""The release whose numbers are shown; made with other settings, or for practice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.advice.verdict import Verdict, verdict_of
from core.bundle.release_result import HatRow, QueryResult, Release
from core.draft.draft import Draft
from core.planning.query_plan import QueryPlan
from core.published.published_verdict import RowsThatCame, rows_that_came
from core.release.prepare_publish import PublishedRelease
from core.release.value_query import ReleasedNumber, released_numbers
from core.release_texts import PRACTICE_PREFIX
from core.statistics.cdf import STATISTIC as CDF
from ui.language.translation import translator
from ui.session.opened_data import INDEXING, fields_of
from ui.session.planning import PLANNING

if TYPE_CHECKING:
    from ui.session.session import Session

_tr = translator("ShownRelease")
_ASKED = (*INDEXING, *PLANNING, "population", "zone")
"""What of a draft makes a request, of the loaded data."""


class ShownRelease:
    """What this window has published or practised last; the session's `published_changed` reports it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.published: PublishedRelease | None = None
        self.preview: Release | None = None
        """Made-up numbers in the place of released ones."""
        self._made_with = Draft()
        self.planned: dict[str, Verdict] = {}
        """Id of a query -> what was said of it before it was published."""
        self.chosen_number = 0
        """Which of `numbers` map and table show; of fewer the first."""

    @property
    def shown(self) -> Release | None:
        """Whose numbers map, table and plots show."""
        if self.preview is not None:
            return self.preview
        return self.published.release if self.published is not None else None

    @property
    def remarks(self) -> tuple[str, ...]:
        """What must be known of the numbers that are shown."""
        if self.preview is not None:
            return preview_remark(preview=True)
        return (
            *practice_remark(practice=self.practised),
            *settings_remark(otherwise=self.published_otherwise),
        )

    @property
    def numbers(self) -> tuple[ReleasedNumber, ...]:
        """Those of the shown release that maps and tables can show."""
        return () if self.shown is None else released_numbers(self.shown)

    def show_number(self, number: int) -> None:
        """Choose the one that map and table show; the session's `number_changed` reports it."""
        self.chosen_number = number
        self._session.number_changed.emit()

    def show_preview(self, preview: Release | None) -> None:
        """Show it in the place of what was released; None: show that again."""
        self.preview = preview
        self._session.published_changed.emit()

    @property
    def practised(self) -> bool:
        """What is shown as published is a practice release: nobody paid, and it is none."""
        return self.published is not None and self.published.bundle.name.startswith(PRACTICE_PREFIX)

    @property
    def was_published(self) -> bool:
        """This window has just published what the draft asks for: the same again costs nothing."""
        return self.published is not None and not self.practised and not self.published_otherwise

    @property
    def published_otherwise(self) -> bool:
        """What is shown as published or practised was made with other choices than those of the draft."""
        asked = fields_of(self._session.draft, _ASKED)
        return self.published is not None and fields_of(self._made_with, _ASKED) != asked

    def rows_of(self, plan: QueryPlan) -> RowsThatCame | None:
        """What became of a plan that knew constants alone; None before it is published, and of others."""
        if self.published is None or not self.was_published or not plan.errors_known_of:
            return None
        results = (one for one in self.published.release.queries if one.query_id == plan.query.id)
        result = next(results, None)
        return None if result is None else rows_that_came(result, plan.query.question.statistic.measures[0])

    def verdict_of(self, plan: QueryPlan) -> Verdict:
        """By what was published where a plan knew constants alone, else as it is planned."""
        rows = self.rows_of(plan)
        return verdict_of(plan) if rows is None else rows.verdict(verdict_of(plan))

    def set_published(self, published: PublishedRelease | None) -> None:
        """Show what was published just now, and read what is left."""
        self._show(published)
        if published is not None:
            self._session.noted.emit(_tr("{name} is signed and saved").format(name=published.bundle.name))
        self._session.ledger.read()

    def set_practised(self, published: PublishedRelease) -> None:
        """Show what a practice release brought; the draft is as unpublished as before."""
        self._show(published)
        notice = _tr("{name} is for practice; nothing is published")
        self._session.noted.emit(notice.format(name=published.bundle.name))

    def forget(self) -> None:
        """Other contributions: it was of those of before."""
        self.published = self.preview = None

    def _show(self, published: PublishedRelease | None) -> None:
        self.preview = None
        self.published, self._made_with = published, self._session.draft
        plans = self._session.forecast.plans if self._session.forecast is not None else ()
        self.planned = {plan.query.id: verdict_of(plan) for plan in plans}
        self._session.published_changed.emit()


def practice_remark(*, practice: bool) -> tuple[str, ...]:
    """Of a practice release."""
    return (_tr("PRACTICE: this is no release."),) if practice else ()


def preview_remark(*, preview: bool) -> tuple[str, ...]:
    """Of a preview."""
    return (_tr("PREVIEW: made-up values."),) if preview else ()


def settings_remark(*, otherwise: bool) -> tuple[str, ...]:
    """Of a release that was made with other choices than those of the draft."""
    return (_tr("Made with other settings than those chosen now."),) if otherwise else ()


def released_query(release: Release | None, statistic: str) -> QueryResult | None:
    """The query of this statistic; None where the release holds none, or there is no release."""
    queries = () if release is None else release.queries
    return next((query for query in queries if query.statistic == statistic), None)


def released_distribution(release: Release | None) -> QueryResult | None:
    """The query of a distribution, over records or over vehicles; None where there is none."""
    keys = (CDF.key, *(variant.key for variant in CDF.variants))
    return next((query for key in keys if (query := released_query(release, key)) is not None), None)


def released_row(release: Release, query: QueryResult, hat: tuple[str, int]) -> HatRow | None:
    """The row of a HAT (cell, slot); None for one that is not in the release."""
    cell, slot = hat
    start, labels = release.grid.text(slot), release.grid.labels(slot)
    return next((row for row in query.rows if cell in row.hexagons and row.holds(start, labels)), None)
