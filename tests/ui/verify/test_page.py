"""The page *Verify*: drop or choose a bundle, see each check, never colour alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFileDialog, QScrollBar, QVBoxLayout
from pytestqt.qtbot import QtBot

from core.keys.notice import publish_notice
from core.release.prepare_publish import PublishedRelease
from core.signed.notices import NoticeKind
from core.system.paths import find_home
from core.verify.pack_bundle import pack_bundle
from core.verify.verify import Check, Verification, verify_bundle
from tests.builders import NOW, make_bundle, make_key, make_release, make_texts
from tests.ui.release_story import FOLDER, WAIT_MS, city_session
from tests.ui.user_actions import show
from ui.layout.scroll_areas import scrolling
from ui.release.dialog import Phase
from ui.release.page import ReleasePage
from ui.session.session import Session
from ui.session.steps import VerifiedBundle
from ui.verify.page import VerifyPage
from ui.verify.verify_result import VerifyResult, check_name

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def page(qtbot: QtBot) -> VerifyPage:
    made = VerifyPage(Session(find_home()))
    show(qtbot, made, width=320, height=700)
    return made


def lines(qtbot: QtBot, page: VerifyPage) -> list[str]:
    qtbot.waitUntil(lambda: page.result is not None, timeout=WAIT_MS)
    assert page.result is not None
    return page.result.lines


def drop(page: VerifyPage, *paths: Path) -> bool:
    """Drop paths as a file manager does; False when the page leaves them to the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    action, keys = Qt.DropAction.CopyAction, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), action, data, LEFT, keys)
    enter.ignore()
    page.dragEnterEvent(enter)
    if enter.isAccepted():
        page.dropEvent(QDropEvent(QPointF(5, 5), action, data, LEFT, keys))
    return enter.isAccepted()


def test_it_fits_a_narrow_column(page: VerifyPage) -> None:
    assert page.minimumSizeHint().width() <= 320


def test_a_dropped_bundle_shows_each_check(qtbot: QtBot, page: VerifyPage, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path)
    assert drop(page, bundle)
    shown = lines(qtbot, page)
    checks = verify_bundle(bundle).checks
    assert len(shown) == len(checks)
    assert all(check_name(check.name) != check.name for check in checks)
    assert all(line.startswith("✓") for line in shown if "Signer" not in line)
    assert [line[0] for line in shown if line[2:].startswith("Signer")] == ["–"]
    assert page.result is not None
    assert "signer not checked" in page.result.verdict.text()
    assert make_key().key_id in page.result.signer.text()


@pytest.mark.parametrize("name", ["practice", "regions", "languages", "policy", "geoparquet"])
def test_checks_of_some_bundles_alone_have_names_for_people_too(name: str) -> None:
    assert check_name(name) != name


def test_with_the_publishers_key_it_is_trusted(qtbot: QtBot, page: VerifyPage, tmp_path: Path) -> None:
    qtbot.keyClicks(page.key, f" {make_key().public_text} ")
    page.verify(make_bundle(tmp_path))
    assert all(line.startswith("✓") for line in lines(qtbot, page))
    assert page.result is not None
    assert "✓" in page.result.verdict.text()
    assert make_key().key_id in page.result.signer.text()


def test_one_s_own_key_is_known_without_being_given(qtbot: QtBot, page: VerifyPage, tmp_path: Path) -> None:
    own = find_home().default_key.with_suffix(".pub")
    own.parent.mkdir(parents=True)
    own.write_bytes(make_key().public.file_bytes)
    drop(page, make_bundle(tmp_path))
    lines(qtbot, page)
    assert page.result is not None
    assert page.result.verdict.text() == "✓ The bundle is valid."
    assert page.result.signer.text() == f"Signed by your own key, {make_key().key_id}."
    assert f"✓ Signer: signed by your own key, {make_key().key_id}" in page.result.lines, "nobody gave one"
    own.write_bytes(make_key(2).public.file_bytes)
    page.again.click()
    lines(qtbot, page)
    assert "signer not checked" in page.result.verdict.text()


def test_one_s_own_key_that_cannot_be_read_stands_in_no_other_s_way(
    qtbot: QtBot, page: VerifyPage, tmp_path: Path
) -> None:
    """Nobody gave one, and a message asked for a key of 56 characters."""
    own = find_home().default_key.with_suffix(".pub")
    own.parent.mkdir(parents=True)
    own.write_text("spoilt")
    drop(page, make_bundle(tmp_path))
    lines(qtbot, page)
    assert page.result is not None
    assert "signer not checked" in page.result.verdict.text()
    assert page.message.isHidden()


