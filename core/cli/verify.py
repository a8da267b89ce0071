"""`verify`: check a bundle; one that is withdrawn, corrected or practice (method 14.5)."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

from core.console.home_option import add_home
from core.console.plain_output import speak_of
from core.console.progress_line import progress_line
from core.signed.notices import NoticeKind
from core.verify.verify import Check, Verification, verify_bundle


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_home(parser)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--public-key", metavar="KEY", help="the publisher's key: its text or a .pub file")
    parser.add_argument("--practice", action="store_true", help="expect a practice release")
    parser.add_argument("--json", action="store_true")


def run(options: argparse.Namespace) -> int:
    """Print each check; 1 where one failed."""
    verification = verify_bundle(
        options.bundle, options.public_key, practice=options.practice, progress=progress_line
    )
    speak_of(verification.subject)
    if options.json:
        print(json.dumps(_verification_json(verification), indent=2))
    else:
        _print_checks(verification.checks)
        if verification.stopped and not verification.only_unread:
            print("Nothing else was checked: what is not sealed is not read.")
        print(_verdict(verification))
    return 0 if verification.ok else 1


def check_published(bundle: Path, public_key: str, *, practice: bool = False) -> int:
    """Check what this computer has just published, and print what is wrong with it; 1 where anything is."""
    verification = verify_bundle(bundle, public_key, practice=practice)
    _print_checks([check for check in verification.checks if not check.passed])
    print(_verdict(verification) if verification.ok else f"{_verdict(verification)} Do not put it online.")
    return 0 if verification.ok else 1


def _print_checks(checks: Iterable[Check]) -> None:
    for check in checks:
        print(f"{'ok    ' if check.passed else 'FAILED'} {check.name}: {check.detail}")


def _verdict(verification: Verification) -> str:
    notice = verification.only_noticed
    if verification.only_unread:
        return "Its files are those that were signed. What they say is checked with --public-key."
    if notice is None:
        return "The bundle is valid." if verification.ok else "The bundle is NOT valid."
    unchanged = "Nothing was changed in it"
    if notice.kind is NoticeKind.WITHDRAWN:
        return f"{unchanged}, but its publisher has withdrawn it: do not use it."
    return f"{unchanged}, but its publisher has corrected it: use {notice.replaced_by} instead."


def _verification_json(verification: Verification) -> dict[str, object]:
    return {
        "ok": verification.ok,
        "trusted": verification.trusted,
        "key_id": verification.key_id,
        "checks": [
            {"name": check.name, "passed": check.passed, "detail": check.detail}
            for check in verification.checks
        ],
    }
