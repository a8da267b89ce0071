"""The tag on what comes from loaded records: for your screen only, never published, or nobody's data."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from core.release.practice import is_sample
from ui.kit.labels import set_look
from ui.kit.tips import in_lines
from ui.language.translation import translator
from ui.session.session import Session

_tr = translator("OriginBadge")


def is_made_up(session: Session) -> bool:
    """Whether the sample is loaded: what follows from it is nobody's secret."""
    return session.source is not None and is_sample(session.source)


class OriginBadge(QLabel):
    """Whose it is decides whether it is seen; of a session it says by itself what is loaded."""

    def __init__(self, parent: QWidget, secret: str = "", session: Session | None = None) -> None:
        """secret: what the tooltip says of real records."""
        super().__init__(parent)
        self._secret = secret or self.tr("From the loaded records, for your screen only.")
        self._session = session
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self.show_origin(made_up=False)
        if session is not None:
            session.data_changed.connect(self._follow)
            self._follow()

    def _follow(self) -> None:
        if self._session is not None:
            self.show_origin(made_up=is_made_up(self._session))

    def show_origin(self, *, made_up: bool) -> None:
        """Say that it is confidential, or that it is no secret."""
        self.setText(self.tr("Made up") if made_up else self.tr("Confidential"))
        tip = self.tr("From the sample's made-up records: nobody's data.") if made_up else self._secret
        self.setToolTip(in_lines(tip))
        set_look(self, "tag" if made_up else "badge")


def never_published(parent: QWidget, session: Session | None = None) -> OriginBadge:
    """Of what the map shows beside the release's own numbers."""
    return OriginBadge(parent, _tr("It follows from the records, and is never published."), session)
