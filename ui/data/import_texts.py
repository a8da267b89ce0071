"""Sentences of the import dialog: how a file is to be read, nothing to load, odd names of columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from core.assist.header_problems import HeaderProblem
from core.assist.mapping_trial import Trial
from core.clean.mapping import Box
from ui.data.ingest_report import reason_names
from ui.language.translation import counted, stopped, translator

_tr = translator("ImportTexts")
_MOST_SHOWN = 4
_LONGEST = 30


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


def header_text(problems: Sequence[HeaderProblem]) -> str:
    """The problems in one paragraph; empty without any."""
    texts = [_of_header(problem) for problem in problems[:_MOST_SHOWN]]
    if len(problems) > _MOST_SHOWN:
        texts.append(_tr("and {n} more").format(n=len(problems) - _MOST_SHOWN))
    return stopped(_tr("! Column names: {problems}").format(problems="; ".join(texts))) if texts else ""


def blocked_text(problems: Sequence[HeaderProblem], mapped: Collection[str]) -> str:
    """Why a load is impossible with these columns mapped; empty where it is possible."""
    for problem in problems:
        if problem.blocks and problem.column in mapped:
            why = _tr("! A chosen column cannot be distinguished: {problem}").format(
                problem=_of_header(problem)
            )
            return f"{stopped(why)} {_tr('Choose another, or correct the first line.')}"
    return ""


def _of_header(problem: HeaderProblem) -> str:
    name = problem.column if len(problem.column) <= _LONGEST else problem.column[: _LONGEST - 1] + "…"
    return {
        "duplicate": _tr("“{name}” is there twice"),
        "unreadable": _tr("“{name}” has unreadable letters (is the encoding a different one?)"),
        "empty": _tr("column {n} has no name"),
        "padded": _tr("“{name}” has spaces around it"),
        "tab": _tr("“{name}” contains a tab (is tab the delimiter?)"),
        "numeric": _tr("“{name}” is a number (is this a row of data?)"),
        "single": _tr("only one column was found, “{name}” (is the delimiter a different one?)"),
    }[problem.kind].format(name=name.replace("\t", "→"), n=problem.number)
