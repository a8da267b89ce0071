"""A folder of figures: four files each and an index, whole or absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.figures import figure_folder
from core.figures.figure_folder import INDEX, require_new_folder, write_figures
from core.progress import Cancelled
from tests.core.charts.examples import BARS, LINES
from tests.core.figures.test_city_map import CITY
from tests.records import assert_tells


def test_each_figure_has_four_files_and_the_index_names_it(tmp_path: Path) -> None:
    paths = write_figures([LINES, BARS, CITY], tmp_path / "out")
    names = {
        f"{name}.{ending}" for name in ("lines", "bars", "map") for ending in ("png", "svg", "pdf", "csv")
    }
    assert (
        {path.name for path in paths}
        == {path.name for path in (tmp_path / "out").iterdir()}
        == names | {INDEX}
    )
    index = (tmp_path / "out" / INDEX).read_text("utf-8")
    assert "`lines`: Lines & <marks>" in index
    assert "`map`: A city. Made up." in index
    assert "arXiv:2405.06261v1" in index, "short names of papers are told in full"


def test_formats_may_be_chosen_and_numbers_are_always_there(tmp_path: Path) -> None:
    paths = write_figures([BARS], tmp_path / "out", formats=["pdf"])
    assert [path.name for path in paths] == ["bars.pdf", "bars.csv", INDEX]


def test_an_empty_folder_is_taken_and_a_full_one_is_not(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_figures([BARS], tmp_path / "empty")
    before = {path.name: path.read_bytes() for path in (tmp_path / "empty").iterdir()}
    with pytest.raises(InputError) as refused:
        write_figures([LINES], tmp_path / "empty")
    assert_tells(refused.value)
    assert {path.name: path.read_bytes() for path in (tmp_path / "empty").iterdir()} == before


def test_a_file_of_that_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(InputError) as refused:
        require_new_folder(tmp_path / "out")
    assert_tells(refused.value)


def test_stopped_or_broken_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(done: float, text: str = "") -> None:  # noqa: ARG001 - one shape for every progress
        if done > 0:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_figures([LINES, BARS], tmp_path / "out", stop)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(figure_folder, "write_synced", full)
    with pytest.raises(InputError, match="No space left") as refused:
        write_figures([LINES], tmp_path / "out")
    assert_tells(refused.value)
    assert list(tmp_path.iterdir()) == []
