"""ui.errors.picture: what the window exports is drawn as the papers' figures are."""

from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ElementTree

import pytest
from PySide6.QtWidgets import QApplication

from core.errors import InternalError
from core.progress import silent
from tests.ui.errors.test_source_bar import replica_curves
from tests.ui.languages import spoken
from ui.errors.curves import CurveCache, Curves, compute_curves
from ui.errors.picture import PICTURE_FORMATS, curves_picture
from ui.language.translation import catalogue_of
from ui.session.error_sources import Source

NONE: frozenset[str] = frozenset()


def words(curves: Curves, hidden: frozenset[str] = NONE) -> set[str]:
    root = ElementTree.fromstring(curves_picture(curves, hidden, "svg"))
    return {text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")}


def test_the_visible_curves_have_their_names(qapp: QApplication) -> None:  # noqa: ARG001 - sessions need it
    curves = replica_curves()
    both = words(curves)
    assert {"Error curves, replica", "epsilon", "Baseline", "Levy, WrapAround"} <= both
    assert both - words(curves, frozenset({"baseline"})) == {"Baseline"}
    assert curves_picture(curves, NONE, "png").startswith(b"\x89PNG")


def test_a_picture_speaks_english_as_every_file_does(qapp: QApplication) -> None:
    curves = replica_curves()
    english = curves_picture(curves, NONE, "svg")
    with spoken(qapp, catalogue_of("hi")):
        assert curves_picture(curves, NONE, "svg") == english
        assert curves_picture(replica_curves(), NONE, "svg") == english


def test_trials_that_are_wanted_are_drawn_in_place_of_what_is_expected(qapp: QApplication) -> None:  # noqa: ARG001
    curves = replica_curves()
    wanted = dataclasses.replace(curves.request, simulated=True)
    simulated = compute_curves(wanted, CurveCache(), silent)
    assert any("trials" in line for line in words(simulated))
    assert not any("trials" in line for line in words(curves))
    assert curves_picture(simulated, NONE, "svg") != curves_picture(curves, NONE, "svg")


@pytest.mark.parametrize("source", [source for source in Source if source.is_loaded])
def test_nothing_of_loaded_records_is_drawn(qapp: QApplication, source: Source) -> None:  # noqa: ARG001
    curves = replica_curves()
    loaded = dataclasses.replace(curves, request=dataclasses.replace(curves.request, source=source))
    for kind in PICTURE_FORMATS:
        with pytest.raises(InternalError, match="never exported"):
            curves_picture(loaded, NONE, kind)
