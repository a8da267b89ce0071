"""The place *Ledger* and its tips: what releases cost, signed notices, a folder that is not that bundle."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QSplitter, QStackedWidget, QWidget

from core.accounting.ledger_report import PopulationSummary
from core.keys.notice import PublishedNotice
from ui.budget.limit_dialog import LimitDialog
from ui.kit.buttons import push_button
from ui.kit.cards import card, flowing
from ui.kit.empty_state import EmptyState
from ui.kit.labels import label, shrinkable
from ui.kit.list_box import ListBox
from ui.kit.message_bar import Message, MessageBar
from ui.kit.stage import Stage
from ui.kit.theme import Theme
from ui.layout.boxes import in_column, in_row
from ui.layout.scroll_areas import scrolling
from ui.ledger.day_strip import DayStrip
from ui.ledger.limits_card import LimitsCard
from ui.ledger.notice_dialog import NoticeDialog
from ui.ledger.population_list import PopulationList
from ui.ledger.series_card import SeriesCard
from ui.ledger.spending import Spending, spending_of
from ui.ledger.spent_bar import SpentBar
from ui.ledger.timeline_table import TimelineTable
from ui.ledger.words import balance_in_words, state_of
from ui.session.known_bundles import is_bundle, known_folder
from ui.session.pack_button import PackButton
from ui.session.session import Session
from ui.session.settings import Settings

_LEFT, _RIGHT = 210, 320
_NARROW, _LEAST_TABLE = 1080, 170
"""Pixels: in a narrower page limits and plan stand below the timeline, so that it has all of its columns."""
_LOW = 560
"""Pixels of a page: in a lower one the strip of days waits until it is asked for; the timeline goes first."""


class LedgerPage(QWidget):
    """As wide as the window. Emits `closed`, and `verify_wanted([folder])` for a bundle."""

    closed = Signal()
    verify_wanted = Signal(list)

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = Settings(session.home)
        self.dialog: NoticeDialog | None = None
        self.spending: Spending | None = None
        self.job = Stage(self, self._show_spending, failed=session.failed)
        self.populations = PopulationList(self)
        self.populations.population_chosen.connect(self._work_out)
        self.limits = LimitsCard(session, self)
        self.series = SeriesCard(session, self)
        self.message = MessageBar(self)
        self._build(theme)
        session.ledger_changed.connect(self.refresh)
        session.forecast_changed.connect(self._renew_series)

    def _build(self, theme: Theme) -> None:
        self.back = push_button(self.tr("← &Back to the steps"), self, self.closed)
        head = QHBoxLayout()
        head.addWidget(self.back)
        head.addSpacing(8)
        title = label(self.tr("Ledger"), "title", self, wraps=False)
        head.addWidget(title)
        text = label(
            self.tr("What each release has cost. Spent budget (epsilon) never comes back."), "muted", self
        )
        text.setWordWrap(False)
        head.addWidget(text, 1)
        self._parts = QSplitter(Qt.Orientation.Horizontal, self, handleWidth=8)
        self._parts.addWidget(self.populations)
        self._parts.addWidget(scrolling(self._centre(theme)))
        self._side, self._aside = self._right(), scrolling()
        self._aside.setWidget(self._side)
        self._parts.addWidget(self._aside)
        self._parts.setStretchFactor(1, 1)
        self._parts.setSizes([_LEFT, 2 * _RIGHT, _RIGHT])
        self._parts.setChildrenCollapsible(False)
        self.empty = EmptyState(self)
        self.empty.show_message(
            Message(
                what=self.tr("The ledger is empty."),
                mend=self.tr("Name a population of vehicles and set its limit. Then you can release."),
            )
        )
        self.empty.offer(push_button(self.tr("Set &a limit…"), self, self._ask_limit, look="primary"))
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._parts)
        in_column(self, head, (self._stack, 1), margins=(12, 10, 12, 8))

    def _centre(self, theme: Theme) -> QWidget:
        self.name = flowing(look="title", parent=self)
        self.balance = flowing(parent=self)
        self.bar = SpentBar(theme, self)
        self.days = DayStrip(theme, self)
        self.table = TimelineTable(self)
        self.bar.chosen.connect(self.table.choose)
        self.table.entry_chosen.connect(self._on_entry)
        self.bundles = ListBox(self)
        self.bundles.setAccessibleName(self.tr("Bundle of this entry"))
        self.bundles.setToolTip(self.tr("The same numbers were signed under several names, at no cost."))
        shrinkable(self.bundles)
        self.bundles.hide()
        self.bundles.currentIndexChanged.connect(self._enable)
        self.nothing_paid = flowing(self.tr("Nothing was released yet."), "muted", self)
        self._days_head = flowing(self.tr("Each day"), "heading", self)
        self._bar_head = flowing(self.tr("Over all time, a piece for each entry"), "heading", self)
        self.show_days = QPushButton(self.tr("Each &day"), self)
        self.show_days.setToolTip(self.tr("What a vehicle has spent on each day"))
        self.show_days.setCheckable(True)
        self.show_days.toggled.connect(self._fold)
        head = in_row(None, (self.name, 1), self.show_days)
        centre = QWidget(self)
        column = in_column(
            centre,
            card(centre, "card", head, self.balance, self._bar_head, self.bar, self._days_head, self.days),
            flowing(self.tr("Timeline"), "heading", centre),
            self.nothing_paid,
            (self.table, 1),
            self.bundles,
            self._actions(centre),
            self.message,
            margins=(0, 0, 4, 0),
        )
        self._filler = QWidget(centre)  # in place of the table, where nothing was paid
        column.addWidget(self._filler, 1)
        self._column = column
        return centre

    def _actions(self, parent: QWidget) -> QHBoxLayout:
        self.open = push_button(self.tr("&Open the folder"), parent, self._open_folder)
        self.verify = push_button(self.tr("Verif&y"), parent, self._verify)
        self.pack = PackButton(parent)
        self.pack.clicked.connect(self._pack)
        self.pack.packed.connect(self._tell_packed)
        self.pack.refused.connect(self.message.show_error)
        self.correct = QPushButton(self.tr("&Correct…"), parent)
        self.correct.setToolTip(self.tr("Say by a signed notice that another bundle takes its place"))
        self.correct.clicked.connect(lambda: self._ask_notice(corrects=True))
        self.withdraw = QPushButton(self.tr("&Withdraw…"), parent)
        self.withdraw.setToolTip(self.tr("Say by a signed notice that nobody should use it"))
        self.withdraw.clicked.connect(lambda: self._ask_notice(corrects=False))
        return in_row(None, self.open, self.verify, self.pack, self.correct, self.withdraw, 1)

    def _right(self) -> QWidget:
        right = QWidget(self)
        in_column(right, self.limits, self.series, 1, margins=(0, 0, 4, 0))
        return right

    # what is shown

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fold()
        self._place_side()

    def _place_side(self) -> None:
        """Beside the timeline, or below it."""
        below = self.width() < _NARROW
        if below == self._aside.isHidden():
            return
        if below:
            self._aside.takeWidget()
            self._column.addWidget(self._side)
        else:
            self._column.removeWidget(self._side)
            self._aside.setWidget(self._side)
        self.table.setMinimumHeight(_LEAST_TABLE if below else 0)
        self._aside.setVisible(not below)
        self._side.show()

    def _fold(self) -> None:
        """In a low page the timeline goes before the days, which a button brings."""
        low = self.height() < _LOW
        days = self.spending is not None and bool(self.spending.days)
        self._bar_head.setVisible(not low)
        self.show_days.setVisible(low and days)
        self._days_head.setVisible(days and not low)
        self.days.setVisible(days and (not low or self.show_days.isChecked()))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        if not event.spontaneous():  # somebody has come here
            self.populations.choose(self._session.draft.population)
        self._session.ledger.read()  # another window may have spent

    def refresh(self) -> None:
        """Show the newest ledger."""
        populations = self._session.ledger.populations
        self._stack.setCurrentIndex(1 if populations else 0)
        self.populations.show_populations(populations, self._session.draft.population)
        self._work_out()

    def _work_out(self) -> None:
        population = self._current()
        if population is not None:
            self.job.start(partial(spending_of, population), what=self.tr("Reading the ledger…"))

    def _current(self) -> PopulationSummary | None:
        return next(
            (one for one in self._session.ledger.populations if one.name == self.populations.current), None
        )

    def _show_spending(self, spending: Spending) -> None:
        if self.spending is None or self.spending.population.name != spending.population.name:
            self.message.clear()
        self.spending = spending
        self.name.setText(spending.population.name)
        self.balance.setText(balance_in_words(spending))
        self.bar.show_spending(spending)
        self.days.show_spending(spending)
        self.table.show_spending(spending)
        self.limits.show_population(spending.population, self._session.ledger.populations)
        self.series.show_spending(spending)
        paid = bool(spending.timeline)
        for widgets, shown in (
            ((self.table, self.open, self.verify, self.pack, self.correct, self.withdraw), paid),
            ((self.nothing_paid, self._filler), not paid),
        ):
            for widget in widgets:
                widget.setVisible(shown)
        self._fold()
        self._on_entry(self.table.current.number if self.table.current else 0)

    def _renew_series(self) -> None:
        if self.spending is not None and self.isVisible():
            self.series.show_spending(self.spending)

    def _on_entry(self, number: int) -> None:
        """Offer the bundles of the chosen entry, the newest first; the chosen one stays chosen."""
        self.bar.mark(number)
        entry, before = self.table.current, self.bundles.currentData()
        names = () if entry is None else entry.bundles[::-1]
        self.bundles.blockSignals(True)
        self.bundles.clear()
        for name in names:
            assert entry is not None
            text = self.tr("{bundle}: {state}").format(bundle=name, state=state_of(entry, name))
            self.bundles.addItem(text, name)
        self.bundles.setCurrentIndex(max(self.bundles.findData(before), 0) if names else -1)
        self.bundles.blockSignals(False)
        self.bundles.setVisible(len(names) > 1)
        self._enable()

    def _enable(self) -> None:
        """What can be done with the chosen bundle: only a published one lies in a folder."""
        entry, name = self.table.current, self.bundles.currentData()
        notice = None if entry is None or name is None else entry.notice_on(name)
        published = name is not None
        for button in (self.open, self.verify, self.pack):
            button.setEnabled(published)
        for button in (self.correct, self.withdraw):  # a withdrawal is final
            button.setEnabled(published and (notice is None or bool(notice.replaced_by)))

    # what is done

    def _ask_limit(self) -> None:
        LimitDialog(self._session, self).open()

    def _open_folder(self) -> None:
        folder = self._folder()
        if folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _verify(self) -> None:
        folder = self._folder()
        if folder is not None:
            self.verify_wanted.emit([folder])

    def _pack(self) -> None:
        folder = self._folder()
        if folder is not None:
            self.pack.pack(folder)

    def _tell_packed(self, path: Path) -> None:
        self.message.show_message(
            Message(what=self.tr("✓ Packed as one file."), where=str(path)), look="good"
        )

    def _ask_notice(self, *, corrects: bool) -> None:
        folder = self._folder()
        if folder is None:
            return
        key = self._settings.key_file
        self.dialog = NoticeDialog(self._session, folder, key=key, corrects=corrects, parent=self)
        self.dialog.finished.connect(self._on_dialog_closed)
        self.dialog.open()

    def _on_dialog_closed(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is None:
            return
        if dialog.published is not None:
            self._tell(dialog.published)
        dialog.deleteLater()

    def _tell(self, published: PublishedNotice) -> None:
        self.message.show_message(
            Message(
                what=self.tr("✓ The notice is signed."),
                where=str(published.path),
                mend=self.tr("Publish it and its signature beside the bundle."),
            ),
            look="good",
        )

    def _folder(self) -> Path | None:
        """Where the chosen bundle lies; the ledger keeps no paths, so one may be asked."""
        self.message.clear()
        name = self.bundles.currentData()
        if name is None:
            return None
        known = known_folder(self._settings, name)
        if known is not None:
            return known
        chosen = QFileDialog.getExistingDirectory(
            self, self.tr("Where is {name}?").format(name=name), str(self._settings.release_folder)
        )
        if not chosen:
            return None
        folder = Path(chosen)
        for candidate in (folder, folder / name):
            if candidate.name == name and is_bundle(candidate):
                self._settings.add_recent_path("bundle", candidate)
                return candidate
        self.message.show_message(
            Message(
                what=self.tr("This folder is not that bundle."),
                where=chosen,
                mend=self.tr("choose the folder {name}, or the one that contains it").format(name=name),
            ),
            look="error",
        )
        return None
