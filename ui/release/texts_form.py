"""The texts of a release as a form, its title by example: each finished field is one undo step."""

from __future__ import annotations

import re
import unicodedata
from functools import partial
from typing import Any

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QLineEdit, QWidget

from core.bundle.licences import KNOWN
from core.errors import InputError
from core.privacy import Relation
from core.release_texts import ReleaseTexts
from ui.kit.labels import plain_label
from ui.kit.list_box import ListBox
from ui.kit.spec_words import caption_of, help_of, label_of
from ui.kit.tips import in_lines
from ui.layout.boxes import in_form
from ui.session.query_texts import of_quantity
from ui.session.session import Session

_LONGEST_NAME = 80
_SOME_NAME = "name"
"""Stands for the name that a title will give."""


class TextsForm(QWidget):
    """Name, version, title, publisher, contact and licence of the session's draft."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.fields = {key: QLineEdit(self) for key in ("title", "name", "version", "publisher", "contact")}
        self.licence = ListBox(self)
        self.licence.setEditable(True)
        self.licence.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.licence.addItems([licence.key for licence in KNOWN])
        licence_field = self.licence.lineEdit()
        assert licence_field is not None
        self.fields["licence"] = licence_field
        self._suggest()
        form = in_form(self, down=4)
        for key, field in self.fields.items():
            if key == "version":  # both are short: what follows the form is seen without scrolling
                form.addRow(self._caption(key, field), self._version_and_licence())
            elif key != "licence":
                form.addRow(self._caption(key, field), field)
            field.setToolTip(in_lines(help_of(f"release.{key}")))
            field.editingFinished.connect(partial(self._commit, key))
        self.setTabOrder(self.fields["version"], self.licence)
        self.setTabOrder(self.licence, self.fields["publisher"])
        self.licence.activated.connect(lambda _: self._commit("licence"))
        self.policy, self.counts = (self._ticked(key) for key in ("policy", "counts"))
        form.addRow(self.policy)
        form.addRow(self.counts)
        session.draft_changed.connect(self.refresh)
        session.data_changed.connect(self._suggest)
        session.data_changed.connect(self._show_anew)
        self.refresh()

    def _ticked(self, key: str) -> QCheckBox:
        box = QCheckBox(label_of(f"release.{key}"), self)
        box.setToolTip(in_lines(help_of(f"release.{key}")))
        box.clicked.connect(lambda wanted: self._session.edit(caption_of(f"release.{key}"), **{key: wanted}))
        return box

    def _caption(self, key: str, field: QWidget) -> QLabel:
        caption = plain_label(label_of(f"release.{key}"))
        caption.setBuddy(field)
        return caption

    def _version_and_licence(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.fields["version"], 5)  # so that a later version and the licence are read whole
        row.addWidget(self._caption("licence", self.licence))
        row.addWidget(self.licence, 8)
        return row

    def _suggest(self) -> None:
        for key, example in {
            "title": of_quantity(self.tr("Bus {values} by hexagon and hour"), self._session.quantity),
            "name": self.tr("follows the title"),
            "publisher": self.tr("your city or office"),
            "contact": self.tr("opendata@city.example"),
        }.items():
            self.fields[key].setPlaceholderText(example)

    def refresh(self) -> None:
        """Show the draft, but never over what somebody is typing."""
        for key, field in self.fields.items():
            value = getattr(self._session.draft, key)
            if field.text() != value and not (field.hasFocus() and field.isModified()):
                field.setText(value)

        draft = self._session.draft
        self.policy.setChecked(draft.policy)
        self.counts.setChecked(draft.counts)
        self.counts.setVisible(draft.relation is not Relation.USER)

    def _show_anew(self) -> None:
        """What is half typed was meant for the data before."""
        for key, field in self.fields.items():
            field.setText(getattr(self._session.draft, key))

    def commit(self) -> None:
        """Take over what is typed, also where a field still has the focus."""
        # read first: each edit shows the draft again, over whatever is not taken over yet
        typed = {key: field.text() for key, field in self.fields.items()}
        for key, text in typed.items():
            self._take(key, text)

    def _commit(self, key: str) -> None:
        self._take(key, self.fields[key].text())

    def _take(self, key: str, typed: str) -> None:
        text = " ".join(typed.split())
        self.fields[key].setText(text)
        draft = self._session.draft
        changes: dict[str, Any] = {key: text}
        if key == "title" and draft.name in ("", name_of(draft.title)):
            changes["name"] = name_of(text)
        self._session.edit(caption_of(f"release.{key}"), **changes)

    def check(self) -> None:
        """Raise InputError for the first text at fault, with the cursor in its field."""
        texts = {key: getattr(self._session.draft, key) for key in self.fields}
        if not texts["title"]:
            # the name follows the title: it is the title that is missing
            texts["name"] = texts["name"] or _SOME_NAME
        try:
            ReleaseTexts(**texts)
        except InputError as error:
            field = self.fields.get(error.where.removeprefix("release."))
            if field is not None:
                field.setFocus()
                field.selectAll()
            raise


def name_of(title: str) -> str:
    """A release's name made of its title; empty where the title has no Latin letter or digit."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST_NAME].strip("-")
