"""core.release.practice: in earnest but for ledger and key, and nobody can take it for a release."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.bundle.protection_texts import PRACTICE
from core.draft.draft import Draft, draft_of
from core.errors import InputError
from core.privacy import Unit
from core.release.practice import is_sample, practice_spec, practise, sample_spec
from core.release.prepare_publish import prepare
from core.signed.bundle_names import PUBLIC_KEY
from core.system.paths import find_home
from core.verify.verify import verify_bundle
from tests.builders import make_key, resign


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return practise(sample_spec(), tmp_path_factory.mktemp("out")).bundle


def test_every_document_says_so_and_verify_fails_unless_it_is_expected(bundle: Path) -> None:
    assert bundle.name == "practice-surat-synthetic-bus-speed-1.0.0"
    assert json.loads((bundle / "privacy.json").read_bytes())["practice"] is True
    for name in ("README.md", "report.html"):
        assert PRACTICE in (bundle / name).read_text("utf-8")
    unexpected = verify_bundle(bundle)
    assert [check.name for check in unexpected.checks if not check.passed] == ["practice"]
    assert verify_bundle(bundle, practice=True).ok


def test_nothing_is_left_of_its_ledger_and_key(bundle: Path) -> None:
    assert bundle.is_dir()
    assert not find_home().folder.exists()


def test_real_records_are_no_practice(tmp_path: Path) -> None:
    sample = sample_spec()
    (tmp_path / "mine.parquet").write_bytes(b"")
    for data in (
        dataclasses.replace(sample.data, files=(str(tmp_path / "mine.parquet"),)),
        dataclasses.replace(sample.data, files=(), contributions="table.parquet"),
    ):
        with pytest.raises(InputError, match="bundled sample"):
            practise(dataclasses.replace(sample, data=data), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_no_release_in_earnest_has_such_a_name(tmp_path: Path) -> None:
    sample = sample_spec()
    named = dataclasses.replace(sample, texts=dataclasses.replace(sample.texts, name="practice-buses"))
    with (
        Ledger.open(tmp_path / "ledger.sqlite") as ledger,
        pytest.raises(InputError, match="that of a practice release"),
    ):
        prepare(named, ledger)


def test_a_flag_without_the_name_is_found(bundle: Path, tmp_path: Path) -> None:
    """Somebody renamed a practice release: the name is signed with it, and the flag gives it away."""
    stated = json.loads((bundle / "privacy.json").read_bytes())
    copy = shutil.copytree(bundle, tmp_path / "copy")
    (copy / "privacy.json").write_text(json.dumps(stated | {"name": "surat"}), "utf-8")
    (copy / PUBLIC_KEY).write_bytes(make_key().public.file_bytes)
    resign(copy, make_key())
    failed = {
        check.name: check.detail for check in verify_bundle(copy, practice=True).checks if not check.passed
    }
    assert "does not begin with practice-" in failed["practice"]


def test_what_is_open_in_a_draft_is_as_in_the_sample_and_what_is_chosen_stays(tmp_path: Path) -> None:
    own, source = draft_of(sample_spec())
    fresh = Draft(date_ranges=own.date_ranges, resolution=5, unit=Unit.VEHICLE_DAY)
    asked = practice_spec(fresh, source, tmp_path)
    assert (asked.resolution, asked.unit, asked.relation) == (5, Unit.VEHICLE_DAY, own.relation)
    assert asked.texts.name == "practice-surat-synthetic-bus-speed"
    assert (asked.texts.version, asked.population) == ("1.0.0", own.population)
    (tmp_path / asked.texts.folder).mkdir()
    named = practice_spec(dataclasses.replace(fresh, title="Mine"), source, tmp_path)
    assert (named.texts.version, named.texts.title) == ("1.0.1", "Mine")


def test_the_sample_is_known_by_its_files(tmp_path: Path) -> None:
    source = draft_of(sample_spec())[1]
    assert is_sample(source)
    assert not is_sample(dataclasses.replace(source, files=(tmp_path / "mine.parquet",)))
