"""Measure the hints on the table of spoiled calls.

    python -m scripts.bench_hints [--json] [--misses] [--mechanism NAME]

Exit code 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import json

from scripts.bench_hints.playing import play
from scripts.bench_hints.report import as_json, as_markdown, misses, targets
from scripts.bench_hints.rows import read_rows
from scripts.bench_hints.worlds import Worlds


def main() -> int:
    """Print what was measured; return 1 when a target is missed."""
    parser = argparse.ArgumentParser(prog="bench_hints", description="Measure the hints on spoiled calls.")
    parser.add_argument("--mechanism", help="only the rows that were spoiled in this way")
    parser.add_argument("--json", action="store_true", help="print data in place of tables")
    parser.add_argument("--misses", action="store_true", help="list every row that went wrong, too")
    options = parser.parse_args()
    rows = [row for row in read_rows() if options.mechanism in (None, row.mechanism)]
    with Worlds() as worlds:
        outcomes = [play(row, worlds) for row in rows]
    wrong = list(misses(outcomes)) if options.misses else []
    if options.json:
        data = as_json(outcomes)
        print(json.dumps({**data, "misses": wrong} if options.misses else data, indent=2, ensure_ascii=False))
    else:
        print("\n".join([as_markdown(outcomes), *([""] if wrong else []), *wrong]))
    return 0 if all(target.is_met for target in targets(outcomes)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
