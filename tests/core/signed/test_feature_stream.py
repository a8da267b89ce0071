"""A FeatureCollection in pieces is what it is as a whole, and what is none is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.signed import feature_stream
from core.signed.feature_stream import features_of
from core.signed.findings import Finding

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def _pieces(content: bytes, size: int) -> Iterator[bytes]:
    return (content[place : place + size] for place in range(0, len(content), size))


@given(st.lists(values, max_size=5), st.integers(1, 20), st.sampled_from([None, 1]), st.booleans())
def test_features_come_as_they_were_written(
    features: list[object], size: int, indent: int | None, type_first: bool
) -> None:
    parts = {"type": "FeatureCollection", "features": features}
    document = parts if type_first else dict(reversed(parts.items()))
    content = json.dumps(document, indent=indent, ensure_ascii=size % 2 == 0).encode(errors="surrogatepass")
    try:
        content.decode()
    except UnicodeDecodeError:
        with pytest.raises(Finding):
            list(features_of("f", _pieces(content, size)))
    else:
        assert json.dumps([*features_of("f", _pieces(content, size))]) == json.dumps(features)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b'{"type":"FeatureCollection"}',
        b'{"features":[]}',
        b'{"type":"Feature","features":[]}',
        b'{"type":"FeatureCollection","features":{}}',
        b'{"type":"FeatureCollection","features":[],"more":1}',
        b'{"type":"FeatureCollection","features":[],"features":[]}',
        b'{"type":"FeatureCollection","type":"FeatureCollection","features":[]}',
        b'{"type":"FeatureCollection","features":[1,]}',
        b'{"type":"FeatureCollection","features":[1 2]}',
        b'{"type":"FeatureCollection","features":[NaN]}',
        b'{"type":"FeatureCollection","features":[{"a":1,"a":1}]}',
        b'{"type":"FeatureCollection","features":[1]} 1',
        b'{"type":"FeatureCollection","features":[1]',
        b'{"type":"FeatureCollection","features":[1',
        b'{"type":"FeatureCollection","features":["\xff"]}',
        b'{"type":"FeatureCollection","features":["cut off \xc3',
        b'\xef\xbb\xbf{"type":"FeatureCollection","features":[]}',
        b'{"type":"FeatureCollection","features":[' + b"[" * 100_000 + b"]" * 100_000 + b"]}",
    ],
)
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_what_is_no_collection_is_refused(content: bytes, size: int) -> None:
    if len(content) > 1000 and size == 1:
        size = 1000
    with pytest.raises(Finding):
        list(features_of("f", _pieces(content, size)))


def test_one_feature_has_a_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feature_stream, "_LARGEST_PART", 1000)
    begun = b'{"type":"FeatureCollection","features":['
    whole = begun + b",".join([b'"%s"' % (b"x" * 900)] * 50) + b"]}"
    assert len(list(features_of("f", _pieces(whole, 64)))) == 50
    pieces = _pieces(begun + b'"%s"]}' % (b"x" * 100_000), 64)
    with pytest.raises(Finding, match="not valid JSON"):
        list(features_of("f", pieces))
    assert len(b"".join(pieces)) > 90_000, "nothing is read behind it"
