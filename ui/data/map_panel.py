"""The preview's small map in words: rows drawn or none, points outside, swap, a far zone. Confidential."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from core.assist.coordinate_order import CoordinateCheck
from ui.data.point_map import PointMap
from ui.kit.buttons import push_button
from ui.kit.labels import label, set_look
from ui.language.translation import counted, translator, whole
from ui.layout.boxes import in_column, in_row

_tr = translator("MapPanel")


class MapPanel(QFrame):
    """Emits `swap_asked`; offers it louder where it would mend something."""

    swap_asked = Signal()

    def __init__(self, parent: QWidget | None = None, *, proposes: bool = True) -> None:
        """proposes: False in relation user, where nothing is advised by where the rows are (method 12.1)."""
        super().__init__(parent)
        self._proposes = proposes
        self.setProperty("look", "card")
        self.check: CoordinateCheck | None = None
        self.map = PointMap(self)
        self._line = label(look="heading", parent=self)
        self._advice = label(look="warning", parent=self)
        self.swap = push_button(_tr("Swap latitude and longitude"), self, self.swap_asked)
        row = in_row(None, self.swap, 1)
        in_column(self, self._line, (self.map, 1), self._advice, row, margins=(10, 10, 10, 10), spacing=6)
        self.clear()

    @property
    def text(self) -> str:
        """What is said about the map."""
        return "\n".join(item.text() for item in (self._line, self._advice) if item.text())

    @property
    def advises(self) -> bool:
        """Whether the positions look wrong."""
        return bool(self._advice.text())

    def clear(self, *, no_rows: bool = False) -> None:
        """There are no positions yet; no_rows: nor will there be any."""
        self.check = None
        self._line.setText(_tr("Where the rows are"))
        self._advice.setText("")
        self._advice.hide()
        self.swap.setEnabled(False)
        self._mark_swap(False)
        self.map.show_check(
            None, _tr("There are no rows to draw.") if no_rows else _tr("Choose the columns of the position.")
        )

    def show_check(self, check: CoordinateCheck) -> None:
        """Show the positions of a trial."""
        self.check = check
        reason = self._why_none(check)
        self._line.setText(self._count(check))
        advice = self._swap_advice(check) if self._proposes else ""
        notice = advice or (self._zone_advice(check) if self._proposes else "")
        self._advice.setText(notice)
        self._advice.setVisible(bool(notice))
        self.swap.setEnabled(check.readable > 0)
        self._mark_swap(bool(advice))
        self.map.show_check(check, reason)
        self.map.setAccessibleDescription(
            "\n".join(text for text in (self._line.text(), notice, reason) if text)
        )

    def _count(self, check: CoordinateCheck) -> str:
        if not check.drawn:
            return _tr("0 points are drawn")
        if check.box is None:
            return counted(
                "{drawn} of {n} row on the map",
                "{drawn} of {n} rows on the map",
                check.rows,
                drawn=whole(check.drawn),
            )
        inside = int(check.inside.sum())
        return _tr("● {n} in the box   ✕ {m} outside").format(n=inside, m=check.drawn - inside)

    def _why_none(self, check: CoordinateCheck) -> str:
        return {
            "": "",
            "no_rows": _tr("There are no rows to draw."),
            "unreadable": _tr(
                "No points to draw: no position could be read as numbers. Choose other columns, or "
                "another decimal mark under File format."
            ),
            "off_earth": _tr(
                "No points to draw: all lie beyond ±90° latitude or ±180° longitude, or at 0, 0. "
                "Choose other columns, or swap."
            ),
        }[check.why_none]

    def _swap_advice(self, check: CoordinateCheck) -> str:
        if check.swap_advised == "off_earth":
            return counted(
                "! {n} of {m} points lies beyond ±90° of latitude. Swapped, {k} of them lie on earth.",
                "! {n} of {m} points lie beyond ±90° of latitude. Swapped, {k} of them lie on earth.",
                check.readable - check.drawn,
                m=check.readable,
                k=check.on_earth_swapped,
            )
        if check.swap_advised == "box":
            return counted(
                "! Only {n} of {m} points lies in the box. Swapped, {k} do.",
                "! Only {n} of {m} points lie in the box. Swapped, {k} do.",
                int(check.inside.sum()),
                m=check.readable,
                k=check.inside_swapped,
            )
        if check.swap_advised == "zone":
            ((place, km),) = check.nearest_zones()
            return _tr(
                "! The points lie far from every place of the zone. Swapped, they lie {km:.0f} km "
                "from {place}."
            ).format(km=km, place=place.name)
        if place_if_swapped := check.home_if_swapped:
            return _tr("! The points lie near no known place. Swapped, they lie near {place}.").format(
                place=place_if_swapped
            )
        return ""

    def _zone_advice(self, check: CoordinateCheck) -> str:
        """The zone of another city, perhaps that of the files before."""
        if not check.beyond_zone:
            return ""
        ((place, _),) = check.nearest_zones()
        return _tr("! The points are far from this time zone. The nearest place is {place}, {zone}.").format(
            place=place.name, zone=place.zone
        )

    def _mark_swap(self, advised: bool) -> None:
        look = "primary" if advised else ""
        if (self.swap.property("look") or "") != look:
            set_look(self.swap, look)
