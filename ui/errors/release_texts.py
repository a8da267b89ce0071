"""What one amount of the budget brings, in words."""

from __future__ import annotations

from decimal import Decimal

from core.accounting.epsilon_input import EPSILON_STEP
from core.accounting.epsilon_rounding import floor_epsilon, plain
from core.advice.error_curve import ErrorPoint
from core.advice.usefulness import verdict_word
from core.statistics.base import Measure
from ui.language.translation import core_text, translator
from ui.session.query_texts import error_with_unit

_tr = translator("ReleasePlot")


def point_words(point: ErrorPoint, measure: Measure) -> str:
    """A point on one line."""
    return _tr("{amount}: {error}, {verdict}").format(
        amount=plain(point.amount),
        error=error_with_unit(point.error, measure),
        verdict=core_text(verdict_word(point.usefulness)).lower(),
    )


def dragged_amount(exponent: float) -> Decimal:
    """Two figures: what a line chooses where it is let go; exponent: of ten."""
    return Decimal(plain(max(EPSILON_STEP, floor_epsilon(Decimal(f"{10**exponent:.2g}")))))
