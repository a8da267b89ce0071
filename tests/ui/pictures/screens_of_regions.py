"""Pictures of regions that keep a promise, for `screenshots.py`: plan, map, table and review."""

from __future__ import annotations

from tests.ui.pictures.camera import Camera, wait_until, wanted
from ui.release.dialog import Phase


class RegionScreens(Camera):
    """The session has a plan of one statistic, which stays as it was."""

    def walk(self) -> None:
        """Parameters and map, table, and what would be signed; nothing is released."""
        if not any(wanted(f"x-regions{part}") for part in ("", "-table", "-review")):
            return
        workspace, session = self.workspace, self.workspace.session
        before = session.draft
        session.set_mechanism("Mechanism", "tokens", {"regions": True, "promised_error": 2.0})
        wait_until(lambda: not session.busy and not session.planning.smoothing)
        workspace.steps.choose("parameters")
        workspace.tabs.setCurrentWidget(workspace.map)
        workspace.map.layer.setCurrentIndex(workspace.map.layer.findData("typical-error"))
        workspace.parameters.sections["options"].open()
        self.take("x-regions")
        workspace.tabs.setCurrentWidget(workspace.table)
        self.take("x-regions-table")
        workspace.tabs.setCurrentWidget(workspace.map)
        texts = {"name": "bus-regions", "publisher": "City", "contact": "opendata@city.example"}
        session.edit("Texts", title="Bus speeds by region", **texts)
        wait_until(lambda: not session.busy)
        workspace.steps.choose("release")
        page = workspace.release
        page.folder.setText(str(session.home.folder / "releases"))
        page.review()
        dialog = page.dialog
        assert dialog is not None
        wait_until(lambda: dialog.phase is Phase.READY)
        self.take_dialog("x-regions-review", dialog)
        dialog.reject()
        session.apply(before)
        wait_until(lambda: not session.busy and not session.planning.smoothing)
        workspace.steps.choose("parameters")

    def user(self) -> None:
        """Relation `user`, all constants typed: the step *Hexagons*, parameters and map; the draft stays."""
        if not wanted("x-regions-user"):
            return
        workspace, session = self.workspace, self.workspace.session
        before = session.draft
        session.set_mechanism("Mechanism", "plan-and-enforce", {"regions": True, "promised_error": 3.0})
        wait_until(lambda: not session.busy and not session.planning.smoothing)
        workspace.steps.choose("parameters")
        self.take("x-regions-user")
        self.scroll_to(workspace.parameters.hexagons)
        self.take("x-regions-user-hexagons")
        session.edit("As before", queries=before.queries)
        wait_until(lambda: not session.busy and not session.planning.smoothing)
