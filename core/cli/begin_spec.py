"""The spec that `inspect --write-spec` begins, with comments on what stays blank; a file that is there.

Which column means what is shown by the files' headers, which the maker of the files chooses; so they are
written down whatever the relation. All that is read from the records themselves (zone, dates, hours, marks,
the kind of records) is written down in relation `values` alone: in relation `user` nothing of a record may
become a choice of a release (method 12), and no relation is assumed where none is named.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.accounting.epsilon_rounding import plain
from core.assist.column_guesses import OtherValue, subject_of_id
from core.assist.guessed_parts import NOT_NEEDED, GuessedPart
from core.assist.public_columns import named_columns
from core.assist.reading_choices import Choices
from core.bounding.constants import BOUNDED_UNITS
from core.draft.draft import USUAL_TOTAL, Draft, relative_path, usual_id
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.hats.record_hours import hours_of_records
from core.hats.window import DateRange
from core.mechanisms.registry import mechanisms_of
from core.mechanisms.tokens import Tokens
from core.privacy import Relation
from core.quantity import SPEED
from core.selection.registry import all_rules
from core.spec import DEFAULT_THRESHOLD, DEFAULT_UPPER_BOUND, SPEC, default_of
from core.spec.first_spec import first_spec
from core.system.files import make_folder, write_atomic

_COLUMNS = ("vehicle", "time", "date", "latitude", "longitude", "position", "value")
_OF_RECORDS = ("zone", "decimal", "date_order", "pings")
"""Parts that the records tell, not the headers."""
_ONLY_SUCH_DATES = 'only for dates such as 31/12/2023: "dmy" or "mdy"'
_BOUNDS = ("lower", "upper", "physical_min", "physical_max")
_BLANK = (
    *("release.name", "release.title", "release.publisher", "release.contact"),
    *("privacy.population", "privacy.unit"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunSpec:
    """A spec file to be, and its blanks."""

    text: str
    blanks: tuple[str, ...]
    """Paths of the keys that somebody has to write."""


def begin_spec(
    choices: Choices,
    parts: Sequence[GuessedPart],
    *,
    files: Sequence[str],
    relation: Relation | None,
    other: OtherValue | None = None,
    date_ranges: Sequence[DateRange] = (),
    by_hour: Sequence[int] = (),
    named: Mapping[str, str] | None = None,
) -> BegunSpec:
    """A spec of these files.

    other: the value, where it is no speed; named: public names that columns may get; they are proposed in a
    comment, and nothing follows from them.
    date_ranges: of the records; by_hour: how many they are in each hour of the day, empty where that is not
    known. Both count in relation `values` alone.
    """
    says_values = relation is Relation.VALUES
    found = {part.part: part for part in parts}
    draft = Draft()
    given: dict[str, Any] = {
        "release.version": draft.version,
        "release.licence": draft.licence,
        "data.files": list(files),
        "data.upper_bound_kmh": DEFAULT_UPPER_BOUND / THOUSAND,
        **{f"hats.{name}": default_of(f"hats.{name}") for name in ("resolution", "slot_minutes")},
        "hats.hours": list(default_of("hats.hours")),
        "selection.threshold": DEFAULT_THRESHOLD,
        "query.id": usual_id("mean", SPEED),
        "query.statistic": "mean",
        "query.total": plain(USUAL_TOTAL),
    }
    blanks = dict.fromkeys(_BLANK, "") | {"privacy.confirmed": "true, once relation and unit are right"}
    for part in ("encoding", "sheet"):
        if part in found:
            blanks[found[part].key] = found[part].reason
    if choices.skip_lines:
        given["data.format.skip_lines"] = choices.skip_lines
    _columns(choices, found, given, blanks)
    if other is not None:
        _other_value(other, given, blanks)
    if said := subject_of_id(choices.vehicle, beside_other_value=other is not None):
        given |= {"privacy.subject": said, "privacy.subject_plural": f"{said}s"}
    _contents(found, says_values, given, blanks)
    if says_values and date_ranges:
        pairs = [[str(first), str(last)] for first, last in date_ranges]
        given["hats.dates"] = pairs[0] if len(pairs) == 1 else pairs
    else:
        blanks["hats.dates"] = ""
    if says_values and any(by_hour):
        hours = hours_of_records(default_of("hats.hours"), by_hour, given["hats.slot_minutes"])
        given["hats.hours"] = list(hours)
    _protection(relation, given, blanks)
    in_order = tuple(path for path, _ in SPEC.walk() if path in blanks)
    comments = {"data.mapping": named_columns(named)} if named else {}
    return BegunSpec(text=first_spec(given, blanks, comments=comments), blanks=in_order)


def _columns(
    choices: Choices, found: Mapping[str, GuessedPart], given: dict[str, Any], blanks: dict[str, str]
) -> None:
    """What the headers tell."""
    for part in _COLUMNS:
        if part not in found or (part == "value" and choices.derives):
            continue
        if found[part].open:
            blanks[found[part].key] = ""
        else:
            given[found[part].key] = getattr(choices, part)
    if choices.vehicle and choices.vehicle_within:
        given[found["vehicle"].key] = [*choices.vehicle_within, choices.vehicle]
    if choices.one_column:
        given["data.mapping.position_order"] = choices.position_order
    if choices.position_unit != default_of("data.mapping.position_unit"):
        given["data.mapping.position_unit"] = choices.position_unit
    if choices.derives:
        given[f"{found['value'].key}.max_gap_seconds"] = default_of("data.derived_speed.max_gap_seconds")
    elif not choices.is_speed:
        return
    elif found["unit"].open:
        blanks["data.mapping.unit"] = ""
    else:
        given["data.mapping.unit"] = found["unit"].found


def _other_value(other: OtherValue, given: dict[str, Any], blanks: dict[str, str]) -> None:
    """Its name, and its unit where one alone is in use; bounds are public, and nobody guesses them."""
    del given["data.upper_bound_kmh"]
    given |= {"data.value.name": other.name, "query.id": f"mean_{other.name}"}
    for key, text in (("unit", other.unit), ("column_unit", other.column_unit)):
        if text:
            given[f"data.value.{key}"] = text
        else:
            blanks[f"data.value.{key}"] = ""
    blanks |= dict.fromkeys((f"data.value.{name}" for name in _BOUNDS), "")


def _contents(
    found: Mapping[str, GuessedPart], says_values: bool, given: dict[str, Any], blanks: dict[str, str]
) -> None:
    """What the records tell; a mark that is as usual is left out. In relation `user` all is asked for."""
    if not says_values:
        blanks |= dict.fromkeys(("data.zone", "data.format.decimal"), "")
        blanks["data.format.date_order"] = _ONLY_SUCH_DATES
        return
    for part in _OF_RECORDS:
        if part not in found:
            if part == "zone":
                blanks["data.zone"] = ""
            continue
        one = found[part]
        if not one.open and one.found in (NOT_NEEDED, default_of(one.key)):
            continue
        if not one.open:
            given[one.key] = one.found
        else:
            blanks[one.key] = one.reason if part == "zone" else ""


def _protection(relation: Relation | None, given: dict[str, Any], blanks: dict[str, str]) -> None:
    """Selection and mechanism follow from the relation; without one they stay blank with it."""
    listing = " or ".join(f'"{key}"' for key, rule in all_rules().items() if rule.cell_file is not None)
    by_relation = {
        one: " or ".join(f'"{key}"' for key in mechanisms_of(one)) for one in Relation
    }  # fmt: skip
    if relation is Relation.VALUES:
        given |= {
            "privacy.relation": relation.value,
            "selection.rule": Draft().rule,
            "selection.minimum_vehicles": default_of("selection.minimum_vehicles"),
            "query.mechanism": Tokens.key,  # of a city's hexagon slots the least error, and what `plan` tells
        }
        return
    if relation is Relation.USER:
        given["privacy.relation"] = relation.value
        blanks |= {
            "selection.rule": listing,
            "selection.file": "",
            "privacy.unit": " or ".join(f'"{unit}"' for unit in BOUNDED_UNITS),
            "privacy.hats_per_vehicle": "a public number, for instance 20",
            "query.mechanism": by_relation[relation],
        }
        return
    blanks |= {
        "privacy.relation": "",
        "selection.rule": f'in relation values for instance "{Draft().rule}"; in relation user {listing}',
        "query.mechanism": "; ".join(
            f"in relation {one.value} {names}" for one, names in by_relation.items()
        ),
    }


def require_new_file(path: Path, *, overwrite: bool) -> None:
    """Raises InputError where a file would be lost that nobody said may be."""
    if path.exists() and not overwrite:
        raise InputError(
            "This file is there already, and stays as it is.",
            where=str(path),
            mend="name another file after --write-spec, or add --overwrite to replace it",
        )


def write_spec(path: Path, spec: BegunSpec, *, overwrite: bool) -> None:
    """Write the file as a whole. Raises InputError where it is there already or cannot be written."""
    require_new_file(path, overwrite=overwrite)
    try:
        content = spec.text.encode()
    except UnicodeEncodeError:
        raise InputError(
            "The name of a file is not text, so no spec can contain it.",
            where=str(path),
            mend="rename the file, and begin the spec again",
        ) from None
    make_folder(path.parent)
    write_atomic(path, content)


def named_files(patterns: Sequence[str], spec: Path) -> list[str]:
    """Files and patterns of the command line as a spec names them."""
    folder = spec.absolute().parent
    return [relative_path(Path(pattern).expanduser(), folder) for pattern in patterns]
