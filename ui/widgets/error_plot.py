"""Tab *Error plot*: expected error of every mechanism against epsilon, for one HAT."""

from __future__ import annotations

from decimal import Decimal
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from core.accounting.budgets import Budget
from core.errors import HexveilError
from core.mechanisms.registry import all_mechanisms
from core.values import EPSILON_STEP, floor_epsilon, plain
from ui.error_curves import CurveRequest, Curves, compute_curves, curve_request
from ui.jobs import LatestJob
from ui.messages import Message
from ui.session import Session
from ui.theme import Theme
from ui.widgets.curve_styles import CONSTANT, SWATCH, CurveStyle, constant_style, curve_styles
from ui.widgets.labels import badge, label

if TYPE_CHECKING:
    from ui.widgets.error_canvas import ErrorCanvas

_LEGEND_COLUMNS = 4
_EXCUSE_WIDTH = 420


class ErrorPlotTab(QWidget):
    """Follows the session while it is shown; builds its plot when it is shown first."""

    def __init__(self, session: Session, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._styles: dict[str, CurveStyle] = {}
        self._stale = True
        self._curves: Curves | None = None
        self._wanted: CurveRequest | None = None
        self.canvas: ErrorCanvas | None = None
        self._importing = LatestJob(parent=self)
        self._importing.succeeded.connect(self._on_imported)
        self._importing.failed.connect(session.failed)
        self._computing = LatestJob(parent=self)
        self._computing.succeeded.connect(self._on_computed)
        self._computing.failed.connect(self._on_failed)
        self._build()
        self._restyle()
        theme.changed.connect(self._restyle)
        for signal in (session.data_changed, session.draft_changed, session.contributions_changed):
            signal.connect(self._refresh)
        session.preview_changed.connect(self._refresh)
        session.hat_chosen.connect(self._refresh)

    def _build(self) -> None:
        self.title = label(look="heading", parent=self)
        self.subtitle = label(look="muted", parent=self)
        self.badge = badge(
            self.tr("Confidential"),
            self.tr("Follows from the counts of the loaded records: for your screen only."),
            self,
        )
        self.summary = label(parent=self)
        self.summary.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.summary.setIndent(0)
        self.summary.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.summary.setAccessibleName(self.tr("Expected errors at the chosen epsilon"))
        later = label(
            self.tr("Simulated errors, and the papers' replica data set, arrive with a later version."),
            "muted",
            self,
        )
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addWidget(self.subtitle)
        layout.addLayout(self._legend())
        layout.addWidget(self._middle(), 1)
        layout.addWidget(self.summary)
        layout.addWidget(later)

    def _legend(self) -> QGridLayout:
        """Check boxes and not pyqtgraph's legend: they are reached by keyboard and read aloud."""
        titles = {key: mechanism.title for key, mechanism in all_mechanisms().items()}
        titles[CONSTANT] = self.tr("A constant")
        self.switches = {key: QCheckBox(title, self) for key, title in titles.items()}
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        for number, box in enumerate(self.switches.values()):
            box.setChecked(True)
            box.setIconSize(SWATCH)
            box.toggled.connect(self._switch)
            grid.addWidget(box, *divmod(number, _LEGEND_COLUMNS))
        self.switches[CONSTANT].setToolTip(
            self.tr("Publishing half the upper bound, whatever the data: no mechanism should be worse.")
        )
        grid.setColumnStretch(_LEGEND_COLUMNS, 1)
        return grid

    def _middle(self) -> QStackedWidget:
        self.reason = label(look="title")
        self.advice = label(look="muted")
        excuse = QWidget(self)
        column = QVBoxLayout(excuse)
        column.addStretch(1)
        for text in (self.reason, self.advice):
            text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            text.setFixedWidth(_EXCUSE_WIDTH)
            column.addWidget(text, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(2)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(excuse)
        return self.stack

    # the plot comes with the first look at it

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        if self.canvas is None and not self._importing.running:
            # pyqtgraph takes a third of a second to import: not at the start of the program, and not
            # in the thread of the window. Its widgets are made in the main thread all the same.
            self._importing.start(lambda _: import_module("ui.widgets.error_canvas"))
        if self._stale:
            self._refresh()

    @Slot(object)
    def _on_imported(self, module: ModuleType) -> None:
        self.canvas = canvas = module.ErrorCanvas(self)
        canvas.setAccessibleName(self.tr("Error plot"))
        canvas.epsilon_dragged.connect(self._set_epsilon)
        self.stack.addWidget(canvas)
        self._restyle()
        self._switch()
        self._show_curves()

    @Slot()
    def _refresh(self) -> None:
        """Compute what the session asks for now; while hidden only remember that it is due."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        request = curve_request(self._session)
        if isinstance(request, Message):
            self._wanted = None
            self._computing.drop()
            self._excuse(request)
        elif not _same(request, self._wanted):
            self._wanted = request
            self._computing.start(lambda progress: compute_curves(request, progress))

    @Slot(object)
    def _on_computed(self, curves: Curves) -> None:
        self._curves = curves
        self._show_curves()

    @Slot(object)
    def _on_failed(self, error: object) -> None:
        self._wanted = None
        if isinstance(error, HexveilError):
            self._excuse(Message(what=error.what, where=error.where, mend=error.mend))
        else:
            self._session.failed.emit(error)

    def _excuse(self, message: Message) -> None:
        """Say why there is no plot, in its place."""
        self._curves = None
        self.reason.setText(message.what)
        self.advice.setText("\n".join(part for part in (message.where, message.mend) if part))
        self.title.setText(self.tr("Expected error against epsilon"))
        self._show_parts(None)

    def _show_parts(self, curves: Curves | None) -> None:
        shown = curves is not None and self.canvas is not None
        for widget in (self.subtitle, self.badge, self.summary):
            widget.setVisible(shown)
        for key, box in self.switches.items():
            box.setVisible(shown and curves is not None and (key == CONSTANT or key in curves.errors))
        if shown and self.canvas is not None:
            self.stack.setCurrentWidget(self.canvas)
        else:
            self.stack.setCurrentIndex(0)

    def _show_curves(self) -> None:
        curves, canvas = self._curves, self.canvas
        if curves is None or canvas is None:
            return
        request = curves.request
        canvas.show_curves(curves, self._styles)
        self.title.setText(self._headline(request))
        self.subtitle.setText(
            self.tr("The HAT you chose.")
            if request.chosen
            else self.tr("The HAT in the middle by vehicles; choose another on the map or in the table.")
        )
        self.summary.setText(self._summary(curves))
        canvas.setAccessibleDescription(f"{self.title.text()}\n{self.summary.text()}")
        self._paint_switches()
        self._show_parts(curves)

    def _headline(self, request: CurveRequest) -> str:
        return self.tr(
            "HAT {hat}: {vehicles} vehicles, {records} records (unit {unit}, relation {relation})"
        ).format(
            hat=request.hat,
            vehicles=f"{request.vehicles:,}",
            records=f"{request.records:,}",
            unit=request.unit,
            relation=request.relation,
        )

    def _summary(self, curves: Curves) -> str:
        values = [
            self.tr("{mechanism} {error:.2f}").format(
                mechanism=self._styles[key].title, error=errors[curves.chosen]
            )
            for key, errors in curves.errors.items()
        ]
        return self.tr(
            "At epsilon {epsilon} per HAT: {values}, a constant at most {constant:.4g} km/h."
        ).format(epsilon=plain(curves.request.epsilon), values=", ".join(values), constant=curves.constant)

    # what the analyst does

    @Slot(float)
    def _set_epsilon(self, value: float) -> None:
        """The line was let go: three figures, as its label reads."""
        epsilon = max(EPSILON_STEP, floor_epsilon(Decimal(f"{value:.3g}")))
        self._session.set_budget(self.tr("Epsilon"), Budget(per_hat=epsilon))

    @Slot()
    def _switch(self) -> None:
        if self.canvas is not None:
            off = (key for key, box in self.switches.items() if not box.isChecked())
            self.canvas.set_hidden(frozenset(off))

    @Slot()
    def _restyle(self) -> None:
        colours = self._theme.colours
        self._styles = curve_styles(all_mechanisms(), colours)
        self._styles[CONSTANT] = constant_style(colours)
        self.summary.setStyleSheet(
            "QLabel { border: 1px solid transparent; border-radius: 4px; padding: 2px 0; }"
            f"QLabel:focus {{ border-color: {colours.accent}; }}"
        )
        self._paint_switches()
        if self.canvas is not None:
            self.canvas.set_colours(colours, self._styles)

    def _paint_switches(self) -> None:
        strong = self._session.draft.mechanism
        for key, box in self.switches.items():
            box.setIcon(self._styles[key].swatch(self.devicePixelRatioF(), strong=key == strong))


def _same(request: CurveRequest, other: CurveRequest | None) -> bool:
    """Two requests give the same picture: a slot shown elsewhere must not blink here."""
    names = [name for name in CurveRequest.__dataclass_fields__ if name != "counts"]
    return (
        other is not None
        and request.counts.tobytes() == other.counts.tobytes()
        and all(getattr(request, name) == getattr(other, name) for name in names)
    )
