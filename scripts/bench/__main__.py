"""Measure what the engine costs against floors measured in the same run, and print ratios, never bare times.

    make bench

Each row measures ours and its floor in turn, several times, and compares medians. Each runs in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from scripts.bench.ground import Ground
from scripts.bench.measuring import in_child
from scripts.bench.rows import ROWS, rows_of
from scripts.bench.table import Row, as_text, broken

_MEMORY = Path("/dev/shm")
_NEEDED_IN_MEMORY = 3 << 30


@contextmanager
def ground(*, is_quick: bool) -> Iterator[Ground]:
    """Give a place to work, and clear it away."""
    disk = Path(mkdtemp(prefix="turnwright-bench-"))
    has_memory = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _NEEDED_IN_MEMORY
    memory = Path(mkdtemp(prefix="turnwright-bench-", dir=_MEMORY if has_memory else None))
    try:
        yield Ground(disk, memory, is_quick)
    finally:
        shutil.rmtree(disk)
        shutil.rmtree(memory)


def table(numbers: Sequence[str], ground: Ground) -> Iterator[Row]:
    """Yield the figures of the rows asked for; one that cannot be measured says why."""
    for number in numbers:
        print(f"measuring {number}", file=sys.stderr)
        try:
            yield from in_child(rows_of, number, ground)
        except BrokenProcessPool as error:
            yield broken(number, error)


def main() -> int:
    """Print the table, and write it as JSON where asked; return 1 when a row could not be measured."""
    parser = argparse.ArgumentParser(prog="bench", description="Print what the engine costs, as ratios against floors.")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, fewer rounds; the rows say which")
    parser.add_argument("--rows", help="only these, such as P1,P4")
    parser.add_argument("--json", type=Path, help="write the table to this file too")
    options = parser.parse_args()
    numbers = options.rows.split(",") if options.rows else list(ROWS)
    if unknown := [number for number in numbers if number not in ROWS]:
        parser.error(f"there is no row {unknown[0]}; there are {', '.join(ROWS)}")
    with ground(is_quick=options.quick) as place:
        rows = list(table(numbers, place))
    print(as_text(rows))
    if options.json:
        data = {"is_quick": options.quick, "rows": [row.to_json() for row in rows]}
        options.json.write_text(json.dumps(data, indent=2) + "\n")
    return int(any(row.value is None for row in rows))


if __name__ == "__main__":
    sys.exit(main())
