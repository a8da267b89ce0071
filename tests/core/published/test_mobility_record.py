"""core.published.mobility_record: what national access points ask for, from a bundle of any form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.errors import InputError
from core.published.mobility_record import mobility_record
from core.release_texts import SeriesTexts
from tests.builders import make_bundle, make_release, make_texts, usual_bundle

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
PROFILE = "https://w3id.org/mobilitydcat-ap"
AUTHORITY = "http://publications.europa.eu/resource/authority/"


def named(value: Any) -> str:
    found: str = value["@id"]
    return found


def is_concept(value: Any) -> bool:
    return (
        value["@type"] == "skos:Concept"
        and value["skos:prefLabel"]["@language"] == "en"
        and has_scheme(value)
    )


def has_scheme(value: Any) -> bool:
    """Whether it names the vocabulary that its address begins with."""
    scheme = value["skos:inScheme"]
    return scheme["@type"] == "skos:ConceptScheme" and named(value).rpartition("/")[0] == named(scheme)


def faults(record: dict[str, Any]) -> list[str]:
    """Of what the profile makes mandatory, and of what it has no place for."""
    found = ["access rights"] if "dct:accessRights" in record else []
    if not is_concept(record["mobilitydcatap:mobilityTheme"]):
        found.append("kind of theme")
    terms = [record["dct:accrualPeriodicity"], record["dcat:theme"]]
    terms += [one["dct:format"] for one in record["dcat:distribution"]]
    found += ["vocabulary" for one in terms if not has_scheme(one)]
    if not named(record["dct:accrualPeriodicity"]).startswith(f"{AUTHORITY}frequency/"):
        found.append("frequency")
    if not named(record["mobilitydcatap:mobilityTheme"]).startswith(f"{PROFILE}/mobility-theme/"):
        found.append("theme")
    found += ["language" for one in record["dcat:keyword"] if one["@language"] != "en"]
    for one in record["dcat:distribution"]:
        if not named(one["mobilitydcatap:mobilityDataStandard"]).startswith(
            f"{PROFILE}/mobility-data-standard/"
        ):
            found.append("standard")
        if not named(one["dct:format"]).startswith(f"{AUTHORITY}file-type/"):
            found.append("format")
        if not is_concept(one["mobilitydcatap:mobilityDataStandard"]):
            found.append("kind of standard")
        if not is_concept(one["dct:rights"]["dct:type"]) or "spdx:checksum" in one:
            found.append("rights or sum")
        if one["dct:title"]["@language"] != "en":
            found.append("title")
    return found


@pytest.mark.parametrize("version", ["v0.2", "v0.3", "v0.4"])
def test_bundles_of_every_form_have_what_is_mandatory(version: str) -> None:
    record = mobility_record(
        GOLDEN / version / "releases" / "one-query-1.0.0", url="https://city.example/open/"
    )
    assert faults(record) == []
    assert record["@context"]["@base"] == "https://city.example/open/one-query-1.0.0/"
    assert named(record["mobilitydcatap:mobilityTheme"]).endswith("/speed")
    assert "dcatap:hvdCategory" not in record


def test_of_high_value_are_dataset_series_and_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    series = SeriesTexts(name="buses", title="Buses", every="week")
    bundle = make_bundle(tmp_path, make_release(), make_texts(series=series, policy=True))
    command = ["catalogue", str(bundle), "--mobilitydcat", "--hvd", "--theme", "traffic-volume"]
    assert main([*command, "--home", str(tmp_path)]) == 0
    record = json.loads(capsys.readouterr().out)
    assert faults(record) == []
    assert named(record["mobilitydcatap:mobilityTheme"]).endswith("/traffic-volume")
    for one in (record, record["dcat:inSeries"], *record["dcat:distribution"]):
        assert named(one["dcatap:applicableLegislation"]).endswith("/2023/138/oj")
    assert record["dcat:inSeries"]["dcatap:hvdCategory"] == record["dcatap:hvdCategory"]
    assert record["dcat:contactPoint"]["vcard:hasEmail"]["@type"] == "rdfs:Resource"


@pytest.mark.parametrize("contact", ["Room 12", "https://city.example/contact"])
def test_a_contact_without_an_address_of_mail_is_left_out(tmp_path: Path, contact: str) -> None:
    series = SeriesTexts(name="buses", title="Buses", every="week")
    bundle = make_bundle(tmp_path, make_release(), make_texts(series=series, policy=True, contact=contact))
    record = mobility_record(bundle)
    assert faults(record) == []
    assert "dcat:contactPoint" not in record.keys() | record["dcat:inSeries"].keys()


def test_what_is_no_theme_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="lower-case letters and hyphens"):
        mobility_record(usual_bundle(tmp_path), theme="https://other.example/theme")
