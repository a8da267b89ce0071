"""A release that comes out the same every time: steady noise, keys and clock in place of chance.

`run` repeats, with the code of today, the releases whose files are kept in this folder. The kept files
say what an earlier version published and stored; they are never made anew to please a change.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from numpy.typing import NDArray

from core.accounting import ledger as ledgers
from core.accounting.ledger import Ledger
from core.keys.signing_key import SigningKey
from core.release import draw
from core.release.prepare_publish import PublishedRelease, prepare, publish
from core.signed.minisign import public_key_of
from core.spec import load_spec
from tests.fakes import Integers, only

GOLDEN = Path(__file__).resolve().parent
INPUT = GOLDEN / "input"
SPECS = tuple(sorted(path.stem for path in INPUT.glob("*.toml")))
"""Every spec of the folder; those that name files which are there can be released."""
RELEASED = ("every-statistic", "one-query", "quantiles", "two-step")
SHARES = ("shares", "shares-gauss", "shares-mean")
"""Of ranges that tile with percentiles and exact counts, of others with Gaussian noise, and with a mean."""
BESIDE = ("city", "shares", "taxis", "zones")
"""What 1.0.0 added: a whole city with named hexagons; shares; presence protected; wards with exact counts."""
POPULATION, TAXIS = "Golden buses", "Golden taxis"
NOW = dt.datetime(2026, 11, 22, 9, 30, tzinfo=dt.UTC)


class SteadyNoise:
    """Noise of the right size whose quantiles come in a fixed order; selections take the best score."""

    def __init__(self, _reservation: object) -> None:
        pass

    def scope(self, name: str) -> SteadyScope:
        return SteadyScope(name)


class SteadyScope:
    """The steady noise of one scope: what it draws depends on its name and on how often it was asked."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._asked = 0

    def laplace(self, centre: Integers, sensitivity: Integers, *, spend: Decimal) -> NDArray[np.int64]:
        return self.laplace_vector(np.array([only(centre)], np.int64), only(sensitivity), spend=spend)

    def laplace_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        return np.array([centre + self._step(sensitivity, spend) for centre in centres.tolist()], np.int64)

    def gaussian_vector(
        self, centres: NDArray[np.int64], sensitivity: int, *, spend: Decimal
    ) -> NDArray[np.int64]:
        """Between -1 and 1 standard deviation."""
        deviation = Decimal(sensitivity) / (2 * spend).sqrt()
        return self.laplace_vector(centres, int(deviation), spend=Decimal(1))

    def select(
        self,
        scores: NDArray[np.int64],
        sensitivity: int,  # noqa: ARG002 - the protocol's shape
        *,
        spend: Decimal,  # noqa: ARG002
        size: int | None = None,
    ) -> NDArray[np.int64]:
        assert size in (None, 1)
        return np.array([np.argmax(scores)], np.int64)

    def _step(self, sensitivity: int, spend: Decimal) -> int:
        """Between -1 and 1 scale, in whole numbers all the way."""
        self._asked += 1
        chance = int.from_bytes(hashlib.sha256(f"{self._name} {self._asked}".encode()).digest()[:4])
        thousandths = chance % 2001 - 1000
        return thousandths * sensitivity * 10**6 // (int(spend * 10**6) * 1000)


@contextmanager
def steady() -> Iterator[None]:
    """Noise, keys of populations and the ledger's clock follow no chance."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draw, "SecureNoise", SteadyNoise)
        patch.setattr(ledgers, "_now", lambda: NOW)
        patch.setattr(ledgers.secrets, "token_bytes", lambda size: bytes(range(size)))
        yield


def key() -> SigningKey:
    """A key that everybody knows: what it signs proves nothing but that it is unchanged."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    return SigningKey(private=private, public=public_key_of(private.public_key().public_bytes_raw()))


def open_ledger(path: Path) -> Ledger:
    """A new ledger with the population of the specs."""
    ledger = Ledger.open(path)
    ledger.set_limit(POPULATION, per_vehicle=Decimal(1000), per_vehicle_day=Decimal(900))
    return ledger


def open_ledger_beside(path: Path) -> Ledger:
    """Another, whose populations allow a delta."""
    ledger = Ledger.open(path)
    for population in (POPULATION, TAXIS):
        ledger.set_limit(population, per_vehicle=Decimal(1000), delta=Decimal("1e-6"))
    ledger.mark_different(POPULATION, TAXIS)
    return ledger


def release(name: str, ledger: Ledger, out: Path) -> PublishedRelease:
    """Release one of the specs with steady noise."""
    return publish(prepare(load_spec(INPUT / f"{name}.toml"), ledger), ledger, key=key(), out=out, now=NOW)
