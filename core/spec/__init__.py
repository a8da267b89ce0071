"""The spec file: its keys explained in one table (a file a section), what they refuse and what follows.

`schema` says what a row is, `value_kinds` what a value may be, `key_checks` what it must fulfil besides.
`declared_tables` reads and writes any table that is declared so, `reading` makes the checked `ReleaseSpec`,
`identity` tells what two requests must share to be the same.
`core.draft.draft` holds the choices of the window, and writes them as such a file.
"""

from core.spec.defaults import DEFAULT_MINIMUM_VEHICLES, DEFAULT_THRESHOLD, DEFAULT_UPPER_BOUND
from core.spec.identity import identity
from core.spec.key_checks import upper_bound_of
from core.spec.keys import SPEC, default_of
from core.spec.reading import (
    load_data,
    load_parts,
    load_spec,
    parse_data,
    parse_spec,
    read_toml,
    reading_rules,
    relation_of,
    subject_named,
)
from core.spec.spec import TABLE_MAPPING, DataSpec, ReleaseSpec, SpecParts
from core.spec.toml_section import Section

__all__ = [
    "DEFAULT_MINIMUM_VEHICLES",
    "DEFAULT_THRESHOLD",
    "DEFAULT_UPPER_BOUND",
    "SPEC",
    "TABLE_MAPPING",
    "DataSpec",
    "ReleaseSpec",
    "Section",
    "SpecParts",
    "default_of",
    "identity",
    "load_data",
    "load_parts",
    "load_spec",
    "parse_data",
    "parse_spec",
    "read_toml",
    "reading_rules",
    "relation_of",
    "subject_named",
    "upper_bound_of",
]
