"""Tampering with a bundle: every byte flipped, and attacks on its structure; both verifiers are to find each.

python -m tests.tampering          # make tamper: every byte of a small bundle, and figures
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.signed.bundle_names import (
    CATALOGUE_RECORD,
    DATAPACKAGE,
    LICENSE,
    MANIFEST,
    MAP_PAGE,
    PRIVACY,
    PUBLIC_KEY,
    README,
    SIGNATURE,
)
from core.verify.verify import verify_bundle
from resources.verifier import hexveil_verify
from resources.verifier.hexveil_verify import read_key, verify
from tests.builders import SPEED_BY_HAT, make_bundle, make_key, make_texts, resign
from tests.mixed_city import shared_release
from tests.share_bundles import rows_of, shares_by_zone, write_rows

Attack = Callable[[Path], object]
_FLIP = 0x01


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one verifier says of a bundle."""

    holds: bool
    reasons: str


def by_program(bundle: Path, key: str | None = None) -> Verdict:
    """What Hexveil says."""
    found = verify_bundle(bundle, key)
    failed = [f"{check.name}: {check.detail}" for check in found.checks if not check.passed]
    return Verdict(holds=found.ok, reasons="; ".join(failed))


def by_file(bundle: Path, key: str | None = None) -> Verdict:
    """What the public's one file of Python says."""
    found = verify(str(bundle), read_key(key) if key else None)
    failed = [f"{name}: {told}" for name, holds, told in found if not holds]
    return Verdict(holds=not failed, reasons="; ".join(failed))


Verifier = Callable[[Path], Verdict]
VERIFIERS: dict[str, Callable[..., Verdict]] = {"hexveil verify": by_program, "hexveil_verify.py": by_file}


def flipped(bundle: Path, step: int = 1, first: int = 0) -> Iterator[tuple[str, int]]:
    """Flip one bit of every `step`th byte of all files in turn; the bundle is whole again after each."""
    place = first
    for path in sorted(path for path in bundle.rglob("*") if path.is_file()):
        content = path.read_bytes()
        while place < len(content):
            changed = bytearray(content)
            changed[place] ^= _FLIP
            path.write_bytes(changed)
            yield path.relative_to(bundle).as_posix(), place
            place += step
        place -= len(content)
        path.write_bytes(content)


# Attacks by somebody without the key, and with one of their own


def _edit(name: str, old: bytes, new: bytes) -> Attack:
    def attack(bundle: Path) -> None:
        content = (bundle / name).read_bytes()
        assert old in content
        (bundle / name).write_bytes(content.replace(old, new, 1))

    return attack


def _swapped(one: str, other: str) -> Attack:
    def attack(bundle: Path) -> None:
        first, second = (bundle / one).read_bytes(), (bundle / other).read_bytes()
        (bundle / one).write_bytes(second)
        (bundle / other).write_bytes(first)

    return attack


def _linked(name: str) -> Attack:
    """A file, or a folder, is a link to the same content elsewhere."""

    def attack(bundle: Path) -> None:
        away = bundle.parent / "away"
        (bundle / name).rename(away)
        (bundle / name).symlink_to(away)

    return attack


def _manifest(edit: Callable[[list[str]], list[str]]) -> Attack:
    """Other lines, signed by the right key: an attack that only the strict reading of the list finds."""

    def attack(bundle: Path) -> None:
        lines = edit((bundle / MANIFEST).read_text().splitlines(keepends=True))
        content = "".join(lines).encode()
        signed_comment = (bundle / SIGNATURE).read_text().splitlines()[2].removeprefix("trusted comment: ")
        (bundle / MANIFEST).write_bytes(content)
        (bundle / SIGNATURE).write_bytes(make_key().sign(content, signed_comment))

    return attack


def _signed_edit(name: str, old: bytes, new: bytes) -> Attack:
    """A file is changed and all is signed again by the right key: only what it claims can be wrong."""

    def attack(bundle: Path) -> None:
        _edit(name, old, new)(bundle)
        resign(bundle, make_key())

    return attack


def _of_another_release(bundle: Path) -> None:
    other = make_bundle(bundle.parent / "other", texts=make_texts(version="2.0.0"))
    shutil.copy(other / SIGNATURE, bundle / SIGNATURE)


def _signed_by_another(bundle: Path) -> None:
    resign(bundle, make_key(2))


def _signed_by_another_and_keyed(bundle: Path) -> None:
    (bundle / PUBLIC_KEY).write_bytes(make_key(2).public.file_bytes)
    resign(bundle, make_key(2))


