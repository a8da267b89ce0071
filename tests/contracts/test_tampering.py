"""A sample of what `make tamper` tries in full: flipped bytes, and all attacks on the structure."""

from __future__ import annotations

import functools
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.signed.bundle_names import MANIFEST, PUBLIC_KEY, SIGNATURE
from tests.builders import make_key, usual_bundle
from tests.tampering import LIES, STRUCTURE, VERIFIERS, Verifier, by_file, by_program, flipped

every_verifier = pytest.mark.parametrize("verifier", VERIFIERS.values(), ids=list(VERIFIERS))


@every_verifier
def test_flipped_bytes_are_found_in_every_file(verifier: Verifier, tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    before = {path: path.read_bytes() for path in bundle.rglob("*") if path.is_file()}
    names = []
    for name, place in flipped(bundle, step=2_003, first=7):
        found = verifier(bundle)
        assert not found.holds, (name, place)
        expected = {MANIFEST: "sign|malformed|order|missing", SIGNATURE: "sign", PUBLIC_KEY: "sign|key"}
        assert re.search(expected.get(name, f"{re.escape(name)} was changed"), found.reasons), found.reasons
        names.append(name)
    assert len(names) > 50
    assert {path: path.read_bytes() for path in before} == before
    assert verifier(bundle, make_key().public_text).holds


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
@every_verifier
@pytest.mark.parametrize("name", STRUCTURE)
def test_an_attack_on_the_structure_is_found_and_its_reason_named(
    name: str, verifier: Verifier, tmp_path: Path
) -> None:
    attack, reason = STRUCTURE[name]
    bundle = usual_bundle(tmp_path)
    attack(bundle)
    found = verifier(bundle, make_key().public_text)
    assert not found.holds
    assert re.search(reason, found.reasons), found.reasons
    assert found.reasons.isprintable()


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Callable[[Path], Path]], Path]:
    """One bundle of each kind, which both verifiers find valid: a release takes a second."""

    @functools.cache
    def made(make: Callable[[Path], Path]) -> Path:
        bundle = make(tmp_path_factory.mktemp("sound"))
        assert all(verifier(bundle, make_key().public_text).holds for verifier in VERIFIERS.values())
        return bundle

    return made


@pytest.mark.parametrize("name", LIES)
def test_a_lie_of_the_right_signer_is_found_by_both(
    name: str, sound: Callable[[Callable[[Path], Path]], Path], tmp_path: Path
) -> None:
    make, lie, reason = LIES[name]
    bundle = tmp_path / sound(make).name
    shutil.copytree(sound(make), bundle)
    lie(bundle)
    for verifier in VERIFIERS.values():
        found = verifier(bundle, make_key().public_text)
        assert not found.holds
        assert re.search(reason, found.reasons), found.reasons
        assert found.reasons.isprintable()


def test_both_verifiers_are_tried() -> None:
    assert {by_program, by_file} == set(VERIFIERS.values())
