"""README, report and map page in another language: how to quote, what numbers can say, who is protected.

The same sentences as README and report begin with, said by the catalogue of that language; columns, methods
and how to verify stand in the English files.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from core.accounting.epsilon_rounding import glance
from core.bundle.data_files import UNITS_IN_ORDER
from core.bundle.loss_texts import mu_beside
from core.bundle.protection_texts import PRACTICE
from core.bundle.public_words import public_words
from core.bundle.release_result import Release
from core.catalogue import as_spoken, indian_groups, shipped_catalogue
from core.place_words import in_full
from core.portal.plain_pages import PlainPage, PlainSection
from core.portal.spoken_map import spoken_map
from core.release_texts import ReleaseTexts
from core.signed.bundle_names import PRIVACY, README, REPORT, map_in, pages_in
from core.texts import Name, text_of

_WORDS = "hexveil-words-1"


def language_pages(
    release: Release,
    texts: ReleaseTexts,
    published_on: dt.date,
    language: str,
    map_data: Mapping[str, Any] | None = None,
) -> dict[str, bytes]:
    """Name -> content of the files; map_data: of the English map page, empty where there is none.

    Raises ValueError where the catalogue that ships is malformed.
    """
    catalogue = shipped_catalogue(language, indian_groups)
    subject, hexagons = release.quantity.subject, release.place.hexagons

    def place(said: str) -> str:
        return as_spoken(said, subject, texts.typed, hexagons=hexagons)

    def say(text: str) -> str:
        return place(catalogue.of_core(text))

    page = PlainPage(
        title=texts.title,
        name=texts.folder,
        generator=_WORDS,
        sections=[
            one.said(say)
            for one in _sections(release, texts, published_on, map_in(language) if map_data else "")
        ],
        language=language,
    )
    readme, report = pages_in(language)
    maps = {map_in(language): spoken_map(map_data, catalogue, say, place)} if map_data else {}
    return {readme: page.markdown, report: page.html, **maps}


def _sections(
    release: Release, texts: ReleaseTexts, published_on: dt.date, page: str
) -> tuple[PlainSection, ...]:
    """page: the map in this language; empty: none."""
    words = public_words(release, texts)
    published = text_of(
        "Published by {publisher} on {date}.", publisher=Name(texts.publisher), date=published_on
    )
    epsilons = tuple(
        (in_full(unit, hexagons=True), glance(stated.epsilon) + mu_beside(stated.mu))
        for unit, stated in ((one, release.stated(release.charge, one)) for one in UNITS_IN_ORDER)
    )
    return (
        PlainSection(
            heading="What was measured",
            sentences=(*((PRACTICE,) if texts.practice else ()), published, *words.measured),
        ),
        PlainSection(heading="What the numbers can and cannot say", items=words.can_say),
        PlainSection(
            heading="How to quote them",
            sentences=(
                "Say that it is about so much, give the range, and name the source:",
                *filter(None, (words.quotation, words.source)),
            ),
        ),
        PlainSection(
            heading="How it protects",
            sentences=words.protects,
            header=("For each", "Epsilon"),
            rows=epsilons,
        ),
        PlainSection(
            heading="Where the rest is",
            sentences=(
                text_of(
                    "Columns, methods and how to verify are in {readme}, maps and numbers in {report}, the "
                    "full statement in {privacy}; these are in English.",
                    readme=README,
                    report=REPORT,
                    privacy=PRIVACY,
                ),
                *((text_of("The map in this language is {page}.", page=page),) if page else ()),
                text_of("Ask {contact}.", contact=Name(texts.contact)),
            ),
        ),
    )
