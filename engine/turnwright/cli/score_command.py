"""turnwright score."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import json_option
from turnwright.cli._output import echo_json, echo_table, safe
from turnwright.cli._output_file import require_no_campaign
from turnwright.cli._overrides import overrides_of, overrides_option
from turnwright.model.json_types import JsonObject

if TYPE_CHECKING:
    from turnwright.analysis.score.packs import Pack
    from turnwright.analysis.score.run import Conditions
    from turnwright.analysis.score.shapes import Run
    from turnwright.llm.port import LanguageModel
    from turnwright.model.json_types import JsonValue


@click.command()
@click.option("--model", required=True, metavar="MODEL", help="Who is the game master, as for `play`; or `solution`.")
@click.option(
    "--scenario", "scenarios", required=True, multiple=True, metavar="PACK", help="A pack, by name or folder."
)
@click.option("--seeds", type=click.IntRange(1, 10_000), required=True, help="How often each pack is played.")
@click.option("--turns", type=click.IntRange(1), help="Play only so many messages of each pack.")
@click.option("--no-legal-schema", is_flag=True, help="Let the model write as it likes, not JSON of legal calls.")
@click.option("--no-suggestions", is_flag=True, help="Suggest no tools.")
@click.option("--keep", type=click.Path(path_type=Path, file_okay=False), help="Keep the campaigns in this folder.")
@overrides_option
@json_option
def command(
    model: str,
    scenarios: tuple[str, ...],
    seeds: int,
    turns: int | None,
    no_legal_schema: bool,
    no_suggestions: bool,
    keep: Path | None,
    assignments: tuple[str, ...],
    as_json: bool,
) -> None:
    """Score a MODEL as a game master, in scenarios whose players are scripted and whose dice are seeded.

    No model judges: what counts is what was called, what was applied, and what is true in the end. With fewer than
    100 turns it shows counts alone.
    """
    from turnwright.analysis.score.measures import measures_of
    from turnwright.analysis.score.pack import HINTS
    from turnwright.analysis.score.packs import read_pack
    from turnwright.analysis.score.table import rows_of

    packs = [read_pack(named) for named in scenarios]
    settings = _settings(assignments)
    has_suggestions = bool(settings.pop(HINTS, True)) and not no_suggestions
    names = _require_apart(packs)
    _require_room(keep, names, seeds)
    runs: list[Run] = []
    for pack in packs:
        conditions = _conditions(model, pack, settings, turns, not no_legal_schema, has_suggestions)
        conditions.open_model(model)
        for seed in range(1, seeds + 1):
            runs.append(_run(pack, seed, keep, conditions))
    measures = measures_of(runs)
    if as_json:
        how = {"schema": not no_legal_schema, "suggestions": has_suggestions, "settings": settings, "turns": turns}
        head = {"model": model, "packs": names, "seeds": seeds, **how}
        echo_json({**head, "measures": measures, "runs": runs})
        return
    echo_table([click.style(row[0], bold=True), *map(safe, row[1:])] for row in rows_of([measures]))
    if not measures["enough_turns"]:
        click.echo("Fewer than 100 turns: counts only.")


def _settings(assignments: Iterable[str]) -> dict[str, JsonValue]:
    """Return the settings that count for all runs; the model that is scored is none of them."""
    from turnwright.analysis.score.pack import MODEL

    if MODEL in overrides_of(assignments, {}):
        raise click.UsageError(f"--set {MODEL}: the model that is scored is given by --model")
    settings = overrides_of(assignments, os.environ)
    settings.pop(MODEL, None)  # of the environment, which counts less than --model
    return settings


def _require_apart(packs: Iterable[Pack]) -> list[str]:
    """Return the names of the packs, sorted; reject two of one name, whose runs would be indistinguishable."""
    names = sorted(pack.name for pack in packs)
    for name, following in pairwise(names):
        if name == following:
            raise click.UsageError(f"--scenario: two packs are called {name}")
    return names


def _require_room(keep: Path | None, names: Iterable[str], seeds: int) -> None:
    """Refuse a folder that holds earlier runs now: when its turn comes, other runs have been played and paid for."""
    from turnwright.campaign.bootstrap import require_empty

    if keep is not None:
        require_no_campaign(keep, "and runs are campaigns of their own")
        for name in names:
            for seed in range(1, seeds + 1):
                require_empty(_place(keep, name, seed))


def _place(folder: Path, name: str, seed: int) -> Path:
    return folder / f"{name}-{seed}"


def _conditions(
    model: str, pack: Pack, settings: JsonObject, turns: int | None, has_schema: bool, has_suggestions: bool
) -> Conditions:
    from turnwright.analysis.score.run import Conditions
    from turnwright.game_master.suggestion_provider import suggest

    return Conditions(
        model=model,
        open_model=partial(_opened, pack),
        suggest=suggest if has_suggestions else None,
        has_schema=has_schema,
        settings=settings,
        turns=turns,
        clock_ms=lambda: time.monotonic() * 1000,
    )


def _opened(pack: Pack, name: str) -> LanguageModel:
    from turnwright.analysis.score.solution import SOLUTION, solution_of
    from turnwright.llm.catalog import open_model

    return solution_of(pack) if name == SOLUTION else open_model(name, env=os.environ)


def _run(pack: Pack, seed: int, keep: Path | None, conditions: Conditions) -> Run:
    from turnwright.analysis.score.run import play

    with _folder(keep) as folder:
        run = play(pack, seed, _place(folder, pack.name, seed), conditions)
    ended = {True: "passed", False: "not passed", None: "played"}[run["passed"]]
    click.echo(f"{safe(pack.name)}, seed {seed}: {ended}", err=True)
    return run


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="turnwright-score-") as folder:
        yield Path(folder)
