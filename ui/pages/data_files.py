"""From what a person dropped or chose to the files that Hexveil reads, and the bundled sample."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.draft import DataSource
from core.errors import InputError
from core.ingest.files import unreadable_as_input_error
from core.ingest.formats import all_readers, reader_for
from core.paths import resources
from core.spec import parse_data, read_toml
from core.spec_section import Section

SAMPLE = Path("sample") / "surat-synthetic.parquet"


def files_in(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The files named, and those in the folders named, each once.

    Raises InputError for a file that is missing or of an unknown kind, and for a folder without any
    file of ours.
    """
    found: dict[Path, None] = {}
    for path in paths:
        with unreadable_as_input_error(path):
            path.stat()
            inside = sorted(path.iterdir()) if path.is_dir() else [path]
        if path.is_dir():
            ours = [item for item in inside if item.is_file() and _is_ours(item)]
            if not ours:
                raise _nothing_inside(path)
            found |= dict.fromkeys(ours)
        else:
            reader_for(path)
            found[path] = None
    if not found:
        raise InputError("No file is named.", mend="choose or drop at least one file")
    return tuple(found)


def sample_source() -> DataSource:
    """The bundled sample, read as its own spec tells. Raises InputError when it is not there."""
    path = resources() / SAMPLE
    document = read_toml(path.with_name("sample.toml"))
    data = parse_data(Section("data", document.get("data")), path.parent)
    return DataSource(files=(path,), rules=data.rules)


def _is_ours(path: Path) -> bool:
    return any(reader.reads(path) for reader in all_readers())


def _nothing_inside(folder: Path) -> InputError:
    return InputError(
        "No file in this folder can be read.",
        where=str(folder),
        mend="give " + ", ".join(reader.title for reader in all_readers()) + ", plain or as .gz",
    )
