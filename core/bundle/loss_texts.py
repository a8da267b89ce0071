"""What an epsilon means, in sentences: how much likelier a guess gets, what an attacker finds out.

README, report, review and policy say them; the exact figures stand in privacy.json.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from enum import Enum

from core.accounting.epsilon_rounding import glance, plain
from core.accounting.exact_loss import BY_PROFILE, StatedLoss
from core.fixed_point import THOUSAND
from core.privacy import Relation, Unit
from core.texts import text_of

_PRESENT = {
    Unit.VEHICLE: "a vehicle was there at all",
    Unit.VEHICLE_DAY: "a vehicle was there on a certain day",
    Unit.VEHICLE_HAT_DAY: "a vehicle was in a certain hexagon slot on a certain day",
}
ADDS_UP_SLOWLY = "Costs with Gaussian noise add up more slowly than their epsilons."
"""Why more releases fit into a limit than a person divides."""
_CHANGED = {
    Relation.VALUES: "With other {values} from one {unit}",
    Relation.USER: "With one {unit} more or less",
}
_UP = Context(prec=50, rounding=ROUND_CEILING)
_TENTH = Decimal("0.1")
_MILLION = 1_000_000
_EVERY = Decimal("0.995")
_LONGEST = 9
"""Digits up to which the factor that an epsilon means is written out."""


def likelihood_sentence(
    relation: Relation,
    unit: Unit,
    epsilon: Decimal,
    delta: Decimal,
    values: str = "values",
    *,
    as_figure: bool = False,
    in_words: bool = False,
) -> str:
    """What an epsilon means, everywhere in the same words; values: what is protected, in the plural.

    as_figure: as policies of releases and older maps have it, with delta as its decimals: these are compared.
    in_words: for people to whom a power of ten says nothing; maps hold the figure.
    """
    changed = text_of(_CHANGED[relation], unit=unit.value, values=values)
    if in_words and next_to_nothing(epsilon):
        return text_of(
            "{changed}, any result here may be more than a billion times more or less likely: that promises "
            "next to nothing.",
            changed=changed,
        )
    return text_of(
        "{changed}, any result here would have been at most {epsilon} times more or less likely{chance}: "
        "that promises next to nothing."
        if next_to_nothing(epsilon) and not as_figure
        else "{changed}, any result here would have been at most {epsilon} times more or less "
        "likely{chance}.",
        changed=changed,
        epsilon=_factor(epsilon),
        chance=_chance(delta, as_figure) if delta else "",
    )


def next_to_nothing(epsilon: Decimal) -> bool:
    """Whether the factor is so long that nobody may say that such an epsilon hides or protects."""
    return _UP.exp(epsilon).adjusted() >= _LONGEST


class Strength(Enum):
    """How well a release protects, by the most that the best attacker may find (`StatedLoss.power`)."""

    WELL = 0
    PARTLY = 1
    HARDLY = 2


_PARTLY_FROM, _HARDLY_FROM = Decimal("0.1"), Decimal("0.5")
"""Found at one false alarm in a hundred; of pure epsilons from 2.3 and from 3.9 on."""


def strength_of(stated: StatedLoss) -> Strength:
    """What may be said of it: nobody calls hidden what an attacker may find out."""
    if stated.power <= _PARTLY_FROM:
        return Strength.WELL
    return Strength.PARTLY if stated.power <= _HARDLY_FROM else Strength.HARDLY


_HIDDEN = {
    Strength.WELL: "Whether {present} is hidden: at epsilon {epsilon} this release makes a guess that "
    "it was at most {times} times likelier{chance}.",
    Strength.PARTLY: "Whether {present} is only partly hidden: at epsilon {epsilon} this release makes a "
    "guess that it was at most {times} times likelier{chance}.",
    Strength.HARDLY: "Whether {present} is hardly hidden: at epsilon {epsilon} this release may make a guess "
    "that it was up to {times} times likelier{chance}.",
}


def presence_sentence(unit: Unit, stated: StatedLoss | None) -> str:
    """What is confirmed where presence is protected; stated: of this release, None where it has none yet."""
    present = text_of(_PRESENT[unit])
    if stated is None:
        return text_of("Whether {present} is hidden as well as epsilon says.", present=present)
    chance = _chance(stated.delta, as_figure=False) if stated.loss.rho else ""
    if next_to_nothing(stated.epsilon):
        return text_of(
            "Whether {present} is hardly hidden: at epsilon {epsilon} this release may make "
            "a guess that it was likelier by a factor of up to {digits} digits{chance}.",
            present=present,
            epsilon=glance(stated.epsilon),
            digits=_UP.exp(stated.epsilon).adjusted() + 1,
            chance=chance,
        )
    return text_of(
        _HIDDEN[strength_of(stated)],
        present=present,
        epsilon=glance(stated.epsilon),
        times=_factor(stated.epsilon),
        chance=chance,
    )


def _chance(delta: Decimal, as_figure: bool) -> str:
    """Rounded to a larger one."""
    if as_figure:
        return text_of(", but for a chance of {delta}", delta=plain(delta))
    many = int(1 / delta)
    if many == _MILLION:
        return text_of(", but for a chance of 1 in a million")
    return text_of(", but for a chance of 1 in {many}", many=f"{many:,}")


def _factor(epsilon: Decimal) -> str:
    """e^epsilon, rounded up to three digits; a power of ten where it is long."""
    factor = _UP.exp(epsilon)
    if factor.adjusted() >= _LONGEST:
        return f"10^{factor.adjusted() + 1}"
    rounded = _UP.quantize(factor, Decimal(1).scaleb(factor.adjusted() - 2))
    return plain(rounded) if rounded < THOUSAND else f"{int(rounded):,}"


def charged_sentence(stated: StatedLoss) -> str:
    """What a release takes of the limit, where that is more than it loses by itself. Empty otherwise."""
    if not stated.loss.rho or stated.conversion != BY_PROFILE:
        return ""
    return text_of(
        "Charged {charged} of the limit; by itself epsilon {epsilon}.",
        charged=glance(stated.charged),
        epsilon=glance(stated.epsilon),
    )


def mu_beside(mu: Decimal | None) -> str:
    """What stands behind the (epsilon, delta) of one release with Gaussian noise; never of several.

    mu: as `StatedLoss.mu`, None: there is none to be said.
    """
    return "" if mu is None else text_of(", mu {mu}", mu=glance(mu))


def attacker_sentence(power: Decimal, *, in_words: bool = False) -> str:
    """What the best attacker finds, in cases of a hundred; in_words: as `likelihood_sentence`."""
    if in_words and power > _EVERY:
        return text_of(
            "An attacker who knows everything else and accepts one false alarm in a hundred may find out the "
            "right answer in practically every case; with no data published it would be one in a hundred."
        )
    found = plain((100 * power).quantize(_TENTH, rounding=ROUND_CEILING))
    return text_of(
        "An attacker who knows everything else and accepts one false alarm in a hundred finds out the right "
        "answer in at most {found} of a hundred cases; with no data published it would be one.",
        found=found,
    )


def loss_sentences(relation: Relation, stated: StatedLoss, values: str = "values") -> tuple[str, ...]:
    """All that is said of what a release costs a vehicle; values: as `likelihood_sentence`."""
    delta = stated.delta if stated.loss.rho else Decimal(0)
    said = (
        likelihood_sentence(relation, Unit.VEHICLE, stated.epsilon, delta, values, in_words=True),
        attacker_sentence(stated.power, in_words=True),
        charged_sentence(stated),
    )
    return tuple(filter(None, said))
