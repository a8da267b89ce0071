"""The works that code and bundles cite: titles of papers, and their short labels.

A mechanism or a statistic names its source in short ("P1 Sec. III-C; P3 Alg. 2"). A reader of a bundle
has no list of these labels, so that what is published expands them here, at the time it is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType

from core.errors import InternalError

OURS = "ours"
"""What a short reference begins with where no work is the source."""
_PUBLISHED_OURS = "Hexveil's own"
DOCUMENTS = MappingProxyType({"city-release": "A whole city under one budget", "method": "Method"})
"""Name of a page of our own -> its title; it comes with the program."""
_INTERNAL = re.compile(r"\b(?:SPEC|CITY|DESIGN|ENGINE|RECIPES|EXAMPLES)\b|\.md\b")
"""Papers of the project itself: nobody who reads a bundle has them."""
_NEXT = re.compile(r"; *|, *(?=(?:P[0-9]+|TR)\b)")
"""A semicolon, or a comma before a label: other commas belong to a place ("eq. 4, 5")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One source. Every field is as its publisher states it."""

    label: str
    """How code and documents cite it: `P1`."""
    title: str
    year: int | None
    """None where the work states none."""
    identifier: str
    """DOI or arXiv number; where there is neither, who published it and how."""

    @property
    def cited(self) -> str:
        """`title (year, identifier)`."""
        year = "" if self.year is None else f"{self.year}, "
        return f"{self.title} ({year}{self.identifier})"


WORKS = MappingProxyType(
    {
        work.label: work
        for work in (
            Work(
                label="P1",
                title="Mean Estimation with User-Level Privacy for Spatio-Temporal IoT Datasets",
                year=2024,
                identifier="DOI 10.1109/SPCOM60851.2024.10631607",
            ),
            Work(
                label="P2",
                title="User-Level Differentially Private Mean Estimation for Real-World Datasets",
                year=2024,
                identifier="ISIT Workshop on Information-Theoretic Methods for Trustworthy Machine Learning",
            ),
            Work(
                label="P3",
                title="Mean Estimation with User-Level Privacy on Multi-Dimensional IoT Datasets",
                year=2024,
                identifier="arXiv:2405.06261v1",  # later versions have another title and other sections
            ),
            Work(
                label="P4",
                title="Differentially Private Release of Spatio-Temporal Data Statistics",
                year=2024,
                identifier="slides, CNI Networks Seminar",
            ),
            Work(
                label="P5",
                title="Bounding User Contributions for User-Level Differentially Private Mean Estimation",
                year=2026,  # at ISIT; the first version, of 2025, has another title
                identifier="arXiv:2502.04749",
            ),
            Work(
                label="TR",
                title="Data Anonymization via Differential Privacy",
                year=None,
                identifier="technical report, version 1.0",
            ),
        )
    }
)
"""Label -> work."""


def citation(reference: str) -> str:
    """A short reference as it is published: each label as `title (year, identifier)`, then the place.

    reference: labels with an optional place each, as "P1 Sec. III-C; P3 Alg. 2", "P2 eq. 4, 5" or
    "P1, P2, P3"; also "ours" and whatever follows it, such as a page of `DOCUMENTS`. Raises InternalError for
    an unknown label, and for a reference to a paper of the project that no reader of a bundle has.
    """
    if _INTERNAL.search(reference):
        raise InternalError(f"the reference {reference!r} names a document that is not published")
    return "; ".join(_expanded(part, reference) for part in _NEXT.split(reference))


def _titled(place: str) -> str:
    """Pages of our own by their titles."""
    for name, title in DOCUMENTS.items():
        place = re.sub(rf"\b{name}\b", f"{title} (documentation of the program)", place)
    return place


def _expanded(part: str, reference: str) -> str:
    """One label with its place, if it has one; or a page of our own."""
    if re.match(rf"{OURS}\b", part.strip()):
        return _PUBLISHED_OURS + _titled(part.strip().removeprefix(OURS))
    label, _, place = part.strip().partition(" ")
    if label not in WORKS:
        raise InternalError(f"the reference {reference!r} names {label!r}, which core.references lacks")
    cited = WORKS[label].cited
    return f"{cited}, {place.strip()}" if place else cited
