"""Create a campaign from a person's answers: documents are made by the tools that the game itself uses.

Nothing is written before the last answer. Source: docs/your-own-campaign.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.campaign.bootstrap import begin_with, id_of, require_empty, validated
from turnwright.content.library import Library
from turnwright.content.pack import PackError
from turnwright.content.registry import PackRegistry
from turnwright.model.base import Document, Entry
from turnwright.model.campaign import CAMPAIGN_PATH, CREW_PATH, DEFAULT_ALLOWLIST, FORMAT, PARTY_PATH
from turnwright.model.character import Character
from turnwright.model.crew import Crew
from turnwright.model.dice.draws import Dice
from turnwright.model.errors import BadRequest
from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.lazy import load
from turnwright.model.location import Location
from turnwright.model.party import PartyDocument
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.model.wire.reason import CallFailed
from turnwright.rulesets.beginning import (
    MAX_NAME,
    OPENING_TURN,
    Beginning,
    Kind,
    Made,
    Readable,
    Situation,
    Unclear,
    clear_words,
    readable_id,
)
from turnwright.rulesets.content_library import has_content, library_of
from turnwright.rulesets.in_use import settings_in, tables_of
from turnwright.rulesets.registry import BUILT_IN
from turnwright.rulesets.tool import Context
from turnwright.store.files import storage_errors
from turnwright.store.system import system_clock, timestamp

if TYPE_CHECKING:
    from turnwright.campaign.packs import OpenPacks
    from turnwright.campaign.writer import Clock
    from turnwright.rulesets.beginning import PlannedCall

DEFAULT_GAME = "fifth_edition"
DEFAULT_PLACE = "Oxbow"
DEFAULT_TROUBLE = "giant rats in the mill"
MAX_HEROES = 8
MAX_TITLE = 120
_WAY_OUT = "Old road"
_MAP = re.compile(r",\s*(?P<size>\S+)\s+areas?\s*$", re.IGNORECASE)
"""The form that requests a map of a place: `Sunken Keep, 8 areas`."""
_TONES = frozenset({"tense", "neutral", "comedic", "dark", "hopeful", "mysterious"})


class Answers(NamedTuple):
    """A person's answers; empty ones take their defaults.

    Attributes:
        game: the name of the ruleset.
        title: of the campaign.
        heroes: each in a few words.
        place: where it begins.
        trouble: the problem of the story.
        tone: how it should sound.
        avoid: content that must not occur.
    """

    game: str = DEFAULT_GAME
    title: str = ""
    heroes: Sequence[str] = ()
    place: str = ""
    trouble: str = ""
    tone: str = ""
    avoid: Sequence[str] = ()


class Game(NamedTuple):
    """A campaign that has not begun.

    Attributes:
        title: its title.
        documents: all of it, by path.
        openings: texts that could open it, the best first.
        lines: a summary of its content, for people.
    """

    title: str
    documents: Mapping[str, Document]
    openings: Sequence[str]
    lines: Sequence[str]


def begin_own_game(path: Path, answers: Answers, seed: str | None, clock: Clock | None) -> Game:
    """Begin the campaign that answers describe; its first turn tells the opening.

    Args:
        path: the directory; made if it is not there, and empty otherwise.
        answers: the person's answers.
        seed: makes the dice repeatable; None: an unpredictable secret.
        clock: gives an aware datetime; None: the system's.

    Raises:
        BadRequest: when the directory is not empty, or nothing can be made of an answer.
    """
    from turnwright.campaign.campaign import Campaign

    require_empty(path)
    now = timestamp((clock or system_clock)())
    try:
        game = GameDraft(answers.game, id_of(path), now).finished(answers)
    except Unclear as unclear:
        raise BadRequest(str(unclear)) from None
    with storage_errors(f"cannot make {path}"):
        begin_with(path, game.documents, now, (), seed)
    with Campaign.open(path, clock) as campaign:
        turns = [{"turn_id": OPENING_TURN, "assistant_text": text} for text in game.openings]
        for turn in turns:
            if turn is turns[-1] or not campaign.process(turn, dry_run=True)["findings"]:
                campaign.process(turn)
                break
    return game


def games() -> dict[str, Beginning]:
    """Return how a game of each ruleset begins, the usual one first."""
    found: dict[str, Beginning] = {name: load(place) for name, place in BUILT_IN.beginnings.items()}
    return dict(sorted(found.items(), key=lambda pair: pair[0] != DEFAULT_GAME))


def game_named(text: str) -> str:
    """Return the name of a game: `fifth edition` and `5e` are names, too.

    Raises:
        Unclear: when there is none of this name.
    """
    name = "_".join(text.casefold().replace("-", " ").split())
    name = {"5e": DEFAULT_GAME, "5th_edition": DEFAULT_GAME, "scene": "scenes"}.get(name, name)
    known = games()
    if name not in known:
        raise Unclear(f"the game is one of {', '.join(known)}{did_you_mean(name, known)}")
    return name


class GameDraft:
    """A campaign while its questions are answered.

    Args:
        game: the name of the ruleset.
        campaign_id: the id of the campaign.
        now: the time, as records have it.
    """

    def __init__(self, game: str, campaign_id: str, now: str) -> None:
        self.beginning = games()[game_named(game)]
        campaign: dict[str, Any] = {
            "format": FORMAT,
            "id": campaign_id,
            "allowlist": [*DEFAULT_ALLOWLIST, *self.beginning.allowlist],
            "created_at": now,
        }
        if self.beginning.content:
            campaign["content"] = list(self.beginning.content)
        if self.beginning.settings:
            campaign["settings"] = dict(self.beginning.settings)
        documents = validated({CAMPAIGN_PATH: campaign, **self.beginning.documents})
        self._world = _ReadableIds(InMemorySource(documents))
        self._packs = PackRegistry()
        self._lines: list[str] = []
        self.area_id: str | None = None
        """The area where the game begins."""
        self.begins_at = ""
        self._known: list[str] = []

    def read(self, kind: Kind, text: str) -> Made:
        """Return what words describe, without taking it.

        Raises:
            Unclear: when nothing can be made of them.
        """
        return read_words(self.beginning, kind, text, self._situation())

    def names_of(self, kind: str) -> list[str]:
        """Return the names of the entries of a kind in the content of the game."""
        library = self._situation().library
        return [row.name for row in library.rows() if row.kind == kind] if library else []

    def preview(self, made: Made) -> list[str]:
        """Return how something reads, a sheet in full; nothing is taken."""
        world = _ReadableIds(self._world)
        self._run(made, world)
        return described(made, world, self.beginning)

    def take(self, made: Made) -> None:
        """Take what was described."""
        self._run(made, self._world)
        self._lines += made.lines

    def add_places(self, text: str, trouble: str) -> None:
        """Take the place where the game begins, and what lies around it.

        That is an inn and the place of the trouble, one step away each; with `Name, 8 areas` a map of so many areas
        inside the place, and the place of the trouble behind the last of them.

        Raises:
            Unclear: when a name is none, or nothing can be made of the number.
        """
        head, colon, description = text.partition(":")
        mapped = _MAP.search(head)
        start = self.read("place", (head[: mapped.start()] if mapped else head) + colon + description)
        clear_words(start.name, "the name of a place", MAX_NAME)
        self.take(start)
        (here,) = self._world.all(Location)
        self.area_id, self.begins_at = here.area_id, start.name
        taken = {start.name.casefold()}
        own = re.sub("^The ", "the ", start.name)
        others = [trouble or _WAY_OUT, f"Inn of {own}"]
        situation = self._situation()
        if mapped:
            self.take(read_words(self.beginning, "map", mapped["size"], situation))
            others, situation = [trouble] if trouble else [], situation._replace(area_id=self._last_area())
        for other in others:
            if other.casefold() not in taken:
                taken.add(other.casefold())
                self.take(read_words(self.beginning, "place", other, situation))
        found = [place.area_id for place in self._world.all(Location) if place.area_id]
        self._known = [here.area_id or ""] if mapped else sorted(found)

    def _last_area(self) -> str | None:
        """Return the last area inside the place where the game begins."""
        layer = self._world.layer(self.area_id)
        return max(layer.areas) if layer else self.area_id

    def finished(self, answers: Answers) -> Game:
        """Return the campaign that answers describe; the draft takes them all.

        Raises:
            Unclear: when nothing can be made of an answer.
        """
        place = answers.place or DEFAULT_PLACE
        words = clear_words(answers.trouble or DEFAULT_TROUBLE, "the trouble")
        trouble = self.beginning.trouble(words, self._situation(), max(1, len(answers.heroes)))
        self.add_places(place, trouble.place)
        heroes = list(answers.heroes) or [self.beginning.default_hero] * bool(self.beginning.default_hero)
        if len(heroes) > MAX_HEROES:
            raise Unclear(f"a game has at most {MAX_HEROES} heroes, and these are {len(heroes)}")
        for text in heroes:
            self.take(self.read("hero", text))
        self._run(Made(trouble.calls), self._world)
        self._lines += trouble.lines
        self._know_places()
        self._title(answers, words)
        return Game(self._world.campaign.title, dict(self._documents()), self._opening(words), tuple(self._lines))

    def _situation(self) -> Situation:
        library: Library | None = None
        if has_content(self._world):
            library = library_of(self._world, self._packs)
        return Situation(self._world, library, self.area_id)

    def _run(self, made: Made, world: _ReadableIds) -> None:
        for number, call in enumerate(made.calls, start=1):
            world.named_by = call["args"].get("name", "")
            apply_call(call, number, world, lambda: self._packs)
        for person in made.people:
            world.put(person)
            if person.character_type == "pc":
                _join(world, person.id)

    def _know_places(self) -> None:
        party = self._world.get(PARTY_PATH)
        kept = party if isinstance(party, PartyDocument) else PartyDocument()
        self._world.put(kept.replace(known_area_ids=self._known))

    def _title(self, answers: Answers, trouble: str) -> None:
        title = clear_words(answers.title or self.begins_at, "the title", MAX_TITLE)
        tone = clear_words(answers.tone, "the tone") if answers.tone else ""
        avoid = [clear_words(each, "what must not occur") for each in answers.avoid]
        campaign = self._world.campaign
        agents = {"tone": tone} if tone else {}
        told = {"agents": {**agents, **({"avoid": avoid} if avoid else {})}} if agents or avoid else {}
        goal = campaign.goal.replace(text=trouble)
        self._world.put(campaign.replace(title=title, goal=goal, settings={**campaign.settings, **told}))
        crew = self._world.get(CREW_PATH)
        if isinstance(crew, Crew) and tone.casefold() in _TONES:
            self._world.put(crew.replace(tone=tone.casefold()))

    def _documents(self) -> Mapping[str, Document]:
        world = self._world
        paths = dict.fromkeys([CAMPAIGN_PATH, *self.beginning.documents, *world.touched])
        return {path: document for path in paths if (document := world.get(path)) is not None}

    def _opening(self, trouble: str) -> list[str]:
        """Return texts that open the game, the best first: names in the first could be read as claims."""
        world = self._world
        here = world.area(self.area_id) if self.area_id else None
        if here is None:
            return []
        heroes = [person.label for person in world.party()]
        ways = [area.name for each in here.reachable_area_ids if (area := world.area(each))]
        parts = [f"It begins in {here.name}."]
        parts += [f"{_listed(heroes)} {'is' if len(heroes) == 1 else 'are'} here."] if heroes else []
        parts += [f"From here one can go to {_listed(ways)}."] if ways else []
        return [" ".join([*parts, _talk(trouble)]), _talk(trouble)]


def _talk(trouble: str) -> str:
    """Return the trouble as reported speech: the story does not state a person's claims as facts."""
    said = trouble.replace('"', "'")
    return f'People talk of one thing: "{said}".'


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _join(world: World, character_id: str) -> None:
    campaign = world.campaign
    selected = campaign.selected
    members = (*selected.party_character_ids, character_id)
    acting = selected.active_actor_id or character_id
    world.put(campaign.replace(selected=selected.replace(party_character_ids=members, active_actor_id=acting)))


