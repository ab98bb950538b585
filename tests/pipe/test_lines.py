"""Bytes to lines, and lines to requests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwright.model.byte_lines import blocks_of_lines
from turnwright.model.wire.pipe import REQUESTS, TurnRequest
from turnwright.pipe.requests import MAX_LINE_BYTES, BadLine, read_request


def reading(blocks: Iterable[bytes]) -> Iterator[bytes]:
    given = iter([*filter(None, blocks), b""])
    for lines in blocks_of_lines(lambda: next(given), most=10):
        assert lines
        yield from lines


@given(st.lists(st.binary(min_size=0, max_size=12).map(lambda data: data.replace(b"\n", b"n")), max_size=6), st.data())
def test_lines_do_not_depend_on_the_blocks_they_come_in(lines: list[bytes], data: st.DataObject) -> None:
    whole = b"\n".join(lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5)))
    blocks = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert list(reading(blocks)) == [line[:11] for line in lines if line[:11].strip()]


def test_of_a_long_line_little_is_kept() -> None:
    blocks = (b"x" * 1000 for _ in range(100))
    assert list(reading(blocks)) == [b"x" * 11]


def refused(line: bytes) -> tuple[object, str]:
    with pytest.raises(BadLine) as caught:
        read_request(line)
    return caught.value.request_id, caught.value.detail


@pytest.mark.parametrize(
    ("line", "request_id", "told"),
    [
        (b"", None, "not JSON"),
        (b"[1]", None, "object"),
        (b"null", None, "object"),
        (b'{"id": 1}', 1, "op is none of turn"),
        (b'{"id": 1, "op": "trun"}', 1, "did you mean turn?"),
        (b'{"id": 1, "op": ["turn"]}', 1, "op is none of"),
        (b'{"op": "legal"}', None, "id wants"),
        (b'{"id": null, "op": "legal"}', None, "id wants"),
        (b'{"id": true, "op": "legal"}', None, "id wants"),
        (b'{"id": 1.5, "op": "legal"}', None, "id wants"),
        (b'{"id": 99999999999999999, "op": "legal"}', None, "id wants"),
        (b'{"id": 1, "op": "turn"}', 1, "turn is required"),
        (b'{"id": 1, "op": "legal", "as": "gm"}', 1, "as is no key of this request"),
        (b'{"id": 1, "op": "turn", "turn": {}, "authority": "gm"}', 1, "authority is no key"),
        (b'{"id": 1, "op": "query", "tool": "x", "args": []}', 1, "args wants an object"),
        (b'{"id": 1, "op": "tools", "profile": "huge"}', 1, "profile wants"),
        (b'{"id": "a", "op": "legal", "op": "legal"}', "a", "stands twice"),
        (b'{"id": -7, "x": NaN}', -7, "not JSON|NaN"),
        (b'{"id": 3, "op": "turn", "turn": ' + b"[" * 200 + b"]" * 200 + b"}", 3, "nested more than"),
        (b'{"id": 4, "op": "turn", "turn": "' + b"x" * MAX_LINE_BYTES + b'"}', 4, "longer than"),
        (b'\xef\xbb\xbf{"id": 5, "op": "legal"}', None, "byte order mark"),
        (b'{"id": 6, "op": "\xff"}', 6, "UTF-8"),
    ],
)
def test_a_line_that_is_no_request_says_why(line: bytes, request_id: object, told: str) -> None:
    found, detail = refused(line)
    assert found == request_id
    assert any(part in detail for part in told.split("|"))


def test_a_request_is_read() -> None:
    request = read_request(b'{"op": "turn", "turn": {"user_input": "\xc3\xa9"}, "id": "x"}')
    assert isinstance(request, TurnRequest)
    assert (request.id, request.turn, request.profile) == ("x", {"user_input": "é"}, "full")


@given(
    st.binary(max_size=60)
    | st.text(max_size=60).map(lambda text: f'{{"id":1,"op":"{text}"}}'.encode("utf-8", "replace"))
)
def test_any_bytes_are_a_request_or_say_why_not(line: bytes) -> None:
    with suppress(BadLine):
        assert type(read_request(line)) in REQUESTS.values()
