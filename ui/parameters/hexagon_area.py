"""Sizes of hexagons as the window tells them."""

from __future__ import annotations

from core.hats.cells import area_around_km2, mean_area_km2
from core.privacy import Relation
from ui.language.translation import translator
from ui.session.session import Session

_tr = translator("Places")


def area_of(session: Session, resolution: int) -> float:
    """Of a hexagon in km2, where the records are; worldwide where these are nobody's to see, or not there."""
    around = None if session.draft.relation is Relation.USER else session.usual_box
    return mean_area_km2(resolution) if around is None else area_around_km2(around, resolution)


def area_text(area: float) -> str:
    """As people read it."""
    return _tr("{area} km²").format(area=f"{area:.2g}" if area < 1 else f"{area:.3g}")
