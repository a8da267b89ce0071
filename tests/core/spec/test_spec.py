from __future__ import annotations

from pathlib import Path

import pytest

from core.clean.mapping import ReadingRules
from core.errors import InputError
from core.spec import TABLE_MAPPING, DataSpec

RULES = ReadingRules(mapping=TABLE_MAPPING, zone="UTC", upper_bound=65_000)


def test_files_are_found_beside_the_spec(tmp_path: Path) -> None:
    folder = tmp_path / "records"
    folder.mkdir()
    data = DataSpec(files=("records/*.csv.gz",), folder=tmp_path, rules=RULES)
    with pytest.raises(InputError, match="No file matches"):
        data.paths()
    (folder / "a.csv.gz").touch()
    assert data.paths() == (folder / "a.csv.gz",)


def test_a_contribution_table_lies_beside_the_spec(tmp_path: Path) -> None:
    data = DataSpec(files=(), folder=tmp_path, rules=RULES, contributions="made/table.parquet")
    assert data.table_path == tmp_path / "made" / "table.parquet"
