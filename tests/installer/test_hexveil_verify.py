"""The public's verifier: one file of the standard library, which agrees with the program."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from core.bundle.csv_columns import (
    FIRST_WORDING,
    NEWEST_WORDING,
    Column,
    _shaped_tables,
    data_tables,
    epsilon_summary,
)
from core.keys.notice import publish_notice
from core.keys.signing_key import trusted_comment
from core.quantity import SPEED
from core.verify.pack_bundle import pack_bundle
from core.verify.verify import verify_bundle
from resources.verifier import hexveil_verify
from resources.verifier.hexveil_verify import ORDER, main, read_key, signed, verify
from tests.builders import (
    NOW,
    forge,
    make_bundle,
    make_exact_release,
    make_key,
    make_mixed_release,
    make_release,
    usual_bundle,
)
from tests.hostile_zips import HOSTILE, attacked
from tests.taxis import ENFORCED, TYPED, ledger_in, released, write_taxis

FILE = Path(hexveil_verify.__file__)
GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("v*/releases/*"))


def test_it_imports_the_standard_library_alone_and_old_pythons_can_read_it() -> None:
    tree = ast.parse(FILE.read_text("utf-8"), feature_version=(3, 8))
    names = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert {str(name).partition(".")[0] for name in names} <= sys.stdlib_module_names


@given(seed=st.binary(min_size=32, max_size=32), message=st.binary(max_size=100), place=st.integers(0, 511))
def test_ed25519_is_that_of_the_library(seed: bytes, message: bytes, place: int) -> None:
    private = Ed25519PrivateKey.from_private_bytes(seed)
    public, signature = private.public_key().public_bytes_raw(), private.sign(message)
    assert signed(public, message, signature)
    changed = bytearray(signature)
    changed[place // 8] ^= 1 << place % 8
    assert not signed(public, message, bytes(changed))
    assert not signed(public, message + b"x", signature)


def test_no_second_signature_can_be_made_of_one() -> None:
    """A scalar with the group's order added would pass where it is not required to be reduced."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(32))
    public, signature = private.public_key().public_bytes_raw(), private.sign(b"text")
    scalar = int.from_bytes(signature[32:], "little") + ORDER
    assert not signed(public, b"text", signature[:32] + scalar.to_bytes(32, "little"))
    assert not signed(b"\xff" * 32, b"text", signature)
    assert not signed(public, b"text", signature[:-1])


@pytest.mark.parametrize("bundle", GOLDEN, ids=lambda path: f"{path.parts[-3]}-{path.name}")
def test_every_bundle_ever_published_holds(bundle: Path) -> None:
    assert all(holds for _, holds, _ in verify(str(bundle))), verify(str(bundle))


@pytest.mark.parametrize("release", [make_release, make_mixed_release, make_exact_release])
def test_it_agrees_with_the_program(release: object, tmp_path: Path) -> None:
    assert callable(release)
    bundle = make_bundle(tmp_path, release())
    assert verify_bundle(bundle).ok
    assert all(holds for _, holds, _ in verify(str(bundle))), verify(str(bundle))


def test_gaussian_epsilons_are_worked_out_again(tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path, make_mixed_release())
    summary = (bundle / "data" / "epsilon_summary.csv").read_bytes()
    assert b",0.05," in summary
    forge(bundle, {"data/epsilon_summary.csv": summary.replace(b",0.05,", b",0.06,")})
    failed = [told for _, holds, told in verify(str(bundle)) if not holds]
    assert failed
    assert "epsilon" in failed[0] or "add up" in failed[0]


def test_a_word_about_the_public_counts_is_computed_again(tmp_path: Path) -> None:
    spec, key = write_taxis(tmp_path / "city", edits=ENFORCED), make_key()
    bundle = released(spec, ledger_in(tmp_path / "home"), key, tmp_path / "out").bundle
    assert ("counts", True, "1 with public counts") in verify(str(bundle))
    document = json.loads((bundle / "privacy.json").read_text("utf-8"))
    del document["queries"][0]["counts_contradicted"]
    forge(bundle, {"privacy.json": json.dumps(document).encode()})
    failed = [told for name, holds, told in verify(str(bundle)) if not holds and name == "counts"]
    assert failed == ["what 'mean_speed' says of its public counts is not what is seen"]


