"""Draw the pictures of README and tour anew, from those of the walk: `make tour`."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

from core.system.paths import resources
from tests.ui.pictures import screenshots

TOUR = {
    "tour-protected": "2-hexagons-1366-light",
    "tour-parameters": "4-parameters-chosen-1366-light",
    "tour-errors": "5-errors-1366-light",
    "tour-review": "a-review-alone-light",
    "tour-page": "public-page-light",
    "tour-verified": "s-verified-1366-light",
    "tour-ledger": "t-ledger-year-1366-light",
    "tour-compare": "t-compare-1366-light",
}
"""Name in the folder of the tour -> picture of the walk. The README shows some of them."""
_SIZE_AND_THEME = re.compile(r"(-\d+)?-(light|dark)$")


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        wanted = (_SIZE_AND_THEME.sub("", taken) for taken in TOUR.values())
        screenshots.main(["--only", "1366-light", place, *wanted])
        for name, taken in TOUR.items():
            shutil.copyfile(Path(place, f"{taken}.png"), resources() / "tour" / f"{name}.png")


if __name__ == "__main__":
    main()
