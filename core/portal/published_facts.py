"""What datapackage.json and privacy.json say in a headline; figures or licences that are malformed.

Both may be a stranger's: what is not there, or is of another kind, is a Finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from core.accounting.epsilon_rounding import glance, plain_decimal
from core.bundle.loss_texts import attacker_sentence, likelihood_sentence, mu_beside
from core.bundle.protection_texts import PRACTICE
from core.bundle.stated_quantity import stated_quantity, stated_subject
from core.codec import ShapeError, from_json
from core.privacy import Relation, Unit
from core.release_texts import IN_ENGLISH, SeriesTexts
from core.signed.bundle_names import (
    DATAPACKAGE,
    EXACT_PAGES,
    FOURTH_MAP_FORMAT,
    MAP_FORMAT,
    PORTAL_FORMAT,
    PRIVACY,
    map_format_since,
)
from core.signed.findings import Finding, text_at
from core.texts import text_of

_WEB = ("https://", "http://")
MAIL = "mailto:"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFacts:
    """Texts as they are published; dates as `YYYY-MM-DD`."""

    name: str
    version: str
    title: str
    description: str
    keywords: tuple[str, ...]
    publisher: str
    contact: str
    """As the publisher writes it: an address of mail or of the web, or any other text."""
    licence: str
    licence_url: str
    """Empty where it has none."""
    published_on: str
    first: str
    last: str
    gaps: bool
    """Whether there are days between the first and the last that do not count."""
    hours: tuple[str, str]
    zone: str
    unit: str
    """Protected unit of the mechanism."""
    relation: str
    subject: str
    """What is protected, in words: `vehicle`."""
    subjects: str
    """Several of these."""
    epsilon: str
    """Of one subject: the headline, as pages for people show it."""
    delta: str
    mu: str
    """Of its Gaussian noise; empty where there is none, and where pages of older forms say none."""
    practice: str
    """What is said of a practice release; empty for one in earnest."""
    protected: str
    """What is, in words; empty where an old statement does not say."""
    unprotected: tuple[str, ...]
    """What becomes public beside the numbers."""
    region: str
    """Where the data are from, in the publisher's words; empty: not said."""
    second_portal: bool
    """Whether record and GeoParquet are of the second form."""
    series: SeriesTexts | None
    """That it is a member of."""
    resolution: int | None
    """H3, the finest; None for other places."""
    spoken: tuple[str, ...]
    """Languages beside English that README and report are in."""
    meaning: tuple[str, ...]
    """What the epsilon means; empty where an old statement does not say what an attacker finds."""

    @property
    def release(self) -> str:
        """`<name>-<version>`: the bundle's folder."""
        return f"{self.name}-{self.version}"

    @property
    def privacy_sentence(self) -> str:
        """An epsilon with what it means."""
        delta = "" if self.delta == "0" else text_of(" at delta {delta}", delta=self.delta)
        delta += mu_beside(plain_decimal(self.mu) if self.mu else None)
        return text_of(
            "epsilon {epsilon}{delta} per {subject}, relation {relation}; protected unit: {unit}",
            subject=self.subject,
            epsilon=self.epsilon,
            delta=delta,
            relation=self.relation,
            unit=self.unit,
        )


def published_facts(package: Mapping[str, Any], privacy: Mapping[str, Any]) -> PublishedFacts:
    """The facts of a bundle. Raises Finding where one is missing."""

    def text(*names: str) -> str:
        return text_at(package, *names, document_name=DATAPACKAGE)

    licence, publisher = _first(package, "licenses"), _first(package, "contributors")
    url = licence.get("path", "")
    keywords, hours = _texts(package.get("keywords")), _texts(package.get("temporal", {}).get("hours"))
    if len(hours) != 2 or not isinstance(url, str):
        raise Finding("{datapackage}: hours or licence are malformed")
    subject = stated_subject(privacy, PRIVACY)
    return PublishedFacts(
        name=text("name"),
        version=text("version"),
        title=text("title"),
        description=f"{text('description')} {text_at(privacy, 'intended_use')}",
        keywords=keywords,
        publisher=text_at(publisher, "title", document_name=DATAPACKAGE),
        contact=text_at(privacy, "contact"),
        licence=text_at(licence, "title", document_name=DATAPACKAGE),
        licence_url=url if url.startswith(_WEB) else "",
        published_on=text("created").partition("T")[0],
        first=text("temporal", "start"),
        last=text("temporal", "end"),
        gaps=_gaps(privacy),
        hours=(hours[0], hours[1]),
        zone=text("temporal", "zone"),
        unit=text_at(privacy, "privacy_unit"),
        relation=text_at(privacy, "relation"),
        subject=subject.name,
        subjects=subject.plural,
        epsilon=_epsilon(privacy),
        delta=text_at(privacy, "headline", "delta"),
        mu=_mu(privacy),
        practice=PRACTICE if privacy.get("practice") is True else "",
        protected=_protected(privacy),
        unprotected=_texts(privacy.get("unprotected_quantities", [])),
        second_portal=_second_portal(privacy),
        region=_region(privacy),
        series=_series(privacy),
        resolution=privacy["grid"].get("h3_resolution"),
        spoken=tuple(one for one in _texts(privacy.get("languages", [])) if one != IN_ENGLISH),
        meaning=_meaning(privacy),
    )


