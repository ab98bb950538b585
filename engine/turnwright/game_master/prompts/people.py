"""The people in a context pack: the party, those present, fighters, and the character that an agent plays.

Each is shown as much as the reader may know of it. Source: docs/stages/0-prepare.md, "The context pack".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from turnwright.game_master.prompts.quoting import Ours
from turnwright.model.campaign import PARTY_PATH
from turnwright.model.character import Character
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.item import Item
from turnwright.model.party import PartyDocument
from turnwright.model.person import WANT_URGENCIES
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.fights.running import enemies_standing
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective
from turnwright.rulesets.fifth_edition.targets import body_of

Sight = Literal["all", "outside"]
"""The level of detail: everything, or only what any observer sees."""
MAX_NAME_LENGTH = 80
_MAX_LISTED = 20


class PersonRow(NamedTuple):
    """A character in a line: identity, and condition as far as it may be known.

    Attributes:
        id: its id.
        name: its name.
        kind: a player's character, an npc, an enemy.
        looks: the visible state: dead, lying, or absent.
        hp: hit points in words; empty if unknown.
        ac: armor class; 0 if unknown.
        state: conditions and concentration.
        role: the role in the party, or the occupation.
        where: the location, if elsewhere and known.
        spells: castable spells, and the slots left.
        things: carried items.
    """

    id: str
    name: str
    kind: Ours
    looks: Ours
    hp: Ours
    ac: int
    state: tuple[str, ...]
    role: str
    where: str
    spells: tuple[str, ...]
    things: tuple[str, ...]


class FighterRow(NamedTuple):
    """A participant in a fight."""

    id: str
    person: PersonRow
    side: Ours
    square: Ours
    is_current: bool


class FightView(NamedTuple):
    """A running fight, in the order of turns."""

    id: str
    round: int
    fighters: tuple[FighterRow, ...]
    current: FighterRow
    spent: Ours
    enemies_up: int


class Persona(NamedTuple):
    """The character that an agent plays."""

    row: PersonRow
    disposition: str
    background: str
    wants: tuple[str, ...]
    fears: tuple[str, ...]
    voice: str
    is_member: bool


def person_row(world: World, person: Character, sight: Sight, *, here: str | None = None) -> PersonRow:
    """Return the row of a character.

    Args:
        world: the campaign.
        person: the character.
        sight: the level of detail.
        here: the area that need not be named.
    """
    is_known = sight == "all"
    has_sheet = person.max_hp is not None
    where = _where(world, person, here)
    return PersonRow(
        id=person.id,
        name=clipped(person.label, MAX_NAME_LENGTH),
        kind=_KINDS[person.character_type],
        looks=_looks(person) if is_known or not where else Ours("not here"),
        hp=_hp(person) if is_known else Ours(""),
        ac=effective(person).ac.effective if is_known and has_sheet else 0,
        state=_state(person) if is_known else (),
        role=_role(world, person) if is_known else "",
        where=where if is_known else "",
        spells=_spells(person) if is_known else (),
        things=_things(person.inventory, person.equipped.values()) if is_known else (),
    )


_KINDS = {
    "pc": Ours("a player's character"),
    "npc": Ours("npc"),
    "enemy": Ours("enemy"),
    "neutral": Ours("neutral"),
}


def _looks(person: Character) -> Ours:
    if person.is_dead:
        return Ours("dead")
    state = person.state
    return Ours("") if state is None or state == "alive" else Ours(state.value.replace("_", " "))


def _hp(person: Character) -> Ours:
    if person.hp is None:
        return Ours("")
    if person.max_hp is None:
        return Ours(f"{person.hp} HP")
    more = f" and {person.temp_hp} temporary" if person.temp_hp else ""
    values = effective(person)
    return Ours(f"{values.hp} of {values.max_hp.effective} HP{more}")


def _state(person: Character) -> tuple[str, ...]:
    named = [*person.condition_names, *(effect.name for effect in person.effects)]
    if person.concentration is not None:
        named.append(f"concentrating on {person.concentration.spell_name}")
    return tuple(clipped(one, MAX_NAME_LENGTH) for one in named[:_MAX_LISTED])


def _role(world: World, person: Character) -> str:
    party = world.get(PARTY_PATH)
    role = party.roles.get(person.id, "") if isinstance(party, PartyDocument) else ""
    sheet = person.sheet
    trade = f"{sheet.race} {sheet.class_} {sheet.level}" if sheet else ""
    return ", ".join(one for one in (trade, role) if one)


def _where(world: World, person: Character, here: str | None) -> str:
    if here is None or person.position is None or person.position == here:
        return ""
    area = world.area(person.position)
    return clipped(area.name, MAX_NAME_LENGTH) if area else ""


def _spells(person: Character) -> tuple[str, ...]:
    sheet = person.sheet
    if sheet is None:
        return ()
    known = [*sheet.cantrips, *(sheet.prepared_spells or sheet.known_spells)][:_MAX_LISTED]
    pools = sorted(sheet.spell_slots.items())
    slots = [f"slots of level {level}: {pool.current} of {pool.max}" for level, pool in pools]
    if sheet.pact_slots is not None:
        slots.append(f"pact slots: {sheet.pact_slots.current} of {sheet.pact_slots.max}")
    return (*known, *slots)


def _things(inventory: Sequence[Item], equipped: Iterable[str]) -> tuple[str, ...]:
    worn = set(equipped)
    told = []
    for item in inventory[:_MAX_LISTED]:
        count = f"{item.quantity} x " if item.quantity != 1 else ""
        told.append(f"{count}{clipped(item.name, MAX_NAME_LENGTH)}{' (equipped)' if item.id in worn else ''}")
    return tuple(told)


def persona_of(world: World, person: Character) -> Persona:
    """Return the character that an agent plays, with all self-knowledge."""
    sheet = person.sheet
    wants = sorted(person.wants, key=lambda want: -WANT_URGENCIES.index(want.urgency))
    return Persona(
        row=person_row(world, person, "all"),
        disposition=person.disposition or "",
        background=clipped(sheet.background, 300) if sheet and sheet.background else "",
        wants=tuple(clipped(want.description, 200) for want in wants[:3]),
        fears=tuple(clipped(fear.description, 200) for fear in person.fears[:3]),
        voice=clipped(person.voice_notes, 300) if person.voice_notes else "",
        is_member=person.id in world.campaign.selected.party_character_ids,
    )


def fight_view(world: World, fight: Encounter, most: int) -> FightView:
    """Return a running fight as the agent of fights sees it; of too many fighters those whose turns come next."""
    people = fight.participants
    order = [*people[fight.turn_index :], *people[: fight.turn_index]]
    rows = tuple(_fighter_row(world, fight, person) for person in order[:most])
    return FightView(fight.id, fight.round, rows, rows[0], _spent(fight.current), enemies_standing(world, fight))


def _fighter_row(world: World, fight: Encounter, person: Participant) -> FighterRow:
    is_current = person.id == fight.current.id
    row = person_row(world, body_of(world, person), "all")._replace(name=clipped(person.name, MAX_NAME_LENGTH))
    if not is_current:
        row = row._replace(spells=(), things=())
    side = Ours("enemy" if person.is_enemy else "ally" if row.kind != _KINDS["pc"] else "player")
    square = Ours(f"{person.position.x},{person.position.y}")
    return FighterRow(person.id, row, side, square, is_current)


def _spent(person: Participant) -> Ours:
    economy = person.economy
    spent = [word for word in ("action", "bonus_action", "reaction") if getattr(economy, word)]
    told = [word.replace("_", " ") for word in spent] + ([f"{economy.movement} feet"] if economy.movement else [])
    return Ours(", ".join(told) or "nothing")


def clipped(text: str, most: int) -> str:
    """Return a text, or its beginning where it is longer than that."""
    return text if len(text) <= most else f"{text[: most - 4].rstrip()} ..."
