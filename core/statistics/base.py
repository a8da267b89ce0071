"""What a statistic declares, plans and draws in one HAT; Gaussian noise that it does not take.

A statistic is planned from public counts alone and drawn against a noise source; neither knows of
budgets, ledgers or files. Panel, command line, bundle and docs read what it declares. Its texts have marks
in braces for what the value is called (`core.quantity`); one that asks no values needs none.
"""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.contributions import HatData, HatPairs, HatUsers
from core.errors import InternalError
from core.fixed_point import THOUSAND
from core.grouping.plan_cache import PlanCache
from core.mechanisms.base import ONE_DRAW, NoiseFactors, epsilon_of_same_variance
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.public_model import HAT_SPREAD, scaled
from core.mechanisms.tokens import LAPLACE, SPLIT
from core.noise.source import NoiseSource
from core.privacy import Confidential, Relation, Unit
from core.quantity import SPEED, Quantity
from core.references import OURS
from core.statistics.cdf_band import ExpectedBand
from core.statistics.hat_errors import Errors
from core.texts import text_of

UPPER_BOUND = "U"
"""Stands for the public upper bound of the value where a measure declares its largest value."""
LARGEST_VARIANCE = "U^2/4"
"""Stands for the largest variance that values in [0, U] can have."""

_NAMED = ("title", "summary", "table", "table_title", "measures", "smoothed", "label", "variants")
"""What a statistic says of itself with marks for the quantity."""

