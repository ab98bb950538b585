"""Measure the check of narrations on the labeled texts, half by half and kind by kind.

    python -m scripts.bench_narration [--half tune|unseen|all] [--json] [--misses]

Exit code 1 when a target is missed on the unseen half; where there is no `unseen.jsonl`, none is. Words are made on
`tune` alone, and `--misses` lists texts of that half only: look at what `unseen` misses and it measures nothing any
more.
"""

from __future__ import annotations

import argparse
import json

from scripts.bench_narration.measuring import measure, misses
from scripts.bench_narration.report import as_json, as_text, targets
from tests.suggest.narration_scenes import HALVES


def main() -> int:
    """Print what was measured; return 1 when a target is missed."""
    parser = argparse.ArgumentParser(prog="bench_narration", description="Measure the check of narrations.")
    parser.add_argument("--half", choices=(*HALVES, "all"), default="all")
    parser.add_argument("--json", action="store_true", help="print data in place of a table")
    parser.add_argument("--misses", action="store_true", help="list the texts of tune that went wrong, too")
    options = parser.parse_args()
    halves = HALVES if options.half == "all" else (options.half,)
    verdicts = measure(*halves)
    print(json.dumps(as_json(verdicts), indent=2) if options.json else as_text(verdicts))
    if options.misses:
        print("\n".join(["", *misses(verdicts)]))
    return 0 if all(target.is_met for target in targets(verdicts)) else 1


if __name__ == "__main__":
    raise SystemExit(main())
