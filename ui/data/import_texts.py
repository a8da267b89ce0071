"""Sentences of the import dialog."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.assist.mapping_trial import Trial
from core.clean.mapping import Box
from ui.data.ingest_report import reason_names
from ui.language.translation import counted, translator

_tr = translator("ImportTexts")


def dialog_title(paths: Sequence[Path]) -> str:
    """What the dialog asks."""
    name, count = paths[0].name, len(paths)
    return counted("How is {name} to be read?", "How are these {n} files to be read?", count, name=name)


def unusable_text(trial: Trial, box: Box | None) -> str:
    """Why a load would bring nothing; empty where some row is usable.

    Rows outside the analyst's box tell nothing of those further down.
    """
    faults = trial.dropped.keys() - ({"position_limit"} if box else set())
    if trial.usable or not faults:
        return ""
    words = reason_names(box)
    if trial.no_time_read:  # what helps is shown beside the column of the times: no other row does
        text = _tr("! Nothing to load: none of the rows tried can be used ({reasons}).")
    else:
        text = _tr(
            "! Nothing to load: none of the rows tried can be used ({reasons}). Choose other columns, or try "
            "random rows."
        )
    return text.format(reasons=", ".join(words[reason] for reason in trial.dropped))


def dropped_note(name: str, trial: Trial, box: Box | None) -> str:
    """For the log: which of a file's first rows would be dropped, by number, never their cells."""
    words = reason_names(box)
    text = [
        _tr("{n} {reason} (rows {rows})").format(
            n=count, reason=words[reason], rows=", ".join(str(row + 1) for row in trial.dropped_rows[reason])
        )
        for reason, count in trial.dropped.items()
    ]
    return counted(
        "{file}, first row: {reasons} not usable",
        "{file}, first {n} rows: {reasons} not usable",
        trial.rows,
        file=name,
        reasons=", ".join(text),
    )
