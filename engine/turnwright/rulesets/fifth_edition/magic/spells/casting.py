"""One casting of a spell by name: the caster, the spell, the level, and the caster's own figures.

Source: SRD 5.1, "Casting a Spell"; docs/content.md, "Spells by name".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from turnwright.content.kinds.spells import Spell
from turnwright.model.base import Model
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability, DamageType
from turnwright.model.zone import Zone
from turnwright.rulesets.fifth_edition.damage import DamageResult
from turnwright.rulesets.fifth_edition.magic._cast_args import CastSpellArgs
from turnwright.rulesets.fifth_edition.magic.spells.figures import Level, rounds_of
from turnwright.rulesets.fifth_edition.sheets import checks
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import casting_ability, sheet_of
from turnwright.rulesets.fifth_edition.targets import (
    Creature,
    now,
    participant_of,
    reload,
    require_creature,
    require_encounter,
)
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.magic.shapes import TargetRow
    from turnwright.rulesets.fifth_edition.shapes import TriggerReport

Row: TypeAlias = "TargetRow"
"""The effect of a spell on one target, filled in by the steps of `resolve`."""


@dataclass(slots=True)
class Casting:
    """One casting. Each use reads creatures again: earlier steps may have changed them.

    Attributes:
        world, ctx, args: of the call.
        spell: the entry.
        level: of the slot, and of the caster.
        caster_id: the caster.
        encounter_id: the caster's fight, or None.
        damage_type: which of several types the caster chose, or None.
        choice: what the caster chose, as the entry spells it.
        words: the words of a spell that carries a message.
        zone: the area that it creates, or None.
        bring: brings in the creatures that it summons, or None.
        harms: damage that may break concentration, once everything else is done.
        triggered: effects to report now.
        warnings: warnings for the caller.
    """

    world: World
    ctx: Context
    args: CastSpellArgs
    spell: Spell
    level: Level
    caster_id: str
    encounter_id: str | None
    damage_type: DamageType | None = None
    choice: str | None = None
    words: str | None = None
    is_landing_taken: bool = False
    made_at: tuple[int, int, int] | None = None
    zone: Zone | None = None
    bring: Callable[[], Sequence[Model]] | None = None
    harms: list[DamageResult] = field(default_factory=list)
    triggered: list[TriggerReport] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def encounter(self) -> Encounter | None:
        """The fight as it is now."""
        return require_encounter(self.world, self.encounter_id) if self.encounter_id else None

    @property
    def caster(self) -> Creature:
        """The caster."""
        return self.creature(self.caster_id)

    def creature(self, identifier: str) -> Creature:
        """Return a creature as it is now."""
        return reload(self.world, require_creature(self.world, identifier, None, self.encounter_id))

    def person(self, identifier: str) -> Participant | None:
        """Return a creature's place in the fight; None outside of a fight."""
        return participant_of(self.world, self.creature(identifier))

    @property
    def source_id(self) -> str:
        """The source of conditions and effects: where concentration holds them, the character behind the caster."""
        caster = self.caster
        person = participant_of(self.world, caster)
        is_linked = person is not None and person.character_id is not None
        return caster.character.id if self.spell.concentration and is_linked else caster.id

    @property
    def ability(self) -> Ability | None:
        """The ability that the caster casts with."""
        return casting_ability(sheet_of(self.caster.character))

    @property
    def modifier(self) -> int:
        """The modifier of the ability that the caster casts with."""
        ability = casting_ability(sheet_of(self.caster.character))
        return now(self.world, self.caster).modifier(ability) if ability else 0

    @property
    def save_dc(self) -> int:
        """The DC of its saving throws."""
        if self.args.save_dc is not None:
            return self.args.save_dc
        if isinstance(self.spell.figures.get("save_dc"), int):
            return int(self.spell.figures["save_dc"])
        printed = self._printed("dc", "dc_derived")
        return checks.spell_save_dc(now(self.world, self.caster)) if printed is None else printed

    @property
    def attack_bonus(self) -> int:
        """The bonus of its attack rolls."""
        if self.args.attack_bonus is not None:
            return self.args.attack_bonus
        printed, values = self._printed("attack"), now(self.world, self.caster)
        return checks.spell_attack(values) if printed is None else printed + values.attack_bonus

    def _printed(self, *keys: str) -> int | None:
        """Return a figure of the spellcasting of the stat block that the caster was made from, the first it has."""
        person, encounter = participant_of(self.world, self.caster), self.encounter
        block = encounter.stat_blocks.get(person.stat_block or "") if person and encounter else None
        for trait in block.get("traits", ()) if block else ():
            said = trait.get("spellcasting", {})
            for key in keys:
                if isinstance(said.get(key), int):
                    return int(said[key])
        return None

    @property
    def rounds(self) -> int | None:
        """For how many rounds it lasts."""
        return rounds_of(self.spell, self.level)

    def suffered(self, harm: DamageResult) -> None:
        """Record what damage has done to a creature."""
        self.harms.append(harm)
        self.triggered += harm.triggered
        self.warnings += harm.notices

    def why_saved(self, identifier: str) -> str:
        """Return the log's text for a save."""
        return f"{identifier} saves against {self.spell.name}"


def kind_of(casting: Casting, creature: Creature) -> str | None:
    """Return a creature's kind, such as undead; None where it is unknown.

    Characters are humanoid, whatever their race; creatures made from a stat block have the kind the block states.
    """
    masked = next((each.masked_as for each in creature.character.effects if each.masked_as is not None), None)
    if masked is not None:
        return masked
    person, encounter = participant_of(casting.world, creature), casting.encounter
    block: Mapping[str, Any] | None = None
    if person is not None and encounter is not None and person.stat_block:
        block = encounter.stat_blocks.get(person.stat_block)
    if block is not None:
        return str(block["type"])
    return "humanoid" if creature.character.character_type == "pc" else None


def ids_of(creatures: Sequence[Creature]) -> list[str]:
    """Return the ids of some."""
    return [each.id for each in creatures]
