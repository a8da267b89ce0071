"""A signed notice on a bundle, read: WITHDRAWN or CORRECTED, about another, not signed (method 14.7).

A bundle is never changed, so that the notice is a file beside its folder, with its signature beside that.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.signed.findings import Finding, json_object, require
from core.signed.minisign import PublicKey, parse_signature, signed_by
from core.system.regular_files import read_regular
from core.texts import text_of

NOTICE_FORMAT = "hexveil-notice-1"
NOTICE_SUFFIX = ".notice.json"
LONGEST_REASON = 500
_LARGEST = 65_536
_RELEASE = re.compile(r"[a-z0-9.-]{1,200}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_KEYS = {"format", "notice", "release", "manifest_sha256", "on", "reason", "replaced_by"}


class NoticeKind(StrEnum):
    """What a publisher says of a bundle that is out."""

    WITHDRAWN = "withdrawn"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What the file says."""

    kind: NoticeKind
    release: str
    """`<name>-<version>` of the bundle that it is about."""
    manifest_sha256: str
    """Of that bundle's manifest: another bundle of the same name is not meant."""
    on: dt.date
    """UTC."""
    reason: str
    replaced_by: str = ""
    """`<name>-<version>` of the bundle that takes its place; of a correction alone."""

    @property
    def sentence(self) -> str:
        """For people."""
        if self.kind is NoticeKind.WITHDRAWN:
            return text_of("WITHDRAWN by its publisher on {on}: {reason}", on=self.on, reason=self.reason)
        return text_of(
            "CORRECTED by its publisher on {on}, use {replaced_by} instead: {reason}",
            on=self.on,
            replaced_by=self.replaced_by,
            reason=self.reason,
        )

    @property
    def file_bytes(self) -> bytes:
        """The content of the file."""
        document = {
            "format": NOTICE_FORMAT,
            "notice": self.kind.value,
            "release": self.release,
            "manifest_sha256": self.manifest_sha256,
            "on": self.on.isoformat(),
            "reason": self.reason,
            "replaced_by": self.replaced_by or None,
        }
        return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def notice_path(bundle: Path, release: str) -> Path:
    """Where the notice on a bundle lies: beside its folder, called by its release."""
    return bundle.absolute().parent / f"{release}{NOTICE_SUFFIX}"


def signature_of(path: Path) -> Path:
    """Where the signature of a signed file lies."""
    return path.with_name(f"{path.name}.minisig")


def read_notice(bundle: Path, release: str, manifest_sha256: str, key: PublicKey) -> Notice | None:
    """The notice of this key's owner on a bundle; None where there is no file.

    Raises Finding for a file that `key` did not sign, that is malformed, or that is about another bundle.
    """
    path = notice_path(bundle, release)
    document = signed_document(path, key, _LARGEST)
    if document is None:
        return None
    notice = _notice(path.name, document)
    require(notice.release == release, "{name} is about another release", name=path.name)
    require(
        notice.manifest_sha256 == manifest_sha256,
        "{name} is about another bundle of this name",
        name=path.name,
    )
    return notice


def signed_document(path: Path, key: PublicKey, most: int) -> dict[str, Any] | None:
    """What a signed JSON file of so many bytes at most says; None where there is no file.

    Raises Finding for a file that `key` did not sign, or that is malformed.
    """
    content = _content(path, most)
    if content is None:
        return None
    signature = parse_signature(_content(signature_of(path), most) or b"")
    require(
        signature is not None and signed_by(key, content, signature),
        "{name} is not signed by key {key_id}",
        name=path.name,
        key_id=key.key_id,
    )
    return json_object(path.name, content)


def day_of(name: str, text: object) -> dt.date:
    """The day that a signed file names. Raises Finding where it names none."""
    try:
        return dt.date.fromisoformat(str(text))
    except ValueError:
        raise Finding("{name} names no day", name=name) from None


def _notice(name: str, document: dict[str, Any]) -> Notice:
    require(document.keys() == _KEYS, "{name} has other fields than a notice", name=name)
    require(
        document["format"] == NOTICE_FORMAT, "{name} is in a form that this version does not know", name=name
    )
    texts = [document[key] for key in ("notice", "release", "manifest_sha256", "on", "reason")]
    by = document["replaced_by"]
    require(
        all(isinstance(text, str) for text in [*texts, by or ""]),
        "{name} contains something that is not text",
        name=name,
    )
    kind, release, manifest, on, reason = texts
    require(kind in list(NoticeKind), "{name} neither withdraws nor corrects", name=name)
    require(
        bool(_RELEASE.fullmatch(release) and _SHA256.fullmatch(manifest)), "{name} names no bundle", name=name
    )
    require(is_reason(reason), "{name} gives no reason in one line", name=name)
    corrected = kind == NoticeKind.CORRECTED
    require(corrected is bool(by), "{name} names a successor only where it corrects", name=name)
    require(not by or bool(_RELEASE.fullmatch(by)), "{name} names no bundle that takes its place", name=name)
    return Notice(
        kind=NoticeKind(kind),
        release=release,
        manifest_sha256=manifest,
        on=day_of(name, on),
        reason=reason,
        replaced_by=by or "",
    )


def is_reason(text: str) -> bool:
    """One line that can be shown anywhere."""
    return 0 < len(text) <= LONGEST_REASON and text.isprintable() and text == text.strip()


def _content(path: Path, most: int) -> bytes | None:
    try:
        content = read_regular(path, most=most + 1)
    except FileNotFoundError:
        return None
    except OSError:
        raise Finding("{name} cannot be read", name=path.name) from None
    require(len(content) <= most, "{name} is too large", name=path.name)
    return content
