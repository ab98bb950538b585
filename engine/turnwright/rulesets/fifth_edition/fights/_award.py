"""The experience points of a fight: the XP of its monsters, shared among the party members who fought.

Source: SRD 5.1, "Monsters", "Experience Points"; docs/toolkit.md, "Experience".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from turnwright.model.base import Count, Id, ListOf, Model
from turnwright.model.character import Character
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import MAX_INT
from turnwright.rulesets.fifth_edition.battlefield import is_down
from turnwright.rulesets.fifth_edition.sheets.experience import level_due
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import sheet_of
from turnwright.rulesets.fifth_edition.targets import body_of

Awarded = Literal["defeated", "all"]


class Gained(Model):
    """The experience of one hero after the award."""

    character_id: Id
    experience: Count
    level: Count
    level_due: Count | None = Field(description="The level that this is enough for; null where none is due.")


class Award(Model):
    """The experience points of a fight."""

    xp: Count = Field(description="Of all monsters that count.")
    share: Count = Field(description="Share of each character, rounded down.")
    monsters: ListOf[Id] = Field(description="Which of them count.")
    unrated: ListOf[Id] = Field(description="Foes without a known XP value.")
    gained: ListOf[Gained]


def award(world: World, encounter: Encounter, which: Awarded) -> Award:
    """Share the experience points of a fight among the player characters who fought for the party and live.

    Args:
        world: the campaign.
        encounter: the fight, as it ends.
        which: count only foes that are dead or at 0 hit points, or all foes: the party may have won otherwise.
    """
    foes = [person for person in encounter.participants if person.is_enemy]
    foes = [foe for foe in foes if foe.split_from is None and foe.summoned_by is None]
    counted = [foe for foe in foes if which == "all" or _is_beaten(world, foe)]
    worth = {foe.id: block["xp"] for foe in counted if (block := encounter.block_of(foe)) is not None}
    heroes = list(_heroes(world, encounter))
    share = sum(worth.values()) // len(heroes) if heroes else 0
    return Award(
        xp=sum(worth.values()),
        share=share,
        monsters=tuple(worth),
        unrated=tuple(foe.id for foe in counted if foe.id not in worth),
        gained=tuple(_given(world, hero, share) for hero in heroes),
    )


def _is_beaten(world: World, person: Participant) -> bool:
    body = body_of(world, person)
    return body.is_dead or is_down(body)


def _heroes(world: World, encounter: Encounter) -> Iterator[Character]:
    for person in encounter.participants:
        hero = world.character(person.character_id) if person.character_id is not None else None
        if hero is not None and not person.is_enemy and hero.character_type == "pc" and not hero.is_dead:
            yield hero


def _given(world: World, hero: Character, share: int) -> Gained:
    sheet = sheet_of(hero)
    sheet = sheet.replace(experience=min(MAX_INT, (sheet.experience or 0) + share))
    world.put(hero.replace(sheet=sheet))
    return Gained(character_id=hero.id, experience=sheet.experience or 0, level=sheet.level, level_due=level_due(sheet))
