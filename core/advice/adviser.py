"""The recommended mechanism in sentences: a simpler one nearly as good, the next best, one total (method 6).

Each mechanism is planned with its default parameters and states its own typical error (method 10.3). No
value is seen, so that the advice can be shown beside a release. What the adviser cannot know is whether
vehicles really differ as the public model says.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from core.accounting.epsilon_rounding import glance
from core.contributions import HatUsers
from core.counted import count_of
from core.errors import InputError
from core.fixed_point import THOUSAND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import AnyMechanism
from core.mechanisms.public_model import HAT_MEAN_SPREAD, scaled
from core.mechanisms.registry import all_mechanisms, mechanisms_of
from core.mechanisms.two_step_clipping import TwoStepClipping
from core.privacy import Relation
from core.quantity import SPEED
from core.statistics.error_figures import significant
from core.texts import text_of

JOINT_FROM = 20
"""With more HATs than this under one total, each vehicle's own share takes less noise than equal budgets."""
CLOSE = 1.001
"""A simpler mechanism is advised when its typical error is within this factor of the least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The mechanism to take for one HAT, and why."""

    mechanism: str
    """Its key."""
    params: Mapping[str, str | int | float]
    """What to set other than the defaults."""
    reason: str
    """One sentence for the analyst."""
    typical_errors: Mapping[str, float]
    """Of every mechanism that would not publish a constant, km/h, by key: from public counts, no bounds."""


def advise(
    users: HatUsers,
    epsilon: Decimal,
    upper_bound: int,
    cache: PlanCache | None = None,
    *,
    unit: str = SPEED.unit,
) -> Advice:
    """The mechanism with the least typical error, or a simpler one that is as good.

    Never one that would publish a constant: that may miss less than noise, and tells nothing. Where all miss
    more than means of HATs differ from each other anywhere, that is what is nearly a constant: two-step
    clipping is named in its place.

    upper_bound: thousandths; cache: of a caller that asks again for another epsilon; unit: of the value, as
    people read it.
    """
    plan_cache = cache or PlanCache()
    offered = {
        key: one
        for key, one in all_mechanisms().items()
        if Relation.VALUES in one.relations and not one.joint
    }
    all_errors = {
        key: _typical_error(mechanism, users, epsilon, upper_bound, plan_cache)
        for key, mechanism in offered.items()
    }
    errors = {key: error for key, error in all_errors.items() if error is not None}
    best = min(errors, key=lambda key: (errors[key], key))
    if errors[best] >= scaled(HAT_MEAN_SPREAD, upper_bound / THOUSAND) and TwoStepClipping.key in errors:
        best = TwoStepClipping.key
    close = [key for key in errors if 1 / CLOSE <= errors[key] / errors[best] <= CLOSE]
    chosen = min(close, key=lambda key: (offered[key].complexity, errors[key], key))
    return Advice(
        mechanism=chosen,
        params={},
        reason=_reason(chosen, users, epsilon, errors, unit),
        typical_errors=errors,
    )


def advise_joint(
    hats: int,
    alone: Advice,
    planned: float | None,
    *,
    suppressed: int = 0,
    empty: int = 0,
    unit: str = SPEED.unit,
) -> Advice:
    """To plan many HATs as one, where more than `JOINT_FROM` are released under a total per vehicle.

    alone: what is advised HAT by HAT at that total; planned: the typical error of the joint plan in the
    median HAT, where it is known; suppressed, empty: selected HATs beside the released ones, with records
    of too few vehicles and without any.
    """
    joint = next(one for one in mechanisms_of(Relation.VALUES).values() if one.joint)
    rival = alone.typical_errors[alone.mechanism]
    title = all_mechanisms()[alone.mechanism].title
    by_hat = text_of(
        "{rival} {unit} with {title}, each hexagon slot by itself",
        rival=significant(rival, 2),
        unit=unit,
        title=title,
    )
    if planned is None:
        reason = text_of(
            "{title}: {counted_hexagon_slots_are} released under one total per vehicle, which pays "
            "only for its own share of them. Otherwise the typical error is {by_hat}.",
            title=joint.title,
            counted_hexagon_slots_are=count_of(hats, "hexagon slot is", "hexagon slots are"),
            by_hat=by_hat,
        )
        errors = alone.typical_errors
    else:
        reason = text_of(
            "{title}: {counted_hexagon_slots_are} released under one total per vehicle. The typical "
            "error in the median hexagon slot is about {planned} {unit}, against {by_hat}.",
            title=joint.title,
            counted_hexagon_slots_are=count_of(hats, "hexagon slot is", "hexagon slots are"),
            planned=significant(planned, 2),
            unit=unit,
            by_hat=by_hat,
        )
        errors = {**alone.typical_errors, joint.key: planned}
    if suppressed:  # other places tell how many are selected
        selected = hats + suppressed
        reason += text_of(
            " Suppressed for too few vehicles: {suppressed} of {counted_selected_hexagon_slots}.",
            suppressed=suppressed,
            counted_selected_hexagon_slots=count_of(selected, "selected hexagon slot"),
        )
    if empty:
        reason += text_of(" Also empty: {empty}.", empty=empty)
    return Advice(mechanism=joint.key, params={}, reason=reason, typical_errors=errors)


