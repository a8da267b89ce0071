"""The words of a map: what is read aloud, how keys move it, and that this computer draws none."""

from __future__ import annotations

from ui.language.translation import translator
from ui.web_map.painting import SUPPRESSED_FILL, UNKNOWN_FILL, Fill, MapPainting

_tr = translator("MapView")


def page_texts() -> dict[str, str]:
    """As resources/map/map.js takes them."""
    return {
        "label": _tr("Map of hexagons; arrow keys move it, plus and minus zoom"),
        "zoomIn": _tr("Zoom in"),
        "zoomOut": _tr("Zoom out"),
        "fit": _tr("Show all hexagons"),
        "legend": _tr("Legend"),
        "confidential": _tr("Confidential"),
        "sample": _tr("Made up"),
        "made_up": _tr("Made-up values"),
        "suppressed": _tr("suppressed"),
        "unknown": _tr("no information"),
        "markClass": _tr("Mark these hexagons; with Ctrl, beside those that are marked"),
        "outside": without_class(),
        "region": _tr("edge of a region"),
        "boundary": _tr("chosen boundary"),
        "northUp": _tr("North is up"),
        "north": _tr("N"),
        "east": _tr("E"),
        "south": _tr("S"),
        "west": _tr("W"),
    }


def absence() -> str:
    """In the map's place: that there is none, what there is instead, and what may help."""
    return _tr(
        "There is no map: this computer's web engine does not draw it.\n\nEverything else works: the table "
        "has the same hexagons, one per row, and the map does not change what is released.\n\nTo fix it: "
        "update the graphics driver, allow QtWebEngineProcess in the virus scanner, then try again."
    )


def without_class() -> str:
    """What a cell without a class is called."""
    return _tr("no data")


def description(painting: MapPainting | None, selected: str | None) -> str:
    """What the map shows: hexagons of each class, and the chosen one."""
    texts = []
    if painting is not None:
        unit = f" ({painting.unit})" if painting.unit else ""
        texts.append(f"{painting.title}{unit}.")
        labels: dict[Fill, str] = {number: one.label for number, one in enumerate(painting.classes)}
        labels |= {SUPPRESSED_FILL: _tr("suppressed"), UNKNOWN_FILL: _tr("no information")}
        counts = [
            f"{label}: {painting.counts[fill]}" for fill, label in labels.items() if fill in painting.counts
        ]
        if counts:
            texts.append(_tr("Hexagons by class: {counts}.").format(counts="; ".join(counts)))
        if selected:
            words = ", ".join(painting.words_of(selected, without_class()))
            texts.append(_tr("Chosen: {words}.").format(words=words))
    return " ".join((*texts, _tr("The table has the same hexagons, one per row.")))
