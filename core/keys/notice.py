"""A signed notice on a bundle: withdrawn already, by another key, without a reason (method 14.7)."""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass
from pathlib import Path

from core.accounting.ledger import Ledger
from core.errors import InputError
from core.keys.signing_key import SigningKey, trusted_comment
from core.signed.bundle_names import MANIFEST, SIGNATURE
from core.signed.findings import Finding
from core.signed.minisign import parse_signature, signed_by
from core.signed.notices import (
    LONGEST_REASON,
    Notice,
    NoticeKind,
    is_reason,
    notice_path,
    read_notice,
    signature_of,
)
from core.system.files import write_atomic
from core.system.regular_files import read_regular
from core.texts import text_of

_RELEASE_MARK = "\trelease:"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedNotice:
    """What was written, and whether a ledger knows of it."""

    path: Path
    notice: Notice
    noted: bool
    """The ledger holds the bundle, and now the notice too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Signed:
    """What of a bundle its owner's key vouches for."""

    release: str
    manifest_sha256: str


def publish_notice(
    bundle: Path,
    *,
    reason: str,
    key: SigningKey,
    now: dt.datetime,
    replaced_by: Path | None = None,
    ledger: Ledger | None = None,
) -> PublishedNotice:
    """Write and sign the notice; with `replaced_by`, the folder of another bundle, it is a correction.

    The bundle stays as it is, and what it cost stays spent. Raises InputError for a reason that is no line of
    text, for a bundle that this key did not sign, for one that was withdrawn before, for a replacement that
    was withdrawn or corrected itself, and where the folder cannot be written; LedgerError as the ledger does.
    """
    text = reason.strip()
    if not is_reason(text):
        raise InputError(
            "A notice gives its reason in one line.",
            where="reason",
            mend=text_of("write 1 to {longest_reason} printable characters", longest_reason=LONGEST_REASON),
        )
    about = _signed(bundle, key)
    other = None if replaced_by is None else _signed(replaced_by, key)
    if other is not None and other.release == about.release:
        raise InputError(
            "A bundle cannot take its own place.",
            where=str(replaced_by),
            mend="name the bundle of the new version",
        )
    _require_not_withdrawn(bundle, about, key, ledger)
    if replaced_by is not None and other is not None:
        _require_in_use(replaced_by, other, key)
    notice = Notice(
        kind=NoticeKind.WITHDRAWN if other is None else NoticeKind.CORRECTED,
        release=about.release,
        manifest_sha256=about.manifest_sha256,
        on=now.astimezone(dt.UTC).date(),
        reason=text,
        replaced_by="" if other is None else other.release,
    )
    path = notice_path(bundle, about.release)
    signature = key.sign(notice.file_bytes, trusted_comment(about.release, now, file=path.name))
    # the signature first: alone it says nothing, and an unsigned notice would count for nothing either
    write_atomic(signature_of(path), signature)
    write_atomic(path, notice.file_bytes)
    return PublishedNotice(path=path, notice=notice, noted=_note(notice, ledger))


def _note(notice: Notice, ledger: Ledger | None) -> bool:
    return ledger is not None and ledger.note_notice(
        bundle=notice.release,
        manifest_sha256=notice.manifest_sha256,
        notice=notice.kind.value,
        replaced_by=notice.replaced_by,
        on=notice.on,
    )


def _signed(bundle: Path, key: SigningKey) -> _Signed:
    """Raises InputError unless the folder's manifest is signed by this key."""
    try:
        manifest, content = read_regular(bundle / MANIFEST), read_regular(bundle / SIGNATURE)
    except OSError:
        raise InputError(
            "This is not a release bundle.",
            where=str(bundle),
            mend=text_of(
                "name the folder that holds {manifest} and {signature}",
                manifest=MANIFEST,
                signature=SIGNATURE,
            ),
        ) from None
    signature = parse_signature(content)
    if signature is None or not signed_by(key.public, manifest, signature):
        raise InputError(
            "The key {key_id} did not sign this bundle: only who signed one may correct or withdraw it.",
            key_id=key.key_id,
            where=str(bundle),
            mend="name the key that signed it with --key",
        )
    release = signature.trusted_comment.partition(_RELEASE_MARK)[2]
    return _Signed(release=release, manifest_sha256=hashlib.sha256(manifest).hexdigest())


def _require_not_withdrawn(bundle: Path, about: _Signed, key: SigningKey, ledger: Ledger | None) -> None:
    """What a run that was killed had signed, and not noted yet, is noted before it is refused."""
    earlier = _sound_notice(bundle, about, key)
    if earlier is not None and earlier.kind is NoticeKind.WITHDRAWN:
        _note(earlier, ledger)
        raise InputError(
            "This bundle was withdrawn on {on} already.",
            on=earlier.on,
            where=str(notice_path(bundle, about.release)),
            mend="nothing is left to do",
        )


def _require_in_use(replacement: Path, about: _Signed, key: SigningKey) -> None:
    """Nobody is sent to a bundle that sends them on, perhaps back to where they come from."""
    notice = _sound_notice(replacement, about, key)
    if notice is None:
        return
    if notice.kind is NoticeKind.WITHDRAWN:
        raise InputError(
            "{release} was withdrawn on {on} itself.",
            release=about.release,
            on=notice.on,
            where=str(replacement),
            mend="choose a valid bundle, or withdraw this one without a replacement",
        )
    raise InputError(
        "{release} was corrected on {on} itself.",
        release=about.release,
        on=notice.on,
        where=str(replacement),
        mend=text_of(
            "name {replaced_by}, which takes its place, or a newer bundle", replaced_by=notice.replaced_by
        ),
    )


def _sound_notice(bundle: Path, about: _Signed, key: SigningKey) -> Notice | None:
    """What lies there and is no sound notice of this key counts for nothing, and is replaced."""
    try:
        return read_notice(bundle, about.release, about.manifest_sha256, key.public)
    except Finding:
        return None
