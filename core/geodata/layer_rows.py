"""The features of a layer as its file has them: shapes in its own reference system, cells as they stand."""

from __future__ import annotations

from dataclasses import dataclass

from core.clean.projections import ToDegrees
from core.geodata.features import Features, name_in_cell
from core.geodata.shapes import Shapes, parts_of
from core.progress import Progress, silent


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerRows:
    """One layer, read; nothing of it mended or turned."""

    pieces: list[Shapes]
    """The shape of each feature, None where it has none, some to a piece."""
    cells: tuple[tuple[object, ...], ...]
    """Of each feature, in the fields that were asked for."""
    fields: tuple[str, ...]
    """That may name features, in the file's order."""
    system: str
    """The reference system; empty where the file names none and is in degrees."""
    to_degrees: ToDegrees | None
    """None: it is in degrees already."""

    def features(self, progress: Progress = silent) -> Features:
        """Mended and in metres of web maps, named by the first field; once: the pieces are used up."""
        return Features(
            parts=parts_of(self.pieces, self.to_degrees, progress),
            names=tuple(name_in_cell(cells[0]) if cells else "" for cells in self.cells),
            fields=self.fields,
            system=self.system if self.to_degrees else "",
        )
