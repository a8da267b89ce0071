"""What the release dialog runs in workers; hexagons shown that are not those of the parameters."""

from __future__ import annotations

import dataclasses
import datetime as dt
from dataclasses import dataclass, field
from pathlib import Path

from core.accounting.ledger import Ledger
from core.accounting.ledger_report import PopulationSummary
from core.clean.ingest_report import IngestReport
from core.contributions import Contributions
from core.draft.draft import DataSource, Draft, spec_of
from core.errors import InputError
from core.grouping.plan_cache import PlanCache
from core.keys.signing_key import load_key
from core.progress import Progress, part, rising, unstoppable
from core.release.contributions_source import same_groups
from core.release.practice import practise
from core.release.prepare_publish import PublishedRelease, check_without_data, plan_release, publish
from core.release.prepared import Prepared
from core.signed.minisign import PublicKey, read_public_key
from core.spec import ReleaseSpec
from core.store.record_cache import RecordCache
from core.system.paths import Home
from core.verify.verify import Verification, verify_bundle
from ui.language.translation import translator
from ui.session.settings import Settings

_tr = translator("ReleaseJobs")
_UNLOCKED, _PLANNED = 0.1, 0.2
"""Shares of a publication: the key, and the plan that the review has made already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The window's state at the moment somebody asked for a release."""

    draft: Draft
    source: DataSource
    contributions: Contributions
    report: IngestReport | None
    """None where a contribution table is open."""
    home: Home
    out: Path
    evaluated: bool = False
    """True errors of the loaded records were shown in this window (method 10)."""
    plan_cache: PlanCache = field(default_factory=PlanCache, repr=False)
    """Of the session: most of the plan is made already."""

    differs: str = ""
    """From the release before in a series, in the window's language; empty: it follows none."""

    @property
    def folder_name(self) -> str:
        """The bundle's name, which the analyst types to confirm."""
        return f"{self.draft.name}-{self.draft.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """A prepared release and the budget it would be charged to."""

    prepared: Prepared = field(repr=False)
    population: PopulationSummary | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFile:
    """A file of a bundle."""

    path: str
    """Relative to the bundle."""
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A published release and what the public needs to check it."""

    published: PublishedRelease
    key: PublicKey
    files: tuple[BundleFile, ...]
    practice: bool = False


def review_release(wanted: Wanted, progress: Progress) -> Reviewed:
    """All checks and the plan, from the contributions at hand: no file of records is read again.

    What the analyst has seen in this window, under whatever population's name, is entered in the ledger
    first, so that the release will say it.
    Raises InputError or BudgetRefused; spends nothing.
    """
    spec = spec_of(wanted.draft, wanted.source, wanted.source.files[0].parent)
    _require_same(spec, wanted.contributions)
    with Ledger.open(wanted.home.ledger) as ledger:
        check_without_data(spec, ledger, out=wanted.out, plan_cache=wanted.plan_cache)
        if wanted.evaluated:
            ledger.mark_evaluated(spec.population)
        prepared = plan_release(
            spec, ledger, wanted.contributions, wanted.report, progress, wanted.plan_cache
        )
        populations = {item.name: item for item in ledger.populations()}
    return Reviewed(prepared=prepared, population=populations.get(spec.population))


def publish_release(reviewed: Prepared, wanted: Wanted, passphrase: str, progress: Progress) -> Outcome:
    """Unlock the key, then reserve, draw, sign and publish. Takes no cancel: it cannot be undone.

    progress: gets how far it is, and what is waited for where the ledger cannot take the draws immediately.
    """
    onward = rising(unstoppable(progress))
    key = load_key(Settings(wanted.home).key_file, passphrase)
    onward(_UNLOCKED)
    with Ledger.open(wanted.home.ledger) as ledger:
        # Since the review another window, or an attempt of ours that found the disk full, may have
        # drawn this very release: drawing it again would be paid for twice.
        current = plan_release(
            reviewed.spec,
            ledger,
            reviewed.contributions,
            reviewed.report,
            part(onward, _UNLOCKED, _PLANNED),
            wanted.plan_cache,
        )
        published = publish(
            current,
            ledger,
            key=key,
            out=wanted.out,
            now=dt.datetime.now(dt.UTC),
            waiting=lambda text: onward(0.0, text),
            progress=part(onward, _PLANNED, 1.0),
        )
    return Outcome(published=published, key=key.public, files=_files_of(published.bundle))


def verify_outcome(outcome: Outcome) -> Verification:
    """The bundle as a stranger checks it, with the key that signed it."""
    return verify_bundle(outcome.published.bundle, outcome.key.text, practice=outcome.practice)


def practise_release(spec: ReleaseSpec, out: Path, cache: RecordCache, progress: Progress) -> Outcome:
    """The sample, with a ledger and a key that are thrown away. Raises InputError for other records."""
    done = practise(spec, out, progress, cache)
    return Outcome(
        published=done.published,
        key=read_public_key(done.public_key),
        files=_files_of(done.bundle),
        practice=True,
    )


def _files_of(bundle: Path) -> tuple[BundleFile, ...]:
    """Every file of a bundle, sorted by path."""
    return tuple(
        BundleFile(path=path.relative_to(bundle).as_posix(), size=path.stat().st_size)
        for path in sorted(bundle.rglob("*"))
        if path.is_file()
    )


def _require_same(spec: ReleaseSpec, contributions: Contributions) -> None:
    """What is shown must be what is released."""
    groups, listed = contributions.window.groups, spec.selection.ids
    asked = (spec.window, spec.place, spec.resolution, spec.data.rules.zone, listed)
    shown = (
        dataclasses.replace(contributions.window, groups=spec.window.groups),
        contributions.choice,
        contributions.resolution,
        contributions.zone,
        contributions.places.ids[: len(listed)],
    )
    if asked != shown or not same_groups(spec.window.groups, groups):
        raise InputError(
            _tr("The hexagons on the screen are not those of the parameters."),
            where="hats",
            mend=_tr("wait until the map is ready, or correct what the step list marks, then review again"),
        )
