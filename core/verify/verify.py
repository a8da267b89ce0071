"""Verify a bundle from signer to claims: given keys, successors, languages, practice (method 14)."""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.bundle.protection_texts import PRACTICE
from core.errors import InputError
from core.portal.policy import policy_of_statement
from core.portal.policy_pages import policy_pages
from core.progress import Cancelled, Progress, part, silent, wordless
from core.release_texts import IN_ENGLISH, PRACTICE_PREFIX
from core.signed.bundle_names import (
    DATAPACKAGE,
    MANIFEST,
    POLICY_FILES,
    PRIVACY,
    PUBLIC_KEY,
    SIGNATURE,
    map_in,
    pages_in,
)
from core.signed.findings import Finding, decoded, json_object, require
from core.signed.key_notes import KeyNoteKind, sound_note, successors
from core.signed.manifest import release_of, require_line_ends
from core.signed.minisign import (
    PublicKey,
    Signature,
    parse_public_key,
    parse_signature,
    public_key_of,
    read_public_key,
    signed_by,
)
from core.signed.notices import NOTICE_SUFFIX, Notice, notice_path, read_notice
from core.subject import VEHICLE, Subject
from core.texts import joined, text_of
from core.verify.bounding_figures import check_bounding, says_user
from core.verify.claims import check_datapackage, check_epsilons, check_privacy, check_rows
from core.verify.folder import (
    BundleFolder,
    check_files,
    check_listed_sums,
    check_listing,
    check_memory,
    check_sizes,
    check_sums,
    read_folder,
    read_seal,
)
from core.verify.maps import folder_tables, map_checks
from core.verify.regions import check_regions, holds_regions
from core.verify.row_counts import check_counts, holds_counts
from core.verify.shares import check_shares, holds_shares
from core.verify.statement_reader import is_practice, read_statement
from core.verify.tables import check_cells, check_data, check_table

_NOTICE, _PRACTICE, _MEMORY = "notice", "practice", "memory"
_SEALED = 0.1
"""Part of the work of verifying a bundle: its seal, before anything is understood."""
_NamedCheck = tuple[str, Callable[[BundleFolder], str]]


def holds_policy(folder: BundleFolder) -> bool:
    """Whether the publisher put it into the bundle, or a part of it."""
    return any(name in folder.files for name in POLICY_FILES)


def check_policy(folder: BundleFolder) -> str:
    """Both pages, byte by byte what privacy.json makes of them."""
    made = policy_pages(
        policy_of_statement(json_object(PRIVACY, folder.read(PRIVACY)), folder_tables(folder))
    )
    for name, content in made.items():
        require(folder.read(name) == content, "{name} does not match {privacy}", name=name)
    return text_of("{made} say what {privacy} states", made=joined(" and ", made), privacy=PRIVACY)


def check_languages(folder: BundleFolder) -> str:
    """README and report are there in each language that privacy.json names."""
    stated = read_statement(folder).stated
    languages = [one for one in getattr(stated, "languages", ()) if one != IN_ENGLISH]
    for name in (name for one in languages for name in pages_in(one)):
        require(name in folder.files, "{name} is missing", name=name)
    said = ", ".join(languages)
    if all(map_in(one) in folder.files for one in languages):
        return text_of("README, report and map page are in {languages} too", languages=said)
    return text_of("README and report are in {languages} too", languages=said)


