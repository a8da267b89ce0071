"""The names are those of a bundle as it is written, and verifying needs no more of writing than them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from core.release.bundle import bundle_files
from core.signed import bundle_names
from core.signed.bundle_names import (
    MAP_FOLDER,
    MAP_FORMATS,
    POLICY_FILES,
    PORTAL_FORMAT,
    PRIVACY,
    STATEMENT_FORMAT,
)
from tests.builders import NOW, make_key, make_release, make_texts

ROOT = Path(__file__).resolve().parent.parent.parent.parent
WRITING = ("jinja2", "psutil", "core.spec", "core.planning.query_plan", "core.portal.report_html")


def test_a_bundle_holds_these_files_and_its_data() -> None:
    files = bundle_files(make_release(), make_texts(), key=make_key(), now=NOW)
    formats, folders = {STATEMENT_FORMAT, PORTAL_FORMAT, *MAP_FORMATS}, ("data/", MAP_FOLDER)
    named = {value for name, value in vars(bundle_names).items() if name.isupper() and isinstance(value, str)}
    where_wanted = set(POLICY_FILES)
    elsewhere = {path for path in named if not path.startswith(folders)}
    assert {path for path in files if not path.startswith(folders)} == elsewhere - formats - where_wanted
    assert json.loads(files[PRIVACY])["format"] == STATEMENT_FORMAT


def test_verifying_loads_nothing_of_writing() -> None:
    code = f"import core.verify.verify, sys; print(*(name for name in {WRITING} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