def test_shares_beside_a_mean_have_weights_of_their_own(tmp_path: Path) -> None:
    beside = f'\n[[query]]\nid = "shares"\nstatistic = "share"\ntotal = "8"{TYPED}'
    edits = (*ENFORCED, ("records = 3\n", "records = 3\n" + beside))
    spec, key = write_taxis(tmp_path / "city", edits=edits), make_key()
    bundle = released(spec, ledger_in(tmp_path / "home"), key, tmp_path / "out").bundle
    assert ("counts", True, "2 with public counts") in verify(str(bundle))


def test_every_pattern_that_a_bundle_declares_is_known() -> None:
    shaped = [_shaped_tables(key, NEWEST_WORDING, SPEED).values() for key in data_tables()]
    tables = [*chain(*shaped), *data_tables(FIRST_WORDING).values(), epsilon_summary(with_rho=True)]
    columns: list[Column] = [column for table in tables for column in table.columns]
    patterns = {column.pattern for column in columns if column.pattern}
    assert patterns <= hexveil_verify.PATTERNS


def test_changed_line_ends_are_named_as_the_program_does(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path, make_release)
    manifest = bundle / "SHA256SUMS"
    manifest.write_bytes(manifest.read_bytes().replace(b"\n", b"\r\n"))
    failed = [said for name, holds, said in verify(str(bundle)) if not holds]
    assert any("line ends" in said and "copy or download it unchanged" in said for said in failed)


def test_a_withdrawn_release_does_not_hold(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    publish_notice(bundle, reason="A wrong zone.", key=make_key(), now=NOW)
    failed = {name: told for name, holds, told in verify(str(bundle)) if not holds}
    assert list(failed) == ["notice"]
    assert "withdrawn" in failed["notice"]
    assert "A wrong zone." in failed["notice"]
    (tmp_path / f"{bundle.name}.notice.json").write_text("{}")
    assert all(holds for _, holds, _ in verify(str(bundle))), "unsigned, it counts for nothing"


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 900 + "1" + "}" * 900])
@pytest.mark.parametrize("of_key", [False, True])
def test_signed_words_that_nest_too_deep_end_nothing(tmp_path: Path, text: str, of_key: bool) -> None:
    """Who owns the key may sign anything: a reader of the bundle is told, by program and verifier."""
    key = make_key()
    bundle = usual_bundle(tmp_path)
    name = f"{key.key_id}.key.json" if of_key else f"{bundle.name}.notice.json"
    content = text.encode()
    (tmp_path / name).write_bytes(content)
    comment = trusted_comment(bundle.name, NOW, file=name)
    (tmp_path / f"{name}.minisig").write_bytes(key.sign(content, comment))
    assert verify_bundle(bundle).checks
    assert [name for name, holds, _ in verify(str(bundle)) if not holds] == []


def test_it_runs_alone(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    alone = shutil.copy(FILE, tmp_path / "verify.py")
    run = [sys.executable, "-I", "-S", str(alone), str(bundle), "--public-key", make_key().public_text]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Not checked: outlines and maps" in done.stdout


def test_exit_codes_tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = usual_bundle(tmp_path)
    assert main([str(bundle)]) == 0
    assert "this proves nothing yet" in capsys.readouterr().out
    assert main([str(bundle), "--public-key", make_key(2).public_text]) == 1
    assert main([str(bundle), "--public-key", "RW"]) == 2
    assert main([str(tmp_path)]) == 2
    (bundle / "README.md").write_text("another")
    assert main([str(bundle)]) == 1
    assert "README.md was changed" in capsys.readouterr().out


def test_a_packed_release_is_read_as_its_folder_is(tmp_path: Path) -> None:
    bundle = usual_bundle(tmp_path)
    packed = pack_bundle(bundle)
    key = read_key(make_key().public_text)
    assert verify(str(packed), key) == verify(str(bundle), key)
    alone = [sys.executable, "-I", "-S", str(FILE), str(packed)]
    assert subprocess.run(alone, capture_output=True, check=False).returncode == 0
    publish_notice(bundle, reason="A wrong zone.", key=make_key(), now=NOW)
    assert verify(str(packed), key) == verify(str(bundle), key)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_zip_does_not_hold(tmp_path: Path, name: str) -> None:
    ((check, holds, _),) = verify(str(attacked(pack_bundle(usual_bundle(tmp_path)), name)))
    assert (check, holds) == ("packed", False)
