"""ui.parameters.relation_choice: two pictures, by mouse and by keyboard, and neither chosen at first."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from core.privacy import Relation
from tests.ui.user_actions import LEFT, show, texts
from ui.kit.theme import DARK, LIGHT, qt_palette
from ui.parameters.relation_choice import RelationChoice
from ui.parameters.relation_picture import RelationPicture


@pytest.fixture
def choice(qtbot: QtBot) -> RelationChoice:
    made = RelationChoice()
    show(qtbot, made, width=320, height=400)
    return made


def test_none_is_chosen_at_first(choice: RelationChoice) -> None:
    assert not any(button.isChecked() for button in choice.buttons.values())


def test_the_frame_of_the_chosen_one_has_soft_corners(choice: RelationChoice) -> None:
    card = choice.cards[Relation.VALUES]
    card.button.setChecked(True)
    picture = card.grab().toImage()
    corner = {picture.pixelColor(x, y).rgb() for x in range(12) for y in range(12)}
    edge = {picture.pixelColor(x, picture.height() // 2).rgb() for x in range(6)}
    assert len(edge) <= 3, "paper, frame and paper"
    assert len(corner) > 6, "shades between them"


def test_each_says_whose_data_it_is_for_and_what_becomes_public(choice: RelationChoice) -> None:
    told = texts(choice)
    values, user = choice.cards[Relation.VALUES], choice.cards[Relation.USER]
    assert "public anyway" in values.public.text()
    assert "minibuses" in user.examples.text()
    assert "public anyway which vehicle was where" in values.toolTip()
    assert "Minibuses without one need the other choice." in values.toolTip()
    for word in ("timetable", "Taxis", "private cars", "hidden"):
        assert word in told
    for card in choice.cards.values():
        assert card.examples.text() in card.button.accessibleDescription()
        assert card.public.text() in card.button.accessibleDescription()


@pytest.mark.parametrize("relation", list(Relation))
def test_a_click_anywhere_in_a_card_chooses_it(
    qtbot: QtBot, choice: RelationChoice, relation: Relation
) -> None:
    card = choice.cards[relation]
    with qtbot.waitSignal(choice.chosen) as told:
        qtbot.mouseClick(card, LEFT, pos=QPoint(20, 20))
    assert told.args == [relation]
    with qtbot.waitSignal(choice.chosen) as told:
        qtbot.mouseClick(card.public, LEFT)
    assert told.args == [relation]
    assert choice.buttons[relation].isChecked()


def test_the_keyboard_is_enough(qtbot: QtBot, choice: RelationChoice) -> None:
    first, second = choice.buttons.values()
    first.setFocus()
    with qtbot.waitSignal(choice.chosen) as told:
        qtbot.keyClick(first, Qt.Key.Key_Space)
    assert told.args == [Relation.VALUES]
    with qtbot.waitSignal(choice.chosen) as told:
        qtbot.keyClick(first, Qt.Key.Key_Right)
    assert told.args == [Relation.USER]
    assert second.hasFocus()


def test_the_choice_can_be_taken_back(choice: RelationChoice) -> None:
    choice.show_relation(Relation.USER)
    assert choice.buttons[Relation.USER].isChecked()
    choice.show_relation(None)
    assert not any(button.isChecked() for button in choice.buttons.values())


def test_it_fits_the_column(choice: RelationChoice) -> None:
    assert choice.minimumSizeHint().width() <= 320


def test_pictures_differ_and_follow_the_theme(qtbot: QtBot) -> None:
    seen = set()
    for colours in (LIGHT, DARK):
        for relation in Relation:
            picture = RelationPicture(relation)
            qtbot.addWidget(picture)
            picture.setPalette(qt_palette(colours))
            image = picture.grab().toImage()
            seen.add(bytes(image.constBits()))
            assert len({image.pixel(x, y) for x in range(0, 112, 3) for y in range(0, 84, 3)}) > 3
    assert len(seen) == 4


def test_only_the_left_button_within_a_card_chooses(qtbot: QtBot, choice: RelationChoice) -> None:
    card = choice.cards[Relation.USER]
    with qtbot.assertNotEmitted(choice.chosen):
        qtbot.mouseClick(card, Qt.MouseButton.RightButton, pos=QPoint(2, 2))
        qtbot.mouseRelease(card, Qt.MouseButton.LeftButton, pos=QPoint(-20, 2))
    with qtbot.waitSignal(choice.chosen) as chosen:
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))
    assert chosen.args == [Relation.USER]
