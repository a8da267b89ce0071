"""What a spec may not say together, such as counts in relation `user`; its budget, unit, U, threshold."""

from __future__ import annotations

import math
from collections.abc import Callable

from core.clean.bounded_value import TABLE
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.mechanisms.registry import all_mechanisms, mechanisms_of
from core.mechanisms.whole_release import WholeRelease
from core.privacy import Relation, Unit
from core.release_texts import COUNTED, ReleaseTexts
from core.selection.registry import all_rules
from core.spec.column_kinds import require_public_columns
from core.spec.limits import MOST_KMH
from core.spec.schema import Answers
from core.spec.toml_section import Section
from core.statistics.base import AnyStatistic
from core.statistics.registry import require_statistic, statistics_of
from core.texts import joined, text_of

_MEANINGS = ("vehicle", "time", "date", "value", "latitude", "longitude", "position")
"""Keys of the mapping that give a column a meaning."""
_WAYS = {"epsilon": "0.5", "total": "10"}
"""How a budget may be given, each with an example."""
_NOISE_SCALE = {"noise_scale": "1"}
_NOT_JOINT = {
    "epsilon": "divides a total per vehicle over all hexagon slots, and takes no epsilon for each",
    "noise_scale": "chooses the noise of each hexagon slot itself, and takes no scale",
    "division": "divides its total itself, and takes no division",
}
"""Why a joint mechanism takes no such key."""


def require_public_counts(texts: ReleaseTexts, relation: Relation, plural: str) -> None:
    """Exact counts are published in relation `values` alone, and under names of their own."""
    if not texts.counts:
        return
    if relation is Relation.USER:
        raise InputError(
            "Relation user protects how many there were; exact counts would reveal it.",
            where="release.counts",
            mend='leave counts out, or write relation = "values" under [privacy]',
        )
    if plural.lower() in COUNTED:
        raise InputError(
            "Two columns of counts would be called {plural}.",
            plural=plural.lower(),
            where="privacy.subject_plural",
            mend="call them otherwise, or leave counts out under [release]",
        )


def one_kind_of_slots(section: Section, _: Answers) -> None:
    """Timeslots are of one length, or periods with names."""
    if "periods" in section and "slot_minutes" in section:
        raise InputError(
            "Timeslots of one length and periods exclude each other.",
            where=section.where("periods"),
            mend="leave slot_minutes out, or periods",
        )


def upper_bound_of(kmh: float, *, where: str) -> int:
    """U in thousandths of km/h. Raises InputError unless it is above 0 and a multiple of 0.001."""
    thousandths = round(kmh * THOUSAND) if math.isfinite(kmh) else 0
    if not 0 < thousandths <= MOST_KMH * THOUSAND or abs(thousandths - kmh * THOUSAND) > 1e-6:
        raise InputError(
            "The upper bound U does not fit.",
            where=where,
            mend=text_of(
                "write a number above 0 and up to {most_kmh} km/h, with at most three decimals",
                most_kmh=MOST_KMH,
            ),
        )
    return thousandths


def physical_max_of(kmh: float, *, where: str) -> int:
    """The physical limit in thousandths of km/h. Raises InputError unless it is above 0."""
    if kmh <= 0:
        raise InputError(
            "The physical limit must be above 0.", where=where, mend="write physical_max_kmh = 200"
        )
    return round(kmh * THOUSAND)


def at_least_one(what: str, *, where: str, example: int) -> Callable[[int], int]:
    """A check that refuses integers below 1."""

    def check(value: int) -> int:
        if value < 1:
            raise InputError(
                what,
                where=where,
                mend=text_of("write {value} = {example}", value=where.rpartition(".")[2], example=example),
            )
        return value

    return check


def require_query_id(text: str) -> str:
    """A name that files and columns can bear."""
    if not text.isidentifier() or not text.isascii() or text != text.lower():
        raise InputError(
            "A query's id is lower-case letters, digits and underscores.",
            where="query.id",
            mend='write for instance id = "mean_speed"',
        )
    return text


def protects_presence(answers: Answers) -> bool:
    """Whether the relation is `user`; answers: of `[privacy]`, or of a table that is read after it."""
    return answers.get("relation") is Relation.USER


