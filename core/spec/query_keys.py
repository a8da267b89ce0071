"""Explains the keys of a `[[query]]`: statistic, method, epsilon or total, its division, public counts."""

from __future__ import annotations

from core.accounting.budgets import DIVISIONS, EQUAL
from core.mechanisms.registry import all_mechanisms
from core.prior.public_source import USUAL_PING_SECONDS
from core.prior.timetable import PING_SECONDS
from core.privacy import Relation
from core.spec.key_checks import (
    is_joint,
    method_may_be_named,
    offered_in_relation,
    one_budget,
    require_query_id,
    statistic_of,
    takes_public_counts,
)
from core.spec.schema import Key, Rule, Table, When
from core.spec.value_kinds import Epsilon, FileName, Option, Parameters, Text, Whole
from core.statistics.registry import all_statistics
from core.texts import text_of

_COUNTED = When(
    says="with mechanism `plan-and-enforce`, and with `share` where presence is protected",
    holds=takes_public_counts,
)

QUERY = Table(
    help="One statistic, its method and its budget. A release contains each statistic once.",
    entries=(
        Key(
            name="id",
            help="Its name in tables and ledger: lower-case letters, digits and underscores.",
            required=True,
            check=require_query_id,
            constant="id",
            example='"mean_speed"',
        ),
        Key(
            name="statistic",
            kind=Option(lambda: all_statistics()),
            help="What is computed in every hexagon slot.",
            required=True,
            constant="statistic",
            example='"mean"',
        ),
        Rule(
            says='`mechanism = "tokens"` may stand beside `share`, which is always answered by it; in '
            'relation user it is `"plan-and-enforce"`.',
            check=method_may_be_named,
        ),
        Key(
            name="mechanism",
            kind=Text(lambda: all_mechanisms()),
            help="How it is answered.",
            label="Mechanism",
            required=True,
            only=When(
                says="with a statistic that does not bring its own method",
                holds=lambda given: not statistic_of(given).method,
            ),
            constant="mechanism",
            example='"array-averaging"',
        ),
        Rule(
            says="A statistic and a mechanism that `[privacy] relation` offers: in `user` the mean by "
            "mechanisms of that relation, `query1`, `query2`, `cdf` and `share`.",
            check=offered_in_relation,
        ),
        Rule(
            says="One of `epsilon`, `total` and `noise_scale`; of a mechanism that divides one total over "
            "all hexagon slots, such as `tokens`, and in relation `user`, `total` alone.",
            check=one_budget,
        ),
        Key(
            name="epsilon",
            kind=Epsilon(),
            help="Epsilon of each hexagon slot.",
            without="another budget is needed",
            only=When(
                says="where hexagon slots are answered one by one", holds=lambda given: not is_joint(given)
            ),
            part="budget",
            field="per_hat",
            constant="per_hat",
            example='"0.5"',
        ),
        Key(
            name="total",
            kind=Epsilon(),
            help="Epsilon of a vehicle, divided over its hexagon slots.",
            without="another budget is needed",
            part="budget",
            constant="total",
            example='"10"',
        ),
        Key(
            name="noise_scale",
            kind=Epsilon(),
            help="Laplace scale B of each hexagon slot, in the statistic's unit; for `query2` 0.5 to 2.",
            without="another budget is needed",
            only=When(
                says="with `query1` and `query2`", holds=lambda given: statistic_of(given).takes_noise_scale
            ),
            part="budget",
            constant="noise_scale",
            example='"1"',
        ),
        Key(
            name="division",
            kind=Option(lambda: DIVISIONS),
            help="How the total is divided: the same for each hexagon slot, or more where it helps more.",
            default=EQUAL,
            only=When(
                says="with `total`, where hexagon slots are answered one by one",
                holds=lambda given: given["total"] is not None and not is_joint(given),
            ),
            part="budget",
            field="divide",
            always=True,
            constant="division",
            identity_of="budget.division",
        ),
        Key(
            name="public_counts",
            kind=FileName(),
            help="A CSV file with the columns h3_cell, slot_start (or period), those of groups, vehicles, "
            "records and, where you know public speeds, speed_kmh; a GTFS timetable, as folder or zip "
            "archive; or the folder of an older release in relation `user`. Never counts of the vehicles "
            "that are protected.",
            default="",
            without="typed numbers are needed",
            only=_COUNTED,
            relation=Relation.USER,
            part="source",
            field="path",
            example='"timetable.csv"',
        ),
        Key(
            name="seconds_per_ping",
            kind=Whole(
                text_of(
                    "{least_figure} to {most_figure}",
                    least_figure=PING_SECONDS.start,
                    most_figure=PING_SECONDS.stop - 1,
                )
            ),
            help="How often vehicles of a timetable are assumed to send.",
            default=USUAL_PING_SECONDS,
            only=_COUNTED,
            relation=Relation.USER,
            part="source",
        ),
        Key(
            name="public_counts_key",
            help="The minisign public key of an older release's publisher: its text, or the path of a file.",
            default="",
            without="the signer is not checked",
            only=_COUNTED,
            relation=Relation.USER,
            part="source",
            field="public_key",
            example='"older/release-key.pub"',
        ),
        Key(
            name="parameters",
            kind=Parameters(),
            help="Of the mechanism, or of a statistic that brings its own method.",
            without="each has its default",
            always=True,
            constant="parameters",
        ),
    ),
)
