"""P11: the memory of a watcher, over that of an interpreter with the same imports."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE

from scripts.bench import watching
from scripts.bench.ground import Ground
from scripts.bench.table import Row
from scripts.bench.walk import Walk

_USUAL_OPEN_FILES = 1024
_MODULES = """
import json, sys
import watchfiles
from turnwright.cli.main import run
run(["watch", "--once", sys.argv[1]])
print(json.dumps([name for name in sys.modules if name != "__main__"]), file=sys.stderr)
"""
_BARE = """
import importlib, json, sys
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
print(flush=True)
sys.stdin.read()
"""


def resident(ground: Ground) -> Iterator[Row]:
    """P11: a watcher over a large campaign, and one over many idle ones; each after a turn."""
    bare = _bare_mb(ground)
    floor = "python with the same imports"
    large = ground.large_map()
    over = _watcher_mb(large, large) - bare
    yield Row("P11", f"memory of a watcher over one campaign of {ground.areas:,} areas", floor, over, 150, "MB over")
    idle = ground.pick(1000, 200)
    root, last = _idle_campaigns(ground, idle)
    over = _watcher_mb(root, last) - bare
    yield Row("P11", f"memory of a watcher over {idle:,} idle campaigns", floor, over, 60, "MB over")


def _idle_campaigns(ground: Ground, count: int) -> tuple[Path, Path]:
    """Make many campaigns; return the folder they lie in, and the one that a watcher opens last."""
    model, root = ground.small_campaign(ground.memory), ground.fresh(ground.memory)
    folders = [root / f"campaign-{number:04d}" for number in range(count)]
    for folder in folders:
        shutil.copytree(model, folder)
    return root, folders[-1]


def _watcher_mb(root: Path, folder: Path) -> float:
    """Return the memory of a watcher that has taken a turn."""
    walk = Walk(folder)
    walk.close()
    _allow_open_files(_USUAL_OPEN_FILES)
    with watching.watcher(root) as process_id:
        watching.drop(folder, *next(walk.laps))
        return _resident_mb(process_id)


def _allow_open_files(number: int) -> None:
    """Give this process and those it starts no more open files than a login usually has; they may ask for more."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(number, allowed), most))


def _resident_mb(process_id: int) -> float:
    """Return how much memory a process holds, in MB (Linux)."""
    lines = Path(f"/proc/{process_id}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def _bare_mb(ground: Ground) -> float:
    """Return the memory of an interpreter that has imported what a watcher imports, and done nothing."""
    folder = ground.small_campaign(ground.memory)
    walk = Walk(folder)
    walk.close()
    turn_id, content = next(walk.laps)
    (folder / "turns" / f"{turn_id}.json").write_bytes(content)
    command = [sys.executable, "-c", _MODULES, str(folder)]
    modules = subprocess.run(command, capture_output=True, check=True, text=True).stderr.splitlines()[-1]
    with subprocess.Popen([sys.executable, "-c", _BARE, modules], stdin=PIPE, stdout=PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        return _resident_mb(process.pid)