def _region(privacy: Mapping[str, Any]) -> str:
    registry = privacy.get("registry")
    found = registry.get("region", "") if isinstance(registry, dict) else ""
    return found if isinstance(found, str) else ""


def _gaps(privacy: Mapping[str, Any]) -> bool:
    period = privacy.get("period")
    ranges = period.get("date_ranges") if isinstance(period, dict) else None
    return isinstance(ranges, list) and len(ranges) > 1


def _second_portal(privacy: Mapping[str, Any]) -> bool:
    named = privacy.get("portal_files")
    if named not in (None, PORTAL_FORMAT):
        raise Finding("{privacy} names a form of files for portals that is not known")
    return named is not None


def _series(privacy: Mapping[str, Any]) -> SeriesTexts | None:
    if "series" not in privacy:
        return None
    try:
        return from_json(SeriesTexts, privacy["series"])
    except ShapeError:
        raise Finding("{privacy} states no series") from None


def _protected(privacy: Mapping[str, Any]) -> str:
    details = privacy.get("privacy_unit_details", {})
    found = details.get("protected", "") if isinstance(details, dict) else ""
    return found if isinstance(found, str) else ""


def _meaning(privacy: Mapping[str, Any]) -> tuple[str, ...]:
    headline = privacy.get("headline")
    if not isinstance(headline, dict) or not isinstance(headline.get("power_at_1_percent"), str):
        return ()
    try:
        relation = Relation(text_at(privacy, "relation"))
        epsilon, delta = (plain_decimal(text_at(privacy, "headline", name)) for name in ("epsilon", "delta"))
        power = plain_decimal(headline["power_at_1_percent"])
    except ValueError:
        raise Finding("{privacy}: a figure of the headline is not a number") from None
    values = stated_quantity(privacy, PRIVACY).plural
    chance = delta if "rho" in headline else Decimal(0)
    # forms of maps before the fourth hold delta's decimals, and before the sixth figures that say nothing
    older, newest = not _made_since(privacy, FOURTH_MAP_FORMAT), _made_since(privacy, MAP_FORMAT)
    said = (
        likelihood_sentence(
            relation, Unit.VEHICLE, epsilon, chance, values, as_figure=older, in_words=newest
        ),
        attacker_sentence(power, in_words=newest),
    )
    subject = stated_subject(privacy, PRIVACY)
    return tuple(subject.carried(text) for text in said)


def _made_since(privacy: Mapping[str, Any], first: str) -> bool:
    return map_format_since(str(privacy.get("map_files")), first)


def _mu(privacy: Mapping[str, Any]) -> str:
    stated = privacy["headline"].get("mu", "")
    if not stated or not _made_since(privacy, MAP_FORMAT):
        return ""
    try:
        return glance(plain_decimal(stated))
    except (TypeError, ValueError):
        raise Finding("{privacy}: a figure of the headline is not a number", privacy=PRIVACY) from None


def _epsilon(privacy: Mapping[str, Any]) -> str:
    stated = text_at(privacy, "headline", "epsilon")
    if privacy.get("format") in EXACT_PAGES:
        return stated
    try:
        return glance(plain_decimal(stated))
    except ValueError:
        raise Finding("{privacy}: the epsilon of the headline is not a number") from None


def contact_url(contact: str) -> str:
    """The contact as an address: `mailto:` or of the web; empty for any other text."""
    text = contact.strip()
    if text.startswith(_WEB):
        return text if " " not in text else ""
    return MAIL + text if "@" in text and " " not in text else ""


def _first(package: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    listed = package.get(name)
    if not isinstance(listed, list) or not listed or not isinstance(listed[0], dict):
        raise Finding("{datapackage} states no {name}", name=name)
    return listed[0]


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise Finding("{datapackage}: something that should be text is not")
    return tuple(value)
