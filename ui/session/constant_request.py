"""What the constants of relation `user` would bring: what is asked, why it has no answer, and the answer."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from core.advice.constant_curve import ConstantOutlook, cheapest_choice, constant_outlook
from core.advice.user_forecast import PublicChoices
from core.bounding.candidates import candidate_hats
from core.draft.draft import QueryDraft
from core.errors import InputError
from core.mechanisms.noise_field import NOISE_FIELD
from core.mechanisms.tokens import AUTO
from core.planning.constant_choice import ConstantChoice, PublicCity, noises_of
from core.progress import Progress
from ui.kit.message_bar import Message, message_of
from ui.session.guards.plots import CONSTANT_CURVES
from ui.session.guards.reasons import first_reason, nothing_loaded
from ui.session.planning import public_choices
from ui.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantRequest:
    """Everything that the answer follows from; none of it from the records."""

    choices: PublicChoices
    total: Decimal
    noise: str

    def city(self, progress: Progress) -> PublicCity:
        """What the candidates are thought to hold. Raises InputError, and what `progress` does."""
        constants, found = self.choices.constants(), self.choices.source(progress)
        public = self.choices.prior.counts(candidate_hats(constants), found)
        return PublicCity(public, constants, delta=self.choices.delta)


def constant_request(session: Session) -> ConstantRequest | Message:
    """What to compute for the session as it stands, or what is missing for it."""
    if reason := first_reason(session, CONSTANT_CURVES):
        return reason
    query = bounded_mean_of(session)
    if session.source is None or query is None or query.budget.total is None:
        return nothing_loaded()
    try:
        choices = public_choices(session.draft, session.source, session.prior_reader, session.ledger.delta)
    except InputError as error:
        return message_of(error)
    return ConstantRequest(
        choices=choices, total=query.budget.total, noise=str(query.parameters.get(NOISE_FIELD, AUTO))
    )


def bounded_mean_of(session: Session) -> QueryDraft | None:
    """The mean of which C bounds what counts; None where the draft has none."""
    mean = session.draft.mean
    return None if mean is None or mean.takes_public_counts else mean


def outlook_of(request: ConstantRequest, progress: Progress) -> ConstantOutlook:
    """The curves, in a worker thread. Raises InputError for public counts that do not fit."""
    chosen = request.choices.hats_per_vehicle
    return constant_outlook(request.city(progress), request.total, chosen=chosen, progress=progress)


def choice_for(request: ConstantRequest, wanted_kmh: float, progress: Progress) -> ConstantChoice:
    """Total and C for an acceptable error, in a worker thread. Raises InputError where nothing is enough."""
    noises = noises_of(request.noise, request.choices.delta)
    return cheapest_choice(request.city(progress), noises, wanted_kmh, progress=progress)
