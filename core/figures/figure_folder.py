"""A folder of figures with a README, whole or absent; it must be new or empty."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from core.charts.chart import Chart
from core.charts.chart_csv import chart_csv
from core.charts.drawing import picture_of
from core.charts.pdf import pdf
from core.charts.png import png
from core.charts.shapes import Picture
from core.charts.svg import svg
from core.errors import InputError
from core.figures.city_map import CityMap, city_map_csv, city_map_picture
from core.progress import Progress, silent
from core.references import WORKS
from core.system.files import sync_folder, write_synced
from core.system.files_in_use import when_released

INDEX = "README.md"
"""What lies beside the figures."""
PICTURE_FORMATS: dict[str, Callable[[Picture], bytes]] = {"png": png, "svg": svg, "pdf": pdf}
"""Of pictures; the numbers lie beside them as CSV."""


Figure = Chart | CityMap


def require_new_folder(folder: Path) -> None:
    """Raise InputError where something is at that place already, unless it is an empty folder."""
    if folder.is_dir() and not any(folder.iterdir()):
        return
    if folder.exists() or folder.is_symlink():
        raise InputError(
            "This place is taken.",
            where=str(folder),
            mend="name a folder that does not exist yet, or an empty one",
        )


def _index(figures: Sequence[Figure]) -> bytes:
    """What each figure shows, and the works that their notes name in short."""
    lines = [
        "# Figures",
        "",
        *(f"- `{figure.name}`: {figure.title}. {figure.note}" for figure in figures),
        "",
    ]
    lines += ["Works:", ""]
    lines += [*(f"- {work.label}: {work.cited}" for work in WORKS.values())]
    return ("\n".join(lines) + "\n").encode()


def _drawn(figure: Figure) -> tuple[Picture, bytes]:
    """The picture, and what lies beside it as CSV."""
    if isinstance(figure, CityMap):
        return city_map_picture(figure), city_map_csv(figure)
    return picture_of(figure), chart_csv(figure)


def write_figures(
    figures: Sequence[Figure],
    folder: Path,
    progress: Progress = silent,
    formats: Sequence[str] = tuple(PICTURE_FORMATS),
) -> tuple[Path, ...]:
    """The files, in the order of the figures; formats: some of `PICTURE_FORMATS`.

    Raises InputError for a place that is taken or cannot be written.
    """
    require_new_folder(folder)
    staging = folder.with_name(f".{folder.name}.{secrets.token_hex(6)}.partial")
    names: list[str] = []
    try:
        staging.mkdir(parents=True)
        for number, figure in enumerate(figures):
            progress(number / len(figures), "Drawing figures")
            picture, numbers = _drawn(figure)
            contents = {ending: PICTURE_FORMATS[ending](picture) for ending in formats}
            for ending, content in (contents | {"csv": numbers}).items():
                names.append(f"{figure.name}.{ending}")
                write_synced(staging / names[-1], content)
        names.append(INDEX)
        write_synced(staging / INDEX, _index(figures))
        if folder.exists():
            folder.rmdir()
        when_released(lambda: staging.rename(folder))
        sync_folder(folder.parent)
    except OSError as error:
        raise InputError(
            f"The figures cannot be written: {error.strerror}.",
            where=str(folder),
            mend="choose a folder whose parent exists and that you can write to",
        ) from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    progress(1.0, "Figures written")
    return tuple(folder / name for name in names)
