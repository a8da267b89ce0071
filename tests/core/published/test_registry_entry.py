"""core.published.registry_entry: the registry's rules, restated, hold of what a YAML reader finds."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from core.bundle.release_result import Release
from core.cli import main
from core.errors import InputError
from core.published.registry_entry import entry_yaml, registry_entry
from core.quantity import SPEED
from core.release_texts import RegistryTexts, SeriesTexts
from core.subject import Subject
from tests.builders import (
    make_bundle,
    make_exact_release,
    make_mixed_release,
    make_release,
    make_texts,
)

TEXTS = RegistryTexts(
    region="Austin, Texas",
    description="Mean speeds: of buses # by hexagon",
    domain="Records of buses",
    actors="- the city\n- the public",
    data_source="Vehicle positions",
    access="Files, “open”",
    justification="A year costs 10",
)
SENSORS = dataclasses.replace(SPEED, subject=Subject(name="sensor", plural="sensors"))
MIXED = make_mixed_release()
GAUSSIAN = MIXED.queries[:1]
SERIES = SeriesTexts(name="buses", title="Buses", every="month")
SLUG = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
ONE_OF: dict[str, set[Any]] = {
    "basic.data_product_type": {
        *("Summary statistics", "Machine learning model", "Dataset", "Synthetic data"),
    },
    "basic.data_curators.data_curator_type": {"Government", "Nonprofit"},
    "dp_variant.variant_name": {
        *("Pure DP", "Approximate DP", "Zero-concentrated DP", "Renyi DP", "Custom"),
    },
    "deployment_model.model_name": {"Local", "Central", "Shuffle", "Federated", "Varies"},
    "deployment_model.release_type": {"One release", "Many releases"},
    "deployment_model.data_source_type": {"Static", "Dynamic"},
    "deployment_model.access_type": {"Interactive", "Non-interactive"},
    "administrative.status": {"Converted", "Draft", "Pending", "Changes Required", "Approved"},
    "administrative.tier": {1, 2, 3},
}
"""Path below `deployment` -> the words that the schema lists."""
ORDER = (
    *("basic", "name", "data_curators", "description", "intended_use", "data_product_type"),
    *("data_product_region", "data_product_sector", "publication_date"),
    *("dp_variant", "variant_name", "data_domain", "unprotected_quantities"),
    *("privacy_loss", "privacy_unit", "privacy_unit_details", "number_of_privacy_units"),
    *("privacy_parameters", "epsilon", "delta", "rho", "privacy_parameters_details"),
    *("deployment_model", "model_name", "model_name_details", "trust_assumptions", "actors"),
    *("release_type", "release_type_details", "data_source_type", "data_source_type_details"),
    *("access_type", "access_type_details"),
    *("implementation", "preprocessing_and_hyperparameter_tuning", "mechanisms", "composition"),
    *("post_processing", "justification", "utility", "additional_information"),
    *("administrative", "evidence_sources", "status", "registry_authors", "tier"),
)
"""All keys below `deployment`, in the order that an entry has to keep, but for those of lists."""
NEEDED = {
    "basic": {*ORDER[1:7], "publication_date"},
    "dp_variant": {"variant_name", "data_domain", "unprotected_quantities"},
    "privacy_loss": {
        "privacy_unit",
        "privacy_unit_details",
        "privacy_parameters",
        "privacy_parameters_details",
    },
    "deployment_model": {*("model_name", "actors", "release_type", "data_source_type", "access_type")}
    | {*("release_type_details", "data_source_type_details", "access_type_details")},
    "implementation": {
        *("preprocessing_and_hyperparameter_tuning", "mechanisms", "composition"),
        *("post_processing", "justification"),
    },
    "administrative": {"status", "registry_authors", "tier"},
}
"""What a complete entry (tier 3) says."""
PARAMETERS = {
    "Pure DP": {"epsilon"},
    "Approximate DP": {"epsilon", "delta"},
    "Zero-concentrated DP": {"epsilon", "delta", "rho"},
}


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with its path; those of a list have the list's."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from leaves(one, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list):
        assert value, f"{path} is empty"
        for one in value:
            yield from leaves(one, path)
    else:
        yield path, value


def keys_of(value: Any) -> Iterator[str]:
    for name, one in value.items() if isinstance(value, dict) else ():
        yield name
        yield from keys_of(one)


def faults(text: str) -> Iterator[str]:
    """What the registry's checks would say of a file."""
    for token in yaml.scan(text):
        if getattr(token, "style", None) in (">", ">-", "|-"):
            yield f"style {token.style}"
    entry = yaml.safe_load(text)
    if entry.keys() != {"url_slug", "deployment"} or not re.fullmatch(
        "[a-z0-9]+(-[a-z0-9]+)*", entry["url_slug"]
    ):
        yield "top"
    deployment = entry["deployment"]
    keys = list(keys_of(deployment))
    yield from (f"{key} is unknown" for key in keys if key not in ORDER)
    if [key for key in ORDER if key in keys] != [key for key in keys if key in ORDER]:
        yield "order"
    for part, names in NEEDED.items():
        yield from (f"{part}.{name} is missing" for name in sorted(names - deployment.get(part, {}).keys()))
    for path, value in leaves(deployment):
        if path in ONE_OF:
            if value not in ONE_OF[path]:
                yield f"{path}: {value}"
        elif path.startswith("privacy_loss.privacy_parameters."):
            if not isinstance(value, float) or value <= 0.0:
                yield f"{path} is no number"
        elif not isinstance(value, str) or not value.strip():
            yield f"{path} is no text"
    try:
        dt.date.fromisoformat(deployment["basic"]["publication_date"])
    except (KeyError, TypeError, ValueError):
        yield "publication_date"
    stated = deployment["privacy_loss"]["privacy_parameters"].keys()
    if stated != PARAMETERS[deployment["dp_variant"]["variant_name"]]:
        yield "parameters"


