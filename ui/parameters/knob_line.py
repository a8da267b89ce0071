"""The line of advice below a parameter: a sign, one sentence, and at the right what takes it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from core.advice.city_advice import GridOption
from core.advice.knob_advice import KnobAdvice, Sign
from ui.kit.elided_label import ElidedLabel
from ui.kit.labels import plain_label, set_look
from ui.kit.tips import in_lines
from ui.language.translation import core_text
from ui.layout.boxes import in_row

_SIGNS = {Sign.RECOMMENDED: "✓", Sign.BETTER: "!", Sign.NEITHER: "i"}
_SIGN_LOOKS = {Sign.RECOMMENDED: "good", Sign.BETTER: "warning", Sign.NEITHER: "muted"}
_HEIGHT = 19
"""Pixels: what is below never moves."""
_SMALLER = 1.0
"""Points."""


class KnobLine(QWidget):
    """Emits `taken(grid)`; None where the advice is about something else than a grid."""

    taken = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid: GridOption | None = None
        self.sign = plain_label()
        self.text = ElidedLabel(look="muted", parent=self)
        self.take = QPushButton(self)
        self.take.setProperty("look", "flat")
        self.take.clicked.connect(lambda: self.taken.emit(self._grid))
        small = self.font()
        small.setPointSizeF(small.pointSizeF() - _SMALLER)
        for part in (self.sign, self.text, self.take):
            part.setFont(small)
        self.sign.setFixedWidth(12)
        take = (self.take, 0, Qt.AlignmentFlag.AlignVCenter)
        in_row(self, self.sign, (self.text, 1), take, margins=(3, 0, 0, 0), spacing=4)
        self.setFixedHeight(max(_HEIGHT, self.text.fontMetrics().height() + 2))
        self.take.setMaximumHeight(self.height())
        self.tell(None)

    def tell(self, advice: KnobAdvice | None, *, reason: str = "", follows: bool = False) -> None:
        """reason: the whole of it, behind the mouse; follows: a press takes what it says."""
        text = "" if advice is None else core_text(advice.text)
        self.text.setText(text)
        self.text.setToolTip(in_lines(f"{text}\n{reason}" if reason else text))
        self._grid = None if advice is None else advice.grid
        sign = Sign.NEITHER if advice is None else advice.sign
        self.sign.setText(_SIGNS[sign] if text else "")
        for part, look in ((self.sign, _SIGN_LOOKS[sign]), (self.text, _text_look(sign))):
            if part.property("look") != look:
                set_look(part, look)
        self.take.setVisible(follows or self._grid is not None)
        self.take.setText(self.tr("Take both") if advice is not None and advice.both else self.tr("Take it"))
        self.take.setAccessibleDescription(text)

    def tell_text(self, text: str, *, take: str) -> None:
        """Something to know, with what a press does about it."""
        self._grid = None
        self.text.setText(text)
        self.sign.setText(_SIGNS[Sign.BETTER])
        for part in (self.sign, self.text):
            set_look(part, "warning")
        self.take.setText(take)
        self.take.setAccessibleDescription(text)
        self.take.show()


def _text_look(sign: Sign) -> str:
    return "warning" if sign is Sign.BETTER else "muted"
