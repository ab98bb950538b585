"""Measure the hints on a split of the labeled messages.

    python -m scripts.bench_suggest [--split tune|test|all] [--json] [--misses]

Exit code 1 when a target is missed. Words and patterns are made on `tune` alone; look at what `test` misses and it
measures nothing any more.
"""

from __future__ import annotations

import argparse
import json

from scripts.bench_suggest.cases import SPLITS, read_cases
from scripts.bench_suggest.report import as_json, as_text, misses, targets
from scripts.bench_suggest.scoring import judge
from scripts.bench_suggest.suggesting import suggest_case


def main() -> int:
    """Print what was measured; return 1 when a target is missed."""
    parser = argparse.ArgumentParser(prog="bench_suggest", description="Measure the hints on labeled messages.")
    parser.add_argument("--split", choices=SPLITS, default="test")
    parser.add_argument("--json", action="store_true", help="print data in place of tables")
    parser.add_argument("--misses", action="store_true", help="list every case that went wrong, too")
    options = parser.parse_args()
    results = [judge(case, suggest_case(case)) for case in read_cases(options.split)]
    wrong = list(misses(results)) if options.misses else []
    if options.json:
        data = as_json(options.split, results)
        print(json.dumps({**data, "misses": wrong} if options.misses else data, indent=2, ensure_ascii=False))
    else:
        print("\n".join([as_text(options.split, results), *([""] if wrong else []), *wrong]))
    return 0 if all(target.is_met for target in targets(results)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
