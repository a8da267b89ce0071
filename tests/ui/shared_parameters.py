"""A page of parameters that the tests of a file share: to build it costs more than most of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QSize

from core.draft.draft import DataSource
from core.system.paths import Home
from tests.records import Ping, rules, write_csv
from tests.ui.user_actions import open_sections
from tests.ui.whole_window import wait_until
from ui.kit.jobs import any_running, cancel_all, wait_for_all
from ui.parameters.page import ParametersPage
from ui.session.session import Session


class SharedParameters:
    """The page and its session; each test begins where the first one did, and none goes elsewhere for good.

    A test that loads other data, writes to the ledger or leaves a field refused has a page of its own.
    """

    def __init__(self, session: Session, size: QSize) -> None:
        self.session, self._size = session, size
        self.page = ParametersPage(session)
        open_sections(self.page)
        self.page.resize(size)
        self.page.show()
        session.edit("Threshold", threshold=3)
        self._rest()
        session.undo_stack.clear()
        self._source, self._draft = session.source, session.draft

    def begun(self) -> Iterator[ParametersPage]:
        """As it was, by undoing whatever was done since; what a test still plans comes to its end."""
        session = self.session
        session.undo_stack.setIndex(0)
        session.undo_stack.clear()
        self._rest()
        assert (session.source, session.draft) == (self._source, self._draft)
        assert not session.ledger.populations
        assert session.refused.first is None
        open_sections(self.page)
        self.page.resize(self._size)
        self.page.published.rows.setCurrentRow(0)
        self.page.show()
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        yield self.page
        wait_until(lambda: not any_running())

    def _rest(self) -> None:
        session = self.session
        wait_until(
            lambda: session.forecast is not None and not session.busy and not session.planning.smoothing
        )


@contextlib.contextmanager
def shared_parameters(folder: Path, city: list[Ping], size: QSize) -> Iterator[SharedParameters]:
    """On records that are loaded, with a threshold of three; relation and unit are open."""
    session = Session(Home(folder / "home"))
    session.load(DataSource(files=(write_csv(folder / "city.csv", city),), rules=rules()))
    wait_until(lambda: session.forecast is not None and not session.busy)
    shared = SharedParameters(session, size)
    yield shared
    cancel_all()
    assert wait_for_all(30)
    shared.page.close()
    for part in (shared.page, session):
        part.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
