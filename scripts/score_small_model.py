"""Score the small model that runs on this machine: with and without the legal schema, with and without suggestions.

    python scripts/score_small_model.py --out score.json                       play what is missing, print the table
    python scripts/score_small_model.py --out score.json --write docs/score.md    and put it into the page

Each run is kept as soon as it is over, so it can be stopped at any time and goes on where it was. What decides the
results (packs, settings, seeds, the weights) is in the file, too, and has to stay the same.
Source: docs/score.md, "A small model".
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from hashlib import sha256
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from turnwright.analysis.score.measures import measures_of
from turnwright.analysis.score.packs import PACK_FILE, read_pack, shipped_packs
from turnwright.analysis.score.run import Conditions, play
from turnwright.analysis.score.shapes import Run
from turnwright.analysis.score.table import markdown
from turnwright.game_master.suggestion_provider import suggest
from turnwright.llm.catalog import open_model
from turnwright.model.wire.agent import AgentKind

MODEL = "local"
SEEDS = 6
"""Three packs of twelve messages: 216 turns a column."""
WRITERS = (
    AgentKind.NARRATIVE,
    AgentKind.COMBAT,
    AgentKind.NPC_INDIVIDUAL,
    AgentKind.NPC_PUPPETEER,
    AgentKind.SUMMARIZER,
)
SETTINGS: Mapping[str, Any] = {
    "agents.context_tokens": 700,
    "agents.max_steps": 3,
    "agents.max_repairs": 1,
    "agents.timeout_seconds": 3600,
    **{f"agents.{agent}.max_tokens": 96 for agent in WRITERS},
}
"""Small, for a small model on a processor; no answer may fail because the machine had other things to do."""
BEGIN, END = "<!-- measured: small model -->", "<!-- end measured -->"


class Column(NamedTuple):
    """One way of playing."""

    has_schema: bool
    has_suggestions: bool

    @property
    def head(self) -> str:
        """What stands above it in the table."""
        schema = "legal schema" if self.has_schema else "free text"
        return f"{schema}, {'suggestions' if self.has_suggestions else 'no suggestions'}"


COLUMNS = tuple(Column(schema, hints) for schema in (True, False) for hints in (True, False))
Job = tuple[Column, str, int]
Kept = dict[str, Any]


def conditions_of() -> dict[str, Any]:
    """Return everything that decides the results but the code."""
    from turnwright.llm.local import weights

    file = weights()
    digests = {name: _digest(folder) for name, folder in shipped_packs().items()}
    return {
        "model": open_model(MODEL, env={}).name,
        "weights": sha256(file.read_bytes()).hexdigest() if file else None,
        "xllamacpp": version("xllamacpp"),
        "settings": dict(SETTINGS),
        "packs": digests,
    }


def _digest(folder: Path) -> str:
    files = sorted([folder / PACK_FILE, *folder.glob("**/*.json")])
    whole = b"".join(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes() for file in files)
    return sha256(whole).hexdigest()[:16]


def name_of(job: Job) -> str:
    """Return what a run is called in the file."""
    column, pack, seed = job
    return f"{column.head} · {pack} · {seed}"


def jobs(seeds: int) -> Iterator[Job]:
    """Yield all runs, seed by seed, so that the columns grow together."""
    for seed in range(1, seeds + 1):
        for pack in shipped_packs():
            for column in COLUMNS:
                yield column, pack, seed


def run(job: Job) -> Run:
    """Play one run, in a process of its own: a model that has answered nothing yet repeats itself."""
    from turnwright.llm import local

    local.READING = 1  # runs beside each other would wait for each other's threads
    column, pack, seed = job
    conditions = Conditions(
        model=MODEL,
        open_model=lambda name: open_model(name, env={}),
        suggest=suggest if column.has_suggestions else None,
        has_schema=column.has_schema,
        settings=SETTINGS,
        clock_ms=lambda: time.monotonic() * 1000,
    )
    with tempfile.TemporaryDirectory(prefix="turnwright-score-") as folder:
        return play(read_pack(pack), seed, Path(folder) / f"{pack}-{seed}", conditions)


def keep(path: Path, kept: Kept) -> None:
    """Write the file in one go, so that it is whole whenever we are stopped."""
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    beside.replace(path)


def opened(path: Path, conditions: Mapping[str, Any]) -> Kept:
    """Return what was kept before; what was played in another way is no part of this measurement."""
    if not path.exists():
        return {"conditions": dict(conditions), "runs": {}}
    kept: Kept = json.loads(path.read_text(encoding="utf-8"))
    if kept["conditions"] != conditions:
        changed = sorted(key for key in conditions if kept["conditions"].get(key) != conditions[key])
        sys.exit(f"{path} was measured in another way ({', '.join(changed)}); give another file")
    return kept


def fill(path: Path, kept: Kept, wanted: list[Job], workers: int) -> None:
    """Play the runs that are not there yet."""
    left = [job for job in wanted if name_of(job) not in kept["runs"]]
    began = time.monotonic()
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        running = {pool.submit(run, job): job for job in left}
        for number, done in enumerate(as_completed(running), 1):
            kept["runs"][name_of(running[done])] = done.result()
            keep(path, kept)
            spent = time.monotonic() - began
            print(f"{number} of {len(left)}, {spent:.0f} s: {name_of(running[done])}", flush=True)


def table(kept: Kept, wanted: list[Job]) -> str:
    """Return the table, of whole columns only."""
    whole = [column for column in COLUMNS if all(name_of(job) in kept["runs"] for job in wanted if job[0] == column)]
    runs = [[kept["runs"][name_of(job)] for job in wanted if job[0] == column] for column in whole]
    if not whole:
        return "No column is complete.\n"
    return markdown([column.head for column in whole], [measures_of(one) for one in runs])


def written(page: str, text: str) -> str:
    """Return a page with the table between its marks."""
    marked = re.compile(f"{re.escape(BEGIN)}\n.*?{re.escape(END)}", re.DOTALL)
    if not marked.search(page):
        sys.exit(f"the page has no {BEGIN} ... {END}")
    return marked.sub(lambda _: f"{BEGIN}\n{text}{END}", page)


def main() -> int:
    """Play what is missing, and show the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="the file that keeps each run")
    parser.add_argument("--write", type=Path, help="the page whose marked part becomes the table")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--workers", type=int, default=1, help="runs at the same time")
    parser.add_argument("--table", action="store_true", help="play nothing")
    given = parser.parse_args()
    wanted = list(jobs(given.seeds))
    kept = opened(given.out, conditions_of())
    if not given.table:
        fill(given.out, kept, wanted, given.workers)
    text = table(kept, wanted)
    print(text, end="")
    if given.write is not None:
        page = given.write.read_text(encoding="utf-8")
        given.write.write_text(written(page, text), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
