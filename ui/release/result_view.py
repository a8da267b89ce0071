"""What came of a release: signed and saved, verified, the key's fingerprint, to send, to check."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFont, QFontDatabase, QGuiApplication, QResizeEvent, QTextOption
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPlainTextEdit, QPushButton, QWidget

from core.bundle.protection_texts import PRACTICE
from core.release.said_afterwards import said_afterwards
from core.verify.verify import Verification
from ui.kit.buttons import push_button
from ui.kit.cards import card, flowing
from ui.kit.jobs import Job
from ui.kit.labels import label, set_look
from ui.kit.message_bar import message_of
from ui.language.translation import core_text, counted, data_size
from ui.layout.boxes import in_column, in_grid, in_row
from ui.release.release_jobs import BundleFile, Outcome, verify_outcome
from ui.session.pack_button import PackButton

_FILE_COLUMNS = 2
_TOP = Qt.AlignmentFlag.AlignTop


class ResultView(QWidget):
    """Shown once a bundle is published."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self._bundle = outcome.published.bundle
        self._practice = outcome.practice
        self.verdict = flowing()
        self.verdict.setText(
            self.tr(
                "✓ Signed and saved; nothing is online yet. The same release was drawn before: nothing was "
                "spent."
            )
            if outcome.published.repeated
            else self.tr("✓ Signed and saved; nothing is online yet. The ledger has charged its cost.")
        )
        if outcome.practice:
            self.verdict.setText(core_text(PRACTICE))
        self.verified = flowing(self.tr("Verifying it…"))
        self._layout = in_column(
            self, card(self, "warning" if outcome.practice else "good", self.verdict), spacing=10
        )
        for sentence in said_afterwards(outcome.published.release):
            text = flowing(f"! {core_text(sentence)}")
            self._layout.addWidget(card(self, "warning", text))
        self._layout.addWidget(card(self, "card", self.verified))
        self._layout.addWidget(self._bundle_card(outcome.files))
        if not outcome.practice:
            self._layout.addWidget(self._key_card(outcome.key.fingerprint, outcome.key.key_id))
            self._layout.addWidget(self._public_card("\n".join(verify_lines(outcome.key.text))))
        self._layout.addStretch(1)

    def show_verification(self, verification: Verification) -> None:
        """What a stranger would find, with the key that signed."""
        failed = [
            f"{core_text(check.name)}: {core_text(check.detail)}"
            for check in verification.checks
            if not check.passed
        ]
        if failed:
            text = self.tr("✗ The bundle is NOT valid.") + "\n" + "\n".join(failed)
        else:
            passed, key_id = len(verification.checks) - self._practice, verification.key_id
            text = (
                counted(
                    "✓ Verified immediately with the key of this practice, {key}: {n} check passed; it is "
                    "marked as practice.",
                    "✓ Verified immediately with the key of this practice, {key}: {n} checks passed; it is "
                    "marked as practice.",
                    passed,
                    key=key_id,
                )
                if self._practice
                else counted(
                    "✓ Verified immediately with your own key {key}: {n} check passed.",
                    "✓ Verified immediately with your own key {key}: {n} checks passed.",
                    passed,
                    key=key_id,
                )
            )
        self.verified.setText(text)
        set_look(self.verified, "error" if failed else "good")

    def show_unverified(self, error: object) -> None:
        """Why it could not be checked; published it is all the same."""
        self.verified.setText(self.tr("! Not verified: {reason}").format(reason=message_of(error).what))
        set_look(self.verified, "warning")

    def _bundle_card(self, files: tuple[BundleFile, ...]) -> QFrame:
        self.path = FixedText(str(self._bundle), self.tr("Folder of the bundle"), self)
        self.open = push_button(self.tr("Open &folder"), self, self._open_folder)
        self.packed = flowing(self.tr("To send, or to offer for download:"), "muted")
        self.pack = PackButton(self)
        self.pack.clicked.connect(lambda: self.pack.pack(self._bundle))
        self.pack.packed.connect(self._show_packed)
        self.pack.refused.connect(self._show_unpacked)
        return card(
            self,
            "card",
            flowing(self.tr("Bundle"), "heading"),
            _row(self.path, self.open),
            self._files_grid(files),
            _row(self.packed, self.pack),
        )

    def _files_grid(self, files: tuple[BundleFile, ...]) -> QGridLayout:
        grid = in_grid(across=8, down=2)
        rows = -(-len(files) // _FILE_COLUMNS)
        for number, file in enumerate(files):
            row, column = number % rows, 3 * (number // rows)
            size = label(data_size(file.size), "muted", wraps=False)
            # names of tables are long: they may go on after a stroke
            grid.addWidget(flowing(file.path.replace("_", "_\u200b")), row, column)
            grid.addWidget(size, row, column + 1, Qt.AlignmentFlag.AlignRight)
        for column in range(_FILE_COLUMNS):
            grid.setColumnStretch(3 * column, 1)
            if column:  # apart from the sizes before it
                grid.setColumnMinimumWidth(3 * column - 1, 12)
        return grid

    def _key_card(self, fingerprint: str, key_id: str) -> QFrame:
        self.fingerprint = flowing(_in_two_lines(fingerprint), "figure")
        self.fingerprint.setFont(_monospace())
        self.fingerprint.setAccessibleName(self.tr("Key fingerprint"))
        self.copy_fingerprint = self._copy_button(fingerprint, self.tr("Copy the fingerprint"))
        note = self.tr(
            "Key {key}. Show fingerprint and key on your own site: the copy inside the bundle proves "
            "nothing by itself."
        )
        return card(
            self,
            "card",
            flowing(self.tr("Fingerprint of the key that signed"), "heading"),
            _row(self.fingerprint, self.copy_fingerprint),
            flowing(note.format(key=key_id), "muted"),
        )

    def _public_card(self, commands: str) -> QFrame:
        self.commands = FixedText(commands, self.tr("Commands that check the bundle"), self)
        self.copy_commands = self._copy_button(commands, self.tr("Copy the commands"))
        return card(
            self,
            "card",
            flowing(self.tr("How the public checks it, inside the folder"), "heading"),
            _row(self.commands, self.copy_commands),
        )

    def _copy_button(self, text: str, name: str) -> QPushButton:
        button = QPushButton(self.tr("Copy"), self)
        button.setAccessibleName(name)
        button.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
        return button

    def _show_packed(self, path: Path) -> None:
        size = data_size(path.stat().st_size)
        self.packed.setText(
            self.tr("✓ Packed beside the folder: {name}, {size}").format(name=path.name, size=size)
        )
        set_look(self.packed, "good")

    def _show_unpacked(self, error: object) -> None:
        text = message_of(error)
        self.packed.setText("\n".join(part for part in (text.what, text.where, text.mend) if part))
        set_look(self.packed, "error")

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._bundle)))


