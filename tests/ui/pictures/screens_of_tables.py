"""Pictures of an open contribution table, for `screenshots.py`: what it tells, and what not."""

from __future__ import annotations

from pathlib import Path

from core.contributions.file_write import write_contributions
from core.privacy import Relation, Unit
from core.release.contributions_source import contributions_for
from core.release.practice import sample_spec
from tests.ui.pictures.camera import Camera, wait_until, wanted
from tests.ui.table_story import write_wrong_sum
from ui.data.table_passphrase import TablePassphraseDialog
from ui.data.table_speeds import TableSpeedsQuestion
from ui.kit.jobs import any_running
from ui.session.table_passphrases import PassphraseRequest


class TableScreens(Camera):
    """The sample as a table; other data take its place, so this comes last."""

    def walk(self) -> None:
        """Data, hexagons, parameters, distributions and table; a question and a refusal."""
        names = ("data", "hexagons", "hexagons-user", "parameters", "distributions", "rows")
        names += ("grids", "speeds", "torn", "passphrase", "dates")
        if not any(wanted(f"w-table-{name}") for name in names):
            return
        folder = self.window.home.folder / "tables"
        folder.mkdir(exist_ok=True)
        path = folder / "city-buses.parquet"
        write_contributions(contributions_for(sample_spec())[0], path, physical=(0, 200_000))
        workspace, session = self.workspace, self.workspace.session
        session.edit("Population", population="")  # nobody asks whose vehicles these are
        workspace.open_dropped([path])
        self.settle()
        workspace.tabs.setCurrentWidget(workspace.map)
        self.take("w-table-data")
        workspace.steps.choose("parameters")
        self.take("w-table-hexagons")
        session.edit("Relation", relation=Relation.VALUES, unit=Unit.VEHICLE)
        session.set_mechanism("Method", "tokens", {})
        self.settle()
        workspace.steps.choose("parameters")
        self.take("w-table-parameters")
        workspace.tabs.setCurrentWidget(workspace.distributions)
        workspace.distributions.sections.setCurrentWidget(workspace.distributions.resolutions)
        workspace.places.show_result()  # on a narrow screen nothing is computed before
        wait_until(lambda: workspace.distributions.resolutions.complete)
        self.take("w-table-distributions")
        workspace.tabs.setCurrentWidget(workspace.table)
        self.take("w-table-rows")
        workspace.tabs.setCurrentWidget(workspace.map)
        session.choose_relation("Relation", Relation.USER)
        workspace.steps.choose("parameters")
        self.settle()
        self.take("w-table-hexagons-user")
        session.choose_relation("Relation", Relation.VALUES)
        ranges = session.recorded_dates
        session.edit("Dates", rule="hat", cells_file="", date_ranges=((ranges[0][0], ranges[0][0]),))
        self.settle()
        self.take("w-table-dates")
        self.question()
        self.torn(folder)

    def settle(self) -> None:
        """Until the table is open, planned and on the map."""
        session = self.workspace.session
        wait_until(lambda: session.table is not None and not session.busy)
        wait_until(lambda: self.workspace.map.view.is_ready)

    def question(self) -> None:
        """Of a table of the first version."""
        asked = TableSpeedsQuestion("old-table.parquet", self.window)
        asked.open()
        self.take_dialog("w-table-speeds", asked)
        asked.reject()
        for name, wrong in (("w-table-passphrase", False), ("w-table-passphrase-wrong", True)):
            dialog = TablePassphraseDialog(PassphraseRequest(Path("secret-buses"), wrong=wrong), self.window)
            dialog.open()
            dialog.passphrase.setText("not to be seen")
            self.take_dialog(name, dialog)
            dialog.reject()

    def torn(self, folder: Path) -> None:
        """Told where it was opened, by its row; what was open stays."""
        bad = folder / "wrong-sum.parquet"
        write_wrong_sum(folder / "city-buses.parquet", bad)
        self.workspace.open_dropped([bad])
        wait_until(lambda: self.workspace.data.message.isVisible() and not any_running())
        self.take("w-table-torn")
