"""Pictures of shares and percentiles, for `screenshots.py`: parameters, plot, preview, table."""

from __future__ import annotations

from core.draft.draft import QueryDraft
from tests.ui.pictures.camera import Camera, wait_until, wanted
from ui.layout.scroll_areas import scroll_up_to


class ShareScreens(Camera):
    """The session has a plan of one statistic, which stays as it was."""

    def walk(self) -> None:
        """From what is published to what a preview shows; nothing is released."""
        names = ("parameters", "refused", "errors", "preview", "percentile", "mean", "table")
        if not any(wanted(f"x-shares-{name}") for name in names):
            return
        workspace, session = self.workspace, self.workspace.session
        before, page = session.draft, self.workspace.parameters
        session.edit(
            "Shares", queries=(QueryDraft(id="slow", statistic="share", budget=before.leading.budget),)
        )
        self.rest()
        workspace.steps.choose("parameters")
        page.sections["published"].open()
        page.ranges.propose.menu().actions()[0].trigger()
        self.rest()
        scroll_up_to(page.sections["published"].head)
        workspace.tabs.setCurrentWidget(workspace.map)
        workspace.map.show_layer("typical-error")
        self.take("x-shares-parameters")
        page.ranges.rows[0].high.setValue(80)
        self.take("x-shares-refused")
        page.ranges.propose.menu().actions()[3].trigger()
        self.rest()
        workspace.steps.choose("errors")
        wait_until(lambda: workspace.error_views.release.complete)
        self.rest()
        self.take("x-shares-errors")
        workspace.steps.choose("parameters")
        workspace.tabs.setCurrentWidget(workspace.map)
        session.preview.begin()
        wait_until(lambda: session.release.preview is not None)
        workspace.map.show_layer("smoothed-mean")
        self.take("x-shares-preview")
        session.release.show_number(len(session.release.numbers) - 2)
        self.take("x-shares-percentile")
        session.release.show_number(len(session.release.numbers) - 1)
        self.take("x-shares-mean")
        workspace.tabs.setCurrentWidget(workspace.table)
        self.take("x-shares-table")
        session.preview.end()
        workspace.tabs.setCurrentWidget(workspace.map)
        session.apply(before)
        self.rest()

    def rest(self) -> None:
        """Until all is planned."""
        session = self.workspace.session
        wait_until(lambda: not session.busy and not session.planning.smoothing)
