"""What the commands that read records share: the rules by which files are read, and the cache."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from core.assist.column_guesses import guess_mapping
from core.assist.spacing import spacing_in
from core.clean.mapping import REGULAR, ReadingRules
from core.cli.home_option import home_of
from core.read.preview_rows import Preview
from core.read.reader_registry import reader_for
from core.spec import DEFAULT_UPPER_BOUND, parse_data, read_toml
from core.spec.toml_section import Section
from core.store.record_cache import RecordCache


def rules_for(files: Sequence[Path], spec: Path | None) -> tuple[ReadingRules, dict[str, str]]:
    """How to read the files: by a spec's [data], or guessed from the first file, with reasons."""
    if spec is not None:
        section = Section("data", read_toml(spec).get("data", {}))
        return parse_data(section, spec.absolute().parent, zone_required=False).rules, {}
    guess = guess_mapping(first_rows(files[0]), where=str(files[0]))
    mapping = guess.mapping
    spacing = spacing_in(files[0], mapping.vehicle, mapping.time, guess.file_format)
    rules = ReadingRules(
        mapping=mapping,
        zone=None,
        upper_bound=DEFAULT_UPPER_BOUND,
        format=guess.file_format,
        pings=spacing.choice or REGULAR,
    )
    return rules, guess.reasons | {"pings": f"{rules.pings}: {spacing.reason}"}


def first_rows(file: Path) -> Preview:
    """The preview of a file, from which its mapping is guessed."""
    return reader_for(file).preview(file)


def cache_of(options: argparse.Namespace) -> RecordCache:
    """Loaded records of earlier commands, so that the same files are read once."""
    return RecordCache(home_of(options).cache)
