"""A preview: map and table as the release would make them, from made-up values, until it is ended."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.bounding.candidates import candidate_hats
from core.bounding.constants import BoundingConstants
from core.bounding.public_counts import PublicCounts
from core.bundle.public_constants import constants_of
from core.bundle.release_result import Release
from core.contributions import Contributions
from core.draft.draft import DataSource, Draft, spec_of
from core.grouping.plan_cache import PlanCache
from core.prior.public_prior import PriorReader, PublicPrior
from core.privacy import Relation
from core.progress import Progress
from core.release.preview import preview
from core.spec import ReleaseSpec
from ui.kit.stage import Stage
from ui.language.translation import translator

if TYPE_CHECKING:
    from ui.session.session import Session

_tr = translator("Preview")


class MadeUpPreview(QObject):
    """Off until somebody asks for it; every change of the draft has it made anew."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.active = False
        self._stage = Stage(self, self._on_made, failed=self._on_failed)
        self._stage.progressed.connect(session.progressed)
        session.forecast_changed.connect(self._remake)
        session.data_changed.connect(self.end)

    @property
    def making(self) -> bool:
        """It is not there yet."""
        return self._stage.running

    def begin(self) -> None:
        """Show one, of the draft as it is planned now."""
        self.active = True
        self._remake()
        self.changed.emit()

    def end(self) -> None:
        """What was released, or nothing, is shown again."""
        self._stage.forget()
        if self.active:
            self.active = False
            self._session.release.show_preview(None)
            self.changed.emit()

    def _remake(self) -> None:
        session, source = self._session, self._session.source
        if not self.active:
            return
        if session.forecast is None or not session.forecast.plans:
            self._stage.forget()
            session.release.show_preview(None)  # it was of choices before; these can be mended
            return
        draft, table, delta = session.draft, session.contributions, session.ledger.delta
        if source is None or table is None:
            return
        cache, reader = session.planning.cache, session.prior_reader
        self._stage.start(
            lambda progress: _previewed(draft, source, table, delta, cache, reader, progress),
            what=_tr("Drawing from made-up values…"),
        )

    def _on_made(self, release: Release) -> None:
        self._session.release.show_preview(release)
        self.changed.emit()

    def _on_failed(self, error: object) -> None:
        self.end()
        self._session.failed.emit(error)


def _previewed(
    draft: Draft,
    source: DataSource,
    table: Contributions,
    delta: Decimal,
    cache: PlanCache,
    reader: PriorReader,
    progress: Progress,
) -> Release:
    """What a draft still lacks is filled in, as nothing of it is published."""
    whole = dataclasses.replace(
        draft,
        name=draft.name or "preview",
        version="1.0.0",
        title=draft.title or "Preview",
        publisher=draft.publisher or "-",
        contact=draft.contact or "-",
        population=draft.population or "Preview",
        confirmed=True,
    )
    spec = spec_of(whole, source, source.files[0].parent)
    counts = None
    if draft.relation is Relation.USER and draft.prior.enough:
        counts = _known_counts(draft.prior, constants_of(spec, derived=bool(table.derived)), spec, reader)
    return preview(spec, table, delta=delta, counts=counts, progress=progress, plan_cache=cache)


def _known_counts(
    prior: PublicPrior, constants: BoundingConstants, spec: ReleaseSpec, reader: PriorReader
) -> PublicCounts:
    found = reader.read(
        prior, constants.cells, constants.window, spec.resolution, spec.unit, places=constants.places
    )
    return prior.counts(candidate_hats(constants), found)
