"""ui.kit.param_form: a row for each declared parameter, defaults left out of what it tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QLabel, QLineEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from core.mechanisms.enforced_mean import EnforcedMeanParams
from core.mechanisms.region_fields import NO_PART_IN_REGIONS, REGIONS
from core.mechanisms.registry import all_mechanisms
from core.mechanisms.tokens import TokensParams
from core.parameter_fields import build, choice, declared, flag, number, numbers
from core.statistics.registry import all_statistics
from tests.ui.user_actions import pick, press, show, texts, write
from ui.kit.param_form import ParamForm


@dataclass(frozen=True)
class Params:
    """One parameter of each kind."""

    way: str = choice("a", ("a", "b"), label="Way", help="Which way.")
    cap: str | int = choice("median", ("median",), integer_from=2, label="Cap", help="How many.")
    share: float = number(0.5, 0, 1, label="Share", help="How much.", unit="%")


class Told:
    """A form with what it told."""

    def __init__(self, qtbot: QtBot, values: dict[str, Any] | None = None) -> None:
        self.form = ParamForm(Params, values or {})
        self.told: list[dict[str, Any]] = []
        self.form.changed.connect(self.told.append)
        show(qtbot, self.form, height=300)
        self.way, self.cap = self.form.findChildren(QComboBox)
        self.own = self.cap.parent().findChild(QSpinBox)
        self.share = self.form.findChild(QDoubleSpinBox)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependent:
    """A number that only a flag gives a part."""

    merged: bool = flag(False, label="Merged", help="Whether they are merged.")
    least: float = number(2.0, 0.0, 9.0, label="Least", help="The least.", only_with="merged")


def test_what_needs_a_flag_is_shown_with_it(qtbot: QtBot) -> None:
    form = ParamForm(Dependent, {})
    qtbot.addWidget(form)
    form.show()
    merged, least = form.findChild(QCheckBox), form.findChild(QDoubleSpinBox)
    assert not least.isVisible()
    merged.click()
    assert least.isVisible()
    merged.click()
    assert not least.isVisible()


def test_what_decides_nothing_of_regions_is_not_to_be_chosen_with_them(qtbot: QtBot) -> None:
    form = ParamForm(TokensParams, {"zoom": True}, rest_with={REGIONS: NO_PART_IN_REGIONS})
    qtbot.addWidget(form)
    form.show()
    boxes = {box.text(): box for box in form.findChildren(QCheckBox)}
    named = {part.accessibleName(): part for part in form.findChildren(QWidget)}
    lists = {name: named[name] for name in ("Weights", "Noise")}
    boxes["Merge into regions"].click()
    assert not boxes["Smooth as well"].isEnabled()
    assert not lists["Weights"].isEnabled()
    assert lists["Noise"].isEnabled()
    zoom = boxes["Measure in two steps (zoom)"]
    assert zoom.isEnabled(), "is refused there: it has to be taken back"
    zoom.click()
    assert not zoom.isEnabled()
    boxes["Merge into regions"].click()
    assert all(box.isEnabled() for box in (*boxes.values(), *lists.values()))


def test_what_decides_nothing_of_regions_is_not_ticked_and_says_why(qtbot: QtBot) -> None:
    """A tick that stays told that regions are smoothed as well, which they never are."""
    form = ParamForm(TokensParams, {"smooth": True}, rest_with={REGIONS: NO_PART_IN_REGIONS})
    qtbot.addWidget(form)
    told: list[dict[str, object]] = []
    form.changed.connect(told.append)
    boxes = {box.text(): box for box in form.findChildren(QCheckBox)}
    smooth, merge = boxes["Smooth as well"], boxes["Merge into regions"]
    assert smooth.isChecked()
    help_alone = smooth.toolTip()
    merge.click()
    assert not smooth.isChecked()
    assert told == [{"regions": True}], "what was chosen is kept"
    why = "Has no effect while “Merge into regions” is on."
    assert why in smooth.toolTip().replace("\n", " ")
    assert why in smooth.accessibleDescription()
    merge.click()
    assert smooth.isChecked()
    assert smooth.toolTip() == help_alone


def test_every_parameter_has_a_named_row(qtbot: QtBot) -> None:
    form = Told(qtbot).form
    assert {"Way", "Cap", "Share"} <= {label.text() for label in form.findChildren(QLabel)}
    assert form.findChild(QDoubleSpinBox).accessibleName() == "Share"
    assert form.findChild(QDoubleSpinBox).accessibleDescription() == "How much."


def test_only_what_differs_from_the_default_is_told(qtbot: QtBot) -> None:
    told = Told(qtbot)
    pick(qtbot, told.way, "b")
    assert told.told == [{"way": "b"}]
    pick(qtbot, told.way, "a")
    assert told.told[-1] == {}


def test_a_number_of_one_s_own_appears_when_it_is_chosen(qtbot: QtBot) -> None:
    told = Told(qtbot)
    assert not told.own.isVisible()
    pick(qtbot, told.cap, told.cap.itemData(1))
    assert told.own.isVisible()
    assert told.told[-1] == {"cap": 2}
    write(qtbot, told.own.lineEdit(), "7")
    assert told.told[-1] == {"cap": 7}
    pick(qtbot, told.cap, "median")
    assert not told.own.isVisible()
    assert told.told[-1] == {}


def test_numbers_stay_within_their_range(qtbot: QtBot) -> None:
    told = Told(qtbot)
    assert (told.share.minimum(), told.share.maximum(), told.share.suffix()) == (0, 1, " %")
    write(qtbot, told.share.lineEdit(), "0.25")
    assert told.told[-1] == {"share": 0.25}
    assert told.own.minimum() == 2


def test_given_values_are_shown_and_told_about_the_rest(qtbot: QtBot) -> None:
    told = Told(qtbot, {"cap": 5, "share": 0.75})
    assert (told.own.value(), told.own.isVisible(), told.share.value()) == (5, True, 0.75)
    pick(qtbot, told.way, "b")
    assert told.told == [{"way": "b", "cap": 5, "share": 0.75}]


def test_it_knows_what_it_shows(qtbot: QtBot) -> None:
    form = Told(qtbot, {"cap": 5}).form
    assert form.shows(Params, {"cap": 5, "way": "a"})
    assert not form.shows(Params, {})
    assert not form.shows(next(iter(all_mechanisms().values())).Params, {"cap": 5})


FORMS = {
    **{key: mechanism.Params for key, mechanism in all_mechanisms().items()},
    **{key: statistic.Params for key, statistic in all_statistics().items()},
}


@pytest.mark.parametrize("key", sorted(FORMS))
def test_every_form_tells_values_that_the_core_takes(qtbot: QtBot, key: str) -> None:
    params = FORMS[key]
    form = ParamForm(params, {})
    show(qtbot, form, height=300)
    told: list[dict[str, Any]] = []
    form.changed.connect(told.append)
    for box in form.findChildren(QComboBox):
        for row in range(box.count()):
            pick(qtbot, box, box.itemData(row))
    for check in form.findChildren(QCheckBox):
        press(qtbot, check)
    for values in told:
        build(params, values, where="test")
    named = {widget.accessibleName() for widget in form.findChildren(QWidget)}
    assert {parameter.label for parameter in declared(params)} <= named


@dataclass(frozen=True)
class WithConstant:
    """A parameter for everybody, and a public constant for few."""

    way: str = choice("a", ("a", "b"), label="Way", help="Which way.")
    gamma: float = number(0.2, 0.001, 1, label="gamma", help="A constant.", advanced=True)


def test_advanced_constants_are_folded_until_asked_for(qtbot: QtBot) -> None:
    form = ParamForm(WithConstant, {})
    show(qtbot, form, height=300)
    constant = form.findChild(QDoubleSpinBox)
    assert not constant.isVisible()
    form.unfold.click()
    assert constant.isVisible()


def test_a_changed_constant_is_never_hidden(qtbot: QtBot) -> None:
    form = ParamForm(WithConstant, {"gamma": 0.5})
    show(qtbot, form, height=300)
    assert form.findChild(QDoubleSpinBox).isVisible()


@dataclass(frozen=True)
class WithList:
    """A list of numbers, and a flag."""

    limits: tuple[float, ...] = numbers(
        (40.0, 50.0), 0.001, 100, decimals=3, unit="km/h", label="Limits", help="Which ones."
    )
    once: bool = flag(False, label="Once", help="All at once.")


class Listed:
    """A form with a list, and what it told."""

    def __init__(self, qtbot: QtBot, values: dict[str, Any] | None = None) -> None:
        self.form = ParamForm(WithList, values or {})
        self.told: list[dict[str, Any]] = []
        self.form.changed.connect(self.told.append)
        show(qtbot, self.form, height=300)
        self.line = self.form.findChild(QLineEdit)
        self.once = self.form.findChild(QCheckBox)


def test_a_list_is_typed_with_commas_and_told_sorted(qtbot: QtBot) -> None:
    listed = Listed(qtbot)
    assert listed.line.text() == "40, 50"
    assert (listed.line.accessibleName(), listed.line.accessibleDescription()) == ("Limits", "Which ones.")
    assert "Limits (km/h)" in texts(listed.form)
    write(qtbot, listed.line, "60.5 ,30,  45.125,")
    assert listed.told == [{"limits": (30.0, 45.125, 60.5)}]
    assert listed.line.text() == "30, 45.125, 60.5"
    assert listed.form.shows(WithList, {"limits": (30.0, 45.125, 60.5)})
    write(qtbot, listed.line, "50, 40")
    assert listed.told[-1] == {}


@pytest.mark.parametrize("typed", ["", " , ", "40, fast", "40, 40", "0", "40, 101", "40.0001", "nan", "inf"])
def test_a_list_that_does_not_fit_is_told_in_place_and_changes_nothing(qtbot: QtBot, typed: str) -> None:
    listed = Listed(qtbot)
    write(qtbot, listed.line, typed)
    assert listed.told == []
    assert listed.line.text() == typed
    assert "Limits: " in texts(listed.form)
    assert "Write a list of different numbers" in texts(listed.form)
    write(qtbot, listed.line, "40, 50")
    assert "Limits: " not in texts(listed.form)
    assert listed.told == []


def test_a_flag_is_a_check_box(qtbot: QtBot) -> None:
    listed = Listed(qtbot)
    assert (listed.once.text(), listed.once.accessibleName()) == ("Once", "Once")
    press(qtbot, listed.once)
    assert listed.told == [{"once": True}]
    press(qtbot, listed.once)
    assert listed.told[-1] == {}
    assert Listed(qtbot, {"once": True}).once.isChecked()


def test_another_name_may_be_typed_where_one_is_taken(qtbot: QtBot) -> None:
    form = ParamForm(TokensParams, {"importance": "people"})
    qtbot.addWidget(form)
    told: list[dict[str, object]] = []
    form.changed.connect(told.append)
    box = next(box for box in form.findChildren(QComboBox) if box.isEditable())
    line = box.lineEdit()
    assert line is not None
    assert box.currentText() == "people"
    for typed, expected in (
        ("wards", {"importance": "wards"}),
        ("vehicles", {"importance": "vehicles"}),
        ("equal", {}),
    ):
        line.setText(typed)
        line.editingFinished.emit()
        assert told[-1] == expected


def test_parameters_that_stand_elsewhere_are_left_out(qtbot: QtBot) -> None:
    form = ParamForm(EnforcedMeanParams, {"fleet": 9}, without=("fleet", "vehicles", "records"))
    show(qtbot, form)
    assert not {"Fleet", "Vehicles per hexagon slot", "Records of a vehicle"} & set(texts(form).splitlines())
    assert form.shows(EnforcedMeanParams, {"fleet": 7})
    assert not form.shows(EnforcedMeanParams, {"smooth": False})
