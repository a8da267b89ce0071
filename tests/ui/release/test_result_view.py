"""ui.release.result_view: whose key it was that a bundle was verified with."""

from __future__ import annotations

import dataclasses
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from core.bounding.bounding_facts import BoundingFacts
from core.bounding.enforcement_facts import EnforcementFacts
from core.bounding.weight_columns import RECORDS_DP
from core.errors import InputError
from core.release.prepare_publish import PublishedRelease
from core.verify.pack_bundle import packed_path
from core.verify.verify import verify_bundle
from tests.builders import make_bundle, make_key, make_query, make_release
from tests.ui.user_actions import refusal
from ui.release.release_jobs import BundleFile, Outcome
from ui.release.result_view import ResultView


@pytest.fixture
def outcome(tmp_path: Path) -> Outcome:
    published = PublishedRelease(
        bundle=make_bundle(tmp_path), entry=1, repeated=False, release=make_release()
    )
    return Outcome(published=published, key=make_key().public, files=())


def test_a_practice_s_key_is_nobody_s_own(qtbot: QtBot, outcome: Outcome) -> None:
    verification = verify_bundle(outcome.published.bundle, public_key=outcome.key.text)
    for one, told in (
        (outcome, "with your own key"),
        (dataclasses.replace(outcome, practice=True), "passed; it is marked as practice."),
    ):
        view = ResultView(one)
        qtbot.addWidget(view)
        view.show_verification(verification)
        assert told in view.verified.text()


def test_refuted_counts_and_missing_numbers_stand_above_the_bundle(qtbot: QtBot, outcome: Outcome) -> None:
    bounding = BoundingFacts(
        hats_per_vehicle=1,
        candidate_hats=4,
        listed_hats=4,
        threshold=5,
        weight=RECORDS_DP,
        noise="laplace",
        spend=Decimal(1),
        weight_noise_scale=Decimal(1),
        enforcement=EnforcementFacts(caps=(1,) * 4, prices=(2**20,) * 4, load=1, expected=(1000,) * 4),
    )
    unsmoothed = make_query(query_id="night", unsmoothed="this computer ran out of memory.")
    release = make_release(queries=(make_query(bounding=bounding), unsmoothed))
    published = dataclasses.replace(outcome.published, release=release)
    view = ResultView(dataclasses.replace(outcome, published=published))
    qtbot.addWidget(view)
    told = [part.text() for part in view.findChildren(QLabel)]
    assert any(text.startswith("! Your counts were at least ") for text in told)
    assert any(text.startswith("! The smoothed numbers of night are missing: this computer") for text in told)


def test_it_is_packed_beside_its_folder_and_never_over_another(qtbot: QtBot, outcome: Outcome) -> None:
    view = ResultView(outcome)
    qtbot.addWidget(view)
    bundle = outcome.published.bundle
    with qtbot.waitSignal(view.pack.packed):
        view.pack.click()
    assert verify_bundle(packed_path(bundle, bundle.name)).ok
    assert f"✓ Packed beside the folder: {bundle.name}.zip, " in view.packed.text()
    qtbot.waitUntil(view.pack.isEnabled)
    with refusal(qtbot, view.pack.refused):
        view.pack.click()
    assert "This name exists already" in view.packed.text()


def test_sizes_of_files_are_counted_as_verify_counts_them(qtbot: QtBot, outcome: Outcome) -> None:
    """In thousands of bytes: no `KiB`."""
    sizes = {"README.md": 11_090, "map.html": 3_221_000, "release-key.pub": 113}
    files = tuple(BundleFile(path=path, size=size) for path, size in sizes.items())
    view = ResultView(dataclasses.replace(outcome, files=files))
    qtbot.addWidget(view)
    told = {part.text() for part in view.findChildren(QLabel)}
    assert {"11.1 kB", "3.2 MB", "113 bytes"} <= told


def test_the_folder_s_button_is_level_with_its_line(qtbot: QtBot, outcome: Outcome) -> None:
    published = dataclasses.replace(outcome.published, bundle=Path("/bundles/taxis-1.0.0"))
    view = ResultView(dataclasses.replace(outcome, published=published))
    qtbot.addWidget(view)
    view.resize(640, 800)
    view.show()
    qtbot.waitUntil(lambda: view.path.height() < view.commands.height())
    assert view.open.geometry().top() == view.path.geometry().top()
    assert view.open.geometry().bottom() == view.path.geometry().bottom()
    assert view.copy_commands.geometry().top() == view.commands.geometry().top()
    assert view.copy_commands.height() == view.open.height()


def test_sizes_end_where_the_frame_s_other_lines_do(qtbot: QtBot, outcome: Outcome) -> None:
    files = tuple(BundleFile(path=path, size=11_090) for path in ("README.md", "map.html"))
    view = ResultView(dataclasses.replace(outcome, files=files))
    qtbot.addWidget(view)
    view.resize(640, 800)
    view.show()
    left, right = sorted(
        part.geometry().right() for part in view.findChildren(QLabel) if part.text() == "11.1 kB"
    )
    assert right == view.pack.geometry().right()
    names = (part for part in view.findChildren(QLabel) if part.text() == "map.html")
    assert next(names).geometry().left() - left > 15


def test_a_bundle_that_does_not_hold_is_said_so_and_one_that_cannot_be_checked(
    qtbot: QtBot, outcome: Outcome
) -> None:
    view = ResultView(outcome)
    qtbot.addWidget(view)
    assert view.verified.text() == "Verifying it…"
    view.show_verification(verify_bundle(outcome.published.bundle, public_key=outcome.key.text))
    assert view.verified.text().startswith("✓ ")
    assert view.verified.property("look") == "good"
    (outcome.published.bundle / "README.md").write_text("another text")
    view.show_verification(verify_bundle(outcome.published.bundle, public_key=outcome.key.text))
    first, *failed = view.verified.text().split("\n")
    assert first == "✗ The bundle is NOT valid."
    assert any("README.md" in line for line in failed)
    assert view.verified.property("look") == "error"
    view.show_unverified(InputError("The disk is gone.", where="bundle", mend="bring it back"))
    assert view.verified.text() == "! Not verified: The disk is gone."
    assert view.verified.property("look") == "warning"
