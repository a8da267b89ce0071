"""A contribution table at rest under a passphrase: Parquet modular encryption with keys wrapped by scrypt.

Each file has a random 256-bit key of its own, which encrypts its metadata and its columns (AES-GCM). The file
carries this key, itself encrypted under the key that scrypt derives of the passphrase and of a salt. Nothing
is ever written in the clear, not even for a moment. Source: Apache Parquet modular encryption (AES_GCM_V1,
encrypted footer, key material within the file).
"""

from __future__ import annotations

import base64
import binascii
import secrets
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet.encryption as pe
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from core import passphrase_key
from core.errors import InputError
from core.passphrase_key import SALT_BYTES, derived_key
from core.passphrase_strength import LEAST_LENGTH, strength_told
from core.read.input_files import unreadable_as_input_error
from core.regular_files import open_regular

AskPassphrase = Callable[[Path], str]
"""Asked once for a table, with its path, and only where it is encrypted. May raise what stops the reading."""
_MAGIC = b"PARE"
"""How a Parquet file begins whose metadata are encrypted."""
_SCHEME = "hexveil-scrypt-1"
_LONGEST_WRAPPED = 512
_MOST_FOOTER = 1 << 24
"""Bytes at the end of a file that its encrypted metadata and the wrapped key before them may take."""
_MOST_COST = 1 << 20
"""scrypt's N that a file may ask for: 1 GiB."""
_NONCE = 12
_DATA_KEY_BITS = 256
_OF_ALL = "table"
"""The name of the only master key, as the file has it."""


class WrongPassphrase(InputError):
    """The passphrase does not open the table: who asked for it may ask again."""


class _Unopened(Exception):
    """A key of a file does not open, or is none of ours."""


def is_encrypted(path: Path) -> bool:
    """Whether a Parquet file needs a passphrase. Raises InputError where it cannot be read."""
    with unreadable_as_input_error(path), open_regular(path) as file:
        return file.read(len(_MAGIC)) == _MAGIC


def is_under_passphrase(path: Path) -> bool:
    """Whether an encrypted file carries a key as this program wraps it, at its end.

    Raises InputError where it cannot be read.
    """
    with unreadable_as_input_error(path), open_regular(path) as file:
        file.seek(max(path.stat().st_size - _MOST_FOOTER, 0))
        return _SCHEME.encode() in file.read()


class TableCipher:
    """The passphrase of one table, for all of its files. Keys that scrypt derived are kept with it."""

    def __init__(self, passphrase: str) -> None:
        self._passphrase = passphrase.encode("utf-8", "surrogatepass")
        self._salt = secrets.token_bytes(SALT_BYTES)
        self._keys: dict[tuple[bytes, int], bytes] = {}
        self._factory = pe.CryptoFactory(lambda _: _Wrapping(self))

    def of_new_file(self) -> object:
        """Encryption properties for one more file of the table, with a key of its own."""
        config = pe.EncryptionConfiguration(
            footer_key=_OF_ALL,
            uniform_encryption=True,
            double_wrapping=False,
            data_key_length_bits=_DATA_KEY_BITS,
        )
        return self._factory.file_encryption_properties(pe.KmsConnectionConfig(), config)

    def of_file(self) -> object:
        """Decryption properties for a file; it may be one in the clear."""
        return self._factory.file_decryption_properties(pe.KmsConnectionConfig())

    def wrap(self, key: bytes) -> bytes:
        """The key of a file, as the file may carry it."""
        cost, nonce = passphrase_key.COST, secrets.token_bytes(_NONCE)
        hidden = AESGCM(self._key(self._salt, cost)).encrypt(nonce, key, _SCHEME.encode())
        parts = (base64.b64encode(part).decode() for part in (self._salt, nonce + hidden))
        return ":".join((_SCHEME, str(cost), *parts)).encode()

    def unwrap(self, wrapped: bytes) -> bytes:
        """The inverse of `wrap`. Raises _Unopened."""
        try:
            scheme, cost, salt, hidden = wrapped[:_LONGEST_WRAPPED].decode("ascii").split(":")
            content = base64.b64decode(hidden, validate=True)
            key = self._key(base64.b64decode(salt, validate=True), _cost(scheme, cost))
            return AESGCM(key).decrypt(content[:_NONCE], content[_NONCE:], _SCHEME.encode())
        except (InvalidTag, ValueError, binascii.Error):
            raise _Unopened from None

    def _key(self, salt: bytes, cost: int) -> bytes:
        if (salt, cost) not in self._keys:
            self._keys[salt, cost] = derived_key(self._passphrase, salt, cost)
        return self._keys[salt, cost]


def _cost(scheme: str, text: str) -> int:
    """Raises ValueError for what would take the memory of this machine, or is none of ours."""
    cost = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    if scheme != _SCHEME or not 1 < cost <= _MOST_COST or cost & (cost - 1):
        raise ValueError(text)
    return cost


class _Wrapping(pe.KmsClient):  # type: ignore[misc]
    """What Arrow asks for the keys of files."""

    def __init__(self, cipher: TableCipher) -> None:
        super().__init__()
        self._cipher = cipher

    def wrap_key(self, key_bytes: bytes, master_key_identifier: str) -> bytes:  # noqa: ARG002 - Arrow's shape
        return self._cipher.wrap(key_bytes)

    def unwrap_key(self, wrapped_key: bytes | str, master_key_identifier: str) -> bytes:  # noqa: ARG002
        return self._cipher.unwrap(wrapped_key.encode() if isinstance(wrapped_key, str) else wrapped_key)


def new_cipher(passphrase: str) -> TableCipher:
    """To write a table. Raises InputError for a passphrase that is too short."""
    if len(passphrase) < LEAST_LENGTH:
        raise InputError(
            f"The passphrase is too short: {strength_told(passphrase)}",
            where="passphrase of the table",
            mend="choose several words that do not belong together",
        )
    return TableCipher(passphrase)


class TableLock:
    """Asks for a table's passphrase when the first of its files needs it, and once."""

    def __init__(self, table: Path, ask: AskPassphrase | None) -> None:
        self._table, self._ask = table, ask
        self._cipher: TableCipher | None = None

    def opened(self, file: Path) -> object | None:
        """Decryption properties of a file; None where it is in the clear.

        Raises InputError where nobody can be asked, and what asking raises.
        """
        if not is_encrypted(file):
            return None
        if self._cipher is None:
            if self._ask is None:
                raise InputError(
                    "The contribution table is encrypted, and its passphrase is not known.",
                    where=str(self._table),
                    mend="give the passphrase that it was written with",
                )
            self._cipher = TableCipher(self._ask(self._table))
        return self._cipher.of_file()


def not_opened(error: Exception, file: Path) -> InputError | None:
    """What to say of an error that Arrow raised on the way: None where the key is not its cause."""
    if isinstance(error, _Unopened):
        return WrongPassphrase(
            "The passphrase does not open the contribution table.",
            where=str(file),
            mend="type the passphrase that this file was written with; if it is right, the file is damaged "
            "or was encrypted by another program",
        )
    if isinstance(error, OSError) and error.errno is None:
        return InputError(
            "The encrypted file is damaged, or was changed after it was written.",
            where=str(file),
            mend="copy or write the file again",
        )
    return None
