"""The way from a file to its first rows, in jobs: what it is, how its text reads, what rows it has."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.read.file_format import FileFormat
from ui.data.import_jobs import FileKind, PreviewedFile, look_at_files, open_file, text_lines
from ui.kit.stage import Stage


class FileOpening(QObject):
    """Emits `looked`, then `opened` or `failed`; `lines` whenever the text has been read in some encoding."""

    looked = Signal(object)
    lines = Signal(object)
    opened = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        paths: Sequence[Path],
        known_file: Path | None,
        parent: QObject | None = None,
        *,
        typed: bool = False,
    ) -> None:
        """paths: the first with rows is opened, the others tell what these leave open.

        typed: relation user.
        """
        super().__init__(parent)
        self._paths, self._path = tuple(paths), paths[0]
        self._known_file, self._typed = known_file, typed
        self._encoding, self._begun = "", False
        self._looking = Stage(self, self._on_looked, failed=self.failed)
        self._opening = Stage(self, self._on_opened, failed=self.failed)
        # the others report a file that cannot be read
        self._reading = Stage(self, self.lines)

    @property
    def busy(self) -> bool:
        """Something is being read."""
        return any(job.running for job in (self._looking, self._opening, self._reading))

    def start(self, file_format: FileFormat) -> None:
        """Read the file, as written in this format."""
        paths, typed, again = self._paths, self._typed, self._begun
        self._begun = True
        self._opening.drop()
        self._looking.start(
            lambda _: look_at_files(paths, file_format, typed=typed, again=again),
            what=self.tr("Looking at the file…"),
        )

    def drop(self) -> None:
        """Nobody wants the file any more."""
        for job in (self._looking, self._opening, self._reading):
            job.drop()

    def _on_looked(self, looked: FileKind) -> None:
        known_file, typed, self._path = self._known_file, self._typed, looked.path
        others = tuple(path for path in self._paths if path != looked.path)
        self.looked.emit(looked)
        self._opening.start(
            lambda progress: open_file(looked, known_file, progress, others=others, typed=typed)
        )
        self._read_lines(looked.file_format.encoding)

    def _on_opened(self, opened: PreviewedFile) -> None:
        if opened.file_format.encoding != self._encoding:
            self._read_lines(opened.file_format.encoding)
        self.opened.emit(opened)

    def _read_lines(self, encoding: str) -> None:
        """What an encoding makes of the text is shown even where it makes no table of it."""
        path, self._encoding = self._path, encoding
        self._reading.start(lambda _: text_lines(path, encoding), what=self.tr("Reading the file as text…"))
