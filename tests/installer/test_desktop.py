"""Desktop entry, file types, package scripts: they parse, and they agree."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from fnmatch import fnmatch
from pathlib import Path

import pytest

from core.signed.bundle_names import SIGNATURE
from resources.installer.parts import NAME, WINDOW_NAME

HERE = Path(__file__).resolve().parent.parent.parent / "resources" / "installer"
MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


def desktop_entry() -> dict[str, str]:
    parser = configparser.ConfigParser(interpolation=None, delimiters="=")
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(HERE / "hexveil.desktop", encoding="utf-8")
    return dict(parser["Desktop Entry"])


def globs() -> dict[str, list[str]]:
    root = ET.parse(HERE / "hexveil-mime.xml").getroot()
    return {
        kind.attrib["type"]: [glob.attrib["pattern"] for glob in kind.iter(f"{MIME}glob")]
        for kind in root.iter(f"{MIME}mime-type")
    }


def test_the_entry_starts_the_window_with_a_file() -> None:
    entry = desktop_entry()
    assert entry["Type"] == "Application"
    assert entry["Exec"].split() == [WINDOW_NAME, "--open", "%f"]
    assert entry["TryExec"] == WINDOW_NAME
    assert entry["Icon"] == "hexveil"
    assert entry["Terminal"] == "false"


def test_the_entry_claims_exactly_our_file_types() -> None:
    claimed = [kind for kind in desktop_entry()["MimeType"].split(";") if kind]
    assert sorted(claimed) == sorted(globs())
    assert not {"application/toml", "text/plain"} & set(claimed)


def test_specs_and_signatures_are_recognised_by_name() -> None:
    (spec,) = globs()["application/x-hexveil-spec+toml"]
    (bundle,) = globs()["application/x-hexveil-bundle"]
    assert fnmatch("austin.hexveil.toml", spec)
    assert not fnmatch("pyproject.toml", spec)
    assert bundle == SIGNATURE


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="desktop-file-utils is not installed")
def test_the_entry_is_valid() -> None:
    done = subprocess.run(
        ["desktop-file-validate", str(HERE / "hexveil.desktop")], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_package_depends_on_what_the_window_needs() -> None:
    listed = subprocess.run(
        ["bash", str(HERE / "system-packages.sh"), "list"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert {"libnss3", "libxcb-cursor0", "libasound2t64|libasound2"} <= set(listed)
    assert not {"minisign", "debootstrap", "xvfb"} & set(listed)
    control = (HERE / "debian" / "control.in").read_text("utf-8")
    assert set(re.findall(r"@(\w+)@", control)) == {"VERSION", "ARCHITECTURE", "SIZE", "DEPENDS"}
    script = (HERE / "deb.sh").read_text("utf-8")
    assert all(f"s/@{name}@/" in script for name in ("VERSION", "ARCHITECTURE", "SIZE", "DEPENDS"))


@pytest.mark.parametrize(
    "name", ["deb.sh", "run.sh", "system-packages.sh", "run/setup.sh", "run/uninstall.sh", "debian/postinst"]
)
def test_scripts_are_sound_shell_and_stop_at_errors(name: str) -> None:
    text = (HERE / name).read_text("utf-8")
    shell = "bash" if text.startswith("#!/usr/bin/env bash") else "sh"
    subprocess.run([shell, "-n", str(HERE / name)], check=True)
    assert re.search(r"^set -e", text, re.MULTILINE)


def test_an_install_an_upgrade_and_an_uninstall_for_one_person(tmp_path: Path) -> None:
    archive, home = tmp_path / "archive", tmp_path / "a person"
    (archive / "hexveil").mkdir(parents=True)
    (archive / "icons" / "hicolor" / "16x16" / "apps").mkdir(parents=True)
    (archive / "icons" / "hicolor" / "16x16" / "apps" / "hexveil.png").write_bytes(b"x")
    for name in (NAME, WINDOW_NAME):
        (archive / "hexveil" / name).write_text("#!/bin/sh\necho $0\n")
        (archive / "hexveil" / name).chmod(0o755)
    for name in ("hexveil.desktop", "hexveil-mime.xml", "run/setup.sh", "run/uninstall.sh"):
        shutil.copy(HERE / name, archive / Path(name).name)
    (archive / "hexveil" / "_internal").mkdir()
    ledger = home / ".local" / "share" / "hexveil" / "ledger.sqlite"
    program = home / ".local" / "share" / "hexveil-program"
    own_command, own_text = home / ".local/bin/hexveil-window", program / "thesis.txt"
    for path in (ledger, own_command, own_text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"mine: {path.name}")
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    for time in range(3):
        subprocess.run(["sh", str(archive / "setup.sh")], env=environment, check=True, capture_output=True)
        assert subprocess.run([str(home / ".local/bin/hexveil")], env=environment, check=True).returncode == 0
        assert not (program / "_internal" / "old").exists()
        (program / "_internal" / "old").write_text("of the version before")
        if time == 1:  # as a setup leaves it that is killed between its two renamings
            program.rename(program.with_name("hexveil-program.old"))
    entry = (home / ".local/share/applications/hexveil.desktop").read_text("utf-8")
    assert f'Exec="{program}/hexveil-window" --open %f' in entry
    done = subprocess.run(
        ["sh", str(program / "uninstall.sh")], env=environment, check=True, capture_output=True, text=True
    )
    assert f"What else lies in {program} stays." in done.stdout
    left = [path for path in home.rglob("*") if path.is_file() or path.is_symlink()]
    mine = [path for path in left if "hexveil" in path.as_posix().removeprefix(home.as_posix())]
    assert sorted(mine) == sorted([ledger, own_command, own_text])
    assert all(path.read_text() == f"mine: {path.name}" for path in mine)
