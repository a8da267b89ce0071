"""A contribution table under a passphrase: wrong, damaged, not readable, by an earlier version, mixed parts.

Each file has its own random 256-bit key, which encrypts its metadata and its columns (AES-GCM). The file
carries this key, itself encrypted under the key that scrypt derives of the passphrase and of a salt, together
with the mark that binds the file to all others of its run. Nothing is ever written in the clear, not even for
a moment. Source: Apache Parquet modular encryption (AES_GCM_V1,
encrypted footer, key material within the file).
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import os
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet.encryption as pe
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from core.contributions.part_marks import PartMark, mark_of, read_mark, require_whole
from core.contributions.parts import Part, table_parts
from core.errors import InputError
from core.hats.window import Window
from core.read.unreadable_files import unreadable_as_input_error
from core.system import passphrase_key
from core.system.passphrase_key import SALT_BYTES, derived_key
from core.system.passphrase_strength import require_length
from core.system.regular_files import open_regular

AskPassphrase = Callable[[Path], str]
"""Asked once for a table, with its path, and only where it is encrypted. May raise what stops the reading."""
_OfKey = Callable[[bytes], bytes]
_MAGIC = b"PARE"
"""How a Parquet file begins whose metadata are encrypted."""
_UNBOUND, _BOUND = "hexveil-scrypt-1", "hexveil-scrypt-2"
"""How a key is wrapped: alone, as earlier versions did, or with a mark."""
_WRAPPED = re.compile(rb"hexveil-scrypt-[12]:[0-9]{1,9}:[A-Za-z0-9+/=]{1,64}:[A-Za-z0-9+/=]{1,1024}")
_LONGEST_WRAPPED = 2048
_FOOTER_END = 8
"""Bytes at the end of an encrypted part: the length of its metadata, and how it ends."""
_MOST_COST = 1 << 20
"""scrypt's N that an encrypted contribution table may ask for: 1 GiB."""
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
        return file.raw.read(len(_MAGIC)) == _MAGIC


def is_under_passphrase(path: Path) -> bool:
    """Whether an encrypted file carries a key as this program wraps it.

    Raises InputError where it cannot be read.
    """
    return bool(_wrapped_key(path))


def is_unbound(table: Path) -> bool:
    """Whether an earlier version encrypted a file of a table: nothing then binds one part to the others.

    Raises InputError where it cannot be read.
    """
    return any(_wrapped_key(part.path).startswith(_UNBOUND.encode()) for part in table_parts(table))


def _wrapped_key(path: Path) -> bytes:
    """The key that a file carries, where its metadata begin; empty where it carries none of ours."""
    with unreadable_as_input_error(path), open_regular(path) as opened:
        file = opened.raw  # every part of a table is looked at: no more of each than these bytes
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - _FOOTER_END, 0), os.SEEK_SET)
        length = int.from_bytes(file.read(4) or b"", "little")
        file.seek(max(size - _FOOTER_END - length, 0), os.SEEK_SET)
        found = _WRAPPED.search(file.read(_LONGEST_WRAPPED) or b"")
    return found[0] if found else b""


class TableCipher:
    """The passphrase of one table, for all of its files. Keys that scrypt derived are stored with it."""

    def __init__(self, passphrase: str) -> None:
        self._passphrase = passphrase.encode("utf-8", "surrogatepass")
        self._salt = secrets.token_bytes(SALT_BYTES)
        self._keys: dict[tuple[bytes, int], bytes] = {}
        self._run = secrets.token_hex(16)

    def of_new_file(self, window: Window, name: str = "", parts: int = 1) -> object:
        """Encryption properties for one more file of the table, with its own key.

        window: of the whole table; name: of this part in its folder; parts: how many there will be.
        """
        mark = mark_of(self._run, name, parts, window)
        config = pe.EncryptionConfiguration(
            footer_key=_OF_ALL,
            uniform_encryption=True,
            double_wrapping=False,
            data_key_length_bits=_DATA_KEY_BITS,
        )
        factory = pe.CryptoFactory(lambda _: _Wrapping(wrap=lambda key: self.wrap(key, mark)))
        return factory.file_encryption_properties(pe.KmsConnectionConfig(), config)

    def of_file(self, wrapped: bytes) -> object:
        """Decryption properties for a file that carries this key, and no other."""

        def unwrap(carried: bytes) -> bytes:
            if carried != wrapped:
                raise _Unopened
            return self.unwrap(carried)[0]

        factory = pe.CryptoFactory(lambda _: _Wrapping(unwrap=unwrap))
        return factory.file_decryption_properties(pe.KmsConnectionConfig())

    def wrap(self, key: bytes, mark: PartMark) -> bytes:
        """The key of a file and its mark, as the file may carry them."""
        cost, nonce = passphrase_key.COST, secrets.token_bytes(_NONCE)
        cipher = AESGCM(self._key(self._salt, cost))
        hidden = cipher.encrypt(nonce, key + mark.to_bytes(), _BOUND.encode())
        parts = (base64.b64encode(part).decode() for part in (self._salt, nonce + hidden))
        return ":".join((_BOUND, str(cost), *parts)).encode()

    def unwrap(self, wrapped: bytes) -> tuple[bytes, PartMark | None]:
        """The inverse of `wrap`; an earlier version's key has no mark. Raises _Unopened."""
        try:
            scheme, cost, salt, hidden = wrapped[:_LONGEST_WRAPPED].decode("ascii").split(":")
            content = base64.b64decode(hidden, validate=True)
            key = self._key(base64.b64decode(salt, validate=True), _cost(scheme, cost))
            plain = AESGCM(key).decrypt(content[:_NONCE], content[_NONCE:], scheme.encode())
            size = _DATA_KEY_BITS // 8
            return plain[:size], read_mark(plain[size:]) if scheme == _BOUND else None
        except (InvalidTag, ValueError, TypeError, binascii.Error):
            raise _Unopened from None

    def _key(self, salt: bytes, cost: int) -> bytes:
        if (salt, cost) not in self._keys:
            self._keys[salt, cost] = derived_key(self._passphrase, salt, cost)
        return self._keys[salt, cost]