def _pipe(bundle: Path) -> None:
    (bundle / README).unlink()
    os.mkfifo(bundle / README)


def _folder_for_file(bundle: Path) -> None:
    (bundle / README).unlink()
    (bundle / README).mkdir()


_OUTSIDE = f"{'0' * 64}  ../outside\n"
_ABSOLUTE = f"{'0' * 64}  /etc/passwd\n"

STRUCTURE: dict[str, tuple[Attack, str]] = {
    "a file is a link": (_linked(README), "neither file nor folder"),
    "a folder is a link": (_linked("data"), "neither file nor folder"),
    "a file is a pipe": (_pipe, "neither file nor folder"),
    "a file is a folder": (_folder_for_file, "missing"),
    "a file is added": (lambda bundle: (bundle / "more.csv").write_text(""), "not listed"),
    "a hidden file is added": (lambda bundle: (bundle / ".more").write_text(""), "not listed"),
    "an empty folder is added": (lambda bundle: (bundle / "more").mkdir(), "unlisted folder"),
    "a file is removed": (lambda bundle: (bundle / LICENSE).unlink(), "missing"),
    "the signature is removed": (lambda bundle: (bundle / SIGNATURE).unlink(), "missing"),
    "a file has other capitals": (lambda bundle: (bundle / README).rename(bundle / "Readme.md"), "missing"),
    "two files are swapped": (_swapped(README, LICENSE), "was changed"),
    "table and summary are swapped": (_swapped(SPEED_BY_HAT.path, "data/epsilon_summary.csv"), "was changed"),
    "a signature of another release": (_of_another_release, "signature|signed"),
    "a signature by another key": (_signed_by_another, "signature|signed"),
    "all signed by another, key and all": (_signed_by_another_and_keyed, "given key"),
    "the signature with CRLF": (_edit(SIGNATURE, b"\n", b"\r\n"), "signature"),
    "another untrusted comment": (_edit(SIGNATURE, b"of the release", b"of a release"), "signature"),
    "a longer trusted comment": (_edit(SIGNATURE, b"\trelease:", b"\tmore:x\trelease:"), "sign"),
    "a line of the list leads out": (_manifest(lambda lines: [_OUTSIDE, *lines]), "malformed"),
    "a line of the list is absolute": (_manifest(lambda lines: [_ABSOLUTE, *lines]), "malformed"),
    "a line of the list is repeated": (
        _manifest(lambda lines: [lines[0], *lines]),
        "out of order or repeated",
    ),
    "the list is out of order": (_manifest(lambda lines: lines[::-1]), "out of order or repeated"),
    "the list has CRLF": (
        _manifest(lambda lines: [line[:-1] + "\r\n" for line in lines]),
        "line ends|malformed",
    ),
    "the list has no last line end": (_manifest(lambda lines: [*lines[:-1], lines[-1][:-1]]), "line break"),
    "sums in capitals": (
        _manifest(lambda lines: [line[:64].upper() + line[64:] for line in lines]),
        "malformed",
    ),
    "a line is left out": (_manifest(lambda lines: lines[1:]), "not listed"),
    "a table with CRLF, signed": (_signed_edit(SPEED_BY_HAT.path, b"\n", b"\r\n"), "hash|CR"),
    "a table with another value, signed": (_signed_edit(SPEED_BY_HAT.path, b"20.668", b"20.669"), "hash"),
    "a repeated key in JSON, signed": (_signed_edit(PRIVACY, b"{", b'{"relation": "user",'), "JSON"),
    "another charge, signed": (_signed_edit(PRIVACY, b'"vehicle": "', b'"vehicle": "1'), "charge"),
    "another value in GeoJSON": (_edit("map/speed_by_hat.geojson", b"20.668", b"20.669"), "was changed"),
    "a byte of Parquet": (_edit("map/speed_by_hat.parquet", b"PAR1", b"PAR2"), "was changed"),
    "a script in the map": (_edit(MAP_PAGE, b"</body>", b"<script>1</script></body>"), "was changed"),
    "another licence for portals": (_edit(CATALOGUE_RECORD, b"/by/4.0/", b"/by/3.0/"), "was changed"),
    "the map is removed": (lambda bundle: (bundle / MAP_PAGE).unlink(), "missing"),
    "the folder of maps is a link": (_linked("map"), "neither file nor folder"),
    "another version, signed": (_signed_edit(DATAPACKAGE, b'"1.0.0"', b'"1.0.1"'), "release"),
}
"""Attack -> how it is done, and what of its reason is named. Lists and what says so are rightly signed."""


