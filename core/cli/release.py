"""`release`: from a spec to a signed bundle, the review read; or drawn before and free (method 13, 14)."""

from __future__ import annotations

import argparse
import datetime as dt
import sys
from functools import partial
from pathlib import Path

from core.accounting.ledger import Ledger
from core.cli.verify import check_published
from core.console.consent import consents
from core.console.home_option import add_home, home_of
from core.console.passphrase import add_table_passphrase, read_passphrase, read_table_passphrase
from core.console.plain_output import as_printed, speak_of
from core.console.progress_line import progress_line
from core.console.reading_options import cache_of
from core.contributions.encryption import is_unbound
from core.keys.signing_key import load_key
from core.release.prepare_publish import prepare, publish
from core.release.review import Review
from core.release.said_afterwards import said_afterwards
from core.signed.key_notes import require_not_revoked
from core.spec import ReleaseSpec, load_spec


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what may follow the command."""
    add_release_options(parser, spec="SPEC.toml")


def add_release_options(parser: argparse.ArgumentParser, *, spec: str) -> None:
    """What releasing takes; spec: what the file is called in the help."""
    add_home(parser)
    parser.add_argument("spec", type=Path, metavar=spec)
    parser.add_argument("--out", type=Path, required=True, help="folder that receives the bundle")
    parser.add_argument("--key", type=Path, help="signing key (default: the home's)")
    parser.add_argument("--passphrase-file", metavar="FILE|-", help="or HEXVEIL_PASSPHRASE")
    add_table_passphrase(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(options: argparse.Namespace) -> int:
    """Read the spec and release it."""
    return release_spec(load_spec(options.spec), options)


def release_spec(spec: ReleaseSpec, options: argparse.Namespace) -> int:
    """Show the review, ask for consent unless `--yes` gives it, publish, and check what was published."""
    speak_of(spec.quantity.subject, spec.texts.typed, hexagons=spec.place.hexagons)
    home = home_of(options)
    key = load_key(options.key or home.default_key, read_passphrase(options.passphrase_file))
    require_not_revoked(options.out, key.public)
    with Ledger.open(home.ledger) as ledger:
        prepared = prepare(
            spec,
            ledger,
            out=options.out,
            progress=progress_line,
            cache=cache_of(options),
            passphrase=partial(_passphrase_of, options),
        )
        speak_of(spec.quantity.subject, (*spec.texts.typed, *prepared.review.typed))
        _print_review(prepared.review)
        if not options.yes and not _agreed(prepared.review):
            print("Nothing was released.")
            return 0
        published = publish(
            prepared,
            ledger,
            key=key,
            out=options.out,
            now=dt.datetime.now(dt.UTC),
            waiting=lambda text: print(text, file=sys.stderr, flush=True),
        )
    print(f"Published: {published.bundle}")
    print(f"Key:       {key.fingerprint}")
    for sentence in said_afterwards(published.release):
        print(f"! {sentence}")
    if published.repeated:
        print("The same release was drawn before: its stored values were published, nothing was spent.")
    return check_published(published.bundle, key.public_text)


def _passphrase_of(options: argparse.Namespace, table: Path) -> str:
    if is_unbound(table):
        print(
            f"{table} was encrypted by an earlier version: nobody would notice a swapped part. Write it "
            "again.",
            file=sys.stderr,
        )
    return read_table_passphrase(options)


def _agreed(review: Review) -> bool:
    question = review.label_question
    if question and not consents(question, what="A release by labels", mend="answer it, then add --yes"):
        return False
    return consents(review.question, what="A release", mend="read the review, then add --yes")


def _print_review(review: Review) -> None:
    width = max(len(as_printed(label)) for label, _ in review.lines())
    for label, text in review.lines():
        print(f"{label}{' ' * (width - len(as_printed(label)))}  {text}")
    print(review.sentence)
    if review.label_question:
        print(review.label_question)
