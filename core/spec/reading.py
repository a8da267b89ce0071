"""From a spec file to a checked spec: not TOML, how many things are wrong, two queries alike (method 16)."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.accounting.budgets import Budget
from core.clean.bounded_value import BoundedValue
from core.clean.mapping import ReadingRules, require_open_range, usual_physical_max
from core.errors import InputError, InputErrors
from core.fixed_point import THOUSAND
from core.geodata.zones_source import PublicZones, ZonesSource
from core.hats.cells import DEFAULT_RESOLUTION, finest_of
from core.hats.day_kinds import day_test, ranges_of_kind
from core.hats.groups import Group
from core.hats.places import HEXAGON_CHOICE, ZONED, PlaceChoice
from core.hats.window import Window, build_window
from core.mechanisms.registry import require_mechanism
from core.planning.query_plan import Query
from core.prior.public_source import PublicSource, SourceRequest, read_public_counts
from core.privacy import Relation, Unit
from core.progress import Progress, silent
from core.quantity import SPEED, Quantity
from core.read.unreadable_files import unreadable_as_input_error
from core.selection.base import SelectionRequest
from core.selection.place_ids import listed_places
from core.selection.registry import all_rules
from core.signed.minisign import parse_public_key
from core.spec.all_problems import all_problems
from core.spec.declared_tables import fields, list_of_tables, make, read_key, read_table
from core.spec.defaults import DEFAULT_UPPER_BOUND
from core.spec.group_choices import chosen_window, groups_of, reading_labels, reading_places
from core.spec.key_checks import require_public_counts
from core.spec.keys import SPEC
from core.spec.schema import Answers, Table
from core.spec.spec import TABLE_MAPPING, DataSpec, ReleaseSpec, SpecParts, quantity_of
from core.spec.toml_section import Section
from core.spec.zones_keys import ZONES_TABLE
from core.statistics.base import AnyQuestion
from core.statistics.question import question_of
from core.statistics.registry import require_statistic
from core.subject import VEHICLE, Subject, subject_called
from core.system.nested_texts import toml_document
from core.system.regular_files import read_regular
from core.texts import text_of


def load_spec(path: Path, progress: Progress = silent) -> ReleaseSpec:
    """Read a spec file. Raises InputError that names the key at fault, and what `progress` raises.

    progress: of reading public counts, which of a large timetable takes a while.
    """
    return parse_spec(read_toml(path), path.absolute().parent, progress=progress)


def read_toml(path: Path) -> dict[str, Any]:
    """The file as nested dictionaries. Raises InputError when it is missing or no TOML."""
    with unreadable_as_input_error(path):
        data = read_regular(path)
    try:
        return toml_document(data)
    except ValueError as error:  # no TOML, no UTF-8, too deep, or a number of absurd length
        raise InputError(
            "The spec is not valid TOML: {error}.", error=error, where=str(path), mend="correct what is named"
        ) from None


def parse_spec(
    document: dict[str, Any], folder: Path, schema: Table = SPEC, progress: Progress = silent
) -> ReleaseSpec:
    """A checked spec; `folder` is what relative paths start from.

    Raises InputError that names the key, of several at fault InputErrors, and what `progress` raises.
    """
    try:
        return _parsed(document, folder, schema, progress)
    except InputError as first:
        found = all_problems(document, schema)
        wrong = {problem.where.partition(".")[0] for problem in found}
        raise _together(first, [*found, *_misfits(document, folder, schema, wrong)]) from None


def _together(first: InputError, found: list[InputError]) -> InputError:
    """All in one, where there are others than the first."""
    if not any(str(problem) == str(first) for problem in found):
        found = [first, *found]
    if len(found) == 1:
        return first
    return InputErrors(text_of("{found} things in the spec are missing or wrong.", found=len(found)), found)


def _parsed(document: dict[str, Any], folder: Path, schema: Table, progress: Progress) -> ReleaseSpec:
    top = Section("", document)
    plain: dict[str, Any] = {"cells_file": ""}
    """Fields that the spec holds itself, of whatever table."""

    def read(name: str, known: Answers | None = None) -> tuple[Table, Answers]:
        table = schema.table(name)
        answers = read_table(table, top.section(name), known)
        plain.update(fields(table, answers))
        return table, answers

    release, answers = read("release")
    texts = make(release, answers, part="texts")
    data = parse_data(top.section("data"), folder, schema=schema)
    hats, answers = read("hats")
    window = _window(hats, answers, folder)
    zones = _zones(plain.pop("zones_source", None), folder, progress)
    resolution, place = finest_of(plain.pop("resolutions", 0)), _place(hats, answers, zones)
    data = dataclasses.replace(data, rules=reading_labels(_labelled(data, place, zones), window.groups))
    _, answers = read("privacy")
    selection, answers = read("selection", {"relation": answers["relation"]})
    if plain.get("places") and not place.hexagons:
        raise InputError(
            "Only hexagons can have names of places beside them.",
            where="release.places",
            mend='leave [release.places] out, or write place = "h3"',
        )
    require_public_counts(texts, plain["relation"], plain["subject_plural"])
    window = chosen_window(window, plain["relation"], plain.get("minimum_vehicles") or 1)
    request = _selection(selection, answers, place, resolution, folder, zones, window)
    around = _Around(
        relation=plain["relation"],
        unit=plain["unit"],
        quantity=quantity_of(data.rules, plain["subject"], plain["subject_plural"]),
        folder=folder,
        resolution=resolution,
        place=place,
        window=window,
        cells=request.cells,
        ids=request.ids,
    )
    queries = _queries(schema, top, around, progress)
    top.close(schema.retired)
    return ReleaseSpec(
        texts=texts,
        data=data,
        resolution=resolution,
        place=place,
        zones=zones,
        window=window,
        selection=request,
        queries=queries,
        **plain,
    )


def _misfits(
    document: dict[str, Any], folder: Path, schema: Table, wrong: Collection[str]
) -> Iterator[InputError]:
    """What does not fit together in the parts that are not `wrong`, each part looked at by itself."""
    quantity = SPEED
    try:
        if "data" not in wrong:
            quantity = parse_data(Section("data", document["data"]), folder, schema=schema).rules.quantity
    except InputError as error:
        yield error
    try:
        if "hats" not in wrong:
            hats = schema.table("hats")
            _window(hats, read_table(hats, Section("hats", document["hats"])), folder)
    except InputError as error:
        yield error
    if not {"privacy", "query"} & set(wrong):
        for query in list_of_tables(schema.key("query"), Section("", document)):
            try:
                _question(schema.table("query"), query, _relation_named(document), quantity)
            except InputError as error:
                yield error


def _window(hats: Table, answers: Answers, folder: Path) -> Window:
    """The dates of the kind that is asked for; from here on they are dates like any others."""
    given = fields(hats, answers, "window") | {"groups": groups_of(answers, folder)}
    if days := answers.get("days"):
        asked = build_window(**(given | {"groups": ()})).date_ranges
        given["date_ranges"] = ranges_of_kind(asked, day_test(days, folder))
        if not given["date_ranges"]:
            raise InputError(
                "None of these dates is among {days}.",
                days=days,
                where="hats.days",
                mend="name other dates, or leave the key out",
            )
    return build_window(**given)


def load_parts(path: Path, *wanted: str) -> SpecParts:
    """Of `hats`, `selection`, `privacy` and `query` those tables that are wanted and there.

    Raises InputError that names the key at fault in one of these; what else the file says does not matter.
    """
    return parse_parts(read_toml(path), path.absolute().parent, wanted)


def parse_parts(
    document: dict[str, Any], folder: Path, wanted: Collection[str], schema: Table = SPEC
) -> SpecParts:
    """See `load_parts`. Where no relation is named, HATs are chosen as in relation `values`."""
    try:
        return _parsed_parts(document, folder, wanted, schema)
    except InputError as first:
        asked = set(wanted) & document.keys()
        found = all_problems(document, schema)
        raise _together(
            first, [problem for problem in found if problem.where.partition(".")[0] in asked]
        ) from None


def _parsed_parts(
    document: dict[str, Any], folder: Path, wanted: Collection[str], schema: Table
) -> SpecParts:
    top = Section("", document)
    found: dict[str, Any] = {}

    def read(name: str, known: Answers | None = None) -> Answers:
        return read_table(schema.table(name), top.section(name), known)

    def has(name: str) -> bool:
        return name in wanted and name in top

    zones: PublicZones | None = None
    if has("hats"):
        answers = read("hats")
        zones = _zones(fields(schema.table("hats"), answers).get("zones_source"), folder)
        found |= {
            "resolution": finest_of(answers.get("resolution", 0)),
            "place": _place(schema.table("hats"), answers, zones),
            "window": _window(schema.table("hats"), answers, folder),
        }
    relation, resolution = _relation_named(document), found.get("resolution", DEFAULT_RESOLUTION)
    place = found.get("place", HEXAGON_CHOICE)
    if has("privacy"):
        answers = read("privacy")
        relation = answers["relation"]
        named = {name: answers[name] for name in ("relation", "unit", "population")}
        subject = subject_called(answers["subject"], answers["subject_plural"])
        found |= named | {"subject": subject}
    selection: Answers | None = None
    if has("selection"):
        selection = read("selection", {"relation": relation})
        found["minimum_vehicles"] = selection.get("minimum_vehicles") or 0
    if found.get("window"):
        found["window"] = chosen_window(found["window"], relation, found.get("minimum_vehicles") or 1)
    if selection is not None:
        table, window = schema.table("selection"), found.get("window")
        found["selection"] = _selection(table, selection, place, resolution, folder, zones, window)
    if has("query"):
        chosen: SelectionRequest | None = found.get("selection")
        around = _Around(
            relation=relation,
            unit=found.get("unit") or Unit.VEHICLE,
            quantity=dataclasses.replace(
                parse_rules(document, folder, schema=schema).quantity, subject=found.get("subject", VEHICLE)
            ),
            folder=folder,
            resolution=resolution,
            place=place,
            window=found.get("window"),
            cells=chosen.cells if chosen else (),
            ids=chosen.ids if chosen else (),
        )
        found["queries"] = _queries(schema, top, around, silent)
    return SpecParts(**found)


_SUBJECT_KEYS = (("subject", "name"), ("subject_plural", "plural"))


def relation_of(path: Path) -> Relation:
    """The relation that a spec names, whatever else stands in it; `values` where it names none."""
    return _relation_named(read_toml(path))


def subject_named(path: Path) -> Subject:
    """Whom a spec protects, in words, whatever else stands in it. Raises InputError for what is no word."""
    privacy = read_toml(path).get("privacy")
    given = privacy if isinstance(privacy, dict) else {}
    return subject_called(*(str(given.get(key, getattr(VEHICLE, name))) for key, name in _SUBJECT_KEYS))


def load_data(path: Path) -> DataSpec:
    """The `[data]` of a spec alone; the zone may be open. Raises InputError that names the key at fault."""
    section = Section("data", read_toml(path).get("data", {}))
    return parse_data(section, path.absolute().parent, zone_required=False)


def _relation_named(document: dict[str, Any]) -> Relation:
    privacy = document.get("privacy")
    named = privacy.get("relation") if isinstance(privacy, dict) else None
    return Relation.USER if named == Relation.USER else Relation.VALUES


def reading_rules(path: Path, *, counts_only: bool = False) -> ReadingRules:
    """How the `[data]` of a spec says that records are read; the files are named elsewhere.

    counts_only: what decides no count may be left open, as `--write-spec` leaves it. A blank counts as
    absent, and the bound and the unit of a speed as usual. Raises InputError that names the key at fault.
    """
    document = read_toml(path)
    if counts_only:
        document = _with_usual_value(_without_blanks(document))
    return parse_rules(document, path.absolute().parent)


def parse_rules(document: dict[str, Any], folder: Path, schema: Table = SPEC) -> ReadingRules:
    """The rules of `[data]`, with or without the names of files and a zone; with the labels of `[hats]`."""
    data, hats = document.get("data", {}), document.get("hats", {})
    if isinstance(data, dict) and not {"files", "contributions"} & data.keys():
        data = data | {"files": ["."]}
    found = parse_data(Section("data", data), folder, zone_required=False, schema=schema)
    hats = hats if isinstance(hats, dict) else {}
    column = hats.get("place_column", "")
    if hats.get("place") == ZONED:
        key = schema.table("hats").key("zones")
        zones = _zones(make(ZONES_TABLE, read_key(key, Section("hats", hats))), folder)
        rules = _labelled(found, PlaceChoice(place_kind=ZONED), zones)
    else:
        rules = _labelled(found, PlaceChoice(place_column=column)) if isinstance(column, str) else found.rules
    names = hats.get("group")
    listed = names if isinstance(names, list) and all(isinstance(name, str) for name in names) else ()
    return reading_labels(rules, tuple(map(Group, listed)))


def _without_blanks(value: Any) -> Any:
    """Tables without the keys that are still blank; other values as they are.

    That no word means a missing value is said by an empty list.
    """
    if not isinstance(value, dict):
        return value
    plain = {key: _without_blanks(inner) for key, inner in value.items()}
    return {key: inner for key, inner in plain.items() if inner not in ("", []) or key == "missing"}


def _with_usual_value(document: dict[str, Any]) -> dict[str, Any]:
    """A speed gets the usual bound and unit where they are open; another value has both in its table."""
    data = document.get("data")
    if not isinstance(data, dict) or "value" in data or not isinstance(data.get("mapping"), dict):
        return document
    usual: dict[str, Any] = {"upper_bound_kmh": DEFAULT_UPPER_BOUND / THOUSAND}
    mapping = data["mapping"]
    if not ({"units", "derived_speed"} & data.keys() or "unit_kmh" in mapping):
        mapping = {"unit": SPEED.unit} | mapping
    return document | {"data": usual | data | {"mapping": mapping}}


def parse_data(
    section: Section, folder: Path, *, zone_required: bool = True, schema: Table = SPEC
) -> DataSpec:
    """The [data] table. Raises InputError that names the key at fault."""
    table = schema.table("data")
    if not zone_required:
        table = table.with_key("zone", required=False)
    answers = read_table(table, section)
    return DataSpec(
        files=answers["files"] or (),
        folder=folder,
        rules=_rules(table, answers),
        contributions=answers["contributions"] or "",
        derived_in_table=answers.get("derived_speed_in_table"),
        physical_in_table=answers.get("physical_limits_in_table"),
    )


def _rules(table: Table, answers: Answers) -> ReadingRules:
    mapping = TABLE_MAPPING
    if answers["mapping"] is not None:
        # unit and derived speed have tables of their own, beside that of the columns
        mapping = make(table.table("mapping"), answers["mapping"], **fields(table, answers, "mapping"))
    others: dict[str, Any] = {}
    if answers["value"] is not None:
        value: BoundedValue = make(table.table("value"), answers["value"])
        others = {"value": value, "upper_bound": value.span}
    elif mapping is not TABLE_MAPPING and answers["mapping"]["physical_max_kmh"] is None:
        mapping = dataclasses.replace(mapping, physical_max=usual_physical_max(answers["upper_bound_kmh"]))
    rules: ReadingRules = make(table, answers, mapping=mapping, **others)
    if mapping is not TABLE_MAPPING:  # the maker of a contribution table has cleaned its records
        require_open_range(rules)
    return rules


def _selection(
    table: Table,
    selection: Answers,
    place: PlaceChoice,
    resolution: int,
    folder: Path,
    zones: PublicZones | None,
    window: Window | None,
) -> SelectionRequest:
    """What is selected, with what the file holds that the rule takes, if it takes one.

    zones: those of the layer, where places are zones. window: whose slots a list may name.
    """
    rule, request = selection["rule"], SelectionRequest(rule=selection["rule"])
    if (file := all_rules()[rule].cell_file) is not None:
        path = folder / selection["file"]
        if place.hexagons:
            request = file.request(rule, path, *place.resolutions(resolution))
        else:
            request = listed_places(path, rule, place, zones.ids if zones else None, window)
    return dataclasses.replace(request, **fields(table, selection, "selection"))


def _zones(source: ZonesSource | None, folder: Path, progress: Progress = silent) -> PublicZones | None:
    if source is None:
        return None
    # shapely takes a while, and few specs need it
    read: Callable[..., PublicZones] = importlib.import_module("core.geodata.zone_layer").read_zones
    return read(source, folder, progress)


def _place(hats: Table, answers: Answers, zones: PublicZones | None) -> PlaceChoice:
    asked = answers.get("resolution")
    return PlaceChoice(
        **fields(hats, answers, "place"),
        zones_sha256=zones.digest if zones else "",
        mixed=asked if isinstance(asked, tuple) else (),
    )


def _labelled(data: DataSpec, place: PlaceChoice, zones: PublicZones | None = None) -> ReadingRules:
    """The rules of the records, with the labels that places are; a table has no records to label."""
    if data.contributions:
        return dataclasses.replace(data.rules, zones=zones)
    return reading_places(data.rules, place, zones)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Around:
    """What the rest of the spec says that queries are read by."""

    relation: Relation
    unit: Unit
    quantity: Quantity
    folder: Path
    resolution: int
    place: PlaceChoice
    window: Window | None
    """None where only parts of a spec are looked at, and this is none of them."""
    cells: tuple[int, ...]
    """Of a fixed list; empty where the rule takes none."""
    ids: tuple[str, ...]
    """Of places that are no hexagons."""


def _queries(schema: Table, top: Section, around: _Around, progress: Progress) -> tuple[Query, ...]:
    table, sections = schema.table("query"), list_of_tables(schema.key("query"), top)
    queries = tuple(_query(table, section, around, progress) for section in sections)
    for what, names in (
        ("id", [query.id for query in queries]),
        ("statistic", [query.question.statistic.key for query in queries]),
    ):
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise InputError(
                "Two queries have the {what} {repeated}.",
                what=what,
                repeated=f"{repeated[0]!r}",
                where=f"query.{what}",
                mend="a release contains each statistic once: make a second spec for the other",
            )
    return queries


def _query(table: Table, section: Section, around: _Around, progress: Progress) -> Query:
    answers, question = _question(table, section, around.relation, around.quantity)
    _require_hexagons(question.params, around.place)
    source = SourceRequest(**fields(table, answers, "source"))
    found = _public_source(source, question.params, around, progress) if source.path else None
    return Query(
        id=answers["id"],
        question=question,
        budget=Budget(**fields(table, answers, "budget")),
        source=source,
        public_counts=found.hats if found else (),
        public_fleet=found.fleet if found else 0,
    )


_OF_HEXAGONS = {
    "zoom": "Only hexagons of one resolution can be measured in two steps.",
    "regions": "Only hexagons of one resolution can be put together.",
}
"""Parameter -> what is said where places are none."""


def _require_hexagons(params: Any, place: PlaceChoice) -> None:
    """Raise InputError for what needs hexagons, where places are none."""
    for name, what in _OF_HEXAGONS.items():
        if getattr(params, name, False) and (place.mixed or not place.hexagons):
            raise InputError(
                what,
                where=f"query.parameters.{name}",
                mend=text_of('leave {name} out, or write place = "h3" and one resolution', name=name),
            )


def _question(
    table: Table, section: Section, relation: Relation, quantity: Quantity
) -> tuple[Answers, AnyQuestion]:
    """What is asked, and how it is answered."""
    answers = read_table(table, section, {"relation": relation})
    statistic = require_statistic(answers["statistic"]).of(quantity)
    mechanism = None if statistic.method else require_mechanism(answers["mechanism"])
    return answers, question_of(statistic, mechanism, answers["parameters"] or {}, relation)


def _public_source(source: SourceRequest, params: Any, around: _Around, progress: Progress) -> PublicSource:
    """What is publicly known of the city; params: of the mechanism, with the numbers that are typed."""
    if around.window is None:
        raise InputError("Public counts need a window.", where="hats", mend="add [hats]")
    key = source.public_key
    if key and parse_public_key(key) is None:
        key = str(around.folder / key)
    return read_public_counts(
        around.folder / source.path,
        around.cells,
        around.window,
        around.resolution,
        around.unit,
        seconds_per_ping=source.seconds_per_ping,
        records=params.records,
        public_key=key,
        places=around.place.listed(around.ids),
        progress=progress,
    )