def test_a_dropped_key_file_checks_again(qtbot: QtBot, page: VerifyPage, tmp_path: Path) -> None:
    page.verify(make_bundle(tmp_path))
    lines(qtbot, page)
    other = tmp_path / "other.pub"
    other.write_bytes(make_key(2).public.file_bytes)
    assert drop(page, other)
    assert any(line.startswith("✗ Signer") for line in lines(qtbot, page))
    assert page.result is not None
    assert "is NOT valid" in page.result.verdict.text()
    told = "Nothing inside was checked, because this failed: Signer."
    assert page.result.signer.text().startswith(told)


def test_a_tampered_bundle_fails_by_name(
    qtbot: QtBot, page: VerifyPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = make_bundle(tmp_path)
    table = bundle / "data" / "speed_by_hat.csv"
    table.write_bytes(table.read_bytes().replace(b"20.668", b"30.668"))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(bundle))
    qtbot.mouseClick(page.choose, LEFT)
    shown = lines(qtbot, page)
    assert any(line.startswith("✗ Check sums: ") and "speed_by_hat" in line for line in shown)
    assert page.result is not None
    assert "✗" in page.result.verdict.text()
    assert page.result.signer.text().startswith("Its files are not those that were signed, so nothing inside")
    assert any(line.startswith("✓ Signature") for line in page.result.lines), "of the list, which holds"


def test_a_packed_bundle_is_dropped_or_chosen(
    qtbot: QtBot, page: VerifyPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = make_bundle(tmp_path)
    packed = pack_bundle(bundle)
    page.verify(bundle)
    shown = lines(qtbot, page)
    assert drop(page, packed)
    assert lines(qtbot, page) == shown
    packed.write_bytes(packed.read_bytes() + b"x")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(packed), ""))
    qtbot.mouseClick(page.choose_packed, LEFT)
    assert [line.partition(":")[0] for line in lines(qtbot, page)] == ["✗ Zip"]


def test_a_bundle_that_was_dropped_or_chosen_is_a_recent_one(
    qtbot: QtBot, page: VerifyPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = page._settings
    bundle, other = make_bundle(tmp_path / "one"), make_bundle(tmp_path / "two")
    drop(page, bundle)
    lines(qtbot, page)
    assert settings.recent("bundle") == (bundle,)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(other))
    page.ask_bundle()
    qtbot.waitUntil(lambda: settings.recent("bundle") == (other, bundle), timeout=WAIT_MS)
    page.verify(tmp_path)  # no bundle
    qtbot.waitUntil(page.message.isVisible, timeout=WAIT_MS)
    assert settings.recent("bundle") == (other, bundle)


def test_a_large_bundle_of_one_s_own_is_read(
    qtbot: QtBot, page: VerifyPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = find_home().default_key.with_suffix(".pub")
    own.parent.mkdir(parents=True)
    own.write_bytes(make_key().public.file_bytes)
    monkeypatch.setattr("core.verify.folder._LARGEST_UNKNOWN", 20_000)
    page.verify(make_bundle(tmp_path))
    lines(qtbot, page)
    assert page.result is not None
    assert page.result.verdict.text() == "✓ The bundle is valid."


def test_no_bundle_is_told_in_place(qtbot: QtBot, page: VerifyPage, tmp_path: Path) -> None:
    page.verify(make_bundle(tmp_path / "good"))
    lines(qtbot, page)
    (tmp_path / "plain").mkdir()
    assert drop(page, tmp_path / "plain")
    qtbot.waitUntil(page.message.isVisible, timeout=WAIT_MS)
    assert "not a release bundle" in page.message.text
    assert "SHA256SUMS" in page.message.text
    assert page.result is None


def test_no_key_is_told_in_place_and_mended_by_keyboard(
    qtbot: QtBot, page: VerifyPage, tmp_path: Path
) -> None:
    qtbot.keyClicks(page.key, "nonsense")
    page.verify(make_bundle(tmp_path))
    qtbot.waitUntil(page.message.isVisible, timeout=WAIT_MS)
    assert "public key" in page.message.text
    page.key.selectAll()
    qtbot.keyClicks(page.key, make_key().public_text)
    qtbot.keyClick(page.key, Qt.Key.Key_Return)
    lines(qtbot, page)
    assert page.message.isHidden()


def test_data_files_are_left_to_the_window(page: VerifyPage, tmp_path: Path) -> None:
    records = tmp_path / "records.csv"
    records.write_text("a,b\n")
    assert not drop(page, records)
    assert not drop(page, tmp_path, records)


def test_the_newest_bundle_wins(qtbot: QtBot, page: VerifyPage, tmp_path: Path) -> None:
    good, bad = make_bundle(tmp_path / "good"), make_bundle(tmp_path / "bad")
    (bad / "extra.txt").write_text("x")
    page.verify(bad)
    page.verify(good)
    lines(qtbot, page)
    qtbot.wait(100)
    assert page.result is not None
    assert "NOT valid" not in page.result.verdict.text()


def test_what_was_just_released_can_be_verified(qtbot: QtBot, tmp_path: Path) -> None:
    session = city_session(qtbot, tmp_path)
    release, page = ReleasePage(session), VerifyPage(session)
    for widget in (release, page):
        qtbot.addWidget(widget)
        widget.show()
    assert page.published.isHidden()
    release.folder.setText(str(tmp_path / "out"))
    qtbot.mouseClick(release.start, LEFT)
    dialog = release.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.phase is Phase.READY, timeout=WAIT_MS)
    qtbot.keyClicks(dialog.typed, FOLDER)
    qtbot.keyClicks(dialog.passphrase, "correct horse")
    qtbot.mouseClick(dialog.release, LEFT)
    qtbot.waitUntil(lambda: dialog.phase is Phase.DONE, timeout=WAIT_MS)
    qtbot.mouseClick(dialog.close_button, LEFT)
    page.key.setText(str(find_home().default_key.with_suffix(".pub")))
    qtbot.mouseClick(page.published, LEFT)
    assert all(line.startswith("✓") for line in lines(qtbot, page))
    assert page.result is not None
    assert "Signed by the key that you gave" in page.result.signer.text()