def protects_vehicles(answers: Answers) -> bool:
    """Whether the presence of whole vehicles is protected; answers: of `[privacy]`."""
    return protects_presence(answers) and answers.get("unit") is Unit.VEHICLE


def takes_public_counts(answers: Answers) -> bool:
    """Whether a query is planned on public counts, which a file may hold."""
    if protects_presence(answers) and statistic_of(answers).takes_public_counts:
        return True
    mechanism = all_mechanisms().get(answers.get("mechanism") or "")
    return isinstance(mechanism, WholeRelease) and mechanism.takes_public_counts


def takes_file(answers: Answers) -> bool:
    """Whether the selection rule that was named takes a file of hexagons, and no threshold."""
    rule = all_rules().get(answers["rule"])
    return rule is not None and rule.cell_file is not None


def statistic_of(answers: Answers) -> AnyStatistic:
    """The statistic of a query. Raises InputError for an unknown one."""
    return require_statistic(answers["statistic"])


def is_joint(answers: Answers) -> bool:
    """Whether a query has one total for all HATs together: by its mechanism, or in relation `user`."""
    if protects_presence(answers):
        return True
    if statistic_of(answers).joint:
        return True
    mechanism = all_mechanisms().get(answers.get("mechanism") or "")
    return mechanism is not None and mechanism.joint and not statistic_of(answers).method


# rules over several keys


def constants_of_presence(section: Section, answers: Answers) -> None:
    """In relation `user` candidates are a public list, and a noisy weight decides which are published."""
    if not protects_presence(answers):
        return
    if not takes_file(answers):
        listing = [key for key, rule in all_rules().items() if rule.cell_file is not None]
        raise InputError(
            "Rule {answers} looks at who was where, which relation user protects.",
            answers=f"{answers['rule']!r}",
            where=section.where("rule"),
            mend=text_of(
                "list the hexagon slots beforehand: write rule = {value}",
                value=joined(" or ", (f'"{key}"' for key in listing)),
            ),
        )
    if "threshold" not in section:
        raise InputError(
            "Relation user needs a threshold: the noisy number of vehicles that publishes a hexagon slot.",
            where=section.where("threshold"),
            mend="write threshold = 10, or several times the noise of that number; never a count of records",
        )
    if "minimum_vehicles" in section:
        raise InputError(
            "Relation user protects how many vehicles a hexagon slot has; no exact number of them "
            "decides anything.",
            where=section.where("minimum_vehicles"),
            mend="leave it out: threshold is compared with a noisy number",
        )


def files_or_table(section: Section, _: Answers) -> None:
    """Records, or what was made of them elsewhere."""
    if ("files" in section) == ("contributions" in section):
        raise InputError(
            "The data are either files of records or one contribution table.",
            where=section.where("files"),
            mend='write files = ["..."], or contributions = "table.parquet"',
        )


def mapping_of_records(section: Section, answers: Answers) -> None:
    """Only a contribution table needs no mapping, and then there is nothing else to say of columns."""
    if "mapping" not in section and not answers.get("contributions"):
        section.section("mapping")


def speed_or_value(section: Section, _: Answers) -> None:
    """A value that is no speed has its unit, bounds and limits in a separate table, and a column."""
    if "value" not in section:
        return
    mapping = section.peek("mapping")
    columns = mapping if isinstance(mapping, dict) else {}
    for key, there in (
        ("upper_bound_kmh", "upper_bound_kmh" in section),
        ("mapping.physical_max_kmh", "physical_max_kmh" in columns),
        ("mapping.unit", "unit" in columns),
        ("mapping.unit_kmh", "unit_kmh" in columns),
        ("units", "units" in section),
        ("derived_speed", "derived_speed" in section),
    ):
        if there:
            raise InputError(
                "{value} is of a speed, and [{table}] names another value.",
                value=key.rpartition(".")[2],
                table=TABLE,
                where=section.where(key),
                mend=text_of("leave it out: unit, bounds and limits stand in [{table}]", table=TABLE),
            )
    if isinstance(mapping, dict) and not columns.get("value"):
        raise InputError(
            "The column of the value is missing.",
            where=section.where("mapping.value"),
            mend='write value = "..." in [data.mapping]',
        )


