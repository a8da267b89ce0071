"""The project that is open: its file, whether it is saved, records that have moved, crashes."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal

from core.draft.draft import DataSource, Draft, draft_of, save_draft
from core.draft.moved_records import found_among, found_below, missing_files
from core.draft.project_file import PROJECT_SUFFIX, Project, read_project, save_project
from core.draft.recovery import LeftBehind, Recovery, left_behind
from core.errors import HexveilError, InputError, InputErrors
from core.progress import Progress
from core.spec import load_spec
from ui.kit.jobs import Job
from ui.kit.stage import Stage
from ui.language.translation import core_text
from ui.session.session import Session
from ui.session.settings import Settings

SPEC_ENDING = ".toml"
_KEEP_AFTER_MS = 700
"""Of rest: a slider that is dragged writes no file for each of its stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A project on its way into the window."""

    project: Project
    """With its records where they are now, as far as they were found."""
    saved: DataSource | None
    """Its records where its file says."""
    path: Path | None
    """Of its file; None for what was left behind."""
    is_spec: bool = False
    """It belongs to no project, and counts as saved."""
    left: LeftBehind | None = None
    missing: tuple[Path, ...] = ()
    """Records that were not found."""
    looked: tuple[Path, ...] = ()
    """Folders in which they were looked for, besides where its file says."""


class OpenProject(QObject):
    """Saves, opens and keeps in the background; a failure changes nothing."""

    changed = Signal()
    """Its name, or whether it is saved."""
    saved = Signal(object)
    """The path of the file."""
    opened = Signal(object)
    """The project; its records are loaded."""
    failed = Signal(object)
    found_left = Signal(object)
    """Work that another window left behind (`LeftBehind`), newest first, one at a time."""
    records_away = Signal(object)
    """An `Opening` that waits for `look_in` or `give_up`: its records are not where its file says."""

    def __init__(
        self,
        session: Session,
        page: Callable[[], str] = str,
        parent: QObject | None = None,
        *,
        compared: Callable[[], tuple[Path, ...]] = tuple,
    ) -> None:
        """page: tells the key of the step that is open; compared: the bundles that are compared."""
        super().__init__(parent)
        self._session = session
        self._settings = Settings(session.home)
        self._page, self._compared = page, compared
        self.path: Path | None = None
        """Of its file; None before it is saved for the first time."""
        self._saved: tuple[Draft, DataSource | None] | None = None
        self._edited = self._carried = False
        """`_carried`: choices from before the last load are among what was edited."""
        self._opening: Opening | None = None
        self._recovering: LeftBehind | None = None
        self._recovery = Recovery(session.home.recovery)
        self._left: list[LeftBehind] = []
        self._taken: list[LeftBehind] = []
        """Open here; each lies in its own file until this window keeps it."""
        self._shown = ("", False)
        self._storing = Stage(self, self._on_stored, failed=self._on_not_stored)
        self.looking = Stage(self, self._on_left)
        self._may_keep = True
        self._rest = QTimer(self, singleShot=True, interval=_KEEP_AFTER_MS)
        self._rest.timeout.connect(self._keep)
        session.undo_stack.indexChanged.connect(self._on_edit)
        session.draft_changed.connect(self._refresh)
        session.data_changed.connect(self._on_loaded)
        session.load_failed.connect(self._on_load_failed)
        session.busy_changed.connect(self._on_busy)

    # what is shown

    @property
    def name(self) -> str:
        """Of its file, without the ending; empty before it is saved for the first time."""
        return "" if self.path is None else self.path.name.removesuffix(PROJECT_SUFFIX)

    @property
    def modified(self) -> bool:
        """Something was chosen that no file holds."""
        if self._saved is None:
            return self._edited
        return self._saved != (self._session.draft, self._session.source)

    @property
    def project(self) -> Project:
        """As it stands."""
        return Project(
            draft=self._session.draft,
            source=self._session.source,
            page=self._page(),
            compared=self._compared(),
            saved_as="" if self.path is None else str(self.path),
        )

    # what is asked for

    def save(self, path: Path) -> None:
        """Write the file; from then on it is the project's, but for a spec, which holds a release alone."""
        path = with_ending(path)
        if path.name.endswith(SPEC_ENDING):
            self._save_spec(path)
            return
        saved = (self._session.draft, self._session.source)
        job = Job(partial(_save, self.project, path), what=self.tr("Saving the project…"), parent=self)
        job.succeeded.connect(lambda _: self._on_saved(path, saved))
        job.failed.connect(self.failed)
        job.start()

    def _save_spec(self, path: Path) -> None:
        source = self._session.release_source
        if source is None:
            nothing = self.tr("There is nothing to save yet.")
            self.failed.emit(InputError(nothing, where=str(path), mend=self.tr("open records first")))
            return
        work = partial(_save_spec, self._session.draft, source, path)
        job = Job(work, what=self.tr("Saving the project…"), parent=self)
        job.succeeded.connect(lambda _: self._on_written(path))
        job.failed.connect(self.failed)
        job.start()

    def open(self, path: Path) -> None:
        """Read a project, or the spec of a release, then load its records."""
        job = Job(partial(_read, path), what=self.tr("Reading the project…"), parent=self)
        job.succeeded.connect(self._load)
        job.failed.connect(self.failed)
        job.start()

    def look_in(self, opening: Opening, chosen: Sequence[Path]) -> None:
        """Go on with a project whose records are away: they are these files, or in this folder."""
        self._look(opening, partial(_looked_in, opening, chosen))

    def give_up(self, opening: Opening) -> None:
        """Nobody says where its records are: all stays as it is; what was left behind is offered again."""
        if opening.left is not None:
            self.found_left.emit(opening.left)

    def begin_anew(self) -> None:
        """What is open now belongs to no project and counts as saved: it came from a file."""
        self.path, self._saved, self._edited, self._carried = None, None, False, False
        self._refresh()

    def look_for_left(self) -> None:
        """Whether windows of this home ended without saying so."""
        self.looking.start(partial(_left, self._session.home.recovery))

    def recover(self, left: LeftBehind) -> None:
        """Open what was left behind, as unsaved as it was; where that fails it is offered again."""
        opening = Opening(project=left.project, saved=left.project.source, path=None, left=left)
        self._look(opening, partial(_looked_beside, opening, left.project.saved_as))

    def discard(self, left: LeftBehind) -> None:
        """It is not wanted."""
        left.discard()
        self._settle(left)

    def close(self, *, asked: bool = True) -> None:
        """The window closes in order: nothing is to be recovered but what nobody was asked about."""
        self._may_keep = False
        self._rest.stop()
        self._storing.drop()
        with contextlib.suppress(InputError):  # what cannot be stored here stays where it was taken from
            if asked or not self.modified:
                self._recovery.forget()
            else:
                self._recovery.keep(self.project)
            self._discard_taken()  # they were open here, and saved, given up or stored again
        for left in self._left:
            left.let_go()
        self._left = []

    # what comes of it

    def _on_saved(self, path: Path, saved: tuple[Draft, DataSource | None]) -> None:
        self.path, self._saved, self._edited, self._carried = path, saved, False, False
        self._refresh()
        self._on_written(path)

    def _on_written(self, path: Path) -> None:
        self._settings.add_recent_path("project", path)
        self.saved.emit(path)

    def _look(self, opening: Opening, work: Callable[[Progress], Opening]) -> None:
        """For records, in the background: a drive may take its time to say that it is not there."""
        job = Job(work, what=self.tr("Looking for files…"), parent=self)
        job.succeeded.connect(self._load)
        job.failed.connect(self.failed)
        job.failed.connect(lambda _: self.give_up(opening))
        job.cancelled.connect(lambda: self.give_up(opening))
        job.start()

    def _load(self, opening: Opening) -> None:
        if opening.missing:
            self.records_away.emit(opening)
            return
        self._offer_again()  # another is opened in its place
        self._opening, self._recovering = opening, opening.left
        project = opening.project
        if project.source is not None:
            self._session.load(project.source, project.draft)
            return
        self._session.apply(project.draft)
        self._on_loaded()

    def _on_loaded(self) -> None:
        opening, self._opening = self._opening, None
        if opening is None or opening.project.source != self._session.source:
            self._offer_again()
            self._carried = self._edited
            self._refresh()
            return
        project, path = opening.project, opening.path
        if path is not None:
            self._settings.add_recent_path("project", path)
        if opening.is_spec:
            self.begin_anew()
        elif path is not None:
            self.path, self._saved = path, (project.draft, opening.saved)
        else:
            self.path = Path(project.saved_as) if project.saved_as else None
            self._saved = None
        self._edited = self._carried = path is None
        left, self._recovering = self._recovering, None
        if left is not None:
            self._taken.append(left)
            self._settle(left)
        self._refresh()
        self.opened.emit(project)
        if project.source != opening.saved:
            self._session.noted.emit(
                self.tr("The records have moved. Save the project to remember where they are.")
            )

    def _on_load_failed(self, error: object) -> None:
        if self._opening is not None:
            self._opening = None
            self.failed.emit(error)
            self._offer_again()

    def _on_busy(self, busy: bool) -> None:
        if not busy:  # a cancelled load neither succeeds nor fails
            self._opening = None
            self._offer_again()

    def _on_edit(self) -> None:
        stack = self._session.undo_stack
        if not shiboken6.isValid(stack):  # it reports its own end too
            return
        if stack.count():  # none once other data are loaded
            self._edited = self._carried or not stack.isClean()
        self._refresh()

    def _refresh(self) -> None:
        self._rest.start()
        shown = (self.name, self.modified)
        if shown != self._shown:
            self._shown = shown
            self.changed.emit()

    def _keep(self) -> None:
        """For a recovery, as long as no file of the person holds it."""
        if not self._may_keep:
            return
        recovery = self._recovery
        if self.modified:
            self._storing.start(partial(_keep, recovery, self.project))
        else:
            self._storing.start(partial(_forget, recovery))

    def _on_not_stored(self, error: object) -> None:
        """Shown once: the next stop of a slider would say the same."""
        self._may_keep = False
        if isinstance(error, HexveilError):
            self._session.noted.emit(core_text(error.what))

    def _on_stored(self, retained: bool) -> None:
        """What was left behind is in this window's own file now, or saved; not with what was before it."""
        if retained or not self.modified:
            self._discard_taken()

    def _discard_taken(self) -> None:
        taken, self._taken = self._taken, []
        for left in taken:
            left.discard()

    def _offer_again(self) -> None:
        """What was left behind could not be opened: nothing of it is lost."""
        left, self._recovering = self._recovering, None
        if left is not None:
            self.found_left.emit(left)

    def _on_left(self, looked: tuple[list[LeftBehind], list[InputError]]) -> None:
        found, unreadable = looked
        for error in unreadable:
            self._session.failed.emit(error)
        self._left += found
        if found:
            self.found_left.emit(self._left[0])

    def _settle(self, left: LeftBehind) -> None:
        with contextlib.suppress(ValueError):
            self._left.remove(left)
        if self._left:
            self.found_left.emit(self._left[0])


