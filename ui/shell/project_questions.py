"""Questions on a project: what is not saved is lost; files that are not where they were; which folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from core.draft.project_file import PROJECT_SUFFIX
from ui.data.fact_card import breakable
from ui.kit.added_ending import unasked_replacement
from ui.language.translation import counted, translator
from ui.session.session import Session
from ui.shell.main_window import MainWindow
from ui.shell.open_project import SPEC_ENDING, Opening, OpenProject, with_ending

_tr = translator("Workspace")
_LISTED = 5


class MovedQuestion(QMessageBox):
    """Tells what is missing and where it was looked for; the place is asked for once it is closed."""

    def __init__(self, opening: Opening, parent: QWidget) -> None:
        super().__init__(parent)
        self._looked = opening.looked
        self.setIcon(QMessageBox.Icon.Question)
        self.setTextFormat(Qt.TextFormat.PlainText)  # a name of a file may look like anything
        self.setWindowTitle(self.tr("Hexveil"))
        self.setText(
            counted(
                "{n} file of this project is not where it was. Where is it now?",
                "{n} files of this project are not where they were. Where are they now?",
                len(opening.missing),
            )
        )
        parts = [_listed(opening.missing)]
        if opening.looked:
            parts.append(self.tr("Looked for there, and in:") + "\n" + _listed(opening.looked))
        parts.append(self.tr("All choices stay as they are. Save the project afterwards to keep the place."))
        self.setInformativeText("\n\n".join(parts))
        self._files = self.addButton(self.tr("Choose &files…"), QMessageBox.ButtonRole.AcceptRole)
        self._folder = self.addButton(self.tr("Choose a f&older…"), QMessageBox.ButtonRole.AcceptRole)
        self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(self._files if len(opening.missing) == 1 else self._folder)

    def ask_place(self) -> tuple[Path, ...] | None:
        """The files or the folder that are chosen now, none if that is given up; None after *Cancel*."""
        start = str(self._looked[-1]) if self._looked else ""
        clicked, parent = self.clickedButton(), self.parentWidget()
        if clicked is self._files:
            kinds = self.tr("All files (*)")
            names, _ = QFileDialog.getOpenFileNames(parent, self.tr("Where are the files now?"), start, kinds)
            return tuple(map(Path, names))
        if clicked is self._folder:
            name = QFileDialog.getExistingDirectory(parent, self.tr("In which folder are they now?"), start)
            return (Path(name),) if name else ()
        return None


def _listed(paths: Sequence[Path]) -> str:
    """A line each, of many only the first ones."""
    lines = [breakable(str(path)) for path in paths[:_LISTED]]
    if len(paths) > _LISTED:
        more = len(paths) - _LISTED
        lines.append(counted("and {n} more", "and {n} more", more))
    return "\n".join(lines)


def close_question(
    name: str, *, save: Callable[[], None], leave: Callable[[], None], parent: QWidget, closes: bool = True
) -> QMessageBox:
    """The open question. save, leave: what follows from *Save* and from *Close without saving*.

    closes: False where the window stays, and something else is opened in it.
    """
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(_tr("Hexveil"))
    box.setText(
        _tr("Save the changes of {name}?").format(name=name) if name else _tr("Save what you have chosen?")
    )
    box.setInformativeText(
        _tr("What is not saved is lost. Signed releases and the ledger stay as they are in any case.")
    )
    keep = box.addButton(_tr("&Save"), QMessageBox.ButtonRole.AcceptRole)
    without = _tr("Close &without saving") if closes else _tr("Open &without saving")
    drop = box.addButton(without, QMessageBox.ButtonRole.DestructiveRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(keep)
    box.buttonClicked.connect(
        lambda button: save() if button is keep else leave() if button is drop else None
    )
    box.open()
    return box


class ProjectQuestions(QObject):
    """One question at a time, beside the dialogs of files."""

    def __init__(
        self, window: MainWindow, session: Session, project: OpenProject, commit: Callable[[], None]
    ) -> None:
        """commit: takes over what is typed in a field that still has the keyboard."""
        super().__init__(project)
        self._window, self._session, self._project, self._commit = window, session, project, commit
        self.question: QMessageBox | None = None
        """Before unsaved work is closed, or the sample takes its place; or where records are now."""
        self._after_saving: Callable[[], None] | None = None
        """What was asked for, and waits until unsaved work is saved."""
        project.failed.connect(self._forget_what_waits)
        project.saved.connect(self._on_saved)
        project.records_away.connect(self._ask_where)

    def _on_saved(self, path: Path) -> None:
        self._session.noted.emit(self.tr("Saved as {path}").format(path=path))
        then, self._after_saving = self._after_saving, None
        if then is not None:
            then()

    def save_project(self) -> None:
        """Save it where it is, or ask where."""
        self._commit()
        if self._project.path is None:
            self.save_project_as()
        else:
            self._project.save(self._project.path)

    def save_project_as(self) -> None:
        """Ask where and in which form, then save it there."""
        self._commit()
        folder = self._window.settings.folder_for("project")
        name = self._project.name or self._session.draft.name or self.tr("project")
        forms = (
            self.tr("Projects (*{suffix})").format(suffix=PROJECT_SUFFIX),
            self.tr("Specs of the command line (*{suffix})").format(suffix=SPEC_ENDING),
        )
        path, form = QFileDialog.getSaveFileName(
            self._window, self.tr("Save project"), str(folder / f"{name}{PROJECT_SUFFIX}"), ";;".join(forms)
        )
        if path and form == forms[1] and not path.endswith(SPEC_ENDING):
            path = path.removesuffix(PROJECT_SUFFIX) + f".hexveil{SPEC_ENDING}"
        if path and not self._replaces_another(Path(path)):
            self._window.settings.set_last_folder("project", Path(path).parent)
            self._project.save(Path(path))
        else:
            self._forget_what_waits()

    def _replaces_another(self, typed: Path) -> bool:
        """Whether the ending that is added leads to a file that nobody was asked about; then it is stated."""
        path = with_ending(typed)
        refused = None if path == self._project.path else unasked_replacement(typed, path)
        if refused is not None:
            self._session.failed.emit(refused)
        return refused is not None

    def asks_to_stay(self) -> bool:
        """Whether unsaved work keeps the window open; then a question is on the screen."""
        if not self._project.modified:
            return False
        self._ask_to_save(self._window.leave, closes=True)
        return True

    def keep_first(self, then: Callable[[], None]) -> None:
        """Open something else, once unsaved work is saved or given up."""
        if self._project.modified:
            self._ask_to_save(then, closes=False)
        else:
            then()

    def _ask_to_save(self, then: Callable[[], None], *, closes: bool) -> None:
        """One question at a time."""
        if self.question is None:
            self.question = close_question(
                self._project.name,
                save=partial(self._save_then, then),
                leave=then,
                parent=self._window,
                closes=closes,
            )
            self.question.finished.connect(self._answered)

    def _ask_where(self, opening: Opening) -> None:
        """Records of a project are away; one question at a time."""
        if self.question is not None:
            self._project.give_up(opening)
            return
        question = MovedQuestion(opening, self._window)
        question.finished.connect(self._answered)
        question.finished.connect(lambda _: self._look_where(opening, question.ask_place()))
        self.question = question
        question.open()

    def _look_where(self, opening: Opening, chosen: tuple[Path, ...] | None) -> None:
        """None: it is given up; nothing: it is asked again."""
        if chosen is None:
            self._project.give_up(opening)
        elif chosen:
            self._project.look_in(opening, chosen)
        else:
            self._ask_where(opening)

    def _save_then(self, then: Callable[[], None]) -> None:
        self._after_saving = then
        self.save_project()

    def _forget_what_waits(self) -> None:
        """Nothing was saved: a later saving brings nothing else with it."""
        self._after_saving = None

    def _answered(self) -> None:
        question, self.question = self.question, None
        if question is not None:
            question.deleteLater()
