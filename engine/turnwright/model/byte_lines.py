"""Bytes to lines, with a bound on what is kept of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def blocks_of_lines(read: Callable[[], bytes], most: int) -> Iterator[list[bytes]]:
    """Yield the lines of a stream without their line feeds, one list per read; blank lines are omitted.

    Of a line longer than `most`, only `most` + 1 bytes are kept, which no reader accepts as a whole line. The text
    after the last line feed is a line, too. No list is empty.

    Args:
        read: returns the next bytes, and none at the end.
        most: the longest line that is kept whole, in bytes.
    """
    kept: list[bytes] = []
    size = 0
    while data := read():
        *ended, rest = data.split(b"\n")
        lines = []
        for part in ended:
            lines.append(b"".join((*kept, part[: max(0, most + 1 - size)])))
            kept, size = [], 0
        if rest and size <= most:
            kept.append(rest[: most + 1 - size])
            size += len(kept[-1])
        if whole := [line for line in lines if line.strip()]:
            yield whole
    line = b"".join(kept)
    if line.strip():
        yield [line]
