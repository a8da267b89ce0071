"""A bundle as a dataset of mobilityDCAT-AP 1.1, with its mobility theme and area (method 14.9).

The record of `dcat.jsonld` in its newest form, with what national access points ask for beside it: theme,
standard of the data, rights, frequency, and languages of texts. Catalogue and its record are the portal's.

Source: mobilityDCAT-AP 1.1.0 and its controlled vocabularies; DCAT-AP HVD 3.0; Regulation (EU) 2023/138.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.published.bundle_frames import require_holds
from core.verify.folder import read_folder
from core.verify.maps import portal_record

_PROFILE = "https://w3id.org/mobilitydcat-ap"
_NAMES = {
    "mobilitydcatap": f"{_PROFILE}#",
    "dcatap": "http://data.europa.eu/r5r/",
    "eli": "http://data.europa.eu/eli/ontology#",
}
_SPEED, _OTHER = "speed", "other"
"""Of the vocabulary of themes."""
_THEME = re.compile(r"[a-z]+(-[a-z]+)*")
_HIGH_VALUE = {"@id": "http://data.europa.eu/eli/reg_impl/2023/138/oj", "@type": "eli:LegalResource"}
_ABSENT = ("dct:accessRights", "dcat:contactPoint")
"""Of the profile's dataset no part, and one only with an address of mail."""


def mobility_record(
    bundle: Path,
    public_key: str | None = None,
    *,
    url: str = "",
    theme: str = "",
    high_value: bool = False,
) -> dict[str, Any]:
    """The record of a bundle that holds.

    url: of the folder where the bundle is offered; theme: of the vocabulary of mobility themes, else speed
    or other; high_value: it is a high-value dataset of the category mobility. Raises InputError as
    `published_tables` does, for places without outlines, and for what cannot be a theme.
    """
    require_holds(bundle, public_key)
    if theme and not _THEME.fullmatch(theme):
        raise InputError(
            "The name of a mobility theme has lower-case letters and hyphens.",
            where="--theme",
            mend="take a name of the vocabulary, for instance traffic-volume",
        )
    folder = read_folder(bundle)
    record = portal_record(folder)
    if "dct:spatial" not in record:
        raise InputError(
            "The profile asks where the data are, and the places of this bundle have no outlines.",
            where=str(bundle),
            mend="offer it a release by hexagons, or by zones",
        )
    contact = _contact(record["dcat:contactPoint"])
    base = {"@base": f"{url.rstrip('/')}/{folder.source.name}/"} if url else {}
    chosen = theme or (_SPEED if folder.quantity.is_speed else _OTHER)
    record = {name: value for name, value in record.items() if name not in _ABSENT} | {
        "@context": {**base, **record["@context"], **_NAMES},
        "dct:description": _english(record["dct:description"]),
        "dcat:keyword": [_english(one) for one in record["dcat:keyword"]],
        **contact,
        "dcat:theme": _with_scheme(record["dcat:theme"]),
        "dct:accrualPeriodicity": _with_scheme(record["dct:accrualPeriodicity"]),
        "mobilitydcatap:mobilityTheme": _of_profile(f"mobility-theme/{chosen}"),
        "dcat:distribution": [_distribution(one) for one in record["dcat:distribution"]],
    }
    if series := record.get("dcat:inSeries"):
        left = {name: value for name, value in series.items() if name not in _ABSENT}
        record["dcat:inSeries"] = left | contact
    return _of_high_value(record) if high_value else record


def _english(text: str) -> dict[str, str]:
    return {"@language": "en", "@value": text}


def _concept(address: str, name: str = "") -> dict[str, Any]:
    """One of a vocabulary; name: in English, else the end of its address, as words."""
    label = _english(name or _words(address))
    return {"@id": address, "@type": "skos:Concept", "skos:prefLabel": label}


def _of_profile(name: str) -> dict[str, Any]:
    return _with_scheme(_concept(f"{_PROFILE}/{name}"))


def _with_scheme(term: Mapping[str, Any]) -> dict[str, Any]:
    """What says of which vocabulary it is: shapes ask, and nothing has to be fetched to know."""
    scheme = term["@id"].rpartition("/")[0]
    title = _english(_words(scheme))
    return {
        **term,
        "skos:inScheme": {"@id": scheme, "@type": "skos:ConceptScheme", "dct:title": title},
    }


def _words(address: str) -> str:
    return address.rpartition("/")[2].replace("-", " ").capitalize()


def _contact(card: Mapping[str, Any]) -> dict[str, Any]:
    """A contact whose address says that it is one; nothing without one of mail, which no card may lack."""
    if "vcard:hasEmail" not in card:
        return {}
    address = card["vcard:hasEmail"] | {"@type": "rdfs:Resource"}
    return {"dcat:contactPoint": {**card, "vcard:hasEmail": address}}


def _distribution(one: Mapping[str, Any]) -> dict[str, Any]:
    """Without its sum, which the profile has left out: the signed list has it."""
    left = {name: value for name, value in one.items() if name != "spdx:checksum"}
    return left | {
        "dct:title": _english(one["dct:title"]),
        "dct:format": _with_scheme(one["dct:format"]),
        "dct:rights": {
            "@type": "dct:RightsStatement",
            "dct:type": _of_profile("conditions-for-access-and-usage/licence-provided"),
        },
        "mobilitydcatap:mobilityDataStandard": _of_profile("mobility-data-standard/other"),
    }


def _of_high_value(record: dict[str, Any]) -> dict[str, Any]:
    by_law = {"dcatap:applicableLegislation": _HIGH_VALUE}
    of_category = by_law | {
        "dcatap:hvdCategory": _concept("http://data.europa.eu/bna/c_b79e35eb", "Mobility")
    }
    said = record | of_category
    said["dcat:distribution"] = [one | by_law for one in record["dcat:distribution"]]
    if "dcat:inSeries" in record:
        said["dcat:inSeries"] = record["dcat:inSeries"] | of_category
    return said
