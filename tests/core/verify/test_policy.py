"""core.verify.policy: a policy in a bundle says what privacy.json says, or nothing of it holds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from core.bundle.datapackage import json_bytes
from core.portal.policy import policy_of_statement
from core.portal.policy_pages import policy_pages
from core.published.ckan_package import ckan_package
from core.signed.bundle_names import DATAPACKAGE, PRIVACY
from core.verify.verify import verify_bundle
from tests.builders import forge, make_bundle, make_texts

EVIL = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bundle(tmp_path_factory.mktemp("policy"), texts=make_texts(policy=True, publisher=EVIL))


@pytest.fixture
def bundle(_made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(_made, tmp_path / _made.name))


def failed(bundle: Path) -> dict[str, str]:
    """Check -> why it failed."""
    return {one.name: one.detail for one in verify_bundle(bundle).checks if not one.passed}


def test_a_bundle_with_its_policy_holds(bundle: Path) -> None:
    found = verify_bundle(bundle)
    assert found.ok
    assert [one.detail for one in found.checks if one.name == "policy"] == [
        "policy.html and policy.md say what privacy.json states"
    ]
    privacy = json.loads((bundle / PRIVACY).read_bytes())
    for name, content in policy_pages(policy_of_statement(privacy)).items():
        assert (bundle / name).read_bytes() == content
        assert EVIL.encode() not in content


def test_it_is_listed_for_people_machines_and_portals(bundle: Path) -> None:
    assert "`policy.html`, `policy.md`" in (bundle / "README.md").read_text(encoding="utf-8")
    listed = {one["path"]: one for one in json.loads((bundle / DATAPACKAGE).read_bytes())["resources"]}
    assert listed["policy.html"]["mediatype"] == "text/html"
    assert listed["policy.md"]["bytes"] == (bundle / "policy.md").stat().st_size
    assert {"policy.html", "policy.md"} <= {one["url"] for one in ckan_package(bundle)["resources"]}
    assert "policy.html" in (bundle / "dcat.jsonld").read_text(encoding="utf-8")


def test_without_the_key_there_is_none(tmp_path: Path) -> None:
    usual = make_bundle(tmp_path)
    assert not list(usual.glob("policy.*"))
    found = verify_bundle(usual)
    assert found.ok
    assert "policy" not in {one.name for one in found.checks}
    assert "policy" not in (usual / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["policy.html", "policy.md"])
def test_other_figures_than_the_statement_s_fail(bundle: Path, name: str) -> None:
    content = (bundle / name).read_bytes()
    changed = content.replace(b"10", b"99", 1)
    assert changed != content
    forge(bundle, {name: changed})
    assert failed(bundle) == {"policy": f"{name} says something else than privacy.json"}


def test_another_statement_fails_too(bundle: Path) -> None:
    privacy = json.loads((bundle / PRIVACY).read_bytes())
    privacy["limits"]["vehicle"] = "11"
    forge(bundle, {PRIVACY: json_bytes(privacy)})
    assert "policy.html says something else than privacy.json" in failed(bundle)["policy"]


def test_half_a_policy_fails(bundle: Path) -> None:
    (bundle / "policy.md").unlink()
    forge(bundle, {})
    assert failed(bundle)["policy"] == "policy.md is missing"