# Lies of the right signer, whose sums all fit, about what other kinds of bundles hold

Rows = list[dict[str, str]]
_SHARES, _PERCENTILES = "speed_share_by_place", "speed_percentiles_by_place"


def _lie(name: str, edit: Callable[[Rows], Rows | None]) -> Attack:
    """Other rows of a table, with sums in datapackage.json that fit them, signed again."""

    def attack(bundle: Path) -> None:
        rows = rows_of(bundle, name)
        write_rows(bundle, name, edit(rows) or rows)
        package = json.loads((bundle / DATAPACKAGE).read_text("utf-8"))
        for one in package["resources"]:
            content = (bundle / one["path"]).read_bytes()
            one |= {"hash": f"sha256:{hashlib.sha256(content).hexdigest()}", "bytes": len(content)}
        (bundle / DATAPACKAGE).write_text(json.dumps(package, ensure_ascii=False), "utf-8")
        resign(bundle, make_key())

    return attack


def _cell(name: str, column: str, text: str, row: int = 0) -> Attack:
    return _lie(name, lambda rows: rows[row].__setitem__(column, text))


def _two_sizes(folder: Path) -> Path:
    return make_bundle(folder, release=shared_release())


LIES: dict[str, tuple[Callable[[Path], Path], Attack, str]] = {
    "another share": (shares_by_zone, _cell(_SHARES, "share", "0.987654"), "share|interval"),
    "a range less": (shares_by_zone, _lie(_SHARES, lambda rows: rows[1:]), "other labels|add up"),
    "a range twice": (shares_by_zone, _lie(_SHARES, lambda rows: [rows[0], *rows]), "repeats a row"),
    "another end of a range": (shares_by_zone, _cell(_SHARES, "range_high_kmh", "2.000"), "labels|add up"),
    "a percentile that falls": (
        shares_by_zone,
        _cell(_PERCENTILES, "speed_kmh", "64.999"),
        "percentile|rise",
    ),
    "another mean": (shares_by_zone, _cell(_PERCENTILES, "speed_kmh", "64.999", 3), "mean"),
    "a label of nobody": (shares_by_zone, _cell(_SHARES, "direction", "XX"), "labels|add up"),
    "a label with markup": (shares_by_zone, _cell(_SHARES, "direction", "<b>UP</b>"), "labels|add up"),
    "a label that turns the line": (
        shares_by_zone,
        _cell(_SHARES, "direction", "\u202eUP"),
        "not as declared",
    ),
    "a formula": (
        shares_by_zone,
        _lie(_SHARES, lambda rows: [row | {"place_id": row["place_id"].lstrip("'")} for row in rows]),
        "not as declared|as Hexveil does",
    ),
    "a hexagon of two sizes twice": (
        _two_sizes,
        _lie("speed_by_hat", lambda rows: [*rows, rows[-1]]),
        "repeats a row",
    ),
}
"""Lie -> the bundle, how it is altered, and what of its reason is named."""


def main() -> int:
    """Flip every byte and try every attack; figures, and 1 where one was not found."""
    # What is signed is judged once: in plain Python the curve takes 10 ms, and most flips leave it as it is.
    hexveil_verify.signed = functools.cache(hexveil_verify.signed)
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        bundle = make_bundle(Path(folder, "every-byte"))
        size = sum(path.stat().st_size for path in bundle.rglob("*") if path.is_file())
        for name, verifier in VERIFIERS.items():
            started = time.monotonic()
            passed = [where for where in flipped(bundle) if verifier(bundle).holds]
            seconds = time.monotonic() - started
            assert verifier(bundle).holds, "the bundle is whole again"
            print(
                f"{name}: {size - len(passed)} of {size} flipped bytes found in {seconds:.0f} s", flush=True
            )
            missed += len(passed)
        for name, verifier in VERIFIERS.items():
            found = 0
            for number, attack in enumerate(STRUCTURE.values()):
                bundle = make_bundle(Path(folder, f"{name}-{number}"))
                attack[0](bundle)
                found += not verifier(bundle, make_key().public_text).holds
            print(f"{name}: {found} of {len(STRUCTURE)} attacks on the structure found")
            missed += len(STRUCTURE) - found
            found = 0
            for number, (make, lie, _) in enumerate(LIES.values()):
                bundle = make(Path(folder, f"{name}-lie-{number}"))
                lie(bundle)
                found += not verifier(bundle, make_key().public_text).holds
            print(f"{name}: {found} of {len(LIES)} lies about shares, labels and sizes found")
            missed += len(LIES) - found
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
