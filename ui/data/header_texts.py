"""Problems of column names in words, each with its column."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.assist.header_problems import HeaderProblem
from ui.language.translation import stopped, translator

_tr = translator("HeaderWords")

_MOST_SHOWN = 4
_LONGEST = 30


def header_text(problems: Sequence[HeaderProblem]) -> str:
    """The problems in one paragraph; empty without any."""
    texts = [_words(problem) for problem in problems[:_MOST_SHOWN]]
    if len(problems) > _MOST_SHOWN:
        texts.append(_tr("and {n} more").format(n=len(problems) - _MOST_SHOWN))
    return stopped(_tr("! Column names: {problems}").format(problems="; ".join(texts))) if texts else ""


def blocked_text(problems: Sequence[HeaderProblem], mapped: Collection[str]) -> str:
    """Why a load is impossible with these columns mapped; empty where it is possible."""
    for problem in problems:
        if problem.blocks and problem.column in mapped:
            why = _tr("! A chosen column cannot be distinguished: {problem}").format(problem=_words(problem))
            return f"{stopped(why)} {_tr('Choose another, or mend the first line.')}"
    return ""


def _words(problem: HeaderProblem) -> str:
    name = problem.column if len(problem.column) <= _LONGEST else problem.column[: _LONGEST - 1] + "…"
    return {
        "duplicate": _tr("“{name}” is there twice"),
        "unreadable": _tr("“{name}” holds letters that could not be read (other encoding?)"),
        "empty": _tr("column {n} has no name"),
        "padded": _tr("“{name}” has blanks around it"),
        "tab": _tr("“{name}” holds a tab (is tab the delimiter?)"),
        "numeric": _tr("“{name}” is a number (is this a row of data?)"),
        "single": _tr("there is only the column “{name}” (is this another delimiter?)"),
    }[problem.kind].format(name=name.replace("\t", "→"), n=problem.number)
