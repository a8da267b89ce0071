"""Pictures of what shows all timeslots and what is marked in every tab, for `screenshots.py`."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu

from tests.ui.pictures.camera import Camera, wait_until, wanted


class SlotScreens(Camera):
    """Strip, player, small maps, marks; the session has a plan."""

    def walk(self) -> None:
        """Leaves everything as it was."""
        names = ("z-playing", "z-all-slots", "z-marked", "z-no-picture")
        if not any(map(wanted, names)):
            return
        workspace = self.workspace
        session, strip, multiples = workspace.session, workspace.map.strip, workspace.map.multiples
        workspace.tabs.setCurrentWidget(workspace.map)
        wait_until(lambda: strip.settled)
        strip.repeat.setChecked(True)
        strip.player.set_speed(10**6)
        strip.toggle()
        self.take("z-playing")
        strip.toggle()
        strip.repeat.setChecked(False)
        strip.all_slots.click()
        wait_until(lambda: multiples.settled)
        self.take("z-all-slots")
        strip.all_slots.click()
        self.marks()
        menu = self.window.menuBar().actions()[0].menu()
        assert isinstance(menu, QMenu)
        if wanted("z-no-picture"):
            menu.popup(self.window.mapToGlobal(self.window.menuBar().geometry().bottomLeft()))
            self.keep_in_themes(menu, "z-no-picture")
            menu.close()
        session.chosen.clear_marks()

    def marks(self) -> None:
        """The same HATs in every tab that has something of them."""
        workspace = self.workspace
        errors, sizes = workspace.error_views.histogram, workspace.distributions.sizes
        workspace.places.show_result()  # on a narrow screen nothing is counted before
        workspace.tabs.setCurrentWidget(workspace.distributions)
        workspace.distributions.sections.setCurrentWidget(sizes)
        wait_until(lambda: sizes.settled)
        last = len(sizes.bars.bars) - 1
        sizes.bars.brushed.emit(last // 2, last, False)
        self.take("z-marked-distribution")
        workspace.distributions.sections.setCurrentIndex(0)
        workspace.tabs.setCurrentWidget(workspace.error_views)
        shown = workspace.error_views.sections.currentWidget()
        workspace.error_views.sections.setCurrentWidget(errors)
        wait_until(lambda: errors.settled)
        self.take("z-marked-errors")
        workspace.error_views.sections.setCurrentWidget(shown)
        workspace.tabs.setCurrentWidget(workspace.table)
        workspace.table.marked_only.setChecked(True)
        self.take("z-marked-table")
        workspace.table.marked_only.setChecked(False)
        workspace.tabs.setCurrentWidget(workspace.map)
        self.take("z-marked-map")
