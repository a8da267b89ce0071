"""A ledger with a budget for the made-up city, and a key under a passphrase, as a release needs them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from core.accounting.ledger import Ledger
from core.keys.signing_key import SigningKey, generate_key
from tests.city import PASSPHRASE, POPULATION


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    opened = Ledger.open(tmp_path / "home" / "ledger.sqlite")
    opened.set_limit(POPULATION, per_vehicle=Decimal(10))
    return opened


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    return generate_key(tmp_path_factory.mktemp("key") / "key", PASSPHRASE)
