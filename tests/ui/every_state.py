"""States of the window beyond its first look: each method, each statistic, and what opens on request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QWidget

from core.mechanisms.registry import all_mechanisms
from core.privacy import Relation, Unit
from core.statistics.registry import all_statistics, require_statistic
from tests.published_pair import write_pair
from tests.ui.whole_window import wait_until
from ui.kit.jobs import any_running
from ui.kit.param_form import ParamForm
from ui.session.query_texts import new_query
from ui.shell.main_window import MainWindow
from ui.shell.workspace import Workspace


def states_of(window: MainWindow, folder: Path) -> Iterator[tuple[str, QWidget]]:
    """The name of each and the part of the window that it is about; folder: for bundles."""
    workspace = window.workspace
    assert workspace is not None
    yield from _of_values(workspace)
    yield from _on_the_map(workspace)
    yield from _of_bundles(workspace, folder)
    yield from _of_users(workspace)
    try:
        raise ZeroDivisionError
    except ZeroDivisionError as error:
        window.show_fault(error)
    yield "a mistake of the program", window.faults
    window.faults.hide()


def _rest(workspace: Workspace) -> None:
    session = workspace.session
    wait_until(lambda: not session.busy and not session.planning.smoothing and not any_running())


def _unfold(page: QWidget) -> None:
    """What few will change is seen too."""
    for form in page.findChildren(ParamForm):
        unfold = getattr(form, "unfold", None)
        if unfold is not None and unfold.isVisible():
            unfold.setChecked(True)


def _methods(workspace: Workspace, relation: Relation) -> Iterator[tuple[str, QWidget]]:
    for key, mechanism in all_mechanisms().items():
        if relation in mechanism.relations:
            workspace.session.set_mechanism("Mechanism", key, {})
            _rest(workspace)
            _unfold(workspace.parameters)
            yield f"{relation} {key}", workspace.parameters


def _of_values(workspace: Workspace) -> Iterator[tuple[str, QWidget]]:
    session = workspace.session
    workspace.steps.choose("parameters")
    yield from _methods(workspace, Relation.VALUES)
    assert session.source is not None
    for key in all_statistics():
        if all(query.statistic != key for query in session.draft.queries):
            added = new_query(session.draft, require_statistic(key), session.source.rules.upper_bound)
            session.edit(f"Add {key}", queries=(*session.draft.queries, added))
            _rest(workspace)
            _unfold(workspace.parameters)
            yield key, workspace.parameters
    session.pins.pin()
    session.edit("Threshold", threshold=2)
    _rest(workspace)
    yield "A beside B", workspace.decide
    session.pins.unpin()
    session.edit("One statistic", queries=session.draft.queries[:1])
    _rest(workspace)


def _on_the_map(workspace: Workspace) -> Iterator[tuple[str, QWidget]]:
    session, shown = workspace.session, workspace.session.overview
    assert shown is not None
    workspace.tabs.setCurrentIndex(0)
    session.chosen.choose_hat(shown.cells[0], int(shown.slots[0]))
    _rest(workspace)
    yield "card of a hexagon", workspace.map
    session.chosen.choose_hat(None)
    for name, switch in (
        ("layers", workspace.show_layers),
        ("all slots", workspace.map.strip.all_slots.click),
    ):
        switch()
        _rest(workspace)
        yield name, workspace.map
        switch()


def _of_bundles(workspace: Workspace, folder: Path) -> Iterator[tuple[str, QWidget]]:
    pair = write_pair(folder / "pair")
    workspace.places.to_compare.setChecked(True)
    wait_until(lambda: workspace.compare.page is not None)
    page = workspace.compare.page
    assert page is not None
    page.open_bundles(pair)
    wait_until(lambda: page.found is not None and page.map.view.is_ready)
    for tab in range(page.tabs.count()):
        page.tabs.setCurrentIndex(tab)
        _rest(workspace)
        yield f"comparison {tab}", page
    workspace.open_dropped([pair[0]])
    wait_until(lambda: workspace.verify.result is not None)
    _rest(workspace)
    yield "verified", workspace.verify
    yield "map of the bundle", workspace.bundle
    workspace.tabs.setCurrentIndex(0)


def _of_users(workspace: Workspace) -> Iterator[tuple[str, QWidget]]:
    session = workspace.session
    session.choose_relation("Relation", Relation.USER)
    for unit in (Unit.VEHICLE, Unit.VEHICLE_DAY):
        session.edit("Unit", unit=unit)
        _rest(workspace)
        workspace.steps.choose("parameters")
        yield f"user, {unit}", workspace.parameters
        yield from _methods(workspace, Relation.USER)
    workspace.tabs.setCurrentWidget(workspace.error_views)
    for section in range(workspace.error_views.sections.count()):
        workspace.error_views.sections.setCurrentIndex(section)
        _rest(workspace)
        yield f"errors {section}, user", workspace.error_views
    workspace.tabs.setCurrentIndex(0)
