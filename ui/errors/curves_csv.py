"""Curves of the bundled sets as a CSV table; errors of loaded records are never exported."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import asdict

from core.accounting.epsilon_rounding import plain
from core.errors import InternalError
from ui.errors.curves import Curves, grid_epsilons

CURVES_HEADER = (
    "source",
    "mechanism",
    "grouping",
    "parameters",
    "epsilon",
    "mae_exact_kmh",
    "mae_simulated_kmh",
    "standard_error_kmh",
    "trials",
)


def require_exportable(curves: Curves) -> None:
    """Raises InternalError for curves that follow from loaded records."""
    if curves.request.source.is_loaded:
        raise InternalError("errors of loaded records are never exported")


def curves_csv(curves: Curves) -> bytes:
    """A row for each curve and epsilon; what is not known stays empty."""
    require_exportable(curves)
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CURVES_HEADER)
    points = grid_epsilons(curves.request)
    for key, errors in curves.errors.items():
        series = curves.request.series[key]
        rows = curves.rows.get(key)
        head = (
            str(curves.request.source),
            series.mechanism.key,
            series.grouping or "",
            json.dumps(asdict(series.params), sort_keys=True, default=str),
        )
        for place, (epsilon, error) in enumerate(zip(points, errors.tolist(), strict=True)):
            exact = "" if math.isnan(error) else f"{error:.6f}"
            trials: tuple[object, ...] = ("", "", "")
            if rows is not None:
                row = rows[place]
                trials = (f"{row.mae:.6f}", f"{row.standard_error:.6f}", row.trials)
            writer.writerow((*head, plain(epsilon), exact, *trials))
    return text.getvalue().encode()