def _cost(scheme: str, text: str) -> int:
    """Raises ValueError for what would take the memory of this machine, or is none of ours."""
    cost = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0
    if scheme not in (_UNBOUND, _BOUND) or not 1 < cost <= _MOST_COST or cost & (cost - 1):
        raise ValueError(text)
    return cost


class _Wrapping(pe.KmsClient):  # type: ignore[misc]
    """What Arrow asks for the key of one file."""

    def __init__(self, *, wrap: _OfKey | None = None, unwrap: _OfKey | None = None) -> None:
        super().__init__()
        self._wrap, self._unwrap = wrap, unwrap

    def wrap_key(self, key_bytes: bytes, master_key_identifier: str) -> bytes:  # noqa: ARG002 - Arrow's shape
        assert self._wrap is not None
        return self._wrap(key_bytes)

    def unwrap_key(self, wrapped_key: bytes | str, master_key_identifier: str) -> bytes:  # noqa: ARG002
        assert self._unwrap is not None
        return self._unwrap(wrapped_key.encode() if isinstance(wrapped_key, str) else wrapped_key)


def new_cipher(passphrase: str) -> TableCipher:
    """To write a table. Raises InputError for a passphrase that is too short."""
    require_length(passphrase, where="passphrase of the table")
    return TableCipher(passphrase)


class TableLock:
    """Asks for a table's passphrase where it is encrypted, and once."""

    def __init__(self, table: Path, ask: AskPassphrase | None) -> None:
        self._table, self._ask = table, ask
        self._cipher: TableCipher | None = None
        self._wrapped: dict[Path, bytes] = {}

    def require_whole(self, parts: Sequence[Part]) -> bool | None:
        """Whether the parts are bound to one another; None where they are in the clear, all of them.

        Raises InputError where some are encrypted and others are not, where one does not belong to the others
        or is missing, and where nobody can be asked; and what asking raises.
        """
        paths = [part.path for part in parts]
        sealed = [is_encrypted(path) for path in paths]
        if not any(sealed):
            return None
        if not all(sealed):
            raise InputError(
                "Some parts of the contribution table are encrypted, and others are not; nothing was read.",
                where=f"{paths[sealed.index(True)]} and {paths[sealed.index(False)]}",
                mend="remove the parts that do not belong to this table, or write the table again",
            )
        cipher, marks = self._opened_by(), dict[Path, PartMark]()
        for path in paths:
            self._wrapped[path] = _wrapped_key(path)
            try:
                if mark := cipher.unwrap(self._wrapped[path])[1]:
                    marks[path] = mark
            except _Unopened:
                raise _does_not_open(path) from None
        if not marks:
            return False
        if len(marks) < len(paths):
            raise InputError(
                "Some parts of the contribution table were encrypted by an earlier version, which bound no "
                "part to the others.",
                where=f"{next(iter(marks))} and {next(path for path in paths if path not in marks)}",
                mend="write the older parts again, or keep them in a separate table",
            )
        require_whole(marks)
        return True

    def opened(self, file: Path) -> object | None:
        """Decryption properties of a file that `require_whole` has seen; None where it is in the clear.

        Raises InputError where it is another file since.
        """
        wrapped = self._wrapped.get(file)
        if is_encrypted(file) != (wrapped is not None):
            raise InputError(
                "A part of the contribution table was replaced while it was read; none of it was used.",
                where=str(file),
                mend="wait until nothing writes to the table, then read it again",
            )
        return None if wrapped is None else self._opened_by().of_file(wrapped)

    def _opened_by(self) -> TableCipher:
        if self._cipher is None:
            if self._ask is None:
                raise InputError(
                    "The contribution table is encrypted, and its passphrase is not known.",
                    where=str(self._table),
                    mend="give the passphrase that it was written with",
                )
            self._cipher = TableCipher(self._ask(self._table))
        return self._cipher


@contextlib.contextmanager
def damage_as_input_error(file: Path, *, encrypted: bool) -> Iterator[None]:
    """Raise InputError for what Arrow raises while it reads a part, or cannot open with the key."""
    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError):  # the latter: a name of a column is no text
        raise InputError(
            "The file is not readable Parquet.", where=str(file), mend="copy or write the file again"
        ) from None
    except Exception as error:
        refusal = _not_opened(error, file) if encrypted else None
        if refusal is None:
            raise
        raise refusal from None


def _not_opened(error: Exception, file: Path) -> InputError | None:
    """What to say of an error that Arrow raised on the way: None where the key is not its cause."""
    if isinstance(error, _Unopened):
        return _does_not_open(file)
    if isinstance(error, OSError) and error.errno is None:
        return InputError(
            "The encrypted file is damaged, or was changed after it was written.",
            where=str(file),
            mend="copy or write the file again",
        )
    return None


def _does_not_open(file: Path) -> WrongPassphrase:
    return WrongPassphrase(
        "The passphrase does not open the contribution table.",
        where=str(file),
        mend="type the passphrase that this file was written with; if it is right, the file is damaged "
        "or was encrypted by another program",
    )