def _in_languages(folder: BundleFolder) -> bool:
    try:
        return bool(getattr(read_statement(folder).stated, "languages", ()))
    except Finding:  # another check says what is wrong with it
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at."""

    name: str
    passed: bool
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What came of checking a bundle."""

    checks: tuple[Check, ...]
    trusted: bool
    """Signed by the key that was given; False when none was given."""
    key_id: str
    """Of the signature, as it says itself; empty when it cannot be read."""
    stopped: bool = False
    """Sizes, sums or signature do not hold, and so nothing else was looked at."""
    subject: Subject = VEHICLE
    """Whom it protects, as it says itself."""
    notice: Notice | None = None
    """What its publisher says of it since, where that is sound."""

    @property
    def ok(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    @property
    def only_practice(self) -> bool:
        """It is a practice release that nobody expected, and nothing else speaks against it."""
        return {check.name for check in self.checks if not check.passed} == {_PRACTICE}

    @property
    def only_unread(self) -> bool:
        """Its files are those that were signed; some are too large to be read without the publisher's key."""
        return {check.name for check in self.checks if not check.passed} == {_MEMORY}

    @property
    def only_noticed(self) -> Notice | None:
        """The publisher's notice, where it alone speaks against a bundle that is as it was published."""
        failed = {check.name for check in self.checks if not check.passed}
        return self.notice if failed == {_NOTICE} else None


def verify_bundle(
    path: Path, public_key: str | None = None, *, practice: bool = False, progress: Progress = silent
) -> Verification:
    """Check the bundle in the folder `path`, or in the zip that it was packed as.

    practice: whether a practice release is what one expects; one that nobody expects fails.
    public_key: the publisher's key, as its 56-character text or the path of a `.pub` file; without
    it the bundle's own key is used, and nothing is known about the signer. Raises InputError when
    this is no bundle at all, or no key; whatever is inside becomes a failed check, and a zip that is
    not put together as a bundle's is the failed check `packed`.
    Sizes, sums and signature come first; where they do not hold, nothing else is read. progress: raises
    Cancelled to stop.
    """
    given = read_public_key(public_key) if public_key else None
    try:
        seal = read_seal(path)
    except Finding as finding:
        return _unopened(finding)
    _require_bundle(seal)
    sealed = _run_all(_seal_checks(given), seal, part(progress, 0.0, _SEALED))
    stopped = not all(check.passed for check in sealed)
    notice, subject = None, VEHICLE
    if stopped:
        checks = sealed
    else:
        # read anew and summed again: what is understood is what was signed
        folder = read_folder(path)
        whole = _checks(given, folder, practice)
        checks = (sealed[0], *_run_all(whole, folder, part(progress, _SEALED, 1.0)))
        notice, subject = _sound_notice(folder), folder.quantity.subject
    signature = parse_signature(seal.contents.get(SIGNATURE, b""))
    return Verification(
        checks=checks,
        trusted=given is not None and all(check.passed for check in checks if check.name == "signer"),
        key_id=signature.key_id if signature else "",
        stopped=stopped,
        subject=subject,
        notice=notice,
    )


def _unopened(finding: Finding) -> Verification:
    """What came of a zip that is none of a bundle."""
    packed = Check(name="packed", passed=False, detail=str(finding))
    return Verification(checks=(packed,), trusted=False, key_id="", stopped=True)


def _require_bundle(seal: BundleFolder) -> None:
    if not {MANIFEST, DATAPACKAGE} & {*seal.files, *seal.folders, *seal.strange}:
        raise InputError(
            "This is not a release bundle.",
            where=str(seal.path),
            mend=text_of(
                "name the folder that holds {manifest} and {datapackage}, or the zip of it",
                manifest=MANIFEST,
                datapackage=DATAPACKAGE,
            ),
        )


def _seal_checks(given: PublicKey | None) -> tuple[_NamedCheck, ...]:
    """What must hold before anything of a stranger's is understood: in bounded time and memory."""
    return (
        ("sizes", check_sizes),
        ("files", check_listing),
        ("signature", _check_signature),
        ("signer", lambda folder: _check_signer(folder, given)),
        ("sums", check_listed_sums),
        *(((_MEMORY, check_memory),) if given is None else ()),
    )


def _checks(given: PublicKey | None, folder: BundleFolder, practice: bool) -> tuple[_NamedCheck, ...]:
    """All further checks, in the order in which a person reads them."""
    return (
        *(((_PRACTICE, lambda folder: _check_practice(folder, practice)),) if _practice(folder) else ()),
        *(((_NOTICE, _check_notice),) if _noticed(folder) else ()),
        ("files", check_files),
        ("sums", check_sums),
        ("signature", _check_signature),
        ("signer", lambda folder: _check_signer(folder, given)),
        ("datapackage", check_datapackage),
        ("data", check_data),
        ("epsilon_summary", lambda folder: check_table(folder.summary)(folder)),
        ("cells", check_cells),
        *((("regions", check_regions),) if holds_regions(folder) else ()),
        ("privacy", _check_privacy),
        ("values", check_rows),
        ("epsilons", check_epsilons),
        *((("exact_counts", check_counts),) if holds_counts(folder) else ()),
        *((("shares", check_shares),) if holds_shares(folder) else ()),
        *((("constants", check_bounding),) if says_user(folder) else ()),
        *(map_checks() if folder.map_format else ()),
        *((("languages", check_languages),) if _in_languages(folder) else ()),
        *((("policy", check_policy),) if holds_policy(folder) else ()),
    )


def _practice(folder: BundleFolder) -> bool:
    try:
        return is_practice(folder)
    except Finding:  # the other checks say what is wrong with it
        return False


def _check_practice(folder: BundleFolder, practice: bool) -> str:
    """Its name says so too, and somebody expects it."""
    named = read_statement(folder).release.startswith(PRACTICE_PREFIX)
    require(
        named,
        "{privacy} names a practice release, but its name does not begin with {practice_prefix}",
        practice_prefix=PRACTICE_PREFIX,
    )
    require(practice, PRACTICE)
    return PRACTICE


def _noticed(folder: BundleFolder) -> bool:
    """A notice on the bundle lies beside it."""
    try:
        return os.path.lexists(notice_path(folder.path, release_of(_signature(folder))))
    except Finding:
        return False


def _check_notice(folder: BundleFolder) -> str:
    """What the publisher says of it since; a file that the publisher did not sign says nothing."""
    release = release_of(_signature(folder))
    try:
        notice = _read_notice(folder)
    except Finding as finding:
        return text_of("{finding}: it is ignored", finding=finding)
    require(
        notice is not None,
        "{release}{notice_suffix} is missing",
        release=release,
        notice_suffix=NOTICE_SUFFIX,
    )
    assert notice is not None
    raise Finding(notice.sentence)


def _read_notice(folder: BundleFolder) -> Notice | None:
    """By the key that signed the bundle, which may be a successor's of the one that is given."""
    release = release_of(_signature(folder))
    manifest_sha256 = hashlib.sha256(folder.read(MANIFEST)).hexdigest()
    return read_notice(folder.path, release, manifest_sha256, _bundle_key(folder))


def _sound_notice(folder: BundleFolder) -> Notice | None:
    """None as well where its check tells why it counts for nothing, or that it cannot be checked."""
    try:
        return _read_notice(folder)
    except Exception:  # a stranger's file, as any that is checked
        return None


def _run_all(checks: tuple[_NamedCheck, ...], folder: BundleFolder, progress: Progress) -> tuple[Check, ...]:
    """Each check in turn; after `sizes` that do not hold, none."""
    done: list[Check] = []
    for number, (name, check) in enumerate(checks):
        own = wordless(
            part(progress, number / len(checks), (number + 1) / len(checks)),
            text_of("Checking {name}", name=name),
        )
        own(0.0)
        done.append(_run(name, check, dataclasses.replace(folder, progress=own)))
        if name == "sizes" and not done[-1].passed:
            break
    progress(1.0)
    return tuple(done)


def _run(name: str, check: Callable[[BundleFolder], str], folder: BundleFolder) -> Check:
    try:
        return Check(name=name, passed=True, detail=check(folder))
    except Cancelled:
        raise
    except Finding as finding:
        return Check(name=name, passed=False, detail=str(finding))
    except Exception as error:
        # The folder comes from a stranger: what we did not foresee is a failed check, not a crash.
        return Check(
            name=name, passed=False, detail=text_of("cannot be checked ({name})", name=type(error).__name__)
        )


def _check_signature(folder: BundleFolder) -> str:
    """The bundle's own key signed the manifest and the trusted comment."""
    signature, key = _signature(folder), _bundle_key(folder)
    require_line_ends(folder.read(MANIFEST))
    require(
        signed_by(key, folder.read(MANIFEST), signature),
        "{signature} is not a signature of {manifest} by {public_key}",
    )
    return text_of(
        "{manifest} signed by key {key_id}, {value}",
        manifest=MANIFEST,
        key_id=key.key_id,
        value=signature.trusted_comment.split(chr(9))[0],
    )


def _check_signer(folder: BundleFolder, given: PublicKey | None) -> str:
    """The given key signed, or one that follows it by signed notes; it is the bundle's, and not revoked."""
    beside = folder.path.absolute().parent
    if given is None:
        _require_valid(folder, _bundle_key(folder), beside)
        return "signer not checked: give the publisher's key, the one inside proves nothing by itself"
    signature, manifest = _signature(folder), folder.read(MANIFEST)
    keys = (key for key in successors(beside, given) if signed_by(key, manifest, signature))
    signer = next(keys, None)
    require(signer is not None, "not signed by the given key {key_id}", key_id=given.key_id)
    assert signer is not None
    require(_bundle_key(folder) == signer, "{public_key} is not the given key")
    _require_valid(folder, signer, beside)
    if signer == given:
        return text_of("signed by the given key, fingerprint {fingerprint}", fingerprint=given.fingerprint)
    return text_of(
        "signed by key {key_id}, the successor of the given key {key_id2} by its own note",
        key_id=signer.key_id,
        key_id2=given.key_id,
    )


def _require_valid(folder: BundleFolder, key: PublicKey, beside: Path) -> None:
    """Raises Finding where the key's owner has revoked it and does not list this bundle."""
    note = sound_note(beside, key)
    if note is not None and note.kind is KeyNoteKind.REVOKED:
        manifest_sha256 = hashlib.sha256(folder.read(MANIFEST)).hexdigest()
        require(manifest_sha256 in note.published, note.sentence)


def _check_privacy(folder: BundleFolder) -> str:
    return check_privacy(folder, release_of(_signature(folder)), _bundle_key(folder).key_id)


def _signature(folder: BundleFolder) -> Signature:
    signature = parse_signature(folder.read(SIGNATURE))
    if signature is None:
        raise Finding("{signature} is not, byte for byte, a signature as Hexveil writes it")
    release_of(signature)
    return signature


def _bundle_key(folder: BundleFolder) -> PublicKey:
    content = folder.read(PUBLIC_KEY)
    key = parse_public_key(decoded(PUBLIC_KEY, content))
    if key is None or key != public_key_of(key.raw) or key.file_bytes != content:
        raise Finding("{public_key} is not, byte for byte, a key as Hexveil writes it")
    return key
