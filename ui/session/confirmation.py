"""The sentence that a person confirms, and that it has changed since."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.accounting.exact_loss import StatedLoss
from core.accounting.privacy_loss import loss_of
from core.bundle.protection_texts import confirmation_sentence
from core.planning.query_plan import conversion_of_plans
from ui.language.translation import translator
from ui.session.selected_counts import selected_counts

if TYPE_CHECKING:
    from ui.session.session import Session

_tr = translator("Session")


class Confirmation(QObject):
    """Follows the plan of the session: the figures of the sentence come from it."""

    stands = Signal(str)
    """What is confirmed is what stands there (again): with the note that would say otherwise."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._confirmed: set[str] = set()
        """Every sentence that was: an undone change brings one of them back."""
        session.forecast_changed.connect(self._compare)

    @property
    def sentence(self) -> str | None:
        """What there is to confirm, with the figures of the newest plan; None where they are not known."""
        draft, shown, source = self._session.draft, self._session.forecast, self._session.source
        if draft.relation is None or draft.unit is None or shown is None or shown.selection is None:
            return None
        assert source is not None
        recorded, _ = selected_counts(shown.selection)
        stated = None
        if shown.charge is not None:
            loss, delta = loss_of(shown.charge, draft.unit), self._session.ledger.delta
            stated = StatedLoss(loss, delta, conversion_of_plans(shown.plans))
        return confirmation_sentence(
            draft.relation,
            draft.unit,
            shown.single_vehicle,
            recorded,
            stated,
            dwell=source.rules.tell_dwell,
        )

    def answer(self, *, confirmed: bool) -> None:
        """Confirm the sentence that is shown, or no longer; one undo step."""
        if confirmed and self.sentence is not None:
            self._confirmed.add(self.sentence)
        self._session.edit(_tr("Confirmation"), confirmed=confirmed)

    def forget(self) -> None:
        """The draft came with data: where it is confirmed, so is its first sentence."""
        self._confirmed.clear()

    def _compare(self) -> None:
        """Take the confirmation back where the sentence is another one; no undo step, as none was made."""
        session, sentence = self._session, self.sentence
        if not session.draft.confirmed or sentence is None or session.planning.is_of_before:
            return
        changed = _tr("The sentence that you confirmed has changed: read and confirm it again.")
        if self._confirmed and sentence not in self._confirmed:
            session.apply(dataclasses.replace(session.draft, confirmed=False))
            session.noted.emit(changed)
        else:
            self._confirmed.add(sentence)
            self.stands.emit(changed)
