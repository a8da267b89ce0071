"""The private copies of loaded records on this computer: their size, their limit, and *Clear*."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGroupBox, QPushButton, QSpinBox, QWidget

from core.progress import Progress
from core.store.record_cache import RecordCache
from ui.kit.cards import flowing
from ui.kit.labels import plain_label
from ui.kit.stage import Stage
from ui.kit.tips import in_lines
from ui.language.translation import grouped
from ui.layout.boxes import in_column, in_row
from ui.session.session import Session
from ui.session.settings import GIGABYTE, Settings

_MOST_GB = 10_000


class CacheBox(QGroupBox):
    """Looks at the folder in a worker: it may hold many files, on a slow disk."""

    def __init__(self, session: Session, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = settings
        self._freed: int | None = None
        self._job = Stage(self, self._show, failed=session.failed)
        session.cache = RecordCache(session.home.cache, settings.cache_limit)
        self.setTitle(self.tr("Private copies"))
        self.text = flowing(parent=self)
        self.text.setToolTip(in_lines(str(session.home.cache)))
        self.limit = QSpinBox(self, minimum=1, maximum=_MOST_GB, suffix=self.tr(" GB"))
        self.limit.setKeyboardTracking(False)
        self.limit.setAccessibleName(self.tr("Most room for private copies"))
        self.limit.setValue(settings.cache_limit // GIGABYTE)
        self.limit.valueChanged.connect(self._set_limit)
        self.clear = QPushButton(self.tr("C&lear"), self)
        self.clear.setAccessibleName(self.tr("Clear the private copies"))
        self.clear.setToolTip(
            in_lines(
                self.tr(
                    "Remove all copies. The open data set stays usable; files open more slowly next time."
                )
            )
        )
        self.clear.clicked.connect(self._clear)
        at_most = plain_label(self.tr("At most"), self)
        at_most.setBuddy(self.limit)
        in_column(self, self.text, in_row(None, at_most, self.limit, 1, self.clear), margins=None)
        session.data_changed.connect(self.refresh)
        self._explain(0)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Look at the folder again."""
        if self.isVisible():
            cache = self._session.cache
            self._job.start(lambda _: cache.size(), what=self.tr("Measuring the copies…"))

    def _set_limit(self, gigabytes: int) -> None:
        self._settings.cache_limit = gigabytes * GIGABYTE
        self._session.cache = cache = RecordCache(self._session.home.cache, gigabytes * GIGABYTE)

        def shrink(_: Progress) -> int:
            cache.shrink()
            return cache.size()

        self._job.start(shrink, what=self.tr("Deleting copies…"))

    def _clear(self) -> None:
        cache = self._session.cache
        self.clear.setEnabled(False)

        def empty(_: Progress) -> int:
            self._freed = cache.clear()
            return cache.size()

        self._job.start(empty, what=self.tr("Deleting copies…"))

    def _show(self, size: int) -> None:
        self.clear.setEnabled(size > 0)
        self._explain(size)
        freed, self._freed = self._freed, None
        if freed is not None:
            self._session.noted.emit(self.tr("Private copies cleared: {size}").format(size=size_text(freed)))

    def _explain(self, size: int) -> None:
        self.text.setText(
            self.tr(
                "{size} on this computer. Hexveil makes private copies so that files open faster. They "
                "contain vehicle positions."
            ).format(size=size_text(size))
        )


def size_text(size: int) -> str:
    """Bytes as a person reads them: 0 MB, 12 MB, 1.4 GB."""
    if size < GIGABYTE:
        return f"{grouped(size / 1e6, 0)} MB"
    return f"{grouped(size / GIGABYTE, 1)} GB"
