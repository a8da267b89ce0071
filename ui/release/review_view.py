"""What is read before releasing: epsilon of each, spent by a population, protected, what stays open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from core.accounting.epsilon_rounding import delta_text
from core.accounting.ledger_report import PopulationSummary
from core.parameter_fields import Parameter, Value
from core.release.review import QueryReview, Review
from core.texts import text_of
from ui.budget.charged_units import CHARGED_UNITS
from ui.kit.cards import card, flowing
from ui.kit.labels import keep_tops, label
from ui.kit.spec_words import relation_word, unit_word
from ui.language.translation import core_text, sentence, translator
from ui.layout.boxes import in_column, in_grid
from ui.release.known_beforehand import KnownBeforehand
from ui.release.release_jobs import Reviewed
from ui.session.draft_charge import shown_epsilon, unrounded_epsilon
from ui.session.query_texts import budget_text

_OF_QUERIES = frozenset(
    {
        "Verdict",
        "Regions",
        "Constants",
        "Foretold",
        "Smoothed as well",
        "Records of a user",
        "Suppressed users",
    }
)
"""Facts that begin with the id of their query."""
_tr = translator("ReviewView")


def query_names(queries: Sequence[QueryReview]) -> dict[str, str]:
    """Id -> name. A release asks for a statistic once."""
    return {query.query_id: core_text(query.statistic) for query in queries}


def named(text: str, names: Mapping[str, str]) -> str:
    """A fact that begins with the id of its query, with the name in its place; any other as it is."""
    begin, mark, rest = text.partition(": ")
    return f"{names[begin]}{mark}{rest}" if begin in names else text


def asked_words(query: QueryReview) -> str:
    """`epsilon 10 in all; Grouping: BestFit`."""
    off = {one.name for one, value in query.parameters if value is False}
    parameters = (
        f"{core_text(one.label)}: {value_word(one, value)}"
        for one, value in query.parameters
        if one.only_with not in off  # it decides nothing, though it is signed with the rest
    )
    return "; ".join((budget_text(query.budget), *parameters))


def value_word(parameter: Parameter, value: Value) -> str:
    """A value as its list or box shows it."""
    if isinstance(value, bool):
        return _tr("yes") if value else _tr("no")
    if isinstance(value, tuple):
        return parameter.written(value) or _tr("none named")
    if isinstance(value, str):
        return core_text(parameter.titles.get(value, value))
    figure = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{figure} {core_text(parameter.unit)}" if parameter.unit else figure


class ReviewView(QWidget):
    """The review list of a prepared release.

    known: by the id of a query what the panel shows of it; the review itself rests on constants alone.
    """

    def __init__(self, reviewed: Reviewed, known: Mapping[str, KnownBeforehand] | None = None) -> None:
        super().__init__()
        review, self._known = reviewed.prepared.review, known or {}
        self._names = query_names(review.queries)
        layout = in_column(self, spacing=10)
        if review.drawn_before:
            layout.addWidget(card(self, "warning", flowing(core_text(review.drawn_before))))
        for query in review.queries:
            if query.warned:
                layout.addWidget(self._warning(query))
        layout.addWidget(self._budget(review, reviewed.population))
        if len(review.queries) > 1:
            layout.addWidget(self._charges(review))
        layout.addWidget(self._sentence(review))
        layout.addWidget(self._facts(review))
        layout.addStretch(1)

    def _warning(self, query: QueryReview) -> QFrame:
        """Of numbers that tell nothing; where that holds at the threshold only, what the panel says too."""
        said = " ".join(sentence(core_text(part)) for part in query.warned)
        statistic, known = self._names[query.query_id], self._known.get(query.query_id)
        if known is None or not known.informative:
            title = self.tr("Warning: {statistic}").format(statistic=statistic)
            return card(self, "warning", flowing(title, "heading"), flowing(said), spacing=4)
        return card(
            self,
            "card",
            flowing(statistic, "heading"),
            flowing(self.tr("Expected beforehand, as in Decide:"), "muted"),
            flowing(known.verdict),
            flowing(self.tr("By the threshold alone:"), "muted"),
            flowing(said),
            spacing=4,
        )

    def _budget(self, review: Review, population: PopulationSummary | None) -> QFrame:
        self.budget = flowing(look="figure")
        keep_tops(self.budget)  # figures with words between them
        self.balance = flowing(look="muted")
        if population is not None and population.per_vehicle is not None:
            repeated = review.repeats_entry is not None
            after = population.spent if repeated else population.spent_with(review.charge)
            self.budget.setText(
                self.tr("{spent} → {after} of {limit}").format(
                    spent=shown_epsilon(population.spent),
                    after=shown_epsilon(after),
                    limit=unrounded_epsilon(population.per_vehicle),
                )
            )
            self.balance.setText(
                self.tr(
                    "epsilon spent per vehicle by {population}; protected: {unit}, {relation}{delta}"
                ).format(
                    population=population.name,
                    unit=unit_word(review.unit),
                    relation=relation_word(review.relation),
                    delta=self.tr(", delta {delta}").format(delta=delta_text(review.delta))
                    if review.charge.rho
                    else "",
                )
            )
        return card(self, "card", self.budget, self.balance, spacing=2)

    def _charges(self, review: Review) -> QFrame:
        """What each statistic costs, and their sum, for all three units."""
        grid = in_grid(wide=0, across=14, down=5)
        top, right = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignRight
        heads = (self.tr("vehicle"), self.tr("vehicle\nand day"), self.tr("visit"))
        caption = self.tr("Epsilon of each; protected: {unit}, {relation}").format(
            unit=unit_word(review.unit), relation=relation_word(review.relation)
        )
        grid.addWidget(flowing(caption, "muted"), 0, 0, Qt.AlignmentFlag.AlignBottom)
        for column, head in enumerate(heads, start=1):
            grid.addWidget(_figure(head, "muted"), 0, column, Qt.AlignmentFlag.AlignBottom | right)
        rows = [(self._names[query.query_id], query.charge, query.conversion, "") for query in review.queries]
        rows.append((self.tr("All together"), review.charge, review.conversion, "heading"))
        for row, (title, charge, conversion, look) in enumerate(rows, start=1):
            grid.addWidget(flowing(title, look), row, 0, top)
            for column, unit in enumerate(CHARGED_UNITS, start=1):
                stated = review.stated(charge, unit, conversion)
                figure = shown_epsilon(stated.epsilon)
                if stated.mu is not None:
                    figure = self.tr("{epsilon}\nmu {mu}").format(epsilon=figure, mu=shown_epsilon(stated.mu))
                grid.addWidget(_figure(figure, look), row, column, top | right)
        return card(self, "card", grid)

    def _sentence(self, review: Review) -> QFrame:
        self.sentence = flowing(core_text(review.sentence_of_hexagons))
        return card(self, "warning", self.sentence)

    def _facts(self, review: Review) -> QFrame:
        grid = in_grid(wide=1, across=14, down=5)
        grid.setColumnMinimumWidth(0, 150)
        top = Qt.AlignmentFlag.AlignTop
        own = self._own_words(review)
        facts = [
            (self._label(name, review), own.get((name, text)) or self._fact(name, text))
            for name, text in review.facts()
        ]
        facts += [
            (self.tr("Known beforehand"), f"{self._names[query]}: {known.verdict}")
            for query, known in self._known.items()
        ]
        for row, (name, text) in enumerate(facts):
            grid.addWidget(flowing(name, "muted"), row, 0, top)
            grid.addWidget(flowing(text), row, 1, top)
        return card(self, "card", grid)

    def _label(self, name: str, review: Review) -> str:
        """Of a fact; what the report says of one query is called by its statistic too."""
        for found, _ in review.reported:
            if name == f"Epsilon a day of {found}" and found in self._names:
                return core_text(text_of("Epsilon a day of {name}", name=self._names[found]))
        return core_text(name)

    def _fact(self, name: str, text: str) -> str:
        """What a person wrote is never taken for an id."""
        return named(core_text(text), self._names) if name in _OF_QUERIES else core_text(text)

    def _own_words(self, review: Review) -> dict[tuple[str, str], str]:
        """Facts that core tells by keys of a spec, in the words of the window."""
        delta = self.tr(", delta {delta}").format(delta=delta_text(review.delta)) if review.charge.rho else ""
        unit, relation = unit_word(review.unit), relation_word(review.relation)
        costs = {
            name: self.tr("{epsilon} ({relation}, {unit}{delta})").format(
                epsilon=epsilon, unit=unit, relation=relation, delta=delta + core_text(mu)
            )
            for (name, epsilon), mu in zip(review.costs, review.mus, strict=True)
        }
        asked = {
            f"{query.query_id}: {query.asked}": f"{self._names[query.query_id]}: {asked_words(query)}"
            for query in review.queries
        }
        words_of = {}
        for name, text in review.facts():
            words = asked.get(text) if name == "Parameters" else costs.get(name)
            if words is not None:
                words_of[name, text] = words
        return words_of


def _figure(text: str, look: str) -> QLabel:
    """A column's head or number: never broken into lines."""
    made = label(text, look, wraps=False)
    made.setAlignment(Qt.AlignmentFlag.AlignRight)
    return made
