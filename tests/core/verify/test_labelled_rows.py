"""core.verify.labelled_rows: every published HAT has one row of each label."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.signed.findings import Finding
from core.statistics.share import STATISTIC, range_label
from core.verify.folder import read_folder
from core.verify.labelled_rows import labelled_rows
from tests.builders import make_key
from tests.share_bundles import released

LABELS = (range_label(0, 10_000), range_label(40_000, 65_000))


def test_rows_are_read_hat_by_hat_and_labels_are_those_that_were_asked_for(tmp_path: Path) -> None:
    folder = read_folder(released(tmp_path, make_key(), "ranges = [[0, 10], [40, 65]]").bundle)
    table = folder.statistics["share"]
    found = labelled_rows(table, STATISTIC, LABELS, folder)
    assert len(found.places) == len(set(found.places)) == len(found.first) > 1
    shares = found.numbers("share_unclamped")
    assert shares.shape == (len(found.places), 2)
    assert shares[0, 1] == float(found.rows[0][1]["share_unclamped"])
    assert found.rows[0][1]["range_high_kmh"] == "65.000"
    one, rest = found.split(1)
    assert (one.labels, rest.labels) == (1, 1)
    assert (np.hstack((one.numbers("share_unclamped"), rest.numbers("share_unclamped"))) == shares).all()
    for other in (LABELS[:1], LABELS[::-1], (LABELS[0], range_label(40_000, 60_000))):
        with pytest.raises(Finding, match="other labels"):
            labelled_rows(table, STATISTIC, other, folder)
