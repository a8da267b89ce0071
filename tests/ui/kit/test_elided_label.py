"""ui.kit.elided_label: cut where there is no room, whole in the tip, never HTML."""

from __future__ import annotations

from tests.ui.user_actions import show
from ui.kit.elided_label import ElidedLabel


def test_a_long_text_is_cut_and_its_tip_is_whole(qtbot):
    made = ElidedLabel("a reason that is far too long for so little room")
    show(qtbot, made, width=90, height=24)
    cut = made.grab().toImage()
    assert made.toolTip() == made.text()
    assert made.minimumSizeHint().width() == 0
    made.setText("another one: far too long for so little room as well")
    assert made.toolTip() == made.text()
    assert made.grab().toImage() != cut


def test_markup_stays_text(qtbot):
    made = ElidedLabel("<b>A</b>")
    show(qtbot, made, width=300, height=24)
    plain = made.grab().toImage()
    made.setText("A")
    assert made.grab().toImage() != plain


def test_a_shorter_wording_stands_where_the_whole_one_has_no_room(qtbot):
    made = ElidedLabel()
    made.set_either("Typical error after smoothing (km/h): median per slot", "Median per slot")
    show(qtbot, made, width=150, height=24)
    assert (made.shown_text, made.toolTip()) == ("Median per slot", made.text())
    made.resize(900, 24)
    assert made.shown_text == made.text()
    made.resize(60, 24)
    assert made.shown_text.endswith("…")


def test_of_several_shorter_wordings_the_first_that_fits_stands_there(qtbot):
    made = ElidedLabel()
    made.set_either("Typical error (km/h): median per slot", "Median per slot (km/h)", "Median per slot")
    show(qtbot, made, width=900, height=24)
    told = []
    for room in range(900, 60, -10):
        made.resize(room, 24)
        told.append(made.shown_text)
    assert list(dict.fromkeys(told))[:3] == [made.text(), "Median per slot (km/h)", "Median per slot"]
