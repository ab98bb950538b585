"""get_session_context: the state of the campaign at a glance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field

from turnwright.model.base import Count, Flag, Id, ListOf, Model, SafeInt, Text, is_empty, is_none
from turnwright.model.calendar import TimeOfDay, time_of_day
from turnwright.model.encounter import Encounter
from turnwright.model.note import Note
from turnwright.model.state.overlay import World
from turnwright.rulesets.core.places import lookup as places
from turnwright.rulesets.core.places._location_args import ExitResult
from turnwright.rulesets.core.places._members import member_ids, show_member
from turnwright.rulesets.core.places.manage_notes import newest_first
from turnwright.rulesets.fifth_edition.passing_time import calendar_of, keeps_calendar
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
from turnwright.rulesets.fifth_edition.targets import body_of
from turnwright.rulesets.references import Choice
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, running_encounters, toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.belongings.shapes import (
        ContextCombat,
        ContextFight,
        ContextFighter,
        ContextMember,
        ContextNote,
        ContextNotes,
        ContextParty,
        ContextPlace,
        ContextSummary,
    )

Section = Annotated[
    Literal["location", "party", "notes", "combat", "summary"],
    Choice(
        synonyms={
            "location": ("place", "where"),
            "party": ("members", "characters"),
            "notes": ("note", "journal"),
            "combat": ("encounter", "encounters", "fight", "fights", "battle"),
            "summary": ("overview", "counts"),
        }
    ),
]
Form = Annotated[
    Literal["brief", "compact", "detailed"],
    Choice(
        synonyms={
            "brief": ("minimal", "short"),
            "compact": ("summary", "standard", "normal"),
            "detailed": ("full", "long", "verbose"),
        }
    ),
]
_SECTIONS: tuple[Section, ...] = ("location", "party", "notes", "combat", "summary")
_RANKS = ("critical", "high", "medium", "low")
_MAX_NOTES: Mapping[str, int | None] = {"brief": 1, "compact": 3, "detailed": None}
_MAX_LETTERS: Mapping[str, int] = {"brief": 50, "compact": 40, "detailed": 60}


def _some(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    if not sections:
        raise ValueError("names no part")
    return sections


class GetSessionContextArgs(ToolkitArgs):
    """Arguments of `get_session_context`."""

    include: Annotated[ListOf[Section], AfterValidator(_some)] = Field(
        default=_SECTIONS,
        description="The parts to show; default: all.",
        json_schema_extra={"minItems": 1, "examples": [["summary"]]},
    )
    format: Form = Field(default="detailed", description="How much of each part.")
    max_notes: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] | None = Field(
        default=None, description="Maximum number of notes: the most important, then the newest."
    )
    include_timestamps: Flag = Field(default=False, description="Include the record in which each note was taken.")


class LocationPart(Model):
    """The party's location."""

    name: Text
    location_type: Text | None = None
    description: Text | None = None
    terrain: Text | None = None
    lighting: Text | None = None
    exits: ListOf[ExitResult] | None = Field(default=None, exclude_if=is_none)


class MemberPart(Model):
    """A member of the party."""

    name: Text
    role: Text | None = None
    character_id: Id | None = Field(default=None, exclude_if=is_none)
    class_: Text | None = Field(default=None, alias="class")
    level: SafeInt | None = None
    hp: SafeInt | None = None
    max_hp: SafeInt | None = None
    conditions: ListOf[Text] | None = Field(default=None, exclude_if=is_none)


class PartyPart(Model):
    """The party."""

    size: Count
    members: ListOf[MemberPart]


class NotePart(Model):
    """A note, or how it begins."""

    note_id: Id
    content: Text
    cut: Flag = Field(default=False, exclude_if=is_empty, description="There is more: manage_notes has it whole.")
    importance: Text | None = Field(default=None, exclude_if=is_none)
    tags: ListOf[Text] | None = Field(default=None, exclude_if=is_none)
    turn: Count | None = None


class NotesPart(Model):
    """The notes, the most important first, then the newest."""

    total: Count
    shown: ListOf[NotePart]


class TurnPart(Model):
    """The turn in a fight."""

    id: Id
    name: Text


class FighterPart(Model):
    """A participant in a fight."""

    id: Id
    name: Text
    hp: SafeInt | None
    max_hp: SafeInt | None
    conditions: ListOf[Text]


class EncounterPart(Model):
    """A running fight."""

    encounter_id: Id
    round: Count | None = Field(default=None, exclude_if=is_none)
    current_turn: TurnPart | None = Field(default=None, exclude_if=is_none)
    participants: ListOf[FighterPart] | None = Field(
        default=None, exclude_if=is_none, description="In the order of their turns."
    )


class CombatPart(Model):
    """The running fights."""

    active: Flag
    encounters: ListOf[EncounterPart]


