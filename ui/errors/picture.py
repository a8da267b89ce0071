"""The error plot as a picture, drawn as the papers' figures are: in English, for a worker."""

from __future__ import annotations

from core.charts.drawing import picture_of
from core.figures.error_figures import BY_FORMULA, BY_TRIALS, MADE_UP, curves_chart
from core.figures.figure_folder import PICTURE_FORMATS
from ui.errors.curves import Curves
from ui.errors.curves_csv import require_exportable


def curves_picture(curves: Curves, hidden: frozenset[str], kind: str) -> bytes:
    """The visible curves; hidden: keys of those that are switched off; kind: of the picture's file."""
    require_exportable(curves)
    request = curves.request
    picture = picture_of(
        curves_chart(
            name=request.source,
            title=f"Error curves, {request.source}",
            note=f"{MADE_UP} {BY_TRIALS if request.simulated else BY_FORMULA}",
            epsilons=curves.epsilons.tolist(),
            errors=[
                (series, curves.simulated.get(key, curves.errors[key]).tolist(), ())
                for key, series in request.series.items()
                if key not in hidden
            ],
        )
    )
    return PICTURE_FORMATS[kind](picture)