P = TypeVar("P")
"""The parameters of a question."""
D = TypeVar("D")
"""What a statistic plans of one HAT, and draws by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One published number and the names of its columns."""

    name: str
    """Column of the value, with its unit: `speed_mean_kmh`."""
    low: str
    """Column of the lower end of the 95 % interval."""
    high: str
    bias: str
    """Column of the worst-case bias; empty where there is none, or only after a suppression."""
    unit: str
    """As people read it: `km/h`; empty for a share."""
    decimals: int
    """Values are integers of 10^-decimals of the unit."""
    description: str
    largest: str | int | None
    """Largest value in the unit, `UPPER_BOUND`, `LARGEST_VARIANCE`, or None where there is none."""
    suppression_bias: str = ""
    """Column of the worst-case bias where only a suppression of users makes one."""
    modelled_bias: str = ""
    """Column of the bias that the public model expects, where rows of a joint release tell it."""
    unclamped: str = ""
    """Column of the noisy number before it was cut to its range, and fitted, where rows tell it."""
    percent: bool = False
    """People read it in percent; files have it from 0 to 1."""
    deviation: str = ""
    """Column of the standard deviation that its interval rests on, where rows tell it."""
    lower: int = 0
    """What 0 of a mean stands for where it is published, thousandths of the unit; 0 of what is no value."""

    def of(self, quantity: Quantity) -> Measure:
        """The measure of a quantity: with its name and unit, counted from its lower bound."""
        return dataclasses.replace(
            self,
            name=quantity.named(self.name),
            low=quantity.named(self.low),
            high=quantity.named(self.high),
            bias=quantity.named(self.bias),
            suppression_bias=quantity.named(self.suppression_bias),
            modelled_bias=quantity.named(self.modelled_bias),
            unclamped=quantity.named(self.unclamped),
            deviation=quantity.named(self.deviation),
            unit=quantity.named(self.unit),
            description=quantity.named(self.description),
            lower=quantity.lower if self.largest == UPPER_BOUND else 0,
        )

    @property
    def least(self) -> int:
        """The smallest value that is published, an integer of 10^-decimals."""
        unit: int = 10**self.decimals
        return self.lower * unit // THOUSAND

    def range_for(self, upper_bound: int) -> tuple[int, int | None]:
        """Smallest and largest value that is published, integers of 10^-decimals; U in thousandths."""
        largest = self.largest_for(upper_bound)
        return self.least, None if largest is None else self.least + largest

    def largest_for(self, upper_bound: int) -> int | None:
        """Largest value, above the least, for a U in thousandths: an integer of 10^-decimals rounded down."""
        if self.largest is None:
            return None
        upper = Fraction(upper_bound, THOUSAND)
        named = {UPPER_BOUND: upper, LARGEST_VARIANCE: upper * upper / 4}
        largest = named[self.largest] if isinstance(self.largest, str) else Fraction(self.largest)
        unit: int = 10**self.decimals
        return math.floor(largest * unit)

    def constant_error(self, upper_bound: int) -> float | None:
        """What one public constant for every HAT typically misses, in the unit (method 10.5).

        Means of HATs scatter by the model's spread; elsewhere it is half of the range. None where there is
        no range.
        """
        if self.largest == UPPER_BOUND:
            return scaled(HAT_SPREAD, upper_bound / THOUSAND)
        largest = self.largest_for(upper_bound)
        return None if largest is None else largest / 10**self.decimals / 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What tells several rows of one HAT apart, such as the speed limit of Query 2."""

    name: str
    """Column: `limit_kmh`. Labels are thousandths of the value's unit."""
    description: str
    counts_above: bool = False
    """A row counts what lies above its label; else of what lies at or below it."""
    end: str = ""
    """Column of the second end, where a label is a range; then its number is one of both (`core.statistics.
    share`)."""
    end_description: str = ""
    of_value: bool = True
    """Its number is one of the value; else it has no unit."""
    word: str = ""
    """What stands in place of its number in a row of another kind; empty where there are no such rows."""
    word_number: int = 0
    """What estimates have in place of the word."""
    word_description: str = ""
    word_fact: str = ""
    """What a query states where it has such rows."""

    def of(self, quantity: Quantity) -> Label:
        """The label of a quantity."""
        return dataclasses.replace(
            self,
            name=quantity.named(self.name),
            description=quantity.named(self.description),
            end=quantity.named(self.end),
            word_description=quantity.named(self.word_description),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Its columns."""
        return (self.name, self.end) if self.end else (self.name,)

    @property
    def shown_name(self) -> str:
        """What stands in front of `text`."""
        return "range" if self.end else self.name

    def text(self, row: Mapping[str, str]) -> str:
        """Of a row of a data file: `40.000`, or `10.000 to 20.000`."""
        return " to ".join(row[name] for name in self.names)

    def is_word(self, row: Mapping[str, str]) -> bool:
        """Whether a row of a data file is of the other kind."""
        return bool(self.word) and row[self.name] == self.word

    def sorted_texts(self, rows: Iterable[Mapping[str, str]]) -> list[str]:
        """Every text once, by its numbers."""
        numbers = {
            self.text(row): (math.inf,)
            if self.is_word(row)
            else tuple(float(row[name]) for name in self.names)
            for row in rows
        }
        return sorted(numbers, key=numbers.__getitem__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuppressedUsers:
    """Who left one HAT, and the pairs of everyone; public in relation `values`."""

    users: HatUsers
    """Those who left; perhaps nobody."""
    pairs: NDArray[np.int64]
    """Their (vehicle, day) pairs in the HAT, one number each."""
    retained_pairs: NDArray[np.int64]
    """Shape (L,): pairs of the users that are retained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HatCounts:
    """Everything public about one HAT in relation `values`."""

    users: NDArray[np.int64]
    """Shape (L,): m_l of the users that are retained, non-increasing, each at least 1."""
    records: int
    """M: records of all users of the HAT, of those suppressed too."""
    pairs: int
    """N: (vehicle, day) pairs of the users that are retained."""
    largest_pairs: int
    """The most pairs of one user of the unit: days of a vehicle, or 1; of those that are retained."""
    days: int
    """Dates of the window, with or without records."""
    upper_bound: int
    """U in thousandths of the value's unit."""
    unit: Unit
    visits: NDArray[np.int64] | None = None
    """Shape (L,): how often each of `users` came to the HAT, at least 1; None where that is not known."""
    suppressed: SuppressedUsers | None = None
    """Users who left the HAT before it was planned; None where nobody was asked to."""
    cache: PlanCache = field(default_factory=PlanCache, repr=False, compare=False)
    """Parts of plans for such counts, from the owner of the data; a new one keeps nothing for others."""

    @property
    def public(self) -> HatUsers:
        """The users that are retained, how often each came, and who left."""
        gone = self.suppressed
        left = None if gone is None or not gone.users.size else gone.users
        return HatUsers(counts=self.users, visits=self.visits, suppressed=left)

    @property
    def pairs_left(self) -> int:
        """Pairs of users who left."""
        return 0 if self.suppressed is None else int(self.suppressed.pairs.sum())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class HatRecords(Confidential):
    """The values of one HAT."""

    users: HatData
    """Of the users that are retained, in the order of `HatCounts.users`."""
    pairs: HatPairs


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasurePlan:
    """One published number of a HAT before any noise, from public counts, in the number's unit."""

    sensitivity: float
    noise_scale: float
    bias_bound: float
    """Worst-case |number without noise - true number|."""
    typical_error: float
    """Expected |noise + modelled bias| (method 10.3)."""
    error_at_worst: float
    """Expected |noise| plus worst-case bias (method 10.1)."""
    typical_bias: float | None = None
    """Standard deviation of the bias that is expected; None where that is not all but the noise."""
    interval_bias: float | None = None
    """The same of the bias that intervals allow for."""
    largest: float | None = None
    """Largest value of the number by the counts of that HAT; None where its measure's range is all that is
    known.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class HatPlan(Generic[D]):
    """One HAT before any noise."""

    epsilon: Decimal
    """What the HAT costs a user; of Gaussian noise what its rho alone comes to at the population's delta."""
    measures: tuple[MeasurePlan, ...]
    """One of each measure of the statistic, in its order; of several rows of a HAT the largest."""
    m_ub: int | None
    """Records retained of a user; None where they are not capped."""
    detail: D
    """What `draw` needs: public as well."""
    rho: Decimal = Decimal(0)
    """What a HAT that is drawn alone spends on Gaussian noise, in place of epsilon; 0 where there is none."""

    @property
    def lead(self) -> MeasurePlan:
        """Of the number that maps and headlines show."""
        return self.measures[0]

    @property
    def laplace_epsilon(self) -> Decimal:
        """What the HAT costs; of Gaussian noise what Laplace noise that varies as much would cost."""
        return epsilon_of_same_variance(self.rho) if self.rho else self.epsilon


AnyHatPlan = HatPlan[Any]
"""One that fits the statistic that made it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One published number. Integers of 10^-decimals of its measure's unit."""

    measure: str
    """`Measure.name`."""
    value: int
    low: int
    high: int
    unclamped: int | None = None
    """The noisy number before it was cut to its range; None where it was not stored."""
    informative: bool = True
    """False where the interval is the whole range, as noise carried it out of it."""
    bias_bound: int | None = None
    label: int | None = None
    """Thousandths of the value's unit; None where the HAT has one row."""
    modelled_bias: int | None = None
    """Standard deviation of the bias that the public model expects; None where rows do not tell it."""
    effective_users: int | None = None
    """Thousandths: how many users of equal weight would be as exact; None where rows do not tell it."""
    noisy_weight: int | None = None
    """Thousandths: the noisy number that a sum was divided by, of relation `user`; None elsewhere."""
    sign: int | None = None
    """Thousandths: the standardised public sign that a number was smoothed by; None: by none."""
    deviation: int | None = None
    """Standard deviation of the noise and of the bias that the interval allows for; None where rows do not
    tell it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[P]):
    """A statistic with its parameters."""

    statistic: AnyStatistic
    params: P

    @property
    def key(self) -> str:
        """Names the method in files: the statistic's own, or that of what it takes."""
        return self.statistic.method

    @property
    def title(self) -> str:
        return self.statistic.title

    @property
    def reference(self) -> str:
        return self.statistic.reference

    @property
    def version(self) -> int:
        return self.statistic.version

    @property
    def of_speeds(self) -> bool:
        """It is of speeds: a slow place keeps its vehicles longer, and they send more from there."""
        return self.statistic.quantity.is_speed

    @property
    def uses_visits(self) -> bool:
        """Its plans follow from visits too."""
        return self.statistic.joint

    @property
    def corrects_dwell(self) -> bool:
        """Its answers make up for vehicles that send more because they stand."""
        return self.statistic.joint and getattr(self.params, "mode", SPLIT) == SPLIT

    @property
    def joint(self) -> bool:
        """It is planned and drawn as a whole, under one total per vehicle (city-release)."""
        return self.statistic.joint

    @property
    def outlined(self) -> bool:
        """What a total buys follows from an outline of the city, without a plan."""
        return self.statistic.joint

    @property
    def by_region(self) -> bool:
        """It is answered by regions that keep a promised error (city-release 10)."""
        return False

    @property
    def models_bias(self) -> bool:
        """Its intervals allow for modelled bias beside the noise (method 14.2)."""
        return self.statistic.allows_for_bias(self)

    @property
    def noise_of_hats(self) -> str:
        """The noise that is asked for where HATs are drawn one by one (method 7.5)."""
        asked: str = LAPLACE if self.joint else getattr(self.params, NOISE_FIELD, LAPLACE)
        return asked


AnyQuestion = Question[Any]
"""One whose parameters fit its statistic, whatever they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuppressionRule:
    """What the suppression of users goes by."""

    m_ub: str | int
    """Rule for the most that a user gives, or a number."""
    errors: Errors
    """Error of a HAT from (n retained, largest k, M of everyone, epsilon)."""
    cap: float
    """Error of publishing a constant, in the unit of `errors`."""
    of_pairs: bool = False
    """What users give is counted in (vehicle, day) pairs, not in records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyNumbers:
    """What a statistic adds noise of one fixed kind to, in one HAT."""

    sensitivity: Fraction
    """The most that one user moves one number, in the unit of the first measure; exact."""
    parts: int
    """How many numbers divide the epsilon of the HAT, in equal parts."""

    @property
    def scale(self) -> float:
        """c of each number's noise c / epsilon, epsilon being that of the HAT."""
        return float(self.parts * self.sensitivity)


MadeBy = str | int | tuple[int, ...]
"""A fact about how numbers were made: a sentence, a count, or a list of counts."""
Q = TypeVar("Q", bound=AnyQuestion)
"""What a statistic is asked: a question with its parameters."""


class Statistic(ABC, Generic[Q, D]):
    """One file each, with a constant `STATISTIC`, which is of speed; `of` gives that of another quantity."""

    key: ClassVar[str]
    """As the spec file writes it: `mean`, `query1`."""
    title: ClassVar[str]
    reference: ClassVar[str]
    summary: ClassVar[str]
    version: ClassVar[int] = 1
    """Raised whenever the same counts, values and noise would give another result."""
    method: ClassVar[str]
    """Key of its one method in files; empty where it takes a mechanism."""
    relations: ClassVar[frozenset[Relation]] = frozenset({Relation.VALUES})
    joint: ClassVar[bool] = False
    """All HATs are planned and drawn together in relation `values`."""
    counts_days: ClassVar[bool] = False
    """A vehicle counts once on each of its days; in relation `user` a public constant bounds these."""
    takes_noise_scale: ClassVar[bool] = False
    """A Laplace scale B may be asked for in place of an epsilon (method 8, 16)."""
    usual_scales: ClassVar[tuple[str, str] | None] = None
    """The smallest and the largest B that are usual, in the unit of its numbers."""
    centred: ClassVar[bool] = False
    """Its intervals have their value in the middle, except where a bound of the value cuts them."""
    Params: ClassVar[type]
    BoundedParams: ClassVar[type | None] = None
    """Its parameters in relation `user`, where none may go by exact counts; None: it has none there."""
    takes_public_counts: ClassVar[bool] = False
    """In relation `user` it is planned on public counts, and C bounds nothing of it."""
    bounded_method: ClassVar[str] = ""
    """What `method` is there; empty: the same."""
    bounded_version: ClassVar[int] = 1
    """The version of its answers in relation `user`."""
    table: ClassVar[str]
    """Name of its data file without ending."""
    table_title: ClassVar[str]
    measures: ClassVar[tuple[Measure, ...]]
    """The first is the one that maps and headlines show. All measures of a label share one row."""
    smoothed: ClassVar[Measure | None] = None
    """The first measure as it is after smoothing, where its tables may be smoothed."""
    label: ClassVar[Label | None] = None
    models_bias: ClassVar[bool] = False
    """Its intervals allow for modelled bias beside the noise, where there may be any (method 14.2)."""
    by_region: ClassVar[bool] = False
    """The rows of its data file are regions, not HATs."""
    variants: ClassVar[tuple[AnyStatistic, ...]] = ()
    """What its answers to some questions are published as, each with its own key and data file."""
    beside: ClassVar[str] = ""
    """Key of the statistic that a variant follows from, and whose data file it stands beside; its queries are
    those of that statistic."""

    def __init__(self, quantity: Quantity = SPEED) -> None:
        """What the class declares is said of this quantity."""
        self.quantity = quantity
        said = {name: getattr(type(self), name) for name in _NAMED if hasattr(type(self), name)}
        vars(self).update({name: _named(text, quantity) for name, text in said.items()})

    @property
    def all_measures(self) -> tuple[Measure, ...]:
        """Every number that a row may hold, the smoothed one last."""
        return self.measures if self.smoothed is None else (*self.measures, self.smoothed)

    @cache  # noqa: B019 - statistics live as long as the program
    def of(self, quantity: Quantity) -> Self:
        """The same statistic of another quantity; the same object whenever it is asked for."""
        return self if quantity == self.quantity else type(self)(quantity)

    def counted_from_zero(self, estimates: tuple[Estimate, ...]) -> tuple[Estimate, ...]:
        """The numbers as they are published: `draw` counts values from the lower bound (method 2.1)."""
        lower = self.quantity.lower
        if not lower:
            return estimates
        least = {
            measure.name: measure.least for one in (self, *self.variants) for measure in one.all_measures
        }
        return tuple(
            dataclasses.replace(
                item,
                value=item.value + least[item.measure],
                low=item.low + least[item.measure],
                high=item.high + least[item.measure],
                unclamped=None if item.unclamped is None else item.unclamped + least[item.measure],
                label=None if item.label is None else item.label + lower,
            )
            for item in estimates
        )

    @property
    def bounded_reference(self) -> str:
        """Where its form in relation `user` is from."""
        return text_of("{reference}; {ours}, method", reference=self.reference, ours=OURS)

    def params_in(self, relation: Relation) -> type:
        """The class of its parameters in a relation."""
        bounded = self.BoundedParams if relation is Relation.USER else None
        return bounded or self.Params

    def labels_of(self, _parameters: Mapping[str, Any], _upper_bound: int, /) -> tuple[int, ...]:
        """The labels of the rows of every HAT, ascending; none where a HAT has one row.

        upper_bound: U in thousandths. Labels are as they are published.
        """
        return ()

    def published(self, _question: Q, /) -> AnyStatistic:
        """Whose data file the answer belongs in: its own, or that of one of `variants`."""
        return self

    def allows_for_bias(self, question: Q, /) -> bool:
        """Whether the intervals of the answer allow for modelled bias."""
        return bool(self.published(question).models_bias)

    def made_by(self, _question: Q, _plans: Sequence[HatPlan[D]], /) -> Mapping[str, MadeBy]:
        """What a reader needs beside the parameters to work scales out again: public, as JSON has it."""
        return {}

    def scale(self, _counts: HatCounts, _question: Q, /) -> float | None:
        """c, where the noise of the HAT is c / epsilon with c free of epsilon and values; else None.

        What the optimal division weighs HATs with (method 7).
        """
        return None

    def numbers(self, _counts: HatCounts, _question: Q, /) -> NoisyNumbers | None:
        """What turns a Laplace scale B into an epsilon (method 8); None where none may be asked for."""
        return None

    def equal_numbers(self, _question: Q, /) -> float:
        """As how many numbers that share a budget evenly a HAT's vector counts, for one noise or the other.

        Of J numbers that a user moves together each has J times the Laplace noise of one that is alone, but
        sqrt(J) times its Gaussian noise. Any other vector is taken as J by the ratio of both. Source: method
        7.5.
        """
        return 1.0

    def noise_factors(self, _parameters: Mapping[str, Any], /) -> NoiseFactors:
        """As a mechanism's, of every measure; parameters: as a bundle states them, none where it does not."""
        return ONE_DRAW

    def suppression(self, _question: Q, _upper_bound: int, /) -> SuppressionRule | None:
        """How users are dropped from HATs before anything is planned; None where nobody is (method 7)."""
        return None

    @abstractmethod
    def plan(self, counts: HatCounts, epsilon: Decimal, question: Q, /) -> HatPlan[D]:
        """Plan one HAT from public counts. Raises InputError for parameters that do not fit."""

    def plan_gaussian(
        self, _counts: HatCounts, _rho: Decimal, _epsilon: Decimal, _question: Q, /
    ) -> HatPlan[D]:
        """As `plan`, for Gaussian noise that costs rho; epsilon: what that comes to at the delta."""
        raise InternalError(
            "Gaussian noise is asked of a statistic that takes none for each hexagon slot by itself"
        )

    def gaussian_vector(self, _plan: HatPlan[D], /) -> tuple[int, int]:
        """What a user moves the integers of a HAT by that get Gaussian noise (L2), and how many there are."""
        raise InternalError("these numbers have no Gaussian noise of their own")

    def half_width(self, _plan: HatPlan[D], /) -> float | None:
        """Of the leading number's 95 % interval before it is cut to the range, in the unit, as planned.

        None where it is not known before the draw, and where a HAT has more than one such number.
        """
        return None

    def expected_band(self, _plan: HatPlan[D], /) -> ExpectedBand | None:
        """Of the HAT's curve, as planned; None where it has no curve."""
        return None

    @abstractmethod
    def draw(self, plan: HatPlan[D], data: HatRecords, noise: NoiseSource, /) -> tuple[Estimate, ...]:
        """Draw the HAT's numbers, spending exactly `plan.epsilon`, or `plan.rho` in place of it."""


def _named(said: Any, quantity: Quantity) -> Any:
    """A text, measures, variants or a label of the quantity."""
    if isinstance(said, str):
        return quantity.named(said)
    if isinstance(said, tuple):
        return tuple(one.of(quantity) for one in said)
    return None if said is None else said.of(quantity)


AnyStatistic = Statistic[Any, Any]
"""One of the registry: its questions and its plans fit each other, whatever they are."""
