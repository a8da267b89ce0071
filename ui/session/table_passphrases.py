"""Passphrases of encrypted contribution tables: asked while a worker waits, stored in memory alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from core.contributions.encryption import AskPassphrase, WrongPassphrase
from core.progress import Cancelled, Progress
from ui.language.translation import translator

_tr = translator("TablePassphrases")
_LOOK_SECONDS = 0.05
_Found = TypeVar("_Found")


class PassphraseRequest:
    """One question; a worker waits for its answer."""

    def __init__(self, table: Path, *, wrong: bool) -> None:
        self.table = table
        self.wrong = wrong
        """The one that was given before does not open it."""
        self._answered = threading.Event()
        self._passphrase: str | None = None

    def answer(self, passphrase: str | None) -> None:
        """Let the worker go on; None: let it stop."""
        self._passphrase = passphrase
        self._answered.set()

    def wait(self, progress: Progress) -> str:
        """In the worker. Raises Cancelled without an answer, and what `progress` raises."""
        while not self._answered.wait(_LOOK_SECONDS):
            progress(0.0, _tr("Waiting for the passphrase"))
        if self._passphrase is None:
            raise Cancelled
        return self._passphrase


class TablePassphrases(QObject):
    """Never written anywhere; gone with the window."""

    wanted = Signal(object)
    """A `PassphraseRequest`, to be answered in the main thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stored: dict[Path, str] = {}

    def with_passphrase(self, work: Callable[[AskPassphrase], _Found], progress: Progress) -> _Found:
        """Do work that may need a passphrase, in a worker; asked again as long as it is a wrong one."""
        wrong = False
        used: set[Path] = set()

        def asked(table: Path) -> str:
            used.add(table)
            if table not in self._stored:
                request = PassphraseRequest(table, wrong=wrong)
                self.wanted.emit(request)
                self._stored[table] = request.wait(progress)
            return self._stored[table]

        while True:
            try:
                return work(asked)
            except WrongPassphrase:
                wrong = True
                for table in used:
                    self._stored.pop(table, None)