def test_what_was_practised_is_not_called_published(page: VerifyPage, tmp_path: Path) -> None:
    session = page._session
    for name, told in (
        ("practice-bus-1.0.0", "Verify the &practice bundle"),
        ("bus-1.0.0", "Verify the bundle just &signed"),
    ):
        session.release.set_published(
            PublishedRelease(bundle=tmp_path / name, entry=1, repeated=False, release=make_release())
        )
        assert page.published.text() == told


def test_a_practice_bundle_is_called_one_and_not_a_broken_one(
    qtbot: QtBot, page: VerifyPage, tmp_path: Path
) -> None:
    with qtbot.waitSignal(page.checked) as checked:
        page.verify(make_bundle(tmp_path, texts=make_texts(name="practice-austin")))
    assert page.result is not None
    assert page.result.verdict.text() == "✗ This is a practice release."
    assert "Get it again" not in page.result.signer.text()
    assert checked.args[0].values is None
    assert "Get it again" not in checked.args[0].why_unseen.details
    assert page.verified is not None
    assert page.verified.practice
    assert not page.verified.holds


def test_a_bundle_too_large_to_read_without_its_key_is_not_called_a_broken_one(
    qtbot: QtBot, page: VerifyPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.verify.folder._LARGEST_UNKNOWN", 20_000)
    with qtbot.waitSignal(page.checked):
        page.verify(make_bundle(tmp_path))
    assert page.result is not None
    assert page.result.verdict.text() == "– Not all of the bundle was checked."
    assert "Give the publisher's key" in page.result.signer.text()
    assert not any(line.startswith("✗") for line in page.result.lines)
    assert page.verified is not None
    assert not page.verified.holds


def test_a_withdrawn_bundle_is_not_called_a_broken_one(
    qtbot: QtBot, page: VerifyPage, tmp_path: Path
) -> None:
    bundle, key = make_bundle(tmp_path), make_key()
    publish_notice(bundle, reason="The units were wrong", key=key, now=NOW)
    for given, signer in (("", "the key that it says signed it"), (key.public_text, "the key that you gave")):
        page.key.setText(given)
        page.verify(bundle)
        assert lines(qtbot, page)[0].startswith("✗ Notice of the publisher: WITHDRAWN")
        assert page.result is not None
        assert page.result.verdict.text() == "✗ Its publisher has withdrawn this bundle."
        told = page.result.signer.text()
        assert f"Withdrawn on {NOW.date()} by {signer}, {key.key_id}: The units were wrong." in told
        assert "Get it again" not in told
        assert "ask its publisher" in told
    assert page.verified == VerifiedBundle(name=bundle.name, holds=False, notice=NoticeKind.WITHDRAWN)
    (bundle / "extra.txt").write_text("x")
    page.verify(bundle)
    lines(qtbot, page)
    assert page.result is not None
    assert "is NOT valid" in page.result.verdict.text(), "something else is wrong with it"
    assert page.verified == VerifiedBundle(name=bundle.name, holds=False)


def test_of_a_corrected_bundle_its_successor_is_named(qtbot: QtBot, page: VerifyPage, tmp_path: Path) -> None:
    bundle, later = make_bundle(tmp_path), make_bundle(tmp_path, texts=make_texts(version="1.0.1"))
    own = find_home().default_key.with_suffix(".pub")
    own.parent.mkdir(parents=True)
    own.write_bytes(make_key().public.file_bytes)
    publish_notice(bundle, reason="Wrong units.", key=make_key(), now=NOW, replaced_by=later)
    page.verify(bundle)
    lines(qtbot, page)
    assert page.result is not None
    assert page.result.verdict.text() == "✗ Its publisher has corrected this bundle."
    told = page.result.signer.text()
    assert f"Corrected on {NOW.date()} by your own key, {make_key().key_id}: Wrong units.\n" in told
    assert told.endswith(f"Use {later.name} instead.")


def test_what_failed_stands_first(qtbot: QtBot, page: VerifyPage, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path)
    (bundle / "privacy.json").write_text("{}", encoding="utf-8")
    page.verify(bundle)
    signs = [line[0] for line in lines(qtbot, page)]
    assert signs[0] == "✗"
    assert "✗" not in signs[signs.count("✗") :]
    assert next(iter(verify_bundle(bundle).checks)).passed


def test_what_was_found_is_seen_where_the_page_scrolls(qtbot: QtBot, tmp_path: Path) -> None:
    """On a low screen it lies below everything that is asked."""
    area = scrolling()
    page = VerifyPage(Session(find_home()))
    area.setWidget(page)
    show(qtbot, area, width=340, height=220)
    page.verify(make_bundle(tmp_path))
    assert lines(qtbot, page)

    def at_the_top() -> bool:
        return 0 <= page.subject.mapTo(area.viewport(), QPoint(0, 0)).y() < 20

    qtbot.waitUntil(at_the_top)
    layout = page.layout()
    assert isinstance(layout, QVBoxLayout)
    bar, before = area.verticalScrollBar(), area.verticalScrollBar().maximum()
    layout.insertSpacing(0, 60)  # what stands above it may grow once more
    qtbot.waitUntil(lambda: bar.maximum() > before and at_the_top())
    bar.triggerAction(QScrollBar.SliderAction.SliderToMinimum)
    layout.insertSpacing(0, 60)
    qtbot.waitUntil(lambda: bar.maximum() > before + 60)
    assert bar.value() == 0, "whoever scrolls stays there"


@pytest.mark.parametrize("broken", [False, True])
def test_the_keyboard_goes_on_from_what_was_found(qtbot: QtBot, tmp_path: Path, *, broken: bool) -> None:
    """It stayed on a button that had been scrolled away."""
    area, bundle = scrolling(), make_bundle(tmp_path)
    if broken:
        (bundle / "extra.txt").write_text("x")
    page = VerifyPage(Session(find_home()))
    area.setWidget(page)
    show(qtbot, area, width=340, height=220)
    page.begin()
    for _ in range(2):
        page.verify(bundle)
        lines(qtbot, page)
        assert page.result is not None
        reached = page.focusWidget()
        assert reached.accessibleName().startswith(page.result.verdict.text())
        qtbot.waitUntil(lambda one=reached: one.visibleRegion().boundingRect().height() == one.height())
        qtbot.waitUntil(page.again.isVisible)
        qtbot.keyClick(reached, Qt.Key.Key_Tab)
        assert page.focusWidget() is page.again


def test_a_time_of_signing_is_told_as_people_read_it(qtbot: QtBot) -> None:
    checks = (
        Check(name="signature", passed=True, detail="SHA256SUMS signed by key 0A, timestamp:1795456093"),
        Check(name="signer", passed=True, detail="timestamp:999999999999"),
    )
    shown = VerifyResult(Verification(checks=checks, key_id="0A", trusted=True))
    qtbot.addWidget(shown)
    assert shown.lines[0].endswith("SHA256SUMS signed by key 0A, on 2026-11-23 at 17:48:13 UTC")
    assert shown.lines[1].endswith("timestamp:999999999999"), "no year that a calendar has"


def test_no_check_says_again_what_it_is_called(tmp_path: Path) -> None:
    report = verify_bundle(make_bundle(tmp_path))
    assert "map_files" in {check.name for check in report.checks}
    called = {check_name(check.name).lower(): check.detail.lower() for check in report.checks}
    assert [name for name, detail in called.items() if " " in name and name in detail] == []
