"""Fuzz every target for a share of the time: `python -m tests.fuzz --seconds 60`.

What was found to reach new code is kept in `build/fuzz/<target>/` for the next time, and the input of a bug in
`build/fuzz/found/`. Exit code 1 when anything but an answer came out, 69 where there is no fuzzer.

    python -m tests.fuzz --target turn --seconds 600     one target
    python -m tests.fuzz --replay build/fuzz/found/F     one input again, without the fuzzer
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.fuzz.seeds import seeds
from tests.fuzz.targets import TARGETS

_KEPT = Path(__file__).parents[2] / "build" / "fuzz"
_FOUND = _KEPT / "found"
_MAX_INPUT_LENGTH = 20_000
_SLOWEST_S = 10
_MEMORY_MB = 1024
_UNAVAILABLE = 69
_LAST_LINES = 40
_IN_MEMORY = Path("/dev/shm")


def main() -> int:
    """Do what the command line asks for; return the exit code."""
    asked = _asked()
    if asked.replay:
        TARGETS[asked.replay.name.partition("-")[0]](asked.replay.read_bytes())
        print(f"{asked.replay.name}: nothing but an answer came out")
        return 0
    if find_spec("atheris") is None:
        print("the fuzzer is not installed here; it runs on Linux (x86-64) only", file=sys.stderr)
        return _UNAVAILABLE
    names = [asked.target] if asked.target else list(TARGETS)
    return max([_fuzz(name, max(1, asked.seconds // len(names))) for name in names])


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz everything that is read.")
    parser.add_argument("--seconds", type=int, default=60, help="for all targets together, beside their starting")
    parser.add_argument("--target", choices=list(TARGETS), help="this one only")
    parser.add_argument(
        "--replay", type=Path, help="an input that was found, once more; its name begins with the target"
    )
    return parser.parse_args()


def _fuzz(target: str, seconds: int) -> int:
    """Fuzz one target; return 1 when it found something."""
    corpus = _laid_out(target)
    before = set(_FOUND.iterdir())
    print(f"{target}: {seconds} s from {len(list(corpus.iterdir()))} inputs", flush=True)
    arguments = [f"-max_total_time={seconds}", f"-max_len={_MAX_INPUT_LENGTH}", f"-timeout={_SLOWEST_S}"]
    arguments += [f"-rss_limit_mb={_MEMORY_MB}", f"-artifact_prefix={_FOUND}/{target}-", "-verbosity=0", str(corpus)]
    told = _KEPT / f"{target}.txt"
    # The fuzzer leaves without cleaning up, so its folders lie in one that we take away.
    with TemporaryDirectory(dir=_IN_MEMORY if _IN_MEMORY.is_dir() else None) as home, told.open("wb") as output:
        command = [sys.executable, "-m", "tests.fuzz.worker", target, *arguments]
        given = {**os.environ, "TMPDIR": home}
        done = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, env=given, check=False)
    if done.returncode:
        print(*told.read_text(encoding="utf-8", errors="replace").splitlines()[-_LAST_LINES:], sep="\n")
    for place in sorted(set(_FOUND.iterdir()) - before):
        print(f"{target}: see {place}; `python -m tests.fuzz --replay {place}` does it again")
    return 1 if done.returncode else 0


def _laid_out(target: str) -> Path:
    """Return the folder of a target's inputs, its seeds among them."""
    corpus = _KEPT / target
    for folder in (corpus, _FOUND):
        folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds(target):
        place = corpus / sha256(seed).hexdigest()[:40]
        if not place.exists():
            place.write_bytes(seed)
    return corpus


if __name__ == "__main__":
    sys.exit(main())
