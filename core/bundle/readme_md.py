"""The bundle's `README.md`: what is protected, the files, how to verify it, how to quote its numbers."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from core.accounting.epsilon_rounding import glance, plain
from core.bundle.csv_columns import EPSILON_SUMMARY, DataTable, summary_for
from core.bundle.data_files import UNITS_IN_ORDER, measured_statistic, written_tables
from core.bundle.interval_rules import INTERVAL_RULES
from core.bundle.licences import find_licence
from core.bundle.loss_texts import mu_beside
from core.bundle.parameter_texts import periods_text
from core.bundle.privacy_statement import NEIGHBOURS, unprotected
from core.bundle.protection_texts import EVALUATED, IDS_ALIKE, PRACTICE, TRACKS, protected_by
from core.bundle.public_words import PublicWords, public_words
from core.bundle.query_sentence import errors_known_from, query_sentence, smoothed_errors_sentence
from core.bundle.release_result import Release
from core.bundle.resources import feature_path, geoparquet_path
from core.bundle.smoothed_facts import caveat
from core.bundle.zcdp_texts import EXPLAINED, MU_EXPLAINED
from core.clean.record_filter import filters_text
from core.counted import count_of
from core.hats.slots import day_periods_text
from core.place_words import in_full, said_of, said_to_people
from core.privacy import Relation, Unit
from core.release_texts import ReleaseTexts
from core.signed.bundle_names import REGIONS_PATH, map_in, pages_in
from core.signed.minisign import PublicKey
from core.subject import VEHICLE, Subject

_OUTLINES = f"| `{REGIONS_PATH}` | outlines of the regions, with their hours |\n"
_CELLS = "| `data/cells.geojson` | outlines of the hexagons |\n"
_ZONES = "| `data/places.geojson` | outlines of the places, with their licence |\n"
_LINES = "| `data/places.geojson` | lines of the routes that the timetable has |\n"
_MAP = "| `map.html` | the release on a page for the public; it needs no network |\n"
_POLICY = "| `policy.html`, `policy.md` | what may be spent on each vehicle, and what stays open |\n"
_MARKUP = re.compile(r"([\\`*_\[\]<>#|])")


def epsilon_text(release: Release, unit: Unit) -> str:
    """An epsilon with what it means: never a bare number."""
    charge, stated = release.charge, release.stated(release.charge, unit)
    cost = f"epsilon {glance(stated.epsilon)}"
    if not charge.rho:
        return f"{cost} per {unit.value}, relation {release.relation.value}"
    parts = f"rho {glance(charge.rho.of(unit))}"
    if charge.of(unit):
        parts = f"pure epsilon {glance(charge.of(unit))} and {parts}"
    return (
        f"{cost} at delta {plain(release.delta)}{mu_beside(stated.mu)} per {unit.value}, "
        f"relation {release.relation.value} (from {parts})"
    )


def readme(release: Release, texts: ReleaseTexts, key: PublicKey, published_on: dt.date) -> bytes:
    """The content of README.md."""
    hexagons = release.place.hexagons
    tables = (
        *(table for query in release.queries for table in written_tables(release, query).values()),
        summary_for(release.queries, release.quantity, by_place=not hexagons),
    )
    ours = (
        _privacy(release),
        _making(release),
        *_smoothed(release),
        _files(release, tables, texts),
    )
    parts = (
        _head(release, texts, published_on),
        *_first_words(public_words(release, texts)),
        *said_to_people(ours, hexagons=hexagons),
        *(in_full(_columns(table), hexagons=hexagons) for table in tables),
        *said_of(_keys(release.quantity.subject), hexagons=hexagons),
        _verify(texts, key),
        _terms(texts),
    )
    typed = (
        *texts.typed,
        filters_text(release.filters),
        *(one.name for one in release.periods),
        *(text for group in release.groups for text in (group.name, *group.labels)),
    )
    said = release.quantity.subject.says("\n\n".join(parts), tuple(map(_escaped, typed)))
    return f"{said}\n".encode()


def _escaped(text: str) -> str:
    """Free text that cannot become markup."""
    return _MARKUP.sub(r"\\\1", text)


def _head(release: Release, texts: ReleaseTexts, published_on: dt.date) -> str:
    periods, (start, end) = periods_text(release.date_ranges), release.hours
    return (
        f"# {_escaped(texts.title)}\n\n{_practice(texts)}"
        f"`{texts.folder}`, published by {_escaped(texts.publisher)} on {published_on.isoformat()}.\n\n"
        f"{_contents(release)} {_where(release)} and {_slots(release)}. "
        f"Period: {periods} ({count_of(release.days, 'day')}), {start} to {end} local time "
        f"({release.zone}).\n\n"
        f"**Differentially private: {epsilon_text(release, Unit.VEHICLE)}.**"
    )


def _first_words(words: PublicWords) -> tuple[str, ...]:
    """For who is no expert: what it is, what it can say, how to quote it."""
    quoted = f"> {_escaped(words.quotation)}\n>\n" if words.quotation else ""
    return (
        "## What was measured\n\n" + " ".join(map(_escaped, words.measured)),
        "## What the numbers can and cannot say\n\n"
        + "\n".join(f"- {_escaped(one)}" for one in words.can_say),
        f"## How to quote them\n\nSay *about*, give the range, and name the source:\n\n{quoted}"
        f"> {_escaped(words.source)}",
        "## How it protects\n\n" + " ".join(map(_escaped, words.protects)),
        "The rest is for people who work with the data or check it.",
    )


def _slots(release: Release) -> str:
    apart = ", ".join(_escaped(str(group.text)) for group in release.groups)
    apart = f", apart by {apart}" if apart else ""
    if not release.periods:
        return f"timeslots of {release.slot_minutes} minutes{apart}"
    return f"these parts of the day: {_escaped(day_periods_text(release.periods))}{apart}"


def _where(release: Release) -> str:
    """What its places are."""
    place = release.place
    if place.hexagons:
        return f"in hexagons ({release.grid_text})"
    if release.zones:
        return f"in zones of a layer ({_escaped(release.zones.source.licence)})"
    return f"by {_escaped(place.place_column)}" if place.place_column else "in the whole area"


def _practice(texts: ReleaseTexts) -> str:
    return f"**{PRACTICE}**\n\n" if texts.practice else ""


def _contents(release: Release) -> str:
    """What the release holds, in a phrase."""
    titles = [measured_statistic(release, query).title for query in release.queries]
    first, *others = titles
    return ", ".join([first, *(title[0].lower() + title[1:] for title in others)])


def _privacy(release: Release) -> str:
    charges = "\n".join(f"- {epsilon_text(release, unit)}" for unit in UNITS_IN_ORDER)
    open_facts = "\n".join(f"- {_escaped(fact)}" for fact in unprotected(release))
    left_open = f"\n\nNot protected, and public through this release:\n\n{open_facts}" if open_facts else ""
    if release.relation is Relation.VALUES and release.quantity.is_speed:
        left_open += f"\n\n{TRACKS}"
    evaluated = f"\n\n{EVALUATED}" if release.evaluated else ""
    alike = f"\n\n{IDS_ALIKE.format(n=f'{release.vehicles_alike:,}')}" if release.vehicles_alike else ""
    charged = "".join(f"\n\n{one}" for one in release.loss_sentences[2:])
    return (
        "## What is protected\n\n"
        f"Protected unit: {protected_by(release.relation, release.unit)}. "
        f"{NEIGHBOURS[release.relation].format(unit=release.unit.value)} "
        f"A smaller epsilon protects more. What this release costs:\n\n{charges}{charged}"
        f"{_delta(release)}{left_open}{alike}{evaluated}\n\n"
        "Each value carries deliberate noise: read it with its interval (the columns with `ci95`) "
        "and its bias bound, where it has one. The full statement is `privacy.json`."
    )


def _delta(release: Release) -> str:
    """What delta, rho and mu are; empty where all noise is Laplace's."""
    if not release.charge.rho:
        return ""
    mu = "" if release.stated(release.charge, Unit.VEHICLE).mu is None else f" {MU_EXPLAINED}"
    return f"\n\nAn (epsilon, delta) guarantee. {EXPLAINED}{mu}"


