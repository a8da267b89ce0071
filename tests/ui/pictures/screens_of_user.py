"""Pictures of relation `user`, from the choice to a verified bundle, for `screenshots.py`."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.accounting.budgets import Budget
from core.clean.mapping import UnitRange
from core.privacy import Relation, Unit
from core.system.paths import resources
from tests.ui.pictures.camera import Camera, wait_until
from tests.ui.pictures.screens_of_regions import RegionScreens
from ui.data.data_files import SAMPLE
from ui.release.dialog import Phase


class UserScreens(Camera):
    """Everything is typed, as presence is protected too."""

    def load_taxis(self) -> None:
        """Vehicles that have released nothing: the ledger would refuse the buses under another name."""
        sample = pq.read_table(resources() / SAMPLE)
        plates = pc.replace_substring(sample["license_plate"], "GJ05BX", "GJ05TX")
        taxis = self.window.home.folder / "taxis.parquet"
        place = sample.schema.get_field_index("license_plate")
        pq.write_table(sample.set_column(place, "license_plate", plates), taxis)
        data = self.workspace.data
        self.workspace.steps.choose("data")
        data.open_paths([taxis])
        wait_until(lambda: data.dialog is not None)
        dialog = data.dialog
        assert dialog is not None
        wait_until(lambda: not dialog.busy)
        units = dialog.form.grid.unit_rows
        units.show_units((UnitRange(unit="km/h"),))
        units.changed.emit()
        wait_until(dialog.load.isEnabled)
        dialog.load.click()
        wait_until(lambda: data.question is not None)
        question = data.question
        assert question is not None
        self.take_dialog("s-same-vehicles", question)
        question.no.click()
        session = self.workspace.session
        wait_until(lambda: session.source is not None and session.source.files == (taxis,))

    def walk(self, passphrase: str) -> None:
        """Presence is protected too: everything is typed, from the choice to a verified release."""
        session, page = self.workspace.session, self.workspace.parameters
        self.load_taxis()
        self.workspace.tabs.setCurrentWidget(self.workspace.map)
        session.edit("As at first", relation=None, unit=None, queries=session.draft.queries[:1])
        wait_until(lambda: not session.busy and self.workspace.map.view.is_ready)
        self.workspace.steps.choose("parameters")
        self.scroll_to(page.protected)
        self.take("s-relation-open")
        page.protected.relations[Relation.USER].click()
        wait_until(lambda: not session.busy)
        self.take("s-relation-user")
        self.scroll_to(page.constants)
        self.take("s-constants-open")
        day = dt.date(2022, 1, 3)
        session.edit("Zone", zone="Asia/Kolkata", date_ranges=((day, day + dt.timedelta(days=6)),))
        hexagons = self.workspace.parameters.hexagons
        hexagons.candidates.way.setCurrentIndex(2)
        hexagons.candidates.way.activated.emit(2)
        for edge, text in zip(hexagons.candidates.edges, ("21.05", "72.70", "21.32", "72.98"), strict=True):
            edge.setText(text)
            edge.editingFinished.emit()
        wait_until(lambda: not session.busy and self.workspace.map.view.is_ready)
        self.take("s-constants")
        self.workspace.steps.choose("parameters")
        page.protected.units[Unit.VEHICLE].click()
        session.edit("Constants", population="City taxis", hats_per_vehicle=40, resolution=6)
        wait_until(lambda: not session.busy)
        self.scroll_to(page.constants)
        self.take("s-nothing-known")
        for name, number in (("fleet", 300), ("vehicles", 60), ("records", 8)):
            page.constants.prior.numbers[name].setValue(number)
        wait_until(lambda: not session.busy and page.constants.outlook is not None)
        self.show_layer("typical-error")
        self.take("s-known")
        self.scroll_to(page.options)
        self.take("s-budget")
        page.constants.use_best.click()
        session.set_budget("Epsilon", Budget(total=Decimal(30)))
        wait_until(lambda: not session.busy)
        self.scroll_to(page.protected.units[Unit.VEHICLE])
        self.take("s-confirm")
        RegionScreens(self.window, self.theme, self.folder).user()
        self.released(passphrase)

    def released(self, passphrase: str) -> None:
        """Review, result, table and map of the released numbers, and the bundle verified."""
        session = self.workspace.session
        session.edit(
            "Texts",
            name="taxi-speed",
            title="Taxi speeds",
            publisher="City",
            contact="opendata@city.example",
        )
        wait_until(lambda: not session.busy)
        session.confirmation.answer(confirmed=True)
        self.workspace.tabs.setCurrentWidget(self.workspace.table)
        self.take("s-table")
        self.workspace.tabs.setCurrentWidget(self.workspace.error_views)
        self.workspace.places.show_result()  # on a narrow screen no curve is computed before
        wait_until(lambda: self.workspace.error_views.release.complete)
        self.take("s-errors-release")
        constants = self.workspace.error_views.constants
        self.workspace.error_views.sections.setCurrentWidget(constants)
        wait_until(lambda: constants.outlook is not None and constants.plot.ready)
        self.take("s-errors")
        self.workspace.tabs.setCurrentWidget(self.workspace.distributions)
        self.take("s-distributions")
        self.workspace.tabs.setCurrentWidget(self.workspace.map)
        self.workspace.steps.choose("release")
        page = self.workspace.release
        page.folder.setText(str(session.home.folder / "releases"))
        page.review()
        dialog = page.dialog
        assert dialog is not None
        wait_until(lambda: dialog.phase is Phase.READY)
        self.take_dialog("s-review", dialog)
        dialog.typed.setText("taxi-speed-1.0.0")
        dialog.passphrase.setText(passphrase)
        dialog.release.click()
        wait_until(lambda: dialog.phase is Phase.DONE)
        dialog.accept()
        self.take("s-released-map")
        self.workspace.tabs.setCurrentWidget(self.workspace.table)
        self.take("s-released-table")
        self.workspace.tabs.setCurrentWidget(self.workspace.map)
        assert session.release.published is not None
        self.workspace.open_dropped([session.release.published.bundle])
        wait_until(lambda: self.workspace.verify.result is not None)
        self.take("s-verified")
