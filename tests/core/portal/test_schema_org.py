"""core.portal.schema_org: what search engines read in the report."""

from __future__ import annotations

import json

from core.portal.embedded_json import find_json
from core.portal.schema_org import LINKED_DATA, SCHEMA_ORG_ID
from core.signed.bundle_names import DATAPACKAGE, REPORT
from tests.builders import make_documents, make_texts


def test_the_report_holds_a_dataset_with_every_file() -> None:
    documents = make_documents()
    told = find_json(REPORT, documents[REPORT], SCHEMA_ORG_ID, kind=LINKED_DATA)
    assert (told["@type"], told["@context"]) == ("Dataset", "https://schema.org/")
    assert told["temporalCoverage"] == "2024-03-01/2024-03-09"
    assert told["license"] == "https://creativecommons.org/licenses/by/4.0/"
    assert 50 <= len(told["description"]) <= 5000  # what search engines ask for
    listed = {one["path"]: one["hash"] for one in json.loads(documents[DATAPACKAGE])["resources"]}
    assert {one["contentUrl"]: f"sha256:{one['sha256']}" for one in told["distribution"]} == listed
    assert [one["name"] for one in told["variableMeasured"]] == ["speed_mean_kmh"]


def test_names_with_markup_stay_text() -> None:
    page = make_documents(texts=make_texts(title="</script><script>alert(1)</script>"))[REPORT]
    assert b"<script>alert" not in page
    told = find_json(REPORT, page, SCHEMA_ORG_ID, kind=LINKED_DATA)
    assert told["name"] == "</script><script>alert(1)</script>"