def verify_now(outcome: Outcome, view: ResultView) -> None:
    """Check the bundle in a worker, and show it in the view; one that is closed by then gets nothing."""
    job = Job(lambda _: verify_outcome(outcome), what=view.tr("Checking the bundle…"), parent=view)
    job.succeeded.connect(view.show_verification)
    job.failed.connect(view.show_unverified)
    job.start()


class FixedText(QPlainTextEdit):
    """Text to be copied letter by letter: monospaced, broken anywhere, as high as it needs."""

    def __init__(self, text: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setFont(_monospace())
        self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self.setFixedHeight(self.height_of(int(self.document().size().height())))

    def height_of(self, lines: int) -> int:
        """Pixels that so many lines take with their frame."""
        self.ensurePolished()
        margins = self.contentsMargins()
        around = margins.top() + margins.bottom() + 2 * int(self.document().documentMargin())
        return lines * self.fontMetrics().lineSpacing() + around


def verify_lines(key_text: str) -> tuple[str, ...]:
    """The lines that anybody can run, with the real key."""
    return (f"minisign -Vm SHA256SUMS -P {key_text}", "sha256sum -c --strict SHA256SUMS")


def _in_two_lines(fingerprint: str) -> str:
    groups = fingerprint.split()
    half = len(groups) // 2
    return f"{' '.join(groups[:half])}\n{' '.join(groups[half:])}"


def _row(wide: QWidget, button: QWidget) -> QHBoxLayout:
    row = in_row(None, (wide, 1), (button, 0, _TOP))
    if isinstance(wide, FixedText):  # level with the frame of a single line
        button.setMinimumHeight(wide.height_of(1))
    return row


def _monospace() -> QFont:
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
