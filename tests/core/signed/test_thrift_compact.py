"""core.signed.thrift_compact: values by the protocol's own examples; nothing is read beyond the end."""

from __future__ import annotations

import contextlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.signed.thrift_compact import ThriftReader


@pytest.mark.parametrize(("content", "number"), [(b"\x00", 0), (b"\x7f", 127), (b"\xac\x02", 300)])
def test_numbers_are_read_in_groups_of_seven_bits(content: bytes, number: int) -> None:
    assert ThriftReader(content).number() == number


def test_a_struct_has_fields_of_every_kind() -> None:
    content = (
        b"\x15\x01"  # 1: the integer -1
        b"\x11"  # 2: true
        b"\x18\x02ab"  # 3: two bytes
        b"\x19\x25\x02\x04"  # 4: a list of the integers 1 and 2
        b"\x1c\x15\x06\x00"  # 5: a struct with 1: 3
        b"\x17" + struct.pack("<d", 0.5) + b"\x00"  # 6: a double
    )
    reader = ThriftReader(content)
    assert reader.fields() == {1: -1, 2: True, 3: b"ab", 4: [1, 2], 5: {1: 3}, 6: 0.5}
    assert reader.place == len(content)


@pytest.mark.parametrize(
    "content", [b"", b"\x15", b"\x18\x05ab", b"\x1c" * 50, b"\x19\xf5\xff\xff\x7f", b"\x1d", b"\xff" * 12]
)
def test_what_is_cut_off_or_malformed_is_an_error(content: bytes) -> None:
    with pytest.raises((ValueError, IndexError)):
        ThriftReader(content).fields()


@given(st.binary(max_size=60))
def test_any_bytes_are_fields_or_an_error(content: bytes) -> None:
    with contextlib.suppress(ValueError, IndexError, struct.error):
        assert isinstance(ThriftReader(content).fields(), dict)
