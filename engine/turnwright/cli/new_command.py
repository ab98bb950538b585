"""turnwright new."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import clock_of, now_option
from turnwright.cli._program import command_line
from turnwright.model.campaign import CREW_PATH

if TYPE_CHECKING:
    from turnwright.campaign.own_game import Answers
    from turnwright.campaign.writer import Clock

_SOME_MODEL = "ollama:llama3.2"


@click.command()
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--template", help="`stage3` (the default), `toolkit`, `scenes`, or a sample campaign.")
@click.option("--from", "from_file", type=click.Path(path_type=Path), help="A campaign in one file, to import.")
@click.option("--game", help="A game of your own: `fifth_edition`, `core` or `scenes`.")
@click.option("--title", help="What it is called; the place, if it is not said.")
@click.option("--hero", "heroes", multiple=True, help='Who plays: "Greta, halfling rogue 2"; may be repeated.')
@click.option("--place", help="Where it begins, such as Oxbow.")
@click.option("--trouble", help='What is the matter: "giant rats in the mill".')
@click.option("--tone", help="How it should sound.")
@click.option("--avoid", multiple=True, help="What must not occur; may be repeated.")
@click.option("--describe", metavar="SENTENCE", help="Let a model draft it; other answers go before its own.")
@click.option("--model", metavar="M", help="With --describe: which model, as for `play`.")
@click.option("--seed", help="Makes the dice repeatable; by default a secret, or what a sample was written for.")
@now_option
def command(
    directory: Path,
    template: str | None,
    from_file: Path | None,
    game: str | None,
    title: str | None,
    heroes: tuple[str, ...],
    place: str | None,
    trouble: str | None,
    tone: str | None,
    avoid: tuple[str, ...],
    describe: str | None,
    model: str | None,
    seed: str | None,
    now: datetime | None,
) -> None:
    """Make a new campaign DIRECTORY: your own, from a template, or a one-file campaign.

    On a terminal, and without an option that answers, it asks what your game is about. Options answer instead:
    --game, --title, --hero, --place, --trouble, --tone, --avoid; what is not said takes its default.
    """
    given = (game, title, place, trouble, tone, describe, *heroes, *avoid)
    is_own = any(value is not None for value in given)
    if is_own and (template is not None or from_file is not None):
        raise click.UsageError("a campaign of your own has no --template and no --from")
    if (describe is None) != (model is None):
        raise click.UsageError("--describe and --model go together: a model drafts the campaign")
    clock = clock_of(now)
    if is_own:
        from turnwright.campaign.own_game import DEFAULT_GAME, Answers

        answers = Answers(
            game or DEFAULT_GAME, title or "", heroes, place or "", trouble or "", tone or "", tuple(avoid)
        )
        if describe is not None and model is not None:
            answers = _drafted(directory, answers, describe, model, clock)
        _begin(directory, answers, seed, clock, model)
    elif template is None and from_file is None and sys.stdin.isatty() and sys.stdout.isatty():
        _ask_and_begin(directory, seed, clock)
    else:
        _copy(directory, template, from_file, seed, clock)


def _ask_and_begin(directory: Path, seed: str | None, clock: Clock | None) -> None:
    from turnwright.campaign.bootstrap import id_of, require_empty
    from turnwright.cli._wizard import Leaving, Wizard
    from turnwright.store.system import system_clock, timestamp

    require_empty(directory)  # before asking any question
    try:
        answers = Wizard(id_of(directory), timestamp((clock or system_clock)())).run()
    except Leaving:
        click.echo("left; nothing was written")
        return
    _begin(directory, answers, seed, clock)


def _drafted(directory: Path, given: Answers, sentence: str, model: str, clock: Clock | None) -> Answers:
    """Return the answers that a model drafts, and in their place those that were given."""
    from turnwright.campaign.bootstrap import id_of, require_empty
    from turnwright.campaign.own_game import GameDraft, game_named
    from turnwright.cli._scene_view import echo_wrapped
    from turnwright.game_master.own_game import drafted_answers
    from turnwright.llm.catalog import open_model
    from turnwright.model.errors import BadRequest
    from turnwright.rulesets.beginning import Unclear
    from turnwright.store.system import system_clock, timestamp

    require_empty(directory)
    try:
        game = game_named(given.game)
    except Unclear as unclear:
        raise BadRequest(str(unclear)) from None
    campaign_id, now = id_of(directory), timestamp((clock or system_clock)())
    drafted = drafted_answers(
        sentence, game, open_model(model, env=os.environ), lambda: GameDraft(game, campaign_id, now)
    )
    for repair in drafted.repairs:
        echo_wrapped(repair, "  ! ", "yellow")
    own = given._asdict()
    return given._replace(**{key: drafted for key, drafted in drafted.answers._asdict().items() if not own[key]})


def _begin(directory: Path, answers: Answers, seed: str | None, clock: Clock | None, model: str | None = None) -> None:
    """Make the campaign, and say what is in it and how it is played: a scene game only with a model."""
    from turnwright.campaign.own_game import begin_own_game
    from turnwright.cli._output import safe
    from turnwright.cli._scene_view import echo_wrapped

    game = begin_own_game(directory, answers, seed, clock)
    click.echo(safe(f"{directory}: {game.title} is ready"))
    for line in game.lines:
        echo_wrapped(line, "  ")
    if CREW_PATH in game.documents:
        line = command_line("play", directory, "--model", model or _SOME_MODEL)
        click.echo(safe(f"  play it with a model, this one or yours: {line}"))
    else:
        click.echo(safe(f"  play it: {command_line('play', directory)}"))


def _copy(directory: Path, template: str | None, from_file: Path | None, seed: str | None, clock: Clock | None) -> None:
    from turnwright.campaign.campaign import Campaign
    from turnwright.cli._output import safe
    from turnwright.store.inbox import DROP_FOLDER
    from turnwright.store.package_files import seed_of_sample

    own_seed = seed_of_sample(template) if template is not None and from_file is None and seed is None else None
    with Campaign.new(directory, template, from_file, seed if own_seed is None else own_seed, clock) as campaign:
        record = next(campaign.records())
    click.echo(f"{safe(directory)}: campaign {safe(record['campaign_id'])} is ready")
    if own_seed is not None:
        click.echo(safe(f"  its dice are those of its story: seed {own_seed}; --seed takes another"))
    for repair in record["repairs"]:
        click.echo(f"  {safe(repair)}")
    waiting = len(list((directory / DROP_FOLDER).glob("*.json")))
    if waiting:
        click.echo(safe(f"  {waiting} turn files wait; `{command_line('process', directory)}` takes them"))
