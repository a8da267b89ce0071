"""Which HATs the rows of a bundle are of: alone, or as parts of regions."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.keys.signing_key import generate_key
from core.verify.candidates import StatedCandidates, stated_candidates
from core.verify.folder import read_folder
from core.verify.statement_reader import read_statement
from core.verify.tables import TableRow, rows_of
from tests.taxis import REGIONS, candidate_names, ledger_in, released, write_taxis


def told(tmp_path: Path, edits: tuple[tuple[str, str], ...]) -> tuple[list[TableRow], StatedCandidates]:
    key = generate_key(tmp_path / "key", "correct horse")
    bundle = released(
        write_taxis(tmp_path / "city", edits=edits), ledger_in(tmp_path / "home"), key, tmp_path / "out"
    ).bundle
    folder = read_folder(bundle)
    ((_, table),) = folder.statistics.items()
    rows = rows_of(table, folder)
    return rows, stated_candidates(rows, table, read_statement(folder))


@pytest.mark.parametrize("edits", [(), REGIONS], ids=["hats", "regions"])
def test_every_hat_of_the_rows_is_told_once(tmp_path: Path, edits: tuple[tuple[str, str], ...]) -> None:
    rows, found = told(tmp_path, edits)
    names = list(zip(found.hats.cell.tolist(), found.hats.slot.tolist(), strict=True))
    assert names == sorted(set(names))
    assert len(names) == len(candidate_names())
    assert found.first.size == len(rows)
    if edits:
        cells = [{int(cell, 16) for cell in row["h3_cells"].split(" ")} for row in rows]
        assert all(cell in cells[place] for (cell, _), place in zip(names, found.place, strict=True))
        assert len(rows) < len(names)
    else:
        assert found.place.tolist() == list(range(len(rows)))
