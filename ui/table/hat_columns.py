"""The columns of the HAT table: what each is headed by, how it prints, which are confidential."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.geodata.near_place import NEAR
from ui.language.translation import translator
from ui.session.hat_texts import place_text, short_cell
from ui.table.rows import JOINT_FACTS, NOISY_WEIGHT, RELEASED, SMOOTHED, HatRows, no_rows
from ui.table.sortable_rows import PLACE_KEY

_tr = translator("HatTableModel")

_OF_ONE_HAT = ("typical", "noise", "bias")
"""In relation `user` all rows have one error, and neither a scale in the unit of the mean nor a bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HatColumn:
    """One column of the table."""

    key: str
    title: str
    confidential: bool = True
    decimals: int | None = None
    """Printed decimals of a number; None for text, and for epsilon, which is rounded up, exact on hover."""
    sample: str = ""
    """A wide value, to find the column's width."""

    @property
    def numeric(self) -> bool:
        return bool(self.key not in {"slot", "hexagon", PLACE_KEY, "status"})


def hat_columns(rows: HatRows, *, smoothed: bool) -> tuple[HatColumn, ...]:
    """All of them; smoothed: with smoothed numbers in the place of the raw ones."""
    unit, of_value = rows.unit, rows.value_unit
    digits = 2 if rows.in_points or unit == of_value else 4
    wide = "100.00" if of_value == no_rows().value_unit else "-100,000.00"

    released = SMOOTHED if smoothed else RELEASED

    def head(title: str) -> str:
        """The unit, where there is one, on a separate line: some are longer than any figure."""
        return f"{title}\n{unit}" if unit else title

    hexagon = HatColumn(key="hexagon", title=_tr("Hexagon"), confidential=False, sample=_longest_id(rows))
    named = rows.by_hexagon and bool(rows.places)
    return (
        HatColumn(key="slot", title=_tr("Slot"), confidential=False, sample=_longest_slot(rows)),
        *(() if named else (hexagon,)),
        HatColumn(
            key=PLACE_KEY,
            title=_tr("Place") if rows.by_hexagon else _tr("Name"),
            confidential=False,
            sample=place_text(f"{NEAR}Central Junction"),
        ),
        # what is published stands first: a narrow tab shows it without scrolling
        HatColumn(
            key=released[0],
            title=f"{_mean_title(rows, smoothed=smoothed)}\n{of_value}",
            confidential=False,
            decimals=2,
            sample=wide,
        ),
        *(
            HatColumn(key=key, title=f"{end}\n{of_value}", confidential=False, decimals=2, sample=wide)
            for key, end in zip(released[1:], (_tr("95 % low"), _tr("95 % high")), strict=True)
        ),
        HatColumn(
            key=NOISY_WEIGHT, title=_tr("Noisy\nweight"), confidential=False, decimals=1, sample="10,000.0"
        ),
        # and then what it is worth
        HatColumn(
            key="status",
            title=_status_title(rows),
            confidential=not rows.by_constants,
            sample=_tr("No information"),
        ),
        HatColumn(
            key="typical",
            title=head(_tr("Typical error")),
            decimals=digits,
            sample=wide,
        ),
        # where a name is read, the id is to look up
        *((hexagon,) if named else ()),
        HatColumn(key="vehicles", title=_tr("Vehicles"), decimals=0, sample="1,000"),
        HatColumn(key="records", title=_tr("Records"), decimals=0, sample="100,000"),
        HatColumn(key="epsilon", title=_tr("Epsilon"), confidential=not rows.by_constants, sample="10.123"),
        HatColumn(
            key="worst",
            title=head(_tr("Raw, at worst") if rows.foretold_smoothed else _tr("At worst")),
            confidential=not rows.by_constants,
            decimals=digits,
            sample=wide,
        ),
        HatColumn(key="noise", title=head(_tr("Noise scale")), decimals=digits, sample=f"1{wide}"),
        HatColumn(key="bias", title=head(_tr("Worst bias")), decimals=digits, sample=wide),
        HatColumn(
            key="modelled",
            title=f"{_tr('Modelled')}\n{_tr('bias')}, {unit}" if unit else _tr("Modelled\nbias"),
            confidential=not rows.joint_released,
            decimals=digits,
            sample=wide,
        ),
        HatColumn(
            key="effective",
            title=_tr("Effective\nvehicles"),
            confidential=not rows.joint_released,
            decimals=1,
            sample="1,000.0",
        ),
    )


def _longest_slot(rows: HatRows) -> str:
    grid = rows.grid
    if not (grid.groups or grid.periods):
        return "00:00"
    return max(map(rows.slot_text, set(rows.slots.tolist())), key=len, default="")


def _longest_id(rows: HatRows) -> str:
    if not rows.by_hexagon:
        return "878d9d69dffffff"
    return short_cell(max(set(rows.cells), key=lambda cell: cell[1], default="878d9d69dffffff"))


def _mean_title(rows: HatRows, *, smoothed: bool) -> str:
    if rows.preview:
        return _tr("Made up")
    if smoothed:
        return _tr("Smoothed")
    return _tr("Released") if rows.value_name else _tr("Released mean")


def _status_title(rows: HatRows) -> str:
    if rows.judged:
        return _tr("Verdict")
    return _tr("Candidate") if rows.by_constants else _tr("Selected")


def is_shown(column: HatColumn, rows: HatRows) -> bool:
    """Columns of a release come with it, those of a joint plan or release with that."""
    if column.key in JOINT_FACTS:
        return rows.joint
    if column.key == PLACE_KEY:
        return bool(rows.places)
    if column.key == NOISY_WEIGHT:
        return bool(np.isfinite(rows.numbers[NOISY_WEIGHT]).any())
    if column.key in _OF_ONE_HAT:
        return not rows.by_constants
    return rows.published is not None or rows.preview or column.key not in (*RELEASED, *SMOOTHED)
