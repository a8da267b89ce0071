"""A bundle for the registry of deployments: how parameters were chosen, what is missing (method 14.9).

Keys, their order and the words that are chosen from are the registry's; what only people know is said in
`[release.registry]`. Of what its lists have no word for (a sector for transport) nothing is said.

Source: data repository of the registry, its schema and tests (2026).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from core.bundle.loss_texts import mu_beside
from core.bundle.stated_quantity import stated_subject
from core.codec import ShapeError, from_json
from core.errors import InputError
from core.hats.places import HEXAGON
from core.place_words import in_full
from core.published.bundle_frames import require_holds
from core.release_texts import RegistryTexts
from core.signed.bundle_names import PRIVACY
from core.signed.findings import json_object
from core.verify.folder import read_folder

_PURE, _APPROXIMATE, _CONCENTRATED = "Pure DP", "Approximate DP", "Zero-concentrated DP"
_NOTHING_OPEN = "None beside the constants of the release: its places, slots, dates and bounds."
_CURATOR = "Government"
_NAMES = re.compile(r"[a-z0-9]+")


def registry_entry(
    bundle: Path, public_key: str | None = None, *, texts: RegistryTexts | None = None
) -> dict[str, Any]:
    """The entry of a bundle that holds.

    texts: in place of what the bundle says. Raises InputError as `published_tables` does, and where something
    that only people know is missing.
    """
    require_holds(bundle, public_key)
    folder = read_folder(bundle)
    privacy = json_object(PRIVACY, folder.read(PRIVACY))
    said = _asked(privacy, texts, bundle)
    return {
        "url_slug": "-".join(
            (*_words(privacy["title"]), *_words(privacy["data_curators"][0]), privacy["publication_date"][:4])
        ),
        "deployment": {
            "basic": {
                "name": privacy["title"],
                "data_curators": [
                    {"data_curator_name": one, "data_curator_type": _CURATOR}
                    for one in privacy["data_curators"]
                ],
                "description": said.description,
                "intended_use": privacy["intended_use"],
                "data_product_type": "Summary statistics",
                "data_product_region": said.region,
                "publication_date": privacy["publication_date"],
            },
            "dp_variant": {
                "variant_name": _variant(privacy),
                "data_domain": said.domain,
                "unprotected_quantities": _listed(privacy["unprotected_quantities"]) or _NOTHING_OPEN,
            },
            "privacy_loss": _loss(privacy),
            "deployment_model": _model(privacy, said),
            "implementation": _implementation(privacy, said),
            "administrative": {"status": "Draft", "registry_authors": privacy["data_curators"], "tier": 3},
        },
    }


def _asked(privacy: Mapping[str, Any], texts: RegistryTexts | None, bundle: Path) -> RegistryTexts:
    if texts is None:
        try:
            texts = from_json(RegistryTexts, privacy.get("registry", {}))
        except ShapeError:
            texts = RegistryTexts()
    if texts.missing:
        raise InputError(
            "What only people know is missing: {missing}.",
            missing=", ".join(texts.missing),
            where=str(bundle),
            mend="write these keys in [release.registry] of a spec, and name it: --spec FILE",
        )
    return texts


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _NAMES.findall(plain)


def _listed(texts: Iterable[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)


def _variant(privacy: Mapping[str, Any]) -> str:
    """What the registry calls it: Gaussian noise beside Laplace's is approximate."""
    if "rho" not in privacy["headline"]:
        return _PURE
    return _APPROXIMATE if Decimal(privacy["charges_pure"]["vehicle"]) else _CONCENTRATED