def advise_regions(
    hats: int, regions: int, alone: Advice, promised_error: float, *, unit: str = SPEED.unit
) -> Advice:
    """To plan many HATs as one by regions, whose error the analyst has promised.

    hats: in the regions; alone: as for `advise_joint`. What a region misses is no measure of the mechanism:
    it is as large as it was asked to be.
    """
    joint = next(one for one in mechanisms_of(Relation.VALUES).values() if one.joint)
    rival = alone.typical_errors[alone.mechanism]
    other = all_mechanisms()[alone.mechanism].title
    said = text_of(
        "{title}: {counted_hexagon_slots_are} released under one total per vehicle, in {counted_regions}, "
        "each good to {promised_error} {unit} on average as promised; with {other}, each hexagon slot by "
        "itself, {rival} {unit2} is typical.",
        title=joint.title,
        counted_hexagon_slots_are=count_of(hats, "hexagon slot is", "hexagon slots are"),
        counted_regions=count_of(regions, "region"),
        promised_error=f"{promised_error:g}",
        unit=unit,
        other=other,
        rival=significant(rival, 2),
        unit2=unit,
    )
    if rival <= promised_error:
        said += " For more accuracy, promise a smaller error or leave regions out."
    return dataclasses.replace(alone, mechanism=joint.key, params={}, reason=said)


def _typical_error(
    mechanism: AnyMechanism, users: HatUsers, epsilon: Decimal, upper_bound: int, cache: PlanCache
) -> float | None:
    """With default parameters, km/h; None for a constant, and for what it cannot plan."""
    try:
        plan = mechanism.plan(users, epsilon, upper_bound, mechanism.Params(), cache)
    except InputError:  # too many records for its integers
        return None
    if not plan.informative:
        return None
    return mechanism.accuracy(plan, users, cache).typical_error


def _reason(chosen: str, users: HatUsers, epsilon: Decimal, errors: Mapping[str, float], unit: str) -> str:
    """Why, in one sentence of public figures."""
    mechanisms = all_mechanisms()
    most, least = int(users.counts[0]), int(users.counts[-1])
    records = (
        count_of(most, "record")
        if most == least
        else text_of("{least} to {most} records", least=f"{least:,}", most=f"{most:,}")
    )
    epsilon_figure = glance(epsilon)
    sentence = text_of(
        "{title}: for {counted_users} with {records} each, an error of about {errors} {unit} is typical at "
        "epsilon {epsilon_figure}",
        title=mechanisms[chosen].title,
        counted_users=count_of(users.size, "user"),
        records=records,
        errors=significant(errors[chosen], 2),
        unit=unit,
        epsilon_figure=epsilon_figure,
    )
    others = {key: error for key, error in errors.items() if key != chosen}
    if not others:
        return sentence + "."
    rival = min(others, key=lambda key: (others[key], key))
    if others[rival] < errors[chosen]:
        return text_of(
            "{sentence}; {title} is only slightly better and more complicated.",
            sentence=sentence,
            title=mechanisms[rival].title,
        )
    return text_of(
        "{sentence}, against {others} {unit} with the next best that takes each hexagon slot by itself, "
        "{title}.",
        sentence=sentence,
        others=significant(others[rival], 2),
        unit=unit,
        title=mechanisms[rival].title,
    )
