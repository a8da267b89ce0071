"""A practice release of the bundled sample only, with a ledger and key thrown away (method 14.6).

All else is as in earnest. The name begins with `practice-`, the documents say so, and `verify` fails unless
an option says that one is expected: nobody takes it for a release.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
import os
import secrets
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

from core.accounting.ledger import Ledger
from core.draft.draft import DataSource, Draft, draft_of, spec_of
from core.errors import InputError
from core.keys.signing_key import generate_key
from core.progress import Progress, silent
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.release_texts import PRACTICE_PREFIX
from core.spec import ReleaseSpec, load_spec
from core.store.record_cache import RecordCache
from core.store.working_folders import temporary_place, working_folder
from core.system.paths import Home, resources

_LIMIT, _DELTA = Decimal(10_000), Decimal("1e-6")
"""Of the population in the ledger that is thrown away: whatever a spec may ask for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeRelease:
    """What came of it."""

    bundle: Path
    public_key: str
    """Of the key that is gone, as text; the bundle holds it too."""
    published: PublishedRelease
    """As of a release in earnest; its entry was thrown away with the ledger."""


def sample_spec() -> ReleaseSpec:
    """The release that comes with the bundled sample."""
    return load_spec(resources() / "sample" / "sample.toml")


def is_sample(source: DataSource) -> bool:
    """Whether the bundled sample is what is loaded."""
    return {path.resolve() for path in source.files} == _sample_files()


@cache
def _sample_files() -> frozenset[Path]:
    return frozenset(sample_spec().data.paths())


def practice_spec(draft: Draft, source: DataSource, out: Path) -> ReleaseSpec:
    """What a draft on the sample asks for; the sample's own words and choices in place of what is still open.

    The version is the first whose bundle is not in `out` yet. Raises InputError for choices that do not fit.
    """
    sample = draft_of(sample_spec())[0]
    names = ("relation", "unit", "population", "name", "title", "publisher", "contact", "licence")
    filled = {name: getattr(draft, name) or getattr(sample, name) for name in names}
    name = PRACTICE_PREFIX + filled["name"].removeprefix(PRACTICE_PREFIX)
    tries = (f"1.0.{number}" for number in itertools.count())
    version = next(text for text in tries if not os.path.lexists(out / f"{name}-{text}"))
    whole = dataclasses.replace(draft, **filled | {"name": name, "version": version, "confirmed": True})
    return spec_of(whole, source, source.files[0].parent)


def practise(
    spec: ReleaseSpec, out: Path, progress: Progress = silent, cache: RecordCache | None = None
) -> PracticeRelease:
    """Release the bundled sample as `spec` says into the folder `out`, under a name that tells.

    Raises InputError for other records, whose vehicles would pay in a ledger that forgets them, and what a
    release raises.
    """
    _require_sample(spec)
    name = PRACTICE_PREFIX + spec.texts.name.removeprefix(PRACTICE_PREFIX)
    named = dataclasses.replace(spec, texts=dataclasses.replace(spec.texts, name=name))
    with working_folder(temporary_place()) as folder:
        home = Home(folder)
        key = generate_key(home.folder / "key", secrets.token_urlsafe())
        with Ledger.open(home.ledger) as ledger:
            ledger.set_limit(spec.population, per_vehicle=_LIMIT, delta=_DELTA)
            prepared = prepare(named, ledger, out=out, progress=progress, cache=cache, practice=True)
            published = publish(prepared, ledger, key=key, out=out, now=dt.datetime.now(dt.UTC))
        return PracticeRelease(bundle=published.bundle, public_key=key.public_text, published=published)


def _require_sample(spec: ReleaseSpec) -> None:
    sample, chosen = sample_spec().data, spec.data
    if chosen.contributions or {path.resolve() for path in chosen.paths()} != set(sample.paths()):
        raise InputError(
            "Practice uses the bundled sample only: real vehicles pay for every release.",
            where="data.files",
            mend="open the sample, or make a real release of these records",
        )
