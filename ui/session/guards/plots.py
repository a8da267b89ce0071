"""Why plots and comparisons are empty: “Presence too”, no mean, one grid, none chosen on the map or table."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.advice.forecast import HatOverview
from core.evaluate.compared_curves import all_series
from core.hats.slots import SlotGrid
from core.mechanisms.region_fields import REGIONS
from core.planning.user_suppression import published_hats
from core.privacy import Relation, Unit
from core.statistics.cdf import STATISTIC as CDF
from ui.language.translation import core_text, translator
from ui.session.guards.parameters import TYPED_HEXAGONS, draft_unfit, selection_unfit
from ui.session.guards.protection import (
    noise_needs_privacy,
    occupancy_needs_privacy,
    total_needs_privacy,
    unit_open,
)
from ui.session.guards.reasons import Guard, Reason, busy, no_data, still_planning
from ui.session.hat_texts import slot_in_words
from ui.session.session import Session
from ui.session.shown_release import released_distribution, released_row

_tr = translator("Guards")


def window_empty(session: Session) -> Reason | None:
    """Relation `user` allows it: whether anybody was there is private. Screens of counts are not."""
    table = session.contributions
    if table is None or table.hats:
        return None
    return Reason(
        what=_tr("No record lies in this window"),
        mend=_tr(
            "Nothing can be counted (confidential). With “Presence too” the release contains its rows in "
            "any case."
        ),
    )


def no_public_counts(session: Session) -> Reason | None:
    if session.draft.relation is not Relation.USER:
        return None
    return Reason(
        what=_tr("With “Presence too” no count is public"),
        mend=_tr("Counts must not decide a grid, a method or a budget. Plan from public figures."),
    )


def one_grid(session: Session) -> Reason | None:
    """A contribution table holds one grid, and no record that another one could be counted from."""
    if session.table is None:
        return None
    return Reason(
        what=_tr("A contribution table knows its own grid alone"),
        mend=_tr("To compare resolutions and timeslots, open records or a table for each."),
    )


def read_otherwise(session: Session) -> Reason | None:
    """Places, groups and filters need columns that the records were not read with, yet or ever."""
    if not session.reading_differs:
        return None
    return Reason(what=_tr("The records were not read with the columns that this choice needs"))


def no_joint_total(session: Session) -> Reason | None:
    """A joint release has nothing to share out among users who are in one HAT each."""
    if session.draft.unit is not Unit.VEHICLE_HAT_DAY:
        return None
    return Reason(
        what=_tr("One visit of a vehicle lies in one hexagon slot, so there is no total to divide"),
        mend=_tr("Protect a vehicle, or a day of it."),
    )


def no_joint_query(session: Session) -> Reason | None:
    """Only one total for all hexagon slots is shared out over a grid."""
    query = session.draft.compared
    if query is not None and query.joint and not query.parameters.get(REGIONS, False):
        return None
    return Reason(what=_tr("Grids are compared for shares, or for a mean by Tokens without regions"))


def no_mean(session: Session) -> Reason | None:
    if session.draft.mean is not None:
        return None
    return Reason(
        what=_tr("The release has no mean"), mend=_tr("Methods are compared by the means that they publish.")
    )


def constants_not_asked(session: Session) -> Reason | None:
    """Only a mean of which C bounds what counts has constants to choose by their error."""
    draft = session.draft
    if draft.relation is Relation.USER and draft.mean is not None and not draft.mean.takes_public_counts:
        return None
    return Reason(
        what=_tr("No constant to choose here"),
        mend=_tr(
            "With “Presence too”, for the bounded mean, errors are shown against the hexagon slots per "
            "vehicle."
        ),
    )


def prior_unstated(session: Session) -> Reason | None:
    """Without public counts, or without the number of vehicles, no error can be expected of a C."""
    prior = session.draft.prior
    if prior.enough and (prior.fleet or prior.source.path):  # a timetable tells it, a file is refused by name
        return None
    return Reason(
        what=_tr("Public estimates are missing"),
        mend=_tr(
            "Estimate how many vehicles there are and how many a hexagon sees in one slot, or name "
            "public counts."
        ),
    )


def no_curves_of_relation(session: Session) -> Reason | None:
    relation = session.draft.relation
    if any(relation in series.mechanism.relations for series in all_series()):
        return None
    return Reason(
        what=_tr("No error curves for this protection"),
        mend=_tr("With “Presence too” nothing may follow from exact counts."),
    )


def curves_unplanned(session: Session) -> Reason | None:
    shown = session.forecast
    planned = shown is not None and shown.plans and shown.users is not None
    return None if planned else still_planning()


def chosen_hat_empty(session: Session) -> Reason | None:
    contributions, overview, hat = session.contributions, session.overview, session.chosen.hat
    if contributions is None or overview is None or hat is None or index_of(overview, hat) >= 0:
        return None
    return Reason(
        what=_tr("{hat} holds no records").format(hat=hat_name(hat, contributions.window.grid)),
        mend=_choose_another(),
    )


def not_evaluated(session: Session) -> Reason | None:
    """Nobody has confirmed in this window to see true errors of the population that the draft charges."""
    if session.draft.population in session.ledger.evaluated_populations:
        return None
    return Reason(
        what=_tr("Not confirmed yet"),
        mend=_tr("Choose this source once more to confirm that you want to see true errors."),
    )


def index_of(overview: HatOverview, hat: tuple[str, int]) -> int:
    """Which HAT with records this (cell, slot) is; -1 for none."""
    cell, slot = hat
    candidates = np.flatnonzero(overview.slots == slot).tolist()
    return next((index for index in candidates if overview.cells[index] == cell), -1)


def _choose_another() -> str:
    return _tr("Choose another one on the map or in the table.")


def hat_name(hat: tuple[str, int], grid: SlotGrid) -> str:
    """A HAT (cell, slot) in words."""
    cell, slot = hat
    return _tr("Hexagon {cell} at {time}").format(cell=cell, time=slot_in_words(grid, slot))


def counts_protected(session: Session) -> Reason | None:
    if session.draft.relation is Relation.VALUES:
        return None
    return Reason(
        what=_tr("No suppression with “Presence too”"),
        mend=_tr(
            "Which vehicle leaves which hexagon slot follows from exact counts, and these are protected."
        ),
    )


def one_hat_a_user(session: Session) -> Reason | None:
    if session.draft.unit is not Unit.VEHICLE_HAT_DAY:
        return None
    return Reason(
        what=_tr("Nothing to suppress"),
        mend=_tr(
            "One visit of a vehicle lies in one hexagon slot. Suppression is for a vehicle, or a day of it."
        ),
    )


def users_unplanned(session: Session) -> Reason | None:
    """A forecast of the unit before is replaced as soon as planning ends."""
    shown = session.forecast
    if shown is None or shown.users is None or shown.selection is None:
        return still_planning()
    return None if shown.users.unit is session.draft.unit else still_planning()


def nothing_published(session: Session) -> Reason | None:
    shown, overview = session.forecast, session.overview
    if shown is None or shown.selection is None or overview is None:
        return None
    if published_hats(shown.selection.index, overview.vehicles, session.draft.minimum_vehicles).any():
        return None
    return Reason(
        what=_tr("No hexagon slot would be published"), mend=_tr("Select others in step Parameters.")
    )


def no_distribution_released(session: Session) -> Reason | None:
    release = session.release.shown
    if released_distribution(release) is not None:
        return None
    return Reason(
        what=_tr("No released distribution yet"),
        mend=_tr("Release a query with the statistic “{title}”, and look here again.").format(
            title=core_text(CDF.of(session.quantity).title)
        ),
    )


def no_hat_chosen(session: Session) -> Reason | None:
    if session.chosen.hat is not None:
        return None
    return Reason(what=_tr("No hexagon slot is chosen"), mend=_tr("Choose one on the map or in the table."))


def chosen_hat_unreleased(session: Session) -> Reason | None:
    release = session.release.shown
    query, hat = released_distribution(release), session.chosen.hat
    if release is None or query is None or hat is None:
        return None
    row = released_row(release, query, hat)
    if row is not None and row.estimates:
        return None
    what = _tr("{hat} is not in the release") if row is None else _tr("{hat} is suppressed")
    return Reason(what=what.format(hat=hat_name(hat, release.grid)), mend=_choose_another())


ERROR_CURVES: Final[tuple[Guard, ...]] = (
    no_data,
    noise_needs_privacy,
    no_curves_of_relation,
    draft_unfit,
    curves_unplanned,
    chosen_hat_empty,
)
"""Of the loaded records."""
CONSTANT_CURVES: Final[tuple[Guard, ...]] = (
    no_data,
    constants_not_asked,
    *TYPED_HEXAGONS,
    unit_open,
    prior_unstated,
)
"""Errors against the constants of relation `user`."""
COMPARED_COUNTS: Final[tuple[Guard, ...]] = (no_data, window_empty)
"""Histograms and shares of the loaded records."""
COMPARED_GRIDS: Final[tuple[Guard, ...]] = (
    no_data,
    total_needs_privacy,
    no_public_counts,
    no_joint_total,
    no_joint_query,
    one_grid,
    read_otherwise,
)
"""At one total."""
COMPARED_METHODS: Final[tuple[Guard, ...]] = (
    no_data,
    total_needs_privacy,
    no_public_counts,
    no_joint_total,
    no_mean,
    selection_unfit,
    users_unplanned,
    nothing_published,
    busy,
)
"""Of the whole city."""
SUPPRESSION: Final[tuple[Guard, ...]] = (
    no_data,
    occupancy_needs_privacy,
    counts_protected,
    one_hat_a_user,
    draft_unfit,
    users_unplanned,
    nothing_published,
)
RELEASED_DISTRIBUTION: Final[tuple[Guard, ...]] = (
    no_distribution_released,
    no_hat_chosen,
    chosen_hat_unreleased,
)
