"""From what is dropped or chosen to files to read: one at least, and a contribution table by itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.contributions.encryption import AskPassphrase
from core.contributions.file_look import TableOffer, is_table, look_at_table
from core.contributions.parts import SUFFIX
from core.draft.draft import DataSource, Draft, draft_of
from core.errors import InputError
from core.geodata.map_layer import MapLayer
from core.progress import Progress, silent
from core.read.file_listing import data_files_in
from core.read.file_stamps import stamp_of
from core.read.input_files import PACKED
from core.read.reader_registry import all_readers, reader_for
from core.spec import load_spec
from core.synthesize.map_names import PLACES, STREETS
from core.system.paths import resources
from ui.language.translation import translator

_tr = translator("DataFiles")

SAMPLE = Path("sample") / "surat-synthetic.parquet"
_LEFT_OPEN = (
    *("relation", "unit", "confirmed", "population"),
    *("name", "version", "title", "publisher", "contact", "licence"),
)
"""Of the sample's spec: fields of a draft."""


def files_in(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The files named, and those below the folders named, each once.

    Raises InputError for a file that is missing or of an unknown kind, and for a folder without any
    file of ours.
    """
    found: dict[Path, None] = {}
    for path in paths:
        stamp_of(path)
        if path.is_dir():
            found |= dict.fromkeys(data_files_in(path).files)
        else:
            reader_for(path)
            found[path] = None
    if not found:
        raise InputError(_tr("No file is named."), mend=_tr("choose or drop at least one file"))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenData:
    """Files of records, or one contribution table with what it says of itself."""

    files: tuple[Path, ...]
    offer: TableOffer | None = None
    """None: these are records."""


def may_be_table(path: Path) -> bool:
    """Whether a file or folder has to be looked into before it is known to hold records."""
    return path.is_dir() or path.name.lower().endswith(SUFFIX)


def chosen_data(
    paths: Sequence[Path], passphrase: AskPassphrase | None = None, progress: Progress = silent
) -> ChosenData:
    """What these files and folders are, in a worker thread.

    passphrase: asked where a table is encrypted. Raises InputError as `files_in`, for a contribution table
    among other files, and what `progress` and `passphrase` raise.
    """
    if len(paths) == 1:
        stamp_of(paths[0])
        offer = look_at_table(paths[0], passphrase, progress) if may_be_table(paths[0]) else None
        return ChosenData(files=files_in(paths) if offer is None else tuple(paths), offer=offer)
    files = files_in(paths)
    for number, file in enumerate(files):
        progress(number / len(files), "Looking for files")
        if may_be_table(file) and is_table(file):
            raise InputError(
                _tr("A contribution table is opened by itself: it is a whole data set."),
                where=str(file),
                mend=_tr("open it without the other files"),
            )
    return ChosenData(files=files)


def sample_project() -> tuple[Draft, DataSource]:
    """The bundled sample with the choices of its spec; who is protected is left to be chosen.

    So is who publishes and whose budget is charged: the choices stay when other data are opened, and
    these would then be released under the sample's names. Raises InputError when it is not there.
    """
    draft, source = draft_of(load_spec((resources() / SAMPLE).with_name("sample.toml")))
    new = Draft()
    open_choices = {name: getattr(new, name) for name in _LEFT_OPEN}
    return dataclasses.replace(draft, **open_choices, layers=sample_layers()), source


def sample_layers() -> tuple[MapLayer, ...]:
    """The map of the sample's made-up city: places, which name hexagons, and thin streets below them."""
    folder = resources() / SAMPLE.parent
    return (
        MapLayer(file=folder / PLACES, over=True, name_field="name", labels=True, places=True, width=1.0),
        MapLayer(file=folder / STREETS, over=True, name_field="name", width=0.8, opacity=0.6),
    )


def patterns() -> str:
    """What names of files that can be read look like, for a file dialog."""
    endings = (ending for reader in all_readers() for ending in reader.endings)
    return " ".join(f"*{ending}" for ending in (*endings, *PACKED))
