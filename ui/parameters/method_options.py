"""Section *Options*: what the method of the selected query takes, and how its epsilon is given."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from core.mechanisms.base import AnyMechanism
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.region_fields import NO_PART_IN_REGIONS, REGIONS
from core.mechanisms.registry import all_mechanisms
from core.mechanisms.tokens import GAUSS, LAPLACE
from core.parameter_fields import declared
from core.planning.linear_noise import NoiseAdvice
from core.prior.public_prior import PRIOR_NUMBERS
from core.privacy import Relation
from core.quantity import SPEED, UNIT_OF_VALUE, unit_of_parameter
from core.statistics.base import AnyStatistic
from core.statistics.registry import require_statistic
from ui.budget.limit_dialog import LimitDialog
from ui.kit.buttons import push_button
from ui.kit.info_sign import InfoSign
from ui.kit.labels import label, set_look
from ui.kit.param_form import ParamForm
from ui.language.translation import core_text
from ui.layout.boxes import in_column, in_row
from ui.parameters.budget_kind import BudgetKind
from ui.parameters.query_list import QueryList
from ui.parameters.share_ranges import EDITED_HERE
from ui.session.guards.parameters import no_delta
from ui.session.session import Session

_ELSEWHERE = (*PRIOR_NUMBERS, *EDITED_HERE)
"""Parameters that are edited in other sections."""


class NoiseLine(QWidget):
    """The advice of the newest forecast for the selected query, and a button that follows it."""

    def __init__(self, session: Session, chosen: QueryList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._chosen = chosen
        self._offered = ""
        """The noise that the button takes; empty while nothing is said."""
        self.reason = label(look="muted")
        self.use = QPushButton(self)
        self.use.clicked.connect(self._follow)
        change = self.tr("Change the limit…")
        self.limit = push_button(change, self, lambda: LimitDialog(session, self).open())
        in_column(self, self.reason, in_row(None, self.use, self.limit, 1), spacing=4)
        session.forecast_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the newest advice; the button only where it would change the noise that is planned."""
        advice, shown = self._advice, self._session.forecast
        lacking = no_delta(self._session) if self._chosen.query.needs_delta else None
        self._offered = LAPLACE if lacking else advice.noise if advice else ""
        self.setVisible(bool(self._offered))
        self.limit.setVisible(lacking is not None and self._session.ledger.population is not None)
        set_look(self.reason, "warning" if lacking else "muted")
        if lacking is not None:
            self.reason.setText(f"! {lacking.what}\n{lacking.mend}")
            self.use.setText(self.tr("Use &Laplace noise"))
            self.use.setVisible(not self._chosen.query.parameters.get("zoom", False))
            return
        if advice is None or shown is None:
            return
        self.reason.setText(core_text(advice.reason))
        gaussian = advice.noise == GAUSS
        self.use.setText(self.tr("Use &Gaussian noise") if gaussian else self.tr("Use &Laplace noise"))
        planned = shown.plans[self._chosen.number].gaussian
        self.use.setVisible(advice.available and gaussian is not planned)

    @property
    def _advice(self) -> NoiseAdvice | None:
        """Of the selected query; None unless counts are public and the forecast is of the draft's queries."""
        shown, draft, number = self._session.forecast, self._session.draft, self._chosen.number
        if shown is None or draft.relation is not Relation.VALUES:
            return None
        if [plan.query.id for plan in shown.plans] != [query.id for query in draft.queries]:
            return None  # being planned anew
        return shown.noise_advice[number] if shown.noise_advice else None  # none without a unit

    def _follow(self) -> None:
        self._session.edit_query(
            self.tr("Noise"),
            number=self._chosen.number,
            parameters={**self._chosen.query.parameters, NOISE_FIELD: self._offered},
        )


class MethodOptions(QWidget):
    """What the selected query's method does and takes, and how its epsilon is given."""

    def __init__(self, session: Session, chosen: QueryList) -> None:
        super().__init__()
        self._session = session
        self._chosen = chosen
        self._form: ParamForm | None = None
        self._summary = label(look="muted")
        self.source = InfoSign(self.tr("Where it is described"), self)
        line = in_row(None, (self._summary, 1), (self.source, 0, Qt.AlignmentFlag.AlignTop), spacing=6)
        self.budget = BudgetKind(session, chosen, self)
        self.noise = NoiseLine(session, chosen, self)
        self._layout = in_column(self, line, self.budget, self.noise, margins=(0, 0, 0, 6))

    @property
    def form(self) -> ParamForm | None:
        """The parameters; None where there are none."""
        return self._form

    @property
    def method(self) -> AnyStatistic | AnyMechanism:
        """The statistic where it has its own method, else the mechanism."""
        query = self._chosen.query
        statistic = require_statistic(query.statistic).of(self._session.quantity)
        return statistic if statistic.method else all_mechanisms()[query.mechanism]

    @property
    def named(self) -> str:
        """Of what these are the options."""
        return core_text(self.method.title)

    def refresh(self) -> None:
        """Show the selected query, wherever it was changed."""
        method = self.method
        self._summary.setText(core_text(method.summary))
        self.source.tell(self.tr("Source: {reference}").format(reference=method.reference))
        self.noise.refresh()
        self.budget.refresh()
        relation = self._session.draft.relation or Relation.VALUES
        statistic = require_statistic(self._chosen.query.statistic).of(self._session.quantity)
        self._show_form(statistic.params_in(relation) if statistic.method else method.Params)

    def _show_form(self, params: type) -> None:
        values = self._chosen.query.parameters
        quantity = self._session.quantity
        units = {declared: unit_of_parameter(declared, quantity) for declared in (SPEED.unit, UNIT_OF_VALUE)}
        if self._form is not None:
            if self._form.shows(params, values, units):
                return
            self._layout.removeWidget(self._form)
            self._form.hide()  # until Qt deletes it, it must not take the keyboard
            self._form.deleteLater()
            self._form = None
        if declared(params):
            rest_with = {REGIONS: NO_PART_IN_REGIONS}
            self._form = ParamForm(params, values, self, units=units, without=_ELSEWHERE, rest_with=rest_with)
            self._form.changed.connect(self._edit_parameters)
            self._layout.addWidget(self._form)
            self._form.tab_after(self.noise.use)

    def _edit_parameters(self, values: dict[str, Any]) -> None:
        given = self._chosen.query.parameters
        self._session.edit_query(
            self.tr("{method} parameter").format(method=self.named),
            number=self._chosen.number,
            parameters=values | {name: one for name, one in given.items() if name in EDITED_HERE},
        )
