"""Print rooms and files of core and ui, each with the first line that it says of itself: `make layout`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def layout(root: Path = ROOT) -> Iterator[str]:
    """A line for each room and, below it, one for each of its files. Raises OSError."""
    for tree in ("core", "ui"):
        for room in sorted({path.parent for path in (root / tree).rglob("*.py")}):
            yield f"{room.relative_to(root)}/  {_first_line(room / '__init__.py')}"
            for path in sorted(room.glob("[!_]*.py")):
                yield f"  {path.name}: {_first_line(path)}"


def _first_line(path: Path) -> str:
    said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) if path.exists() else None
    return (said or "").partition("\n")[0]


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in layout())