def unit_named_once(section: Section, answers: Answers) -> None:
    """For all dates or by date; what is derived is in km/h, and another value has a separate table."""
    mapping = section.peek("mapping")
    if not isinstance(mapping, dict) or answers.get("value") is not None:
        return
    by_date = "units" in section
    if "derived_speed" in section and not by_date:
        return
    named = by_date + sum(key in mapping for key in ("unit", "unit_kmh"))
    if named != 1:
        raise InputError(
            "The unit is given twice." if named else "The unit of the value is missing.",
            where="data.mapping.unit",
            mend='write unit = "km/h", or unit_kmh, or [[data.units]] with unit, from and to',
        )


def filters_named(_: Section, answers: Answers) -> None:
    """A filter is of columns with a public name and no other meaning; a table has no columns."""
    mapping = answers["mapping"]
    if mapping is not None:
        columns = {key: mapping[key] for key in _MEANINGS if mapping[key]}
        require_public_columns(answers["filter"], dict(mapping["columns"]), columns)


def offered_in_relation(section: Section, answers: Answers) -> None:
    """What is asked, and how it is answered, fit what is protected."""
    relation, statistic = answers.get("relation"), statistic_of(answers)
    mechanism = None if statistic.method else all_mechanisms().get(answers.get("mechanism") or "")
    method = mechanism or (statistic if statistic.method else None)
    if relation is None or method is None or relation in method.relations:
        return
    key = "mechanism" if mechanism else "statistic"
    others = mechanisms_of(relation) if mechanism else statistics_of(relation)
    raise InputError(
        "{title} is not offered in relation {value}.",
        title=method.title,
        value=f"{relation.value!r}",
        where=section.where(key),
        mend=text_of("write {key} = {value}", key=key, value=joined(" or ", (f'"{one}"' for one in others))),
    )


def method_may_be_named(section: Section, answers: Answers) -> None:
    """A statistic that brings a mechanism's method may say so: shares go by tokens. No other may be named."""
    statistic = statistic_of(answers)
    if not statistic.method or "mechanism" not in section:
        return
    own = [statistic.method]
    if answers.get("relation") is Relation.USER and statistic.bounded_method:
        own.insert(0, statistic.bounded_method)  # the other name was always taken there
    named = next((method for method in own if method in all_mechanisms()), None)
    if named is None or section.peek("mechanism") not in own:
        raise InputError(
            "Statistic {key} brings its own method.",
            key=f"{statistic.key!r}",
            where=section.where("mechanism"),
            mend=text_of('leave mechanism out, or write mechanism = "{named}"', named=named)
            if named
            else "leave mechanism out",
        )
    section.take("mechanism")


def one_budget(section: Section, answers: Answers) -> None:
    """Each query has one budget, given in one of the ways that its statistic and its mechanism take."""
    if is_joint(answers):
        statistic, mechanism = statistic_of(answers), answers.get("mechanism")
        if not statistic.method:
            named = f"Mechanism {mechanism!r}"
        elif statistic.joint:
            named = f"Statistic {statistic.key!r}"
        else:
            named = text_of("{title} in relation user", title=statistic.title)
        _total_alone(section, named)
        return
    takes_noise_scale = statistic_of(answers).takes_noise_scale
    ways = _WAYS | (_NOISE_SCALE if takes_noise_scale else {})
    if sum(way in section for way in ways) != 1:
        raise InputError(
            "A query needs either an epsilon per hexagon slot or a total per vehicle{value}",
            value=", or a noise scale." if takes_noise_scale else ".",
            where="query",
            mend=text_of(
                "write one of {value}",
                value=joined(", ", (f'{way} = "{value}"' for way, value in ways.items())),
            ),
        )


def _total_alone(section: Section, named: str) -> None:
    """What is joint shares the total out by itself: there is nothing to give for a HAT, or to divide."""
    for key, reason in _NOT_JOINT.items():
        if key in section:
            raise InputError(
                "{named} {reason}.",
                named=named,
                reason=reason,
                where=section.where(key),
                mend='leave it out: total = "10" is all that it takes',
            )
    if "total" not in section:
        raise InputError(
            "{named} needs a total per vehicle.",
            named=named,
            where=section.where("total"),
            mend='write for instance total = "10"',
        )
