"""Fields of U and the physical maximum of a speed, which must be at least U, and of the box of positions."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QWidget

from core.clean.mapping import DEFAULT_PHYSICAL_MAX, Box, require_box, usual_physical_max
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.spec import DEFAULT_UPPER_BOUND, upper_bound_of
from core.spec.limits import MOST_KMH
from ui.kit.form_grid import EDITOR_WIDTH, FormGrid
from ui.kit.labels import label
from ui.kit.message_bar import problem_line
from ui.kit.spec_words import caption_of
from ui.kit.tips import in_lines
from ui.language.translation import translator
from ui.layout.boxes import in_column

_tr = translator("LimitsGroup")

_MOST_PHYSICAL = 1_000_000
_DECIMALS = 3


class Kmh(QDoubleSpinBox):
    """Shows no more decimals than the number has."""

    def __init__(self, kmh: float, most: float, parent: QWidget) -> None:
        super().__init__(parent)
        self.setRange(1 / THOUSAND, most)
        self.setDecimals(_DECIMALS)
        self.setSuffix(_tr(" km/h"))
        self.setValue(kmh)
        self.setFixedWidth(EDITOR_WIDTH)

    def textFromValue(self, value: float) -> str:  # noqa: N802 - Qt's name
        return f"{value:.3f}".rstrip("0").rstrip(".")


class BoxEdit(QWidget):
    """Four edges in degrees, typed, or taken from the points by a button; all empty is no box."""

    changed = Signal()
    wanted = Signal()
    """The person asks for the box around the points that are shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        names = (_tr("south"), _tr("west"), _tr("north"), _tr("east"))
        self.edges = [QLineEdit(self) for _ in names]
        self.from_points = QPushButton(_tr("From these points"), self)
        self.from_points.setToolTip(
            in_lines(_tr("Fits the box to the rows shown. Check the map: a wrong point widens the box."))
        )
        self.none = QPushButton(_tr("No box"), self)
        self._error = label(look="error", parent=self)
        row = QGridLayout()
        row.setHorizontalSpacing(5)
        row.setVerticalSpacing(1)
        for column, (name, edge) in enumerate(zip(names, self.edges, strict=True)):
            row.addWidget(label(name, "muted", self), 0, column)
            edge.setAccessibleName(_tr("Box, {edge}, degrees").format(edge=name))
            edge.setToolTip(in_lines(_tr("{edge}, degrees").format(edge=name)))
            edge.setMinimumWidth(54)
            edge.textEdited.connect(self._on_edited)
            row.addWidget(edge, 1, column)
        buttons = QHBoxLayout()
        for button in (self.from_points, self.none):
            button.setProperty("look", "flat")
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.from_points.clicked.connect(self.wanted)
        self.none.clicked.connect(lambda: self._take(None))
        in_column(self, row, self._error, buttons, spacing=2)
        self._check()

    @property
    def box(self) -> Box | None:
        """The box; None where there is none or it does not fit."""
        try:
            return self._read()
        except InputError:
            return None

    @property
    def problem(self) -> str:
        """What does not fit; empty while all does."""
        return self._error.text()

    def show_box(self, box: Box | None) -> None:
        """Show these edges."""
        edges = (box.south, box.west, box.north, box.east) if box else ("", "", "", "")
        for edge, number in zip(self.edges, edges, strict=True):
            edge.setText(f"{number:.10g}" if isinstance(number, float) else "")
        self._check()

    def _take(self, box: Box | None) -> None:
        self.show_box(box)
        self.changed.emit()

    def take(self, box: Box) -> None:
        """Show a box that the person asked for."""
        self._take(box)

    def _on_edited(self) -> None:
        self._check()
        self.changed.emit()

    def _read(self) -> Box | None:
        texts = [edge.text().strip() for edge in self.edges]
        if not any(texts):
            return None
        try:
            south, west, north, east = map(float, texts)
        except ValueError:
            raise InputError(
                _tr("A box needs four numbers."), mend=_tr("write degrees such as 21.05, or clear all four")
            ) from None
        box = Box(south=south, west=west, north=north, east=east)
        require_box(box)
        return box

    def _check(self) -> None:
        text = ""
        try:
            self._read()
        except InputError as error:
            text = problem_line(error)
        self._error.setText(text)
        self._error.setVisible(bool(text))
        self.none.setEnabled(any(edge.text() for edge in self.edges))


class LimitsGroup(QWidget):
    """U, physical maximum and box."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._of_speed = True
        self._usual = DEFAULT_PHYSICAL_MAX
        self.grid = FormGrid(self)
        self.bound = Kmh(DEFAULT_UPPER_BOUND / THOUSAND, MOST_KMH, self.grid)
        self.physical = Kmh(DEFAULT_PHYSICAL_MAX / THOUSAND, _MOST_PHYSICAL, self.grid)
        self.box = BoxEdit(self.grid)
        self.grid.add_key("bound", "data.upper_bound_kmh", self.bound)
        self.grid.say("bound", _tr("higher speeds are lowered to this"))
        self.grid.add_key("physical", "data.mapping.physical_max_kmh", self.physical)
        self.physical.setAccessibleName(_tr("Physical maximum"))
        self.grid.say("physical", _tr("larger values are dropped"))
        self.grid.add_key("box", "data.mapping.box", self.box, beside=lambda: self.box.edges[0])
        self.grid.say("box", _tr("positions outside are dropped"))
        in_column(self, self.grid)
        self.bound.valueChanged.connect(self._follow_bound)
        self.bound.valueChanged.connect(self.changed)
        self.physical.valueChanged.connect(self.changed)
        self.box.changed.connect(self.changed)

    def _follow_bound(self) -> None:
        """The usual physical maximum is never below U; another one is a person's."""
        usual = usual_physical_max(round(self.bound.value() * THOUSAND))
        if self.physical_max == self._usual:
            self.physical.setValue(usual / THOUSAND)
        self._usual = usual

    def set_speed(self, speed: bool) -> None:
        """Show the bounds of a speed; another value has other fields."""
        self._of_speed = speed
        self.grid.set_shown({"bound": speed, "physical": speed})

    @property
    def upper_bound(self) -> int:
        """U of a speed in thousandths. Raises InputError when it does not fit."""
        return upper_bound_of(self.bound.value(), where=caption_of("data.upper_bound_kmh"))

    @property
    def physical_max(self) -> int:
        """Thousandths of km/h."""
        return round(self.physical.value() * THOUSAND)

    @property
    def problem(self) -> str:
        """Why records would be dropped by values inside the protected range; empty where they are not."""
        if not self._of_speed or self.physical.value() >= self.bound.value():
            return ""
        return _tr(
            "The physical maximum must be at least U. Otherwise counts of records would reveal speeds."
        )

    def show_limits(self, physical_max: int, box: Box | None) -> None:
        """Show these limits; U stays."""
        self.physical.setValue(physical_max / THOUSAND)
        self.box.show_box(box)