def _loss(privacy: Mapping[str, Any]) -> dict[str, Any]:
    headline, details = privacy["headline"], privacy["privacy_unit_details"]
    names = ["epsilon", *(["delta"] if "rho" in headline else [])]
    mu = mu_beside(Decimal(headline["mu"]) if "mu" in headline else None)
    names += ["rho"] if _variant(privacy) == _CONCENTRATED else []
    subject = stated_subject(privacy, PRIVACY).name
    return {
        "privacy_unit": f"{subject[0].upper()}{subject[1:]}-level",
        "privacy_unit_details": _to_people(
            f"Protected: {details['protected']}. {details['neighbours']} Mechanisms protect, as one, each "
            f"{privacy['privacy_unit']}; relation {privacy['relation']}.",
            privacy,
        ),
        "privacy_parameters": {name: float(headline[name]) for name in names},
        "privacy_parameters_details": f"Of all records of one unit in this release{mu}. Of all releases of "
        f"the same population so far: epsilon {privacy['cumulative']['vehicle']}.",
    }


def _model(privacy: Mapping[str, Any], said: RegistryTexts) -> dict[str, str]:
    series, subjects = privacy.get("series"), stated_subject(privacy, PRIVACY).plural
    return {
        "model_name": privacy["deployment_model"],
        "model_name_details": "The publisher stores the records and adds noise before anything is published.",
        "actors": said.actors,
        "release_type": "Many releases" if series else "One release",
        "release_type_details": f"One release for each {series['every']}; the epsilons of the same "
        f"{subjects} add up, and a limit applies to all of them."
        if series
        else privacy["release_type"],
        "data_source_type": "Dynamic" if series else "Static",
        "data_source_type_details": said.data_source,
        "access_type": "Non-interactive",
        "access_type_details": said.access,
    }


def _implementation(privacy: Mapping[str, Any], said: RegistryTexts) -> dict[str, str]:
    tuned = privacy["parameters_chosen_after_confidential_evaluation"] is True
    tuning = (
        "Some parameters were chosen after errors on the true records had been viewed, which no budget "
        "covers."
        if tuned
        else "No parameter was chosen by errors on the true records."
    )
    made = [
        f"{one['query_id']}: {one['statistic']} by {one['mechanism']} ({one['mechanism_reference']}), noise: "
        f"{one.get('noise', 'discrete Laplace')}"
        for one in privacy["queries"]
    ]
    return {
        "preprocessing_and_hyperparameter_tuning": _listed(
            _to_people(one, privacy) for one in (*privacy["preprocessing"], tuning)
        ),
        "mechanisms": _listed([*made, f"Noise: {privacy['noise_source']}."]),
        "composition": _listed(
            _to_people(f"{unit}: {text}", privacy) for unit, text in privacy["composition"].items()
        ),
        "post_processing": _listed(_to_people(one, privacy) for one in privacy["post_processing"]),
        "justification": said.justification,
        "additional_information": f"The release is signed (key {privacy['signature']['key_id']}); its full "
        f"statement is {PRIVACY}.",
    }


def _to_people(text: str, privacy: Mapping[str, Any]) -> str:
    """A text of privacy.json in the words of people, who read no keys."""
    hexagons = privacy["grid"].get("place", HEXAGON) == HEXAGON
    return stated_subject(privacy, PRIVACY).says(in_full(text, hexagons=hexagons))


def entry_yaml(entry: Mapping[str, Any]) -> str:
    """The entry as YAML: every text in double quotes, as JSON has it."""
    return "".join(f"{line}\n" for line in _lines(entry))


def _lines(value: Mapping[str, Any] | Sequence[Any], indent: str = "") -> Iterator[str]:
    pairs = value.items() if isinstance(value, Mapping) else ((None, one) for one in value)
    for name, one in pairs:
        head = f"{indent}-" if name is None else f"{indent}{name}:"
        if isinstance(one, Mapping | list):
            yield head
            yield from _lines(one, f"{indent}  ")
        else:
            yield f"{head} {_scalar(one)}"


def _scalar(value: Any) -> str:
    """JSON, but for numbers like 1e-10: without a point YAML reads a text."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("e", ".0e") if isinstance(value, float) and "e" in text and "." not in text else text