def _making(release: Release) -> str:
    """One sentence a query, and how its intervals came about."""
    listed = "\n".join(
        f"- `{query.query_id}`: {_escaped(query_sentence(release, query))}" for query in release.queries
    )
    rule = INTERVAL_RULES[release.interval_rule]
    return f"## How the numbers were made\n\n{listed}\n\n{rule[0].upper()}{rule[1:]}."


def _smoothed(release: Release) -> list[str]:
    """How the two numbers of a HAT are to be read, of each query that has them."""
    sections = []
    for query in release.queries:
        statistic = measured_statistic(release, query)
        raw, smoothed = statistic.measures[0], statistic.smoothed
        if query.smoothing is not None and smoothed is not None:
            sections.append(
                f"## Raw and smoothed: `{query.query_id}`\n\n"
                f"- `{raw.name}` is the raw number: what was measured, with the noise that protects.\n"
                f"- `{smoothed.name}` is {caveat(release.quantity)} (`{raw.low}` to `{raw.high}`).\n\n"
                f"Both use the same noise, so the second costs no privacy; its model is in "
                f"`privacy.json`. {errors_known_from(release)}: "
                f"{smoothed_errors_sentence(query.smoothing, smoothed)}."
            )
    return sections


def _files(release: Release, tables: Sequence[DataTable], texts: ReleaseTexts) -> str:
    drawn = release.outlined
    listed = "".join(f"| `{table.path}` | {table.title[0].lower()}{table.title[1:]} |\n" for table in tables)
    maps = "".join(
        f"| `{path}` | the rows of `{table.path}` with outlines, for {reader} |\n"
        for table in tables
        if table.name != EPSILON_SUMMARY.name and drawn
        for path, reader in (
            (feature_path(table), "maps (GeoJSON)"),
            (geoparquet_path(table), "maps and databases (GeoParquet)"),
        )
    )
    spoken = "".join(
        f"| {', '.join(f'`{name}`' for name in pages_in(one))} | the first part in that language |\n"
        + (f"| `{map_in(one)}` | `map.html` in that language |\n" if drawn else "")
        for one in texts.beside_english
    )
    return (
        "## Files\n\n"
        "| file | holds |\n| --- | --- |\n"
        f"{listed}"
        f"{_CELLS if release.place.hexagons else ''}"
        f"{_ZONES if release.zones else ''}"
        f"{_LINES if release.drawn_lines else ''}"
        f"{_OUTLINES if any(table.by_region for table in tables) else ''}"
        f"| `report.html` | the release on one page{', with a map of each timeslot' if drawn else ''} |\n"
        f"{_MAP if drawn else ''}"
        f"{maps}"
        "| `dcat.jsonld` | the release for portals (DCAT-AP) |\n"
        f"{_POLICY if texts.policy else ''}"
        f"{spoken}"
        "| `privacy.json` | the claim of differential privacy, for machines |\n"
        "| `datapackage.json` | columns, sizes and hashes, for machines |\n"
        "| `SHA256SUMS`, `SHA256SUMS.minisig`, `release-key.pub` | hashes, signature, key that signed |\n"
        "| `.gitattributes` | so that git changes no byte |"
    )


