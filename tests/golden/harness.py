"""Runs a golden case and gathers what came out.

`python -m tests.golden.harness CASE...` prints the hash of every file that the cases give.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import chdir
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

from tests.golden.case import HERE, WORLDS, Case, load
from tests.golden.steps import BESIDE, DIRECTORY, Run, take

from turnwright.campaign.bootstrap import begin_record
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.documents import find_documents, parse_document
from turnwright.store.files import Files
from turnwright.store.store import Store


def play(case: Case, root: Path) -> Run:
    """Run a case in an empty folder."""
    run = Run(case, root)
    with chdir(root), patch.dict(os.environ, {"COLUMNS": "100"}):
        _begin(run)
        for number, step in enumerate(case.run, start=1):
            take(run, step, case.time(number))
    return run


def _begin(run: Run) -> None:
    case = run.case
    shutil.copytree(case.input / BESIDE, BESIDE) if (case.input / BESIDE).is_dir() else Path(BESIDE).mkdir()
    ((kind, name),) = case.start.items()
    if kind in ("template", "from", "own"):
        sources = {"from": ["--from", f"{BESIDE}/{name}"], "template": ["--template", name]}
        source = sources[kind] if kind in sources else shlex.split(name)
        command = ["new", "C", *source, "--seed", case.seed]
        take(run, command, case.time(0))
        run.before = documents(run.campaign)
        run.laid.update(path.read_bytes() for path in run.campaign.glob("turns/*.json"))
    elif name:
        shutil.copytree(WORLDS / name, DIRECTORY)
    if case.input.is_dir():
        _lay_over(run)
    if kind == "world":
        begin_log(run.campaign, case.time(0), case.seed)
    if kind in ("world", "unbegun"):
        run.before = documents(run.campaign)


def _lay_over(run: Run) -> None:
    for path in sorted(run.case.input.rglob("*")):
        place = path.relative_to(run.case.input)
        if path.is_file() and place.parts[0] != BESIDE:
            run.lay(path.read_bytes(), place.as_posix())


def begin_log(campaign: Path, now: datetime, seed: str) -> None:
    """Write record 0 of a directory of documents, with given dice."""
    files = Files(campaign)
    found = {}
    for path in find_documents(files, BUILT_IN.documents):
        found[path], problems = parse_document(path, files.read(path), BUILT_IN.documents)
        assert not problems, problems
    store = Store(files, BUILT_IN.documents)
    for folder in (".turnwright", "turns"):
        files.make_folder(folder)
    with store.writing(wait=0):
        begin_record(store, {path: document for path, document in found.items() if document}, now.isoformat(), (), seed)
        store.flush(1)
    store.close()


# what came out


def documents(campaign: Path) -> dict[str, bytes]:
    """Return the bytes of every document of a campaign directory, by path."""
    return {path: (campaign / path).read_bytes() for path in find_documents(Files(campaign), BUILT_IN.documents)}


def produced(run: Run) -> dict[str, bytes]:
    """Return what `expect/` must hold: the transcript, and for each campaign what it gained and a list of its files."""
    given = {"stdout.txt": ("\n".join(run.transcript)).encode()}
    for campaign in campaigns(run.root):
        prefix = "" if campaign == run.campaign else f"{campaign.name}/"
        names = [path.relative_to(campaign).as_posix() for path in sorted(campaign.rglob("*")) if path.is_file()]
        names = [name for name in names if not name.startswith(".turnwright/")]
        given[f"{prefix}files.txt"] = "".join(f"{name}\n" for name in sorted(names)).encode()
        for name in names:
            data = (campaign / name).read_bytes()
            if _is_moved(name):
                assert data in run.laid, f"{run.case.name}: {name} is not what was dropped"
            elif not (campaign == run.campaign and run.before.get(name) == data):
                given[prefix + name] = data
    return given


def campaigns(root: Path) -> list[Path]:
    """Return the campaign directories of a finished run."""
    return [path for path in sorted(root.iterdir()) if path.name != BESIDE]


def _is_moved(name: str) -> bool:
    return name.startswith("turns/") and not name.endswith(".reason.json")


def main(names: Sequence[str]) -> None:
    """Print the hash of every file that the named cases give."""
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            given = produced(play(load(HERE / name), Path(folder)))
        for place, data in sorted(given.items()):
            print(name, place, sha256(data).hexdigest())


if __name__ == "__main__":
    main(sys.argv[1:])
