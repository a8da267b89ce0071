"""The notes below the steps, in few words: how many HATs in how many regions.

What blocks a step is said by its guard (`ui.session.guards`).
"""

from __future__ import annotations

from core.advice.forecast import Forecast
from core.advice.usefulness import verdict_word
from core.advice.verdict import Verdict
from core.signed.notices import NoticeKind
from core.statistics.base import Measure
from ui.language.counted_words import counted_records
from ui.language.translation import core_text, counted, translator, whole
from ui.session.loaded_data import LoadedData, record_count
from ui.session.query_texts import short_error
from ui.session.selected_counts import by_region_alone, counts_of_regions, selected_counts, suppressed_count

_tr = translator("Steps")


def parameters_title() -> str:
    """Where all that is published is chosen."""
    return _tr("Parameters")


def data_note(data: LoadedData | None) -> str:
    """What is open. Confidential."""
    if data is None:
        return _tr("open records first")
    return counted_records(record_count(data))


def hexagons_note(shown: Forecast, minimum_vehicles: int) -> str:
    """How many hexagon slots are selected, or are candidates; of a forecast that has them."""
    assert shown.selection is not None
    if shown.protects_presence:  # which of them hold records is nobody's to know
        text = len(shown.selection)
        note = counted("{n} candidate hexagon slot", "{n} candidate hexagon slots", text)
        in_regions = counts_of_regions(shown)
        if in_regions is None or in_regions[1] == text:
            return note
        return _tr("{note}, {hats} in regions").format(note=note, hats=whole(in_regions[1]))
    recorded, empty = selected_counts(shown.selection)
    in_regions = counts_of_regions(shown)
    if in_regions and by_region_alone(shown):  # hexagons in all of their hours: more than are selected
        regions, hats = in_regions
        return counted(
            "{hats} hexagon slots in {n} region",
            "{hats} hexagon slots in {n} regions",
            regions,
            hats=whole(hats),
        )
    few = suppressed_count(shown, minimum_vehicles)
    note = counted("{n} hexagon slot selected", "{n} hexagon slots selected", recorded)
    if few and empty:  # in so few words that the list of steps has room for all of them
        short = counted("{n} slot selected", "{n} slots selected", recorded)
        note = _tr("{note} ({few} suppressed), {empty} empty").format(
            note=short, few=whole(few), empty=whole(empty)
        )
    elif few:
        note = _tr("{note}, {few} suppressed").format(note=note, few=whole(few))
    elif empty:
        note = _tr("{note}, {empty} more empty").format(note=note, empty=whole(empty))
    return note


def verdict_note(verdict: Verdict, measure: Measure) -> str:
    """Of confirmed parameters; on the statistic that is least exact."""
    word = core_text(verdict_word(verdict.usefulness))
    return _tr("{word}, error {error}").format(word=word, error=short_error(verdict.error, measure))


def verdict_on_bundle(*, holds: bool, notice: NoticeKind | None) -> str:
    """In so few words that the list of steps has room for them: names of bundles are long."""
    if notice is not None:
        return _tr("was withdrawn") if notice is NoticeKind.WITHDRAWN else _tr("was corrected")
    return _tr("the bundle is valid") if holds else _tr("is NOT valid")


def verified_note(name: str, *, holds: bool, notice: NoticeKind | None) -> str:
    """What the check of a bundle came to; notice: what alone speaks against it."""
    if notice is not None:
        withdrawn = notice is NoticeKind.WITHDRAWN
        text = _tr("{name} was withdrawn") if withdrawn else _tr("{name} was corrected")
    else:
        text = _tr("{name} is valid") if holds else _tr("{name} is NOT valid")
    return text.format(name=name)
