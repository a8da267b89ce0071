"""The outcome in words: valid or not, signed by which key, signer not checked, not those signed."""

from __future__ import annotations

import datetime as dt
import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from core.verify.verify import Check, Verification
from ui.kit.cards import card, flowing
from ui.language.translation import core_text, translator
from ui.layout.boxes import in_column
from ui.verify.notice_words import noticed_by, noticed_mend, noticed_verdict

_tr = translator("Verify")

_PASSED, _FAILED, _OPEN = "✓", "✗", "–"
_STAMP = re.compile(r"\btimestamp:([0-9]{1,12})\b")
_LOOKS = {_PASSED: "good", _FAILED: "error", _OPEN: "warning"}


class VerifyResult(QWidget):
    """Made anew for every bundle."""

    def __init__(
        self, verification: Verification, parent: QWidget | None = None, *, own: bool = False
    ) -> None:
        """own: the key that signed is the one of this home."""
        super().__init__(parent)
        self._own = own
        self.verdict = flowing(look="heading", parent=self)
        self.signer = flowing(parent=self)
        self.head = self._verdict(verification)
        self.head.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # from here the arrow keys scroll the checks
        self.head.setAccessibleName(f"{self.verdict.text()}\n{self.signer.text()}")
        in_column(self, self.head, self._checks(verification))

    def _verdict(self, verification: Verification) -> QFrame:
        notice = verification.only_noticed
        if notice is not None:
            look = "error"
            self.verdict.setText(f"{_FAILED} {noticed_verdict(notice)}")
            self.signer.setText(
                f"{noticed_by(notice, self._signer_of(verification))}\n{noticed_mend(notice)}"
            )
        elif verification.only_practice:
            look = "warning"
            self.verdict.setText(self.tr("✗ This is a practice release."))
            self.signer.setText(self.tr("Everything else is in order, but its numbers were never released."))
        elif verification.only_unread:
            look = "warning"
            self.verdict.setText(self.tr("– Not all of the bundle was checked."))
            self.signer.setText(
                self.tr(
                    "Its files are those that were signed. Give the publisher's key, and the rest is checked."
                )
            )
        elif not verification.ok:
            look = "error"
            self.verdict.setText(self.tr("✗ The bundle is NOT valid."))
            text = self.tr("Do not use it. Get it again from its publisher, or ask there.")
            if verification.stopped:
                text = f"{_why_stopped(verification)} {text}"
            self.signer.setText(text)
        elif verification.trusted:
            look = "good"
            self.verdict.setText(self.tr("✓ The bundle is valid."))
            text = (
                self.tr("Signed by your own key, {key}.")
                if self._own
                else self.tr("Signed by the key that you gave, {key}.")
            )
            self.signer.setText(text.format(key=verification.key_id))
        else:
            look = "warning"
            self.verdict.setText(self.tr("– The bundle is valid; signer not checked."))
            self.signer.setText(
                self.tr("It says that key {key} signed it. Give the publisher's key to be sure.").format(
                    key=verification.key_id
                )
            )
        return card(self, look, self.verdict, self.signer, spacing=4)

    def _signer_of(self, verification: Verification) -> str:
        """The key of a notice, which is the bundle's."""
        if self._own:
            text = self.tr("your own key, {key}")
        elif verification.trusted:
            text = self.tr("the key that you gave, {key}")
        else:
            text = self.tr("the key that it says signed it, {key}")
        return text.format(key=verification.key_id)

    def _checks(self, verification: Verification) -> QFrame:
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(1, 1)
        self.lines: list[str] = []
        # what failed stands where it is seen first, in the order of the checks
        for number, check in enumerate(sorted(verification.checks, key=lambda check: check.passed)):
            glyph = _glyph(check, verification)
            name, row = check_name(check.name), 3 * number
            sign = flowing(glyph, _LOOKS[glyph], self)
            sign.setAccessibleName(self._spoken(glyph))
            grid.addWidget(sign, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(flowing(name, "heading", self), row, 1)
            detail = _with_time(core_text(check.detail))
            if self._own and check.name == "signer" and check.passed:  # nobody has given a key
                detail = self.tr("signed by your own key, {key}").format(key=verification.key_id)
            grid.addWidget(flowing(detail, "muted", self), row + 1, 1)
            grid.setRowMinimumHeight(row + 2, 6)
            self.lines.append(f"{glyph} {name}: {detail}")
        return card(self, "card", grid)

    def _spoken(self, glyph: str) -> str:
        return {_PASSED: self.tr("passed"), _FAILED: self.tr("failed"), _OPEN: self.tr("not checked")}[glyph]


def _why_stopped(verification: Verification) -> str:
    """Where the list is soundly signed, as its own line says, it is the files in it that do not hold."""
    failed = {check.name for check in verification.checks if not check.passed}
    if failed <= {"files", "sums"}:
        return _tr("Its files are not those that were signed, so nothing inside was read.")
    return _tr("Nothing inside was checked, because this failed: {checks}.").format(
        checks=", ".join(check_name(check.name) for check in verification.checks if check.name in failed)
    )


def _with_time(detail: str) -> str:
    """The seconds since 1970 that a signature states, as people read a time; one that is none stays."""

    def readable(found: re.Match[str]) -> str:
        try:
            moment = dt.datetime.fromtimestamp(int(found[1]), dt.UTC)
        except (OverflowError, ValueError, OSError):
            return found[0]
        return _tr("on {date} at {time} UTC").format(date=f"{moment:%Y-%m-%d}", time=f"{moment:%H:%M:%S}")

    return _STAMP.sub(readable, detail)


def _glyph(check: Check, verification: Verification) -> str:
    if not check.passed:
        return _OPEN if verification.only_unread else _FAILED
    # Without a key the check of the signer passes, since nothing speaks against it.
    return _OPEN if check.name == "signer" and not verification.trusted else _PASSED


def check_name(name: str) -> str:
    """A check by the name that a person reads; one of another version keeps its own."""
    return {
        "packed": _tr("Zip"),
        "practice": _tr("Practice release"),
        "notice": _tr("Notice of the publisher"),
        "sizes": _tr("Sizes"),
        "memory": _tr("Memory"),
        "files": _tr("Files"),
        "sums": _tr("Check sums"),
        "signature": _tr("Signature"),
        "signer": _tr("Signer"),
        "datapackage": _tr("Data package"),
        "data": _tr("Tables of values"),
        "epsilon_summary": _tr("Table of epsilons"),
        "cells": _tr("Outlines of hexagons"),
        "regions": _tr("Regions"),
        "privacy": _tr("Privacy statement"),
        "values": _tr("Values fit together"),
        "epsilons": _tr("Epsilons add up"),
        "exact_counts": _tr("Exact counts"),
        "shares": _tr("Shares fit together"),
        "constants": _tr("Public constants"),
        "map_files": _tr("Map files"),
        "geojson": _tr("GeoJSON layers"),
        "geoparquet": _tr("GeoParquet layers"),
        "map": _tr("Map page"),
        "languages": _tr("Pages in other languages"),
        "policy": _tr("Epsilon policy"),
        "dcat": _tr("Catalogue record"),
        "linked_data": _tr("Data in the report"),
    }.get(name, name)