def _columns(table: DataTable) -> str:
    """As datapackage.json has them, where descriptions of a format stay as they are."""
    rows = "\n".join(
        f"| `{column.name}` | {', '.join(filter(None, (column.type, column.unit)))} | {column.description} |"
        for column in table.columns
    )
    rows = rows.replace("Most records kept", "Most records that count")
    return f"## Columns of `{table.path}`\n\n| column | type | meaning |\n| --- | --- | --- |\n{rows}"


def _keys(subject: Subject) -> list[str]:
    """What stays a vehicle in the files."""
    if subject == VEHICLE:
        return []
    return [
        "## Keys\n\n"
        f"What this release protects is a {subject.name}. Keys that programs read call it `vehicle` all the "
        "same: the units `vehicle`, `vehicle-day` (on one day) and `vehicle-hat-day` (on one day in one "
        "hexagon slot), and names of `privacy.json` such as `minimum_vehicles`."
    ]


def _verify(texts: ReleaseTexts, key: PublicKey) -> str:
    return (
        "## How to verify\n\n"
        "1. Get the publisher's key from the publisher's own site, not from this folder: the key inside "
        "(`release-key.pub`) proves nothing by itself, since anybody who forges a release can put another "
        f"there. This release was signed by key {key.key_id}, fingerprint `{key.fingerprint}`, "
        f"text `{key.text}`: compare.\n"
        "2. In this folder, with that key in place of KEY:\n\n"
        "```\n"
        "minisign -Vm SHA256SUMS -P KEY\n"
        "sha256sum -c --strict SHA256SUMS\n"
        "frictionless validate datapackage.json\n"
        "```\n\n"
        f"   The first must print `release:{texts.folder}` in its trusted comment. The second overlooks "
        "files that were added; this one does not, and also checks the epsilons:\n\n"
        "```\n"
        "hexveil verify . --public-key KEY\n"
        "```\n\n"
        "   Without Hexveil: `hexveil_verify.py` is one file of plain Python, offered beside Hexveil's "
        "installers. It checks signature, sums, columns, epsilons; of outlines and maps their sums alone:\n\n"
        "```\n"
        "python3 hexveil_verify.py . --public-key KEY\n"
        "```"
    )


def _terms(texts: ReleaseTexts) -> str:
    licence = find_licence(texts.licence)
    return (
        "## Licence and contact\n\n"
        f"{_escaped(licence.title)}, see `LICENSE.txt`. Questions: {_escaped(texts.contact)}"
    )
