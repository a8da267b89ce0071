"""Pages of parameters that the tests of a file share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from tests.ui.days_story import four_days
from tests.ui.shared_parameters import SharedParameters, shared_parameters
from tests.ui.small_city import pings


@pytest.fixture(scope="module")
def shared_days(
    qapp: QApplication,  # noqa: ARG001 - windows need it
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SharedParameters]:
    """On three days of four."""
    with shared_parameters(tmp_path_factory.mktemp("days"), four_days(), QSize(400, 900)) as made:
        yield made


@pytest.fixture(scope="module")
def shared_city(
    qapp: QApplication,  # noqa: ARG001 - windows need it
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SharedParameters]:
    """On the small city, in a page that shows all of it."""
    with shared_parameters(tmp_path_factory.mktemp("city"), pings(), QSize(398, 1800)) as made:
        yield made