@pytest.mark.parametrize(
    ("release", "variant"),
    [
        (make_release(), "Pure DP"),
        (make_mixed_release(), "Approximate DP"),
        (make_exact_release(), "Approximate DP"),
        (dataclasses.replace(MIXED, queries=GAUSSIAN, charge=GAUSSIAN[0].charge), "Zero-concentrated DP"),
    ],
)
@pytest.mark.parametrize("series", [None, SERIES])
def test_the_rules_of_the_registry_hold(
    release: Release, variant: str, series: SeriesTexts | None, tmp_path: Path
) -> None:
    bundle = make_bundle(tmp_path, release, make_texts(registry=TEXTS, series=series))
    text = entry_yaml(registry_entry(bundle))
    assert list(faults(text)) == []
    deployment = yaml.safe_load(text)["deployment"]
    assert deployment["dp_variant"]["variant_name"] == variant
    assert deployment["basic"]["description"] == TEXTS.description
    assert deployment["deployment_model"]["actors"] == TEXTS.actors
    assert "vehicle, hexagon slot and day: " in deployment["implementation"]["composition"]
    assert not re.search(r"\bHATs?\b|vehicle-(hat-)?day", text)
    many = deployment["deployment_model"]["release_type"], deployment["deployment_model"]["data_source_type"]
    assert many == (("Many releases", "Dynamic") if series else ("One release", "Static"))


def test_a_series_is_one_of_whatever_is_protected(tmp_path: Path) -> None:
    release = make_release(quantity=SENSORS)
    bundle = make_bundle(tmp_path, release, make_texts(registry=TEXTS, series=SERIES))
    details = registry_entry(bundle)["deployment"]["deployment_model"]["release_type_details"]
    assert "the epsilons of the same sensors add up" in details


def test_the_rules_see_what_is_wrong(tmp_path: Path) -> None:
    entry = registry_entry(make_bundle(tmp_path, make_mixed_release(), make_texts(registry=TEXTS)))
    deployment = entry["deployment"]
    deployment["basic"]["data_product_sector"] = deployment["basic"].pop("data_product_region")
    deployment["dp_variant"]["variant_name"] = "Pure DP"
    deployment["privacy_loss"]["privacy_parameters"]["delta"] = "1e-6"
    found = set(faults(entry_yaml(entry)))
    assert {"order", "basic.data_product_region is missing", "parameters"} <= found
    assert "privacy_loss.privacy_parameters.delta is no number" in found


def test_what_only_people_know_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = make_bundle(tmp_path, make_release(), make_texts(registry=RegistryTexts(region="Austin")))
    with pytest.raises(InputError, match="description, domain, actors, data_source, access, justification"):
        registry_entry(bundle)
    spec = tmp_path / "spec.toml"
    names = ("region", "description", "domain", "actors", "data_source", "access", "justification")
    spec.write_text("[release.registry]\n" + "".join(f'{name} = "of {name}"\n' for name in names))
    command = ["catalogue", str(bundle), "--registry", "--home", str(tmp_path)]
    assert main(command) == 2
    assert "[release.registry]" in capsys.readouterr().err
    assert main([*command, "--spec", str(spec)]) == 0
    printed = capsys.readouterr()
    assert list(faults(printed.out)) == []
    assert "Government" in printed.err
