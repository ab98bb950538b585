"""The input of a prompt: the game master's view of the game, as plain values.

A pure function of the state. It includes hidden clocks, since the game master plays them, but no secrets and no
unchosen futures. Source: docs/tools/scenes.md, "Prompts".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from turnwright.game_master.prompts import scene_views as views
from turnwright.game_master.prompts.beats import BeatView, beat_views, without_dice
from turnwright.game_master.prompts.quoting import Ours
from turnwright.game_master.prompts.scene_lookup import answered_in, place_of, player_of, require_crew, scene_of
from turnwright.game_master.prompts.scene_tables import (
    CardView,
    DiceView,
    PriceView,
    Scar,
    cards_of,
    dice_of,
    prices_of,
    scars_left,
)
from turnwright.game_master.prompts.style_guide import DOMAIN, colour_of, scars_of
from turnwright.game_master.prompts.wishes import Wishes, wishes_of
from turnwright.model.clock import Clock
from turnwright.model.crew import (
    BetweenScenesContext,
    ClockInterrupt,
    FromInterlude,
    FromPassOut,
    PendingConsequence,
    SceneEntryContext,
    SessionEnded,
    Tone,
)
from turnwright.model.intrigue import Ledger, Rumor, Thread
from turnwright.model.mood import Mood, MoodName
from turnwright.model.request import Request, Stage
from turnwright.model.scene import Style
from turnwright.model.settings import Settings
from turnwright.model.state.overlay import World
from turnwright.rulesets.scenes import precarity, tarot
from turnwright.rulesets.scenes.moods import tools_of
from turnwright.rulesets.scenes.session import is_for_good
from turnwright.rulesets.scenes.settings import SETTINGS

_PREFIX = "scene."
_MAX_LISTED = 40
"""How many people and how many places the opener lists, so that a large world fits into a prompt."""


class Look(NamedTuple):
    """What a number looks like in play, and how to tell it."""

    word: Ours
    voice: Ours


class SceneContext(NamedTuple):
    """What templates may use. What is None or empty is not there in this stage; a template asks before it shows it."""

    wishes: Wishes
    stage: Stage
    prompt_id: int
    actor: str | None
    rules: Mapping[str, Any]
    player: views.PlayerView | None
    heat: int
    wanted: int
    precarity: Look
    precarity_score: int
    stress_look: Look
    heat_look: Look | None
    wanted_look: Look | None
    scars: tuple[Ours, ...]
    scars_left: tuple[Scar, ...]
    mood: MoodName | None
    variant: str | None
    now: Mood | None
    mood_turns: int
    domain: Ours | None
    dice: DiceView
    location: views.PlaceView | None
    stakes: str
    style: Style
    tone: Tone
    colour: tuple[Ours, ...]
    npcs: tuple[views.PersonView, ...]
    beats: tuple[BeatView, ...]
    beats_without_dice: int
    ledger: Ledger
    history: tuple[views.SummaryView, ...]
    visible_clocks: tuple[views.ClockView, ...]
    hidden_clocks: tuple[views.ClockView, ...]
    threads: tuple[Thread, ...]
    all_threads: tuple[Thread, ...]
    rumors: tuple[Rumor, ...]
    factions: tuple[views.FactionView, ...]
    session_goals: tuple[str, ...]
    recent_costs: tuple[str, ...]
    unresolved_threats: tuple[str, ...]
    entry: SceneEntryContext | None
    entry_clocks: tuple[str, ...]
    interrupt: ClockInterrupt | None
    consequences: tuple[PendingConsequence, ...]
    prices: tuple[PriceView, ...]
    interlude: BetweenScenesContext | None
    chosen_option: str
    cards: tuple[CardView, ...]
    hooks: tuple[tarot.Hook, ...]
    places: tuple[views.PlaceView, ...]
    people: tuple[views.PersonView, ...]
    request: Request | None
    is_over_for_good: bool
    tools: tuple[str, ...]


def context_of(world: World, settings: Settings) -> SceneContext:
    """Return what a prompt is made from now.

    Raises:
        BadRequest: where there is no scene game.
        CampaignInvalid: when the scene, or the place where it is, does not exist.
    """
    crew = require_crew(world)
    rules = {row.key.removeprefix(_PREFIX): settings[row.key] for row in SETTINGS if row.key.startswith(_PREFIX)}
    mood, scene, player = crew.accepted or crew.mood, scene_of(world, crew), player_of(world, crew)
    stress = player.stress if player else 0
    style = scene.style if scene else Style()
    interlude = getattr(crew.phase, "context", None)
    score = precarity.score(stress, crew.heat, crew.wanted)
    threads = views.threads_of(world)
    opening = crew.awaiting.stage == "dm_scene_init"
    chosen = player.choices if player and crew.awaiting.stage == "dm_scenario" else None
    return SceneContext(
        wishes=wishes_of(world),
        stage=crew.awaiting.stage,
        prompt_id=crew.awaiting.prompt_id,
        actor=answered_in(world, crew),
        rules=rules,
        player=views.player_view(player, rules["stress_max"]) if player else None,
        heat=crew.heat,
        wanted=crew.wanted,
        precarity=_look(precarity.precarity(score)),
        precarity_score=score,
        stress_look=_look(precarity.stress_band(stress)),
        heat_look=_look_if(precarity.heat_band(crew.heat)),
        wanted_look=_look_if(precarity.wanted_band(crew.wanted)),
        scars=scars_of(player.trauma if player else ()),
        scars_left=scars_left(player.trauma if player else ()),
        mood=mood.mood if mood else None,
        variant=mood.variant if mood else None,
        now=mood,
        mood_turns=crew.mood_turns,
        domain=_domain(mood),
        dice=dice_of(crew),
        location=place_of(world, scene) if scene else None,
        stakes=scene.stakes if scene else "",
        style=style,
        tone=crew.tone,
        colour=colour_of(style, crew.tone),
        npcs=views.present_views(world, scene) if scene else (),
        beats=beat_views(world, scene.beats) if scene else (),
        beats_without_dice=without_dice(scene.beats) if scene else 0,
        ledger=scene.ledger if scene else Ledger(),
        history=views.summary_views(world, crew.recent_summary_ids),
        visible_clocks=views.clock_views(world, visible=True),
        hidden_clocks=views.clock_views(world, visible=False),
        threads=tuple(thread for thread in threads if thread.tension != "simmering"),
        all_threads=threads,
        rumors=views.rumors_of(world),
        factions=views.faction_views(world),
        session_goals=crew.session_goals,
        recent_costs=crew.recent_costs,
        unresolved_threats=crew.unresolved_threats,
        entry=crew.scene_entry_context,
        entry_clocks=_entry_clocks(world, crew.scene_entry_context),
        interrupt=crew.pending_interrupt,
        consequences=crew.pending_consequences,
        prices=prices_of(world, crew, rules, has_payer=player is not None) if mood and mood.mood == "bargain" else (),
        interlude=interlude,
        chosen_option=_option(world, interlude.chosen) if interlude and interlude.chosen else "",
        cards=cards_of(chosen),
        hooks=tarot.hooks([card for one in (chosen.tarot_spread if chosen else ()) if (card := tarot.card(one))]),
        places=views.some_places(world, _MAX_LISTED) if opening else (),
        people=views.some_people(world, _MAX_LISTED) if opening else (),
        request=crew.request,
        is_over_for_good=isinstance(crew.phase, SessionEnded) and is_for_good(crew.phase),
        tools=tools_of(crew.mood) if crew.mood and crew.awaiting.stage in ("dm_turn", "player_text") else (),
    )


def _look(band: precarity.Band) -> Look:
    return Look(Ours(band.word.replace("_", " ")), Ours(band.voice))


def _look_if(band: precarity.Band | None) -> Look | None:
    return _look(band) if band else None


def _domain(mood: Mood | None) -> Ours | None:
    domain = getattr(mood, "domain", None)
    return Ours(DOMAIN[domain]) if domain else None


def _entry_clocks(world: World, entry: SceneEntryContext | None) -> tuple[str, ...]:
    if isinstance(entry, FromPassOut):
        return views.names_of(world, entry.clocks_advanced)
    return views.names_of(world, entry.completed_clocks) if isinstance(entry, FromInterlude) else ()


def _option(world: World, key: str) -> str:
    """Return what the crew chose to do between scenes, with the name of the clock it worked on."""
    option, _, clock_id = key.partition(":")
    clock = world.find(Clock, clock_id)
    return f"{option} ({clock.name})" if clock else option
