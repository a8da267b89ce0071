"""core.portal.map_files: functions of data and documents alone."""

from __future__ import annotations

import json

from core.bundle.data_files import data_files
from core.bundle.resources import map_paths
from core.portal.map_files import map_files
from core.signed.bundle_names import DATAPACKAGE, PRIVACY
from tests.builders import SPEED_BY_HAT, make_documents, make_release


def test_whoever_holds_a_bundle_makes_the_same_files() -> None:
    documents = make_documents()
    package, privacy = (json.loads(documents[name]) for name in (DATAPACKAGE, PRIVACY))
    head = [one for one in package["resources"] if one["path"].startswith("data/")]
    made = map_files(data_files(make_release()), package | {"resources": head}, privacy)
    assert made.package == package
    assert set(made.files) == set(map_paths([SPEED_BY_HAT]))
    assert all(documents[path] == content for path, content in made.files.items())
    assert list(made.pictures) == ["mean"]