def with_ending(path: Path) -> Path:
    """The file that a project of this name is saved as; a spec keeps its own."""
    named = path.name.endswith((PROJECT_SUFFIX, SPEC_ENDING))
    return path if named else path.with_name(path.name + PROJECT_SUFFIX)


def _save(project: Project, path: Path, _: Progress) -> None:
    save_project(project, path)


def _save_spec(draft: Draft, source: DataSource, path: Path, _: Progress) -> None:
    save_draft(draft, source, path)


def _read(path: Path, progress: Progress) -> Opening:
    if path.name.endswith(SPEC_ENDING):
        draft, source = _draft_of_spec(path)
        project = Project(draft=draft, source=source, page="release")
        return Opening(project=project, saved=source, path=path, is_spec=True)
    project = read_project(path)
    return _looked_beside(Opening(project=project, saved=project.source, path=path), str(path), progress)


def _draft_of_spec(path: Path) -> tuple[Draft, DataSource]:
    """Raises InputError that names the file: its lines are to be mended, no field of the window."""
    try:
        return draft_of(load_spec(path))
    except InputErrors as several:
        raise InputErrors(several.what, [_in_file(path, error) for error in several.problems]) from None
    except InputError as error:
        raise _in_file(path, error) from None


def _in_file(path: Path, error: InputError) -> InputError:
    where = error.where if path.name in error.where else f"{path.name}: {error.where}"
    return InputError(error.what, where=where, mend=error.mend)


