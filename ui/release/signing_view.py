"""The half page for the person who signs: on paper it says the same; below it come the details."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from core.advice.usefulness import Usefulness
from core.release.signing_page import SigningPage, SigningVerdict, signing_page
from ui.budget.budget_meter import BudgetMeter
from ui.budget.verdict_sign import paint_verdict_sign
from ui.kit.cards import card, flowing
from ui.language.translation import core_text, sentence, translator
from ui.layout.boxes import in_column, in_grid, in_row
from ui.release.known_beforehand import KnownBeforehand
from ui.release.printed_page import SignedPage, sheet_of
from ui.release.release_jobs import Reviewed
from ui.release.review_view import ReviewView

_HEADS_WIDTH = 150
_SIGN = 16
_SIGN_LINES = (3, 2, 4)
"""Shares of the width of what is filled in by hand."""
_tr = translator("SigningView")


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePart:
    """One head and what is said under it."""

    head: str
    text: str
    verdicts: tuple[tuple[Usefulness, str, str], ...] = ()
    """Sign, what is said in bold, and the rest."""
    metered: bool = False
    """The budget is shown below."""


def page_parts(page: SigningPage, known: Mapping[str, KnownBeforehand], differs: str) -> tuple[PagePart, ...]:
    """The page in the window's language; known: by the id of a query what Decide shows of it; differs: from
    the release before in a series.
    """

    def said(sentences: tuple[str, ...]) -> str:
        return " ".join(sentence(core_text(one)) for one in sentences)

    def verdict(one: SigningVerdict) -> tuple[Usefulness, str, str]:
        beforehand = known.get(one.query_id)
        if beforehand is not None:
            return beforehand.usefulness, beforehand.verdict, ""
        return one.usefulness, sentence(core_text(one.headline)), said(one.more)

    return (
        PagePart(
            head=_tr("What readers will see"),
            text=said(page.seen),
            verdicts=tuple(map(verdict, page.verdicts)),
        ),
        *((PagePart(head=_tr("What is new"), text=differs),) if differs else ()),
        PagePart(head=_tr("Who is protected"), text=said(page.protected)),
        PagePart(head=_tr("What stays open"), text=said(page.left_open)),
        PagePart(head=_tr("What it costs"), text=said(page.costs), metered=True),
        PagePart(head=_tr("What cannot be undone"), text=said(page.final)),
    )


class _Sign(QWidget):
    """The verdict's sign beside its words."""

    def __init__(self, usefulness: Usefulness, parent: QWidget) -> None:
        super().__init__(parent)
        self._usefulness = usefulness
        self.setFixedSize(QSize(_SIGN, _SIGN))

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        place = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        paint_verdict_sign(painter, place, self._usefulness, self.palette())
        painter.end()


class SigningView(QWidget):
    """The page, and below it the whole review, which the dialog opens and closes."""

    def __init__(self, reviewed: Reviewed, known: Mapping[str, KnownBeforehand], differs: str) -> None:
        super().__init__()
        self.details = ReviewView(reviewed, known)
        self._page = signing_page(reviewed.prepared, reviewed.population)
        self._parts = page_parts(self._page, known, differs)
        self._grid = in_grid(wide=1, across=12, down=8)
        self._grid.setColumnMinimumWidth(0, _HEADS_WIDTH)
        for part in self._parts:
            self._add(part, self._meter(reviewed) if part.metered else None)
        frame = card(
            self,
            "card",
            flowing(self._page.title, "title"),
            flowing(core_text(self._page.published_by), "muted"),
            *(card(self, "warning", flowing(core_text(one))) for one in self._page.warnings),
            self._grid,
            self._lines(),
            spacing=8,
        )
        in_column(self, frame, self.details, 1, spacing=10)

    def _add(self, part: PagePart, meter: BudgetMeter | None) -> None:
        row = self._grid.rowCount()
        self._grid.addWidget(_line("mid", self), row, 0, 1, 2)
        head = flowing(part.head, "heading")
        texts = [flowing(part.text)]
        column = in_column(None, *texts, spacing=3)
        for usefulness, headline, more in part.verdicts:
            bold = flowing(headline, "heading")
            column.addLayout(in_row(None, _Sign(usefulness, self), (bold, 1), spacing=6))
            if more:
                column.addWidget(flowing(more))
        if meter is not None:
            column.addWidget(meter)
        column.addStretch()
        side = in_column(None, head, 1)
        self._grid.addLayout(side, row + 1, 0)
        self._grid.addLayout(column, row + 1, 1)

    def _meter(self, reviewed: Reviewed) -> BudgetMeter | None:
        population, review = reviewed.population, reviewed.prepared.review
        if population is None or review.repeats_entry is not None:
            return None
        assert population.per_vehicle is not None  # else there is no review
        meter = BudgetMeter()
        meter.set_amounts(
            population.spent,
            population.spent_with(review.charge),
            population.per_vehicle,
            more=population.more_such(review.charge),
        )
        return meter

    def _lines(self) -> QGridLayout:
        """For name, date and signature, to be filled in on paper."""
        lines = in_grid(across=20, down=2, margins=(0, 22, 0, 0))
        for column, (name, share) in enumerate(zip(_filled_in(), _SIGN_LINES, strict=True)):
            lines.setColumnStretch(column, share)
            lines.addWidget(_line("dark", self), 0, column)
            lines.addWidget(flowing(name, "muted"), 1, column)
        return lines

    def pdf(self) -> bytes:
        """What is seen above the details, on a page to be printed."""
        signed = SignedPage(
            title=self._page.title,
            published_by=core_text(self._page.published_by),
            warnings=tuple(map(core_text, self._page.warnings)),
            rows=tuple(
                (part.head, part.text, tuple(one[1:] for one in part.verdicts)) for part in self._parts
            ),
            filled_in=_filled_in(),
        )
        return sheet_of(signed, self.font())


def _line(role: str, parent: QWidget) -> QFrame:
    """role: of the palette, whose colour it has."""
    made = QFrame(parent)
    made.setFixedHeight(1)
    made.setStyleSheet(f"background: palette({role}); border: none;")
    return made


def _filled_in() -> tuple[str, str, str]:
    return _tr("Name"), _tr("Date"), _tr("Signature")
