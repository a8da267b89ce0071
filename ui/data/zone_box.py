"""A list of time zones to type into, by the name of a zone or of a city in it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from core.records.zone_names import names_of_zone
from core.records.zone_places import ZonePlace, zones_of_city
from ui.kit.form_grid import EDITOR_WIDTH
from ui.kit.list_box import ListBox
from ui.kit.zone_completer import ZoneCompleter
from ui.language.translation import translator

_tr = translator("ZoneBox")


class ZoneBox(ListBox):
    """A text that names neither a zone nor a city of one zone counts as none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._zones: dict[str, str] = {}
        self._proposed: tuple[ZonePlace, ...] = ()
        self.setFixedWidth(EDITOR_WIDTH)
        self.setMaxVisibleItems(16)
        self.setEditable(True)
        self.edit = QLineEdit(self)
        # the padding of a separate line edit would cut the text inside the box
        self.edit.setStyleSheet("border: none; padding: 0; background: transparent;")
        self.edit.setPlaceholderText(_tr("Zone or city…"))
        self.setLineEdit(self.edit)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.activated.connect(self._take)
        self.edit.editingFinished.connect(self._take)

    def offer(self, zones: Sequence[str], cities: Sequence[tuple[str, str]] = ()) -> None:
        """Offer these zones, once; nothing is chosen. cities: names with their zones, to be found by."""
        if self._zones:
            return
        offered = set(zones)
        by_city = {
            _named(city, zone): zone
            for city, zone in cities
            if zone in offered and city != zone.rpartition("/")[2].replace("_", " ")
        }
        by_name = {name: zone for zone in zones for name in names_of_zone(zone)}
        self._zones = {text.casefold(): zone for text, zone in (by_name | by_city).items()}
        for zone in zones:
            self.addItem(zone, zone)
        self.setCurrentIndex(-1)
        completer = ZoneCompleter([*zones, *sorted(by_city)], self)
        self.setCompleter(completer)
        # after the list's own answer, which is that it has no such row where a city was chosen
        completer.activated[QModelIndex].connect(self._take_completion)  # type: ignore[index]

    def propose(self, places: Sequence[ZonePlace]) -> None:
        """Put the zones of these places first in the list; none is chosen by that."""
        if tuple(places) == self._proposed:
            return
        shown = self.currentText()
        for _ in range(len(self._proposed) and len(self._proposed) + 1):  # and what sets them apart
            self.removeItem(0)
        self._proposed = tuple(places)
        if places:
            self.insertSeparator(0)
        for place in reversed(places):
            self._zones[_near(place).casefold()] = place.zone
            self.insertItem(0, _near(place), place.zone)
        self.setCurrentIndex(self.findText(shown) if shown else -1)
        self.setEditText(shown)

    @property
    def zone(self) -> str:
        """The zone under its own name; empty for a text that names none, or a city of several."""
        text = self.currentText().strip()
        known = self._zones.get(text.casefold(), "")
        found = zones_of_city(text) if text and not known else ()
        return known or (found[0] if len(found) == 1 and found[0].casefold() in self._zones else "")

    def show_zone(self, zone: str) -> None:
        """Show a zone, or none."""
        self.setCurrentIndex(self.findText(zone) if zone else -1)
        self.setEditText(zone)

    def _take_completion(self, chosen: QModelIndex) -> None:
        self.show_zone(self._zones[str(chosen.data()).casefold()])
        self.activated.emit(self.currentIndex())

    def _take(self) -> None:
        """A city that was typed, or a place that was proposed, gives way to its zone."""
        if zone := self.zone:
            self.show_zone(zone)


def _named(city: str, zone: str) -> str:
    return f"{city}, {zone}"


def _near(place: ZonePlace) -> str:
    return _tr("{zone}, near {place}").format(zone=place.zone, place=place.name)
