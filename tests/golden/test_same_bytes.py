"""The same campaign, turns, clock and secret give the same bytes, whatever the process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256

from tests.golden.case import HERE, all_cases
from tests.sampling import some

SCENES = ("scenes/start", "scenes/trace", "scenes/interlude", "scenes/compression", "scenes/consequences")
PRONE = [
    case.name
    for case in all_cases()
    if not case.xfail
    and case.name.startswith(("map_generate/", "narration/", "samples/", "timeline/", "begin/", *SCENES))
]
"""Cases of what makes much out of sets, or out of chance."""


def _hashes(seed: str, names: Sequence[str]) -> list[str]:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-m", "tests.golden.harness", *names]
    done = subprocess.run(command, cwd=HERE.parent.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_process_with_a_hash_seed_of_its_own_gives_the_expected_bytes() -> None:
    names = some(PRONE, 8)
    expected = [
        f"{name} {path.relative_to(HERE / name / 'expect').as_posix()} {sha256(path.read_bytes()).hexdigest()}"
        for name in names
        for path in sorted((HERE / name / "expect").rglob("*"))
        if path.is_file()
    ]
    assert sorted(_hashes("4242", names)) == sorted(expected)  # the golden tests themselves run under any seed