class SummaryPart(Model):
    """How much there is of everything."""

    location: Text | None
    party_size: Count
    notes: Count
    active_encounters: Count
    time: TimeOfDay | None = Field(default=None, exclude_if=is_none, description="With a calendar.")


class GetSessionContextResult(Model):
    """The requested parts, and no others."""

    location: LocationPart | None = Field(default=None, description="Null: the party is nowhere yet.")
    party: PartyPart | None = Field(default=None, exclude_if=is_none)
    notes: NotesPart | None = Field(default=None, exclude_if=is_none)
    combat: CombatPart | None = Field(default=None, exclude_if=is_none)
    summary: SummaryPart | None = Field(default=None, exclude_if=is_none)


@toolkit(
    GetSessionContextArgs,
    GetSessionContextResult,
    example={"include": ["location", "party"], "format": "compact"},
    reads=True,
)
def get_session_context(world: World, args: GetSessionContextArgs, ctx: Context) -> Applied:
    """Show the state of the campaign: place, party, notes, fights, and a summary of counts.

    Use it when a session begins, or when you are no longer sure of the state; changes nothing. `brief` costs the fewest
    words. Read a shortened note in full with manage_notes.
    """
    told: dict[str, Any] = {name: _PARTS[name](world, args) for name in _SECTIONS if name in args.include}
    if "summary" in told and keeps_calendar(ctx.settings):
        told["summary"]["time"] = time_of_day(calendar_of(world).seconds).as_written
    return Applied(told)


def _location(world: World, args: GetSessionContextArgs) -> ContextPlace | None:
    here = places.standing_of_party(world)
    if here is None:
        return None
    shown: ContextPlace = {"name": here.name}
    if args.format != "brief":
        shown["location_type"] = here.location_type
    if args.format == "detailed":
        exits = [places.show_exit(way) for way in places.exits(places.ways_of(world, here))]
        shown |= {"description": here.description, "terrain": here.terrain, "lighting": here.lighting, "exits": exits}
    return shown


def _party(world: World, args: GetSessionContextArgs) -> ContextParty:
    members: list[ContextMember] = []
    for person in world.party():
        whole = show_member(world, person)
        shown: ContextMember = {"name": whole["name"]}
        if args.format != "brief":
            shown["role"] = whole["role"]
        if args.format == "detailed":
            shown |= {"character_id": whole["character_id"], "class": whole["class"], "level": whole["level"]}
            shown |= {"hp": whole["hp"], "max_hp": whole["max_hp"], "conditions": list(person.condition_names)}
        members.append(shown)
    return {"size": len(member_ids(world)), "members": members}


def _notes(world: World, args: GetSessionContextArgs) -> ContextNotes:
    notes = sorted(newest_first(world.all(Note)), key=lambda note: _RANKS.index(note.importance))
    shown = [_shown_note(note, args) for note in notes[: args.max_notes][: _MAX_NOTES[args.format]]]
    return {"total": len(notes), "shown": shown}


def _shown_note(note: Note, args: GetSessionContextArgs) -> ContextNote:
    letters = _MAX_LETTERS[args.format]
    shown: ContextNote = {"note_id": note.id, "content": note.content[:letters]}
    if len(note.content) > letters:
        shown["cut"] = True
    if args.format == "detailed":
        shown |= {"importance": note.importance, "tags": list(note.tags)}
    if args.include_timestamps:
        shown["turn"] = note.turn
    return shown


def _combat(world: World, args: GetSessionContextArgs) -> ContextCombat:
    fights = running_encounters(world)
    return {"active": bool(fights), "encounters": [_shown_fight(world, fight, args) for fight in fights]}


def _shown_fight(world: World, fight: Encounter, args: GetSessionContextArgs) -> ContextFight:
    shown: ContextFight = {"encounter_id": fight.id}
    if args.format == "brief":
        return shown
    shown |= {"round": fight.round, "current_turn": {"id": fight.current.id, "name": fight.current.name}}
    if args.format == "compact":
        return shown
    people: list[ContextFighter] = []
    for person in fight.participants:
        body = body_of(world, person)
        hp, most = counted_hp(body)
        names = list(body.condition_names)
        people.append({"id": person.id, "name": person.name, "hp": hp, "max_hp": most, "conditions": names})
    return shown | {"participants": people}


def _summary(world: World, args: GetSessionContextArgs) -> ContextSummary:
    del args
    here = places.standing_of_party(world)
    return {
        "location": here.name if here else None,
        "party_size": len(member_ids(world)),
        "notes": len(world.paths(Note.collection)),
        "active_encounters": len(running_encounters(world)),
    }


_PARTS: Mapping[str, Callable[[World, GetSessionContextArgs], Any]] = {
    "location": _location,
    "party": _party,
    "notes": _notes,
    "combat": _combat,
    "summary": _summary,
}
