"""What the commands that read records share: the rules by which files are read, and the cache."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Sequence
from pathlib import Path

from core.assist.column_guesses import guess_mapping
from core.assist.spacing import spacing_in
from core.assist.spread_rows import spread_rows
from core.assist.suggested_choices import Suggestion, suggest_choices
from core.clean.mapping import REGULAR, ReadingRules
from core.console.home_option import home_of
from core.errors import InputError
from core.read.file_format import AS_FOUND, FileFormat
from core.read.first_file import first_file
from core.read.path_columns import preview_with_path
from core.read.preview_rows import Preview
from core.spec import DEFAULT_UPPER_BOUND, reading_rules
from core.store.record_cache import RecordCache


def rules_for(
    files: Sequence[Path], spec: Path | None, *, counts_only: bool = False
) -> tuple[ReadingRules, dict[str, str]]:
    """How to read the files: by a spec's [data], or guessed from the first file with rows, with reasons.

    counts_only: nothing is shown but counts, so a spec may leave open what concerns values.
    """
    if spec is not None:
        return reading_rules(spec, counts_only=counts_only), {}
    first, *others = in_order_of_use(files)
    preview = first_rows(first)
    spread = spread_rows(first, preview, others=others)
    guess = guess_mapping(preview, where=str(first), spread=spread)
    mapping = guess.mapping
    spacing = spacing_in(
        first, mapping.vehicle_columns[-1], mapping.time, guess.file_format, date=mapping.date
    )
    rules = ReadingRules(
        mapping=mapping,
        zone=None,
        upper_bound=DEFAULT_UPPER_BOUND,
        format=guess.file_format,
        pings=spacing.choice or REGULAR,
    )
    return rules, guess.reasons | {"pings": f"{rules.pings}: {spacing.reason}"}


def suggestion_for(
    file: Path, preview: Preview, file_format: FileFormat, spread: Preview | None
) -> Suggestion:
    """All that a file's first rows suggest; more rows are asked for the spacing of times.

    spread: what `spread_rows` gives.
    """
    found = suggest_choices(preview, spread)
    choices = dataclasses.replace(
        found.choices,
        encoding=file_format.encoding,
        sheet=file_format.sheet,
        skip_lines=file_format.skip_lines,
    )
    found = dataclasses.replace(found, choices=choices)
    if not (choices.vehicle and choices.time) or choices.date_order is None:
        return found
    written = dataclasses.replace(file_format, date_order=choices.date_order)
    try:
        spacing = spacing_in(file, choices.vehicle, choices.time, written, date=choices.date)
    except InputError:  # further down than the first rows: a reader of all of them reports it
        return found
    return dataclasses.replace(
        found,
        choices=dataclasses.replace(choices, pings=spacing.choice or REGULAR),
        reasons=found.reasons | {"pings": spacing.reason},
    )


def in_order_of_use(files: Sequence[Path]) -> tuple[Path, ...]:
    """The file whose first rows tell how all are read, and the others."""
    first = first_file(files)
    return first, *(file for file in files if file != first)


def first_rows(file: Path, file_format: FileFormat = AS_FOUND) -> Preview:
    """The preview of a file, from which its mapping is guessed."""
    return preview_with_path(file, file_format)


def cache_of(options: argparse.Namespace) -> RecordCache:
    """Loaded records of earlier commands, so that the same files are read once."""
    return RecordCache(home_of(options).cache)
