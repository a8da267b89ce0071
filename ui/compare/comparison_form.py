"""Which bundles are compared, earlier and later, and which number; of curves the edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from core.errors import InputError
from core.published.bundle_frames import PublishedBundle
from core.published.changes import shared_numbers
from core.published.comparison import RANGE_TO, Comparison, title_of
from core.statistics.share import PERCENTILES
from ui.compare.change_words import label_words
from ui.kit.labels import plain_label, shrinkable
from ui.kit.list_box import ListBox
from ui.language.translation import core_text

_SIDES = 2
_PERCENTILE = PERCENTILES.label.name if PERCENTILES.label else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Two different bundles, and a number that both tell."""

    before: PublishedBundle
    after: PublishedBundle
    statistic: str
    value: str
    """Column of the number."""


class ComparisonForm(QWidget):
    """Emits `chosen` where a person or other bundles change anything, and `label_chosen` of the edge."""

    chosen = Signal()
    label_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bundles: tuple[PublishedBundle, ...] = ()
        self.problem: InputError | None = None
        """Why the two cannot be compared."""
        self.before, self.after = ListBox(self), ListBox(self)
        self.number, self.label = ListBox(self), ListBox(self)
        self._label_caption = plain_label(self.tr("E&dge"), self)
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for caption, box in (
            (plain_label(self.tr("Earl&ier"), self), self.before),
            (plain_label(self.tr("&Later"), self), self.after),
            (plain_label(self.tr("&Number"), self), self.number),
            (self._label_caption, self.label),
        ):
            shrinkable(box)
            caption.setBuddy(box)
            form.addRow(caption, box)
        self.before.currentIndexChanged.connect(self._on_bundles)
        self.after.currentIndexChanged.connect(self._on_bundles)
        self.number.currentIndexChanged.connect(self.chosen)
        self.label.currentIndexChanged.connect(self.label_chosen)
        self.show_labels(None)

    def show_bundles(self, bundles: Sequence[PublishedBundle]) -> None:
        """Offer these, the earliest window first; what was chosen stays, else the first and the last."""
        wanted = [one.path for box in (self.before, self.after) if (one := self._at(box)) is not None]
        self._bundles = tuple(sorted(bundles, key=lambda one: (one.first, one.last, one.release)))
        paths = [one.path for one in self._bundles]
        rows = [paths.index(path) for path in dict.fromkeys(wanted) if path in paths]
        places = rows if len(rows) == _SIDES else [0, len(paths) - 1]
        for box, place in zip((self.before, self.after), places, strict=True):
            box.blockSignals(True)
            box.clear()
            for one in self._bundles:
                box.addItem(one.release)
            box.setCurrentIndex(place)
            box.setEnabled(len(paths) > 1)
            box.blockSignals(False)
        self._on_bundles()

    def show_labels(self, found: Comparison | None) -> None:
        """Offer the edges or limits of a comparison; hidden where it has one row a hexagon slot."""
        labels = found.labels if found else ()
        before = self.label.currentData()
        self.label.blockSignals(True)
        self.label.clear()
        for one in labels:
            self.label.addItem(label_words(found, one) if found else one, one)
        if labels:
            self.label.setCurrentIndex(labels.index(before) if before in labels else len(labels) // 2)
        self.label.blockSignals(False)
        self._label_caption.setText(self._caption(found.label if found else "", labels))
        for widget in (self.label, self._label_caption):
            widget.setVisible(bool(labels))

    def _caption(self, name: str, labels: Sequence[str]) -> str:
        """name: of the column that tells rows apart."""
        if name == _PERCENTILE:
            return self.tr("&Percentile")
        return self.tr("Ran&ge") if any(RANGE_TO in one for one in labels) else self.tr("E&dge")

    @property
    def edge(self) -> str | None:
        """Of the rows that are shown; None where there is one row a hexagon slot."""
        shown: str | None = self.label.currentData()
        return shown

    @property
    def current(self) -> Chosen | None:
        """What is chosen; None where two bundles or a number that both tell are missing."""
        before, after, number = self._at(self.before), self._at(self.after), self.number.currentData()
        if before is None or after is None or before is after or number is None:
            return None
        statistic, _, value = number.partition(" ")
        return Chosen(before=before, after=after, statistic=statistic, value=value)

    def _at(self, box: ListBox) -> PublishedBundle | None:
        place = box.currentIndex()
        return self._bundles[place] if 0 <= place < len(self._bundles) else None

    def _on_bundles(self) -> None:
        before, after = self._at(self.before), self._at(self.after)
        wanted = self.number.currentData()
        self.problem, numbers = None, []
        if before is not None and after is not None and before is not after:
            numbers = self._numbers(before, after)
        self.number.blockSignals(True)
        self.number.clear()
        for statistic, value in numbers:
            assert before is not None
            self.number.addItem(core_text(title_of(before.tables[statistic], value)), f"{statistic} {value}")
        self.number.setCurrentIndex(max(self.number.findData(wanted), 0))
        self.number.setEnabled(len(numbers) > 1)
        self.number.blockSignals(False)
        self.chosen.emit()

    def _numbers(self, before: PublishedBundle, after: PublishedBundle) -> list[tuple[str, str]]:
        """Statistic and column of what both tell; else `problem` says why there is none."""
        found = []
        for statistic in (key for key in before.tables if key in after.tables):
            try:
                shared = shared_numbers(before.tables[statistic], after.tables[statistic])
                found += [(statistic, one.value) for one in shared]
            except InputError as error:
                self.problem = error
        if not found and self.problem is None:
            self.problem = InputError(
                f"{before.release} and {after.release} have no statistic in common.",
                mend="compare releases of the same statistic",
            )
        if found:
            self.problem = None
        return found
