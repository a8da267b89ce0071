"""The bundles that are compared, checked in a worker: valid, and by which key they are signed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import HexveilError
from core.progress import Progress
from core.published.bundle_frames import PublishedBundle, read_bundle
from core.signed.bundle_names import PUBLIC_KEY
from core.signed.findings import Finding
from core.system.regular_files import read_regular
from core.verify.folder import read_seal
from ui.language.translation import core_text, translator

_tr = translator("OpenedBundles")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedBundle:
    """A folder or zip that somebody opened; while it is checked there is neither a bundle nor an error."""

    path: Path
    bundle: PublishedBundle | None = None
    error: Exception | None = None
    """Why it is none that can be read."""
    own: bool = False
    """The key of this home signed it."""

    @property
    def name(self) -> str:
        return self.path.name if self.bundle is None else self.bundle.release

    @property
    def sign(self) -> str:
        """Never colour alone."""
        if self.bundle is None:
            return "✗" if self.error else "…"
        if self.bundle.remark:
            return "!"
        return "✓" if self.bundle.trusted else "–"

    @property
    def state(self) -> str:
        """In words, in a line."""
        if self.bundle is None:
            return _tr("cannot be read") if self.error else _tr("being checked…")
        if self.bundle.remark:
            return core_text(self.bundle.remark)
        if self.own:
            return _tr("valid; signed by your own key")
        return (
            _tr("valid; signed by the key given") if self.bundle.trusted else _tr("valid; signer not checked")
        )

    @property
    def dates(self) -> str:
        """First and last date of the window; empty where nothing is known."""
        if self.bundle is None:
            return ""
        first, last = self.bundle.first, self.bundle.last
        return first if first == last else f"{first} – {last}"


def check_bundles(
    paths: Sequence[Path], key: str, own_key: Path
) -> Callable[[Progress], tuple[OpenedBundle, ...]]:
    """The work of a job: one after the other, none hinders the next.

    key: of the publisher, empty for none; own_key: the public key of this home, which need not be there.
    """

    def work(progress: Progress) -> tuple[OpenedBundle, ...]:
        done = []
        for number, path in enumerate(paths):
            progress(number / len(paths), "Checking the bundle…")
            done.append(_checked(path, key, own_key))
        return tuple(done)

    return work


def _checked(path: Path, key: str, own_key: Path) -> OpenedBundle:
    try:
        own = not key and _signed_by(path, own_key)
        return OpenedBundle(
            path=path, bundle=read_bundle(path, key or (str(own_key) if own else None)), own=own
        )
    except HexveilError as error:
        return OpenedBundle(path=path, error=error)


def _signed_by(bundle: Path, own_key: Path) -> bool:
    """The key in it is this home's: nobody has to paste a key that is one's own."""
    try:
        return read_seal(bundle).contents.get(PUBLIC_KEY) == read_regular(own_key)
    except (Finding, OSError):
        return False
