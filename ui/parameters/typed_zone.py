"""The time zone of relation `user`, typed, and *Load the records in this zone*."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from core.errors import InputError
from core.records.zone_names import main_zone
from core.records.zone_places import zones_of_city
from core.records.zones import main_zones, require_zone
from ui.kit.buttons import push_button
from ui.kit.labels import label
from ui.kit.message_bar import MessageBar
from ui.kit.spec_words import caption_of
from ui.kit.stage import Stage
from ui.kit.zone_completer import ZoneCompleter
from ui.layout.boxes import in_column
from ui.session.guards.parameters import zone_differs
from ui.session.session import Session


class TypedZone(QWidget):
    """Begins empty; where records lie in another zone a button loads them anew with this one.

    Of a contribution table it shows that of the table.
    """

    def __init__(self, session: Session, message: MessageBar, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._message = message
        self._completed = False
        self.edit = QLineEdit(self, placeholderText=self.tr("for example Asia/Bangkok"))
        self.edit.setAccessibleName(caption_of("data.zone"))
        self.edit.editingFinished.connect(self._typed)
        self.differs = label(look="warning")
        self.again = push_button(self.tr("Load the records in this &zone"), self, self._load_again)
        in_column(self, self.edit, self.differs, self.again, spacing=4)
        self.setFocusProxy(self.edit)
        self._finding = Stage(self, self._complete)
        session.contributions_changed.connect(self.refresh)
        self.refresh()

    def showEvent(self, _: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Names of zones take a moment to be found: in a worker, when somebody may want them."""
        if not self._completed:
            self._completed = True
            self._finding.start(lambda _: main_zones(), what=self.tr("Listing the time zones…"))

    def _complete(self, zones: Sequence[str]) -> None:
        self.edit.setCompleter(ZoneCompleter(zones, self))

    def refresh(self) -> None:
        """Show the draft's zone, and whether the records are cut by another one."""
        table = self._session.table
        self._session.refused.mend(self)
        self.edit.setText(self._session.draft.zone if table is None else table.table.zone)
        reason = zone_differs(self._session)
        for widget in (self.differs, self.again):
            widget.setVisible(reason is not None)
        self.differs.setText("" if reason is None else f"! {reason.what}")

    def _typed(self) -> None:
        zone = self.edit.text().strip()
        found = zones_of_city(zone)
        zone = found[0] if len(found) == 1 else main_zone(zone)
        self.edit.setText(zone)
        if zone == self._session.draft.zone:
            if self._session.refused.mend(self):
                self._message.clear()
            return
        try:
            if zone:
                require_zone(zone)
        except InputError as error:
            self._message.show_error(error)
            self._session.refused.note(self, error)
            return
        self._message.clear()
        self._session.edit(caption_of("data.zone"), zone=zone)

    def _load_again(self) -> None:
        self._session.load_in_zone(self._session.draft.zone)