def apply_call(call: PlannedCall, number: int, world: World, open_packs: OpenPacks) -> None:
    """Apply the call that makes a described thing to a draft: a copy in memory, or a campaign that has not begun.

    Raises:
        Unclear: when its tool refuses it.
    """
    campaign = world.campaign
    tables = tables_of(campaign)
    settings = settings_in(campaign)
    tool = tables.toolbox[call["tool"]]
    part = Dice(b"", "new").part(number)
    context = Context(None, part, call["args"], settings, campaign.contract, open_packs=open_packs)
    try:
        tool.apply(world, tool.args.model_validate(call["args"]), context)
    except CallFailed as failed:
        raise Unclear(failed.detail) from None


def described(made: Made, world: World, beginning: Beginning) -> list[str]:
    """Return how something reads that was just made in a world, a sheet in full."""
    shown = [one for one in world.touched.values() if isinstance(one, Character) and one.sheet is not None]
    return [line for one in shown for line in beginning.describe(one)] or list(made.lines)


def read_words(beginning: Beginning, kind: Readable, text: str, situation: Situation) -> Made:
    """Return what words describe.

    Raises:
        Unclear: when nothing can be made of them, or the game has nothing of this kind.
    """
    reader = beginning.readers.get(kind)
    if reader is None:
        raise Unclear(beginning.missing.get(kind, f"this game has no {kind}"))
    try:
        return reader(text, situation)
    except PackError as error:
        raise Unclear(str(error)) from None


class _ReadableIds(World):
    """A campaign before it begins, in which people and places get ids that a person can type."""

    named_by = ""

    def new_id(self, kind: str, model: type[Entry] | None = None, held: Sequence[str] = ()) -> str:  # type: ignore[override]
        """Return an id made of the name in the call that runs."""
        if model not in (Character, Location) or not self.named_by:
            return super().new_id(kind, model, held)
        readable: str = readable_id(self.named_by, kind, lambda each: self.has(model.path_of(each)) or None)
        return readable
