"""turnwright play."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwright.cli._options import campaign_argument, clock_of, now_option, require_authority, wait_option
from turnwright.cli._overrides import overrides_of, overrides_option
from turnwright.model.authority import GM
from turnwright.model.campaign import CAMPAIGN_PATH, CREW_PATH
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import NO_MODEL, has_own

if TYPE_CHECKING:
    from turnwright.campaign.campaign import Campaign
    from turnwright.campaign.writer import Clock
    from turnwright.cli._interrupt import StopSign
    from turnwright.cli._spinner import PatientModel
    from turnwright.cli.play.screen import Screen
    from turnwright.game_master.loop import GameMaster, QuestionSize
    from turnwright.llm.port import LanguageModel
    from turnwright.model.json_types import JsonObject, JsonValue
    from turnwright.model.settings import Settings
    from turnwright.model.state.overlay import World

_MODELS = ("agents.default_model", "agents.larger_model")
_WITHOUT_CONTEXT = ("echo", "script")
"""Kinds of models that read no question."""
APPROVALS = ("auto", "review", "assist", "human")
_NAME_A_MODEL = (
    "no model is named, so you are the game master: type what happens, and act with commands such as /move; "
    "`--model NAME` names one, such as --model ollama:llama3.2"
)
_SCENES_NEED_A_MODEL = (
    "a scene game needs a model: its game master writes what each die would bring before it is chosen. Name one, such "
    "as --model ollama:llama3.2, and leave --approve human and assist out; or hand in turns with `turnwright process`"
)
_PROFILES = ("moment", "core", "tiny")
"""How much of the tools a model is shown, the most first."""
_PROFILE = "agents.profile"
_USUAL_CONTEXT = 8192
"""Tokens: what the model on this machine holds, and what is supposed of one whose context is not known."""


@click.command()
@campaign_argument
@click.option("--model", metavar="M", help="`none`, or a language model; default: `agents.default_model`, else none.")
@click.option("--larger-model", metavar="M", help="For agents that want a larger one; `agents.larger_model`.")
@click.option("--as", "seat", help="Who plays: `table`, `gm`, or `player:ID`; default: table, without a model gm.")
@click.option("--approve", type=click.Choice(APPROVALS), help="Who decides what a model wants; `agents.approve`.")
@click.option(
    "--new", "template", metavar="TEMPLATE", help="Make the campaign first; a sample comes without its turns."
)
@click.option("--seed", help="With --new: makes the dice repeatable.")
@click.option("--model-seed", type=click.IntRange(0), help="Makes a model repeatable that can be.")
@click.option("--schema", "has_schema", is_flag=True, help="Have the model answer by JSON that fits the legal calls.")
@click.option("--instant", is_flag=True, help="Show texts at once instead of typing them out.")
@overrides_option
@now_option
@wait_option
def command(
    campaign: Path,
    model: str | None,
    larger_model: str | None,
    seat: str | None,
    approve: str | None,
    template: str | None,
    seed: str | None,
    model_seed: int | None,
    has_schema: bool,
    instant: bool,
    assignments: tuple[str, ...],
    now: datetime | None,
    wait: float,
) -> None:
    """Play a CAMPAIGN in the terminal, with a model as its game master, or without one.

    Type what your character does; /help lists what else there is. Whatever is told has been checked and recorded
    before. With `--model none` you are the game master: commands such as /move and /attack act, and whatever else you
    type is told. Lines may also come from a pipe.
    """
    from turnwright.campaign.campaign import Campaign
    from turnwright.cli._interrupt import StopSign
    from turnwright.cli.play.screen import Screen
    from turnwright.cli.play.seats import TABLE
    from turnwright.store.system import system_clock

    if seat is not None:
        require_authority(seat, TABLE)
    overrides = _overrides(assignments, model, larger_model)
    if approve is not None:
        overrides["agents.approve"] = approve
    if seed is not None and template is None:
        raise click.UsageError("--seed needs --new: an existing campaign has its dice already")
    stop = StopSign()
    screen = Screen(stop, is_instant=instant)
    models = _Opened(screen.tick, stop, overrides, campaign)
    if template is not None:
        if (campaign / CAMPAIGN_PATH).exists():
            raise click.UsageError(f"{campaign} is a campaign already; leave --new out to go on with it")
        _require_playable(campaign, template, seat, overrides, models, clock_of(now) or system_clock)
        Campaign.new(campaign, template, seed=seed, clock=clock_of(now), with_turns=False).close()
    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        _play(opened, campaign, seat, overrides, model_seed, models, screen, stop, has_schema=has_schema)


def _overrides(assignments: tuple[str, ...], model: str | None, larger_model: str | None) -> dict[str, JsonValue]:
    overrides = overrides_of(assignments, os.environ)
    named = zip(_MODELS, (model, larger_model), strict=True)
    return overrides | {key: name for key, name in named if name is not None}


def _require_playable(
    path: Path, template: str, seat: str | None, overrides: JsonObject, models: _Opened, clock: Clock
) -> None:
    """Refuse a session of a campaign that is not made yet, so that nothing is left behind by one that cannot begin."""
    from turnwright.campaign.bootstrap import world_of_template
    from turnwright.game_master.loop import session_settings

    models.settle(overrides)
    world = world_of_template(path, template, clock())
    _settle(world, session_settings(world, overrides), seat, models)


def _settle(world: World, settings: Settings, seat: str | None, models: _Opened) -> tuple[list[str], str]:
    """Open the models of a session, and return their names and the played seat.

    Raises:
        BadRequest: when a scene game has no model, because its side of the game consists of documents that cannot be
        typed by hand; or when a player is not in the party.
    """
    from turnwright.cli.play.seats import TABLE
    from turnwright.model.errors import BadRequest
    from turnwright.views.state import require_member

    named = models.settle({key: settings[key] for key in _MODELS})
    is_own_master = not named or settings["agents.approve"] in ("human", "assist")
    if is_own_master and world.get(CREW_PATH) is not None:
        raise BadRequest(_SCENES_NEED_A_MODEL)
    seat = seat or (GM if is_own_master else TABLE)
    require_member(world, seat)
    return named, seat


def _play(
    campaign: Campaign,
    path: Path,
    seat: str | None,
    overrides: JsonObject,
    model_seed: int | None,
    models: _Opened,
    screen: Screen,
    stop: StopSign,
    *,
    has_schema: bool,
) -> None:
    from turnwright.cli._keyboard import Keyboard
    from turnwright.cli.play.session import Session
    from turnwright.game_master.loop import GameMaster
    from turnwright.game_master.suggestion_provider import read_words, suggest

    master = GameMaster(
        campaign,
        path,
        models,
        suggest=suggest,
        overrides=overrides,
        clock_ms=lambda: time.monotonic() * 1000,
        seed=model_seed,
        has_schema=has_schema,
    )
    settings = master.settings
    with campaign.reading() as world:
        named, seat = _settle(world, settings, seat, models)
    if named and settings["suggestions.enabled"]:
        read_words(settings)
    told = ", and ".join(named) or "you"
    warnings = list(_model_warnings(campaign, master, models, settings)) if named else [_NAME_A_MODEL]
    with Keyboard(path) as keyboard:
        Session(campaign, path, master, screen, keyboard, stop, seat, has_model=bool(named)).run(told, warnings)
    sys.stdout.flush()


def _model_warnings(campaign: Campaign, master: GameMaster, models: _Opened, settings: Settings) -> Iterator[str]:
    yield from _language_warnings(settings)
    with campaign.reading() as world:
        is_chosen = has_own(world.campaign.settings, _PROFILE) or master.is_overridden(_PROFILE)
    yield from _fit(master, models, settings, is_chosen=is_chosen)


def _language_warnings(settings: Settings) -> Iterator[str]:
    """Yield what to say of languages of the campaign that have no pack."""
    if settings["suggestions.enabled"]:
        from turnwright.suggestions.pack_files import language_faults

        yield from language_faults(settings["suggestions.languages"])


def _fit(master: GameMaster, models: _Opened, settings: Settings, *, is_chosen: bool) -> Iterator[str]:
    """Fit requests to the model's context size, and yield messages about it.

    Args:
        master: the game master.
        models: the models.
        settings: the settings in force.
        is_chosen: whether the user chose a profile, which is then kept.
    """
    name = settings[_MODELS[0]]
    if name.partition(":")[0] in _WITHOUT_CONTEXT:
        return
    most = models.context_of(name)
    holds = f"{name} holds {most:,}" if most else f"many models hold {_USUAL_CONTEXT:,}"
    profile = settings[_PROFILE] if most is None or is_chosen else _choose_profile(master, most)
    size = master.question_size()
    if not _fits(size, most or _USUAL_CONTEXT):
        yield (
            f"a question to the model takes about {size.tokens:,} tokens, {size.of_tools:,} of them for the "
            f"descriptions of {size.tools} tools, and its answer up to {size.max_tokens:,}; {holds}. Where the "
            "model refuses or forgets: let its server hold more, show it fewer tools with --set agents.profile=core "
            "or tiny, or shorten the rest with --set agents.context_tokens=2000"
        )
    elif profile != settings[_PROFILE]:
        yield f"{holds} tokens, so it is shown fewer tools (agents.profile = {profile}); the others it can look up"


def _choose_profile(master: GameMaster, most: int) -> str:
    """Have a model shown as much of the tools as fits what it holds, and return the profile."""
    for profile in _PROFILES:
        master.override(_PROFILE, profile)
        if _fits(master.question_size(), most):
            break
    return profile


def _fits(size: QuestionSize, most: int) -> bool:
    return size.tokens + size.max_tokens <= most


class _Opened:
    """Opens each model once.

    A name that only the campaign gives is untrusted: it opens no file, and a server gets no text and no key before the
    person at the terminal agrees.
    """

    def __init__(self, tick: Callable[[], None], stop: StopSign, overrides: JsonObject, campaign: Path) -> None:
        self._campaign = campaign
        self._tick = tick
        self._stop = stop
        self._trusted = {name for key, name in overrides.items() if key.endswith(("model", ".llm"))}
        self._models: dict[str, PatientModel] = {}

    def __call__(self, name: str) -> PatientModel:
        from turnwright.cli._spinner import PatientModel

        if name not in self._models:
            self._models[name] = PatientModel(self._open(name), self._tick, self._stop)
        return self._models[name]

    def settle(self, settings: JsonObject) -> list[str]:
        """Open the models that settings name, and return how to name them to people.

        Returns:
            Their names; none if the person alone is the game master.
        """
        default, larger = (str(settings.get(key, "")) for key in _MODELS)
        if default in ("", NO_MODEL):
            return []
        for name in filter(None, (default, larger)):
            self(name)
        return [default, f"{larger} for some"] if larger and larger != default else [default]

    def _open(self, name: str) -> LanguageModel:
        from turnwright.llm.catalog import open_model
        from turnwright.model.errors import BadRequest

        if name in self._trusted:
            return open_model(name, env=os.environ)
        kind, _, rest = name.partition(":")
        if kind == "script" or (kind == "local" and rest):
            raise BadRequest(f"{name}: a file of yours is not opened because a campaign says so; give it by --model")
        if rest and kind != "local":
            from turnwright.cli._trusted_servers import require_trust

            require_trust(self._campaign, name)
        return open_model(name, env=os.environ)

    def context_of(self, name: str) -> int | None:
        """Return how many tokens a model holds, as far as its server says."""
        from turnwright.llm.context_size import context_of
        from turnwright.model.model_name import KEY

        return context_of(self(name).bare, os.environ.get(KEY, "").strip())
