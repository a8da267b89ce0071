"""Pictures of a release and of what stays of it, for `screenshots.py`."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

from core.accounting.budgets import Budget
from core.draft.draft import QueryDraft
from tests.ui.ledger_story import BUSES, year_behind
from tests.ui.pictures.camera import Camera, wait_until
from tests.ui.pictures.screens_beside import BesideTheWalk
from tests.ui.pictures.screens_of_signing import SigningScreens
from ui.release.dialog import Phase


class ReleaseScreens(Camera):
    """Review, refusal, result, released map and table, ledger."""

    def walk(self, passphrase: str) -> None:
        """The review, a refusal in place, the result, and the released map."""
        session = self.workspace.session
        beside = BesideTheWalk(self.window, self.theme, self.folder)
        session.edit(
            "Texts",
            name="sample-speed",
            title="Bus speeds of the sample",
            publisher="City",
            contact="opendata@city.example",
        )
        wait_until(lambda: not session.busy)
        self.workspace.steps.choose("release")
        page = self.workspace.release
        page.folder.setText(str(session.home.folder / "releases"))
        page.review()
        alone = page.dialog
        assert alone is not None
        wait_until(lambda: alone.phase is Phase.READY)
        self.take_dialog("a-review-alone", alone)
        alone.reject()
        coarse = {"bins": 65, "weights": "user"}
        curve = QueryDraft(
            id="speed_cdf", statistic="cdf", parameters=coarse, budget=Budget(total=Decimal(30))
        )
        session.edit("Query", queries=(session.draft.leading, curve))
        wait_until(lambda: not session.busy)
        with self.epsilon_that_tells_little():
            page.review()
            warned = page.dialog
            assert warned is not None
            wait_until(lambda: warned.phase is Phase.READY)
            self.take_dialog("a-review-warned", warned)
            warned.reject()
        page.review()
        dialog = page.dialog
        assert dialog is not None
        wait_until(lambda: dialog.phase is Phase.READY)
        self.take_dialog("a-review", dialog)
        signing = SigningScreens(self.window, self.theme, self.folder)
        signing.paper(dialog)
        dialog.typed.setText("sample-speed-1.0.0")
        dialog.passphrase.setText("wrong")
        dialog.release.click()
        wait_until(lambda: dialog.phase is Phase.READY and not dialog.message.isHidden())
        self.take_dialog("b-wrong-passphrase", dialog)
        dialog.typed.setText("sample-speed-1.0.0")
        dialog.passphrase.setText(passphrase)
        dialog.release.click()
        wait_until(lambda: dialog.phase is Phase.DONE)
        self.take_dialog("c-released", dialog)
        dialog.accept()
        self.take("d-released-map")
        signing.again()
        beside.card("card-released")
        self.paid_before()
        self.released_city()
        self.released_cdf()
        self.workspace.tabs.setCurrentWidget(self.workspace.map)
        assert session.release.published is not None
        self.workspace.open_dropped([session.release.published.bundle])
        wait_until(lambda: self.workspace.verify.result is not None)
        self.take("e-verified")
        self.ledger()
        beside.broken_bundle()
        signing.next_week(passphrase)

    def paid_before(self) -> None:
        """A draft that costs just what was released, and may be it under another name."""
        session = self.workspace.session
        leading, *others = session.draft.queries
        session.edit("Query", queries=(dataclasses.replace(leading, id="speed"), *others))
        wait_until(lambda: not session.busy)
        self.take("d-paid-before")
        session.undo_stack.undo()
        wait_until(lambda: not session.busy)

    def ledger(self) -> None:
        """What was spent before and in this walk, and a notice that is asked for."""
        page = self.workspace.ledger
        beside = BesideTheWalk(self.window, self.theme, self.folder)
        year_behind(self.window.home.ledger)
        self.workspace.places.to_ledger.setChecked(True)
        # the page shows at once what it read before the year was written
        wait_until(lambda: any(one.name == BUSES for one in self.workspace.session.ledger.populations))
        wait_until(lambda: page.spending is not None and not page.job.running)
        self.take("t-ledger")
        page.withdraw.click()
        assert page.dialog is not None
        self.take_dialog("t-ledger-withdraw", page.dialog)
        page.dialog.reject()
        page.correct.click()
        assert page.dialog is not None
        self.take_dialog("t-ledger-correct", page.dialog)
        page.dialog.reject()
        beside.ledger()
        beside.policy()
        self.workspace.places.to_ledger.setChecked(False)
        beside.compare()

    def released_city(self) -> None:
        """Raw and smoothed side by side: on the map, in the table."""
        for key in ("smoothed-mean", "smoothed-width"):
            self.show_layer(key)
            self.take(f"d-released-{key}")
        self.show_layer("released-mean")
        self.workspace.tabs.setCurrentWidget(self.workspace.table)
        self.workspace.table.selected_only.setChecked(True)
        self.take("d-released-table")
        self.workspace.table.smoothed.setChecked(True)
        self.take("d-released-table-smoothed")
        self.workspace.table.smoothed.setChecked(False)
        self.workspace.table.selected_only.setChecked(False)
        self.workspace.tabs.setCurrentWidget(self.workspace.map)

    def released_cdf(self) -> None:
        """The released curve, and the replica with the parameters of the query."""
        session, tab = self.workspace.session, self.workspace.distributions
        assert session.forecast is not None
        hat = session.forecast.plans[-1].published[0]
        session.chosen.choose_hat(hat.cell_text, hat.slot)
        self.workspace.tabs.setCurrentWidget(tab)
        tab.sections.setCurrentWidget(tab.cdf)
        wait_until(lambda: tab.cdf.complete)
        self.take("q-cdf-as-in-query")
        tab.cdf.released.setChecked(True)
        self.take("r-cdf-released")
