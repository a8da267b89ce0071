"""What has changed, in words: how many numbers rose or fell, by chance or not, in one release only."""

from __future__ import annotations

from core.published.comparison import RANGE_TO, ChangeVerdict, Comparison
from core.statistics.share import PERCENTILES
from ui.budget.range_texts import range_text
from ui.language.translation import counted, translator, whole

_tr = translator("ChangeWords")
_MEAN = PERCENTILES.label.word if PERCENTILES.label else ""
_UNCOMPARED = (ChangeVerdict.ONLY_BEFORE, ChangeVerdict.ONLY_AFTER, ChangeVerdict.UNTOLD)


def verdict_words(verdict: ChangeVerdict, *, confirmed: bool) -> str:
    """Of one row."""
    words = {
        ChangeVerdict.LARGER: _tr("rose"),
        ChangeVerdict.SMALLER: _tr("fell"),
        ChangeVerdict.WITHIN_NOISE: _tr("within the noise"),
        ChangeVerdict.ONLY_BEFORE: _tr("in the earlier release only"),
        ChangeVerdict.ONLY_AFTER: _tr("in the later release only"),
        ChangeVerdict.UNTOLD: _tr("no number in either"),
    }
    return _tr("{verdict}, confirmed").format(verdict=words[verdict]) if confirmed else words[verdict]


def label_words(found: Comparison, label: str) -> str:
    """What tells a row from others of its place, as people read it: a range, or what else the file has."""
    ends = label.split(RANGE_TO)
    if len(ends) > 1:
        return range_text((float(ends[0]), float(ends[1])), found.quantity)
    return _tr("mean from shares") if label == _MEAN else label


def changes_in_words(found: Comparison) -> str:
    """How many rose and fell, how many chance alone explains, and how many remain; a line each."""
    counts = found.counts
    rows, confirmed = counts.rows, counts.confirmed
    fields = {"larger": whole(rows[ChangeVerdict.LARGER]), "smaller": whole(rows[ChangeVerdict.SMALLER])}
    lines = [
        counted(
            "Of {n} hexagon slot, {larger} rose and {smaller} fell by more than the noise.",
            "Of {n} hexagon slots, {larger} rose and {smaller} fell by more than the noise.",
            counts.compared,
            **fields,
        )
        if _is_of_hats(found)
        else counted(
            "Of {n} number, {larger} rose and {smaller} fell by more than the noise.",
            "Of {n} numbers, {larger} rose and {smaller} fell by more than the noise.",
            counts.compared,
            **fields,
        ),
        counted("By chance alone about {n} would.", "By chance alone about {n} would.", counts.by_chance),
    ]
    if confirmed is None:
        lines.append(
            _tr("These numbers share the same noise, so Hexveil cannot say how many are more than chance.")
        )
    else:
        text = _tr(
            "Confirmed: {larger} rose and {smaller} fell. On average at most 5 % of such findings are false."
        )
        lines.append(
            text.format(
                larger=whole(confirmed[ChangeVerdict.LARGER]), smaller=whole(confirmed[ChangeVerdict.SMALLER])
            )
        )
    lines += _uncompared(*(rows[one] for one in _UNCOMPARED))
    return "\n".join(lines)


def _uncompared(before: int, after: int, neither: int) -> list[str]:
    """With those above they are the rows of the table."""
    lines = []
    if before:
        lines.append(
            counted(
                "{n} has a number in the earlier release only.",
                "{n} have a number in the earlier release only.",
                before,
            )
        )
    if after:
        lines.append(
            counted(
                "{n} has a number in the later release only.",
                "{n} have a number in the later release only.",
                after,
            )
        )
    if neither:
        lines.append(counted("{n} has no number in either.", "{n} have no number in either.", neither))
    return lines


def _is_of_hats(found: Comparison) -> bool:
    return not found.label and "h3_cell" in found.frame
