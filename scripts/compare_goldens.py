"""Compare the golden cases of two revisions, leaving words aside: what the engine decides must not change.

    python scripts/compare_goldens.py OLD [NEW]     NEW defaults to HEAD

Text for people (`detail`, descriptions, printed output) may change freely, and so may the hashes of lines that hold
such text. Everything else in the files of a case is compared: states, statuses, reasons, hints, orders, events, draws
and changes. A case that only one revision has is counted, a case that was removed is a difference.

The exit code is 1 when there is a difference that `EXPECTED` does not explain.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

ROOT = "tests/golden"
WORDS = frozenset({"detail"})
"""Keys whose text the engine writes for people."""
HASHES = frozenset({"prev", "sha256"})
EXPECTED = (
    (
        f"{ROOT}/roll_check/refused/expect/",
        ".hint.",
        "an argument of another operation asks which one was meant",
    ),
)
"""Explained differences: how the file's path begins, what the place inside the file holds, and the reason."""


def main(arguments: list[str]) -> int:
    """Compare, print each difference and the totals."""
    if not 1 <= len(arguments) <= 2:
        print(__doc__)
        return 64
    old, new = arguments[0], arguments[-1] if len(arguments) == 2 else "HEAD"
    old_files, new_files = _files(old), _files(new)
    counts = Counter({"files that only the new revision has": len(new_files.keys() - old_files.keys())})
    for path, git_hash in sorted(old_files.items()):
        if path not in new_files:
            found = [("", "the file is gone")]
        elif git_hash == new_files[path]:
            counts["files that are the same"] += 1
            continue
        else:
            found = list(differences(path, _read(old, path), _read(new, path)))
            counts["files that differ in words only"] += not found
        for where, what in found:
            reason = _explain(path, where)
            counts["differences explained" if reason else "differences"] += 1
            print(f"{path} {where}: {what}" + (f" ({reason})" if reason else ""))
    for name, count in sorted(counts.items()):
        print(f"{count:6} {name}")
    return 1 if counts["differences"] else 0


def _files(revision: str) -> dict[str, str]:
    """Return the expected files of all cases of a revision, with the hash git has of each."""
    listed = _git("ls-tree", "-r", "-z", revision, ROOT)
    rows = (row.partition("\t") for row in listed.split("\0") if "/expect/" in row)
    return {path: head.split()[2] for head, _, path in rows}


def _read(revision: str, path: str) -> str:
    return _git("show", f"{revision}:{path}")


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, encoding="utf-8").stdout


def differences(path: str, old: str, new: str) -> Iterator[tuple[str, str]]:
    """Yield the places in which two versions of a file differ by more than words, and how."""
    if path.endswith(".json"):
        yield from _compare(json.loads(old), json.loads(new), "$")
    elif path.endswith(".jsonl"):
        yield from _compare(_lines(old), _lines(new), "$")
    elif path.endswith(("stdout.txt", "stderr.txt")):
        return  # words only
    elif old != new:
        yield "", "the file differs"


def _lines(text: str) -> list[object]:
    return [json.loads(line) for line in text.splitlines()]


def _compare(old: object, new: object, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(old, dict) and isinstance(new, dict):
        if [key for key in old if key in new] != [key for key in new if key in old]:
            yield where, "the keys have another order"
        for key in old | new:
            if key in HASHES or (
                key in WORDS and isinstance(old.get(key, ""), str) and isinstance(new.get(key, ""), str)
            ):
                continue
            inner = f"{where}.{key}"
            if key not in old:
                yield inner, f"new: {_short(new[key])}"
            elif key not in new:
                yield inner, f"gone: {_short(old[key])}"
            else:
                yield from _compare(old[key], new[key], inner)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            yield where, f"{len(old)} items became {len(new)}"
        for index, pair in enumerate(zip(old, new, strict=False)):
            yield from _compare(*pair, f"{where}[{index}]")
    elif old != new:
        yield where, f"{_short(old)} became {_short(new)}"


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 100 else text[:97] + "..."


def _explain(path: str, where: str) -> str | None:
    return next((why for case, place, why in EXPECTED if path.startswith(case) and place in where), None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
