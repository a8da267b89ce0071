"""What architecture 3 wants of the engine, and the table that says whether it is so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.benchmarks.measured import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds (and GiB) that may pass, at one size of data set."""

    first: float
    """A resolution of 5 to 7 for the first time."""
    again: float
    """The same once more; another slot length."""
    knob: float
    """Any other knob: "well under a second" at 13 million records."""
    load: float | None = None
    load_gib: float | None = None


LIMITS = {
    20: Limits(first=1.2, again=0.4, knob=1.0),
    60: Limits(first=2.6, again=0.9, knob=0.9, load=10.0, load_gib=2.2),
    180: Limits(first=9.1, again=3.5, knob=3.5, load=32.0, load_gib=4.3),
}
"""Millions of records, up to which they hold; beyond 20 million the prototype's figures."""


def limits_for(millions: float) -> Limits:
    """The limits of the next listed size. Raises ValueError beyond the largest."""
    for size, limits in LIMITS.items():
        if millions <= size:
            return limits
    raise ValueError(f"no targets for {millions:g} million records: at most {max(LIMITS)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """None: nothing is wanted."""

    seconds: float | None = None
    ratio: float | None = None
    """Times faster than the plain program."""
    gib: float | None = None

    @property
    def text(self) -> str:
        parts = (
            (self.ratio, "{:g}x"),
            (self.seconds, "under {:g} s"),
            (self.gib, "under {:.3g} GiB"),
        )
        return ", ".join(form.format(value) for value, form in parts if value is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """Steps done one after the other."""

    seconds: float
    own_seconds: float
    gib: float
    own_gib: float

    @classmethod
    def of(cls, steps: Sequence[Step]) -> Timed:
        return cls(
            seconds=sum(step.seconds for step in steps),
            own_seconds=sum(step.own_seconds for step in steps),
            gib=max(step.gib for step in steps),
            own_gib=max(step.own_gib for step in steps),
        )

    @property
    def text(self) -> str:
        return f"{self.seconds:.2f} ({self.own_seconds:.2f}) | {self.gib:.2f} ({self.own_gib:.2f})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    title: str
    steps: tuple[str, ...]
    plain: Timed | None
    ours: Timed
    target: Target

    @property
    def ratio(self) -> float | None:
        return self.plain.seconds / self.ours.seconds if self.plain else None

    @property
    def missed(self) -> bool:
        """A ratio without the plain program's time cannot be missed."""
        wanted = self.target
        return (
            (wanted.seconds is not None and self.ours.seconds >= wanted.seconds)
            or (wanted.gib is not None and self.ours.gib >= wanted.gib)
            or (wanted.ratio is not None and self.ratio is not None and self.ratio < wanted.ratio)
        )

    @property
    def verdict(self) -> str:
        if not self.target.text:
            return ""
        if self.missed:
            return "MISSED"
        return "not compared" if self.target.ratio is not None and self.ratio is None else "met"


HEAD = (
    "| step | plain pandas s (CPU) | GiB (own) | hexveil s (CPU) | GiB (own) | times faster | wanted | |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- |"
)


def table(rows: Sequence[Row]) -> str:
    """Markdown. Seconds are by the clock, which counts, and of the processors; GiB the peak of resident
    memory with mapped pages, and of the process's own.
    """
    lines = [HEAD]
    for row in rows:
        plain = row.plain.text if row.plain else "- | -"
        ratio = "-" if row.ratio is None else f"{row.ratio:.1f}"
        lines.append(
            f"| {row.title} | {plain} | {row.ours.text} | {ratio} | {row.target.text} | {row.verdict} |"
        )
    return "\n".join(lines)
