"""`mechanisms`: the registry as text and as JSON."""

from __future__ import annotations

import json

import pytest

from core.cli import main
from core.mechanisms.registry import all_mechanisms


def test_mechanisms_lists_the_registry(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mechanisms", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [item["key"] for item in listed] == list(all_mechanisms())