def _looked_beside(opening: Opening, file: str, progress: Progress) -> Opening:
    """Records that moved together with the file of the project; empty: it has none."""
    return _looked_in(opening, (Path(file).absolute().parent,) if file else (), progress)


def _looked_in(opening: Opening, chosen: Sequence[Path], _: Progress) -> Opening:
    source = opening.project.source
    if source is None or not missing_files(source.files):
        return opening
    folders = tuple(path for path in chosen if path.is_dir())
    files = source.files
    for folder in folders:
        files = found_below(files, folder)
    if others := [path for path in chosen if path not in folders]:
        files = found_among(files, others)
    looked = (*opening.looked, *folders, *(path.parent for path in others))
    return dataclasses.replace(
        opening,
        project=dataclasses.replace(opening.project, source=dataclasses.replace(source, files=files)),
        missing=missing_files(files),
        looked=tuple(dict.fromkeys(looked)),
    )


def _left(folder: Path, _: Progress) -> tuple[list[LeftBehind], list[InputError]]:
    return left_behind(folder)


def _keep(recovery: Recovery, project: Project, _: Progress) -> bool:
    """Whether anything is stored."""
    recovery.keep(project)
    return True


def _forget(recovery: Recovery, _: Progress) -> bool:
    """Whether anything is stored."""
    recovery.forget()
    return False
