"""Every golden case against its expected files, byte for byte."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from itertools import zip_longest
from pathlib import Path

import pytest
from tests.golden import invariants
from tests.golden.case import Case, all_cases
from tests.golden.harness import campaigns, play, produced

from turnwright.audit.verify import verify

_MAX_DIFF_LENGTH = 80


def _marks(case: Case) -> list[pytest.MarkDecorator]:
    return [pytest.mark.xfail(reason=case.xfail, strict=True)] if case.xfail else []


CASES = [pytest.param(case, id=case.name, marks=_marks(case)) for case in all_cases()]


@pytest.mark.parametrize("case", CASES)
def test_the_case_gives_the_files_that_are_expected(case: Case, tmp_path: Path, update_golden: bool) -> None:
    run = play(case, tmp_path)
    for campaign in campaigns(tmp_path):
        if (campaign / "log.jsonl").exists() and not case.damaged:
            invariants.check_log_and_documents(campaign)
            invariants.check_turns(campaign)
            assert list(verify(campaign).problems) == []
    given = produced(run)
    if update_golden and not case.xfail:
        _write(case.expect, given)
    expected = {path.relative_to(case.expect).as_posix(): path.read_bytes() for path in _files(case.expect)}
    if complaints := list(differences(expected, given)):
        again = "the right answer is known to differ (xfail); edit expect/" if case.xfail else "make golden"
        pytest.fail("\n".join([f"golden case {case.name}: {case.title}", *complaints, f"to remake it: {again}"]), False)


def differences(expected: Mapping[str, bytes], given: Mapping[str, bytes]) -> Iterator[str]:
    """Yield, file by file, what is missing, what is left over, and the first line that differs."""
    for place in sorted({*expected, *given}):
        if place not in expected:
            yield f"  expect/{place} is missing; the case gives it"
        elif place not in given:
            yield f"  expect/{place} was never given; the case leaves no such file"
        elif expected[place] != given[place]:
            pairs = zip_longest(*(files[place].splitlines() for files in (expected, given)))
            first = next((number for number, (old, new) in enumerate(pairs, 1) if old != new), "(line ends)")
            yield f"  expect/{place} differs first in line {first}"
            old, new = (_lines(place, files[place]) for files in (expected, given))
            diff = list(unified_diff(old, new, "expected", "given", lineterm=""))
            yield from diff[:_MAX_DIFF_LENGTH]
            if len(diff) > _MAX_DIFF_LENGTH:
                yield f"... and {len(diff) - _MAX_DIFF_LENGTH} lines more"


def _lines(place: str, data: bytes) -> list[str]:
    """Return the lines of a file; records are spread out, because nobody can read them in one line."""
    text = data.decode()
    if place.endswith(".jsonl"):
        text = "\n".join(json.dumps(json.loads(line), indent=1, ensure_ascii=False) for line in text.splitlines())
    return text.splitlines()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _write(folder: Path, given: Mapping[str, bytes]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for place, data in given.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_bytes(data)
