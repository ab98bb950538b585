"""Hit points of characters with a sheet, for the rulesets that know no sheets.

Source: docs/toolkit.md, "One world".
"""

from __future__ import annotations

from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.condition_list import found
from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp, effective
from turnwright.rulesets.fifth_edition.sheets.health import with_hp_delta
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import sheet_of
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.vitals import MemberVitals


class SheetVitals:
    """Implements `rulesets.vitals.Vitals` for sheets of the fifth edition."""

    def change(self, world: World, character: Character, delta: int, ctx: Context) -> Applied:
        """Hurt or heal a character with a maximum, as every tool does; for the dead only the number changes."""
        # the narration check reads hit points without changing any
        from turnwright.rulesets.fifth_edition.damage import check_concentration, damage, heal
        from turnwright.rulesets.fifth_edition.targets import creature_of, reload

        before, _ = counted_hp(character)
        creature = creature_of(world, character)
        warnings: tuple[str, ...] = ()
        if delta < 0:
            harm = damage(world, creature, -delta, None, ctx)
            check_concentration(world, harm, ctx)
            warnings = harm.warnings
        elif character.is_dead:
            world.put(with_hp_delta(character, delta, changes_state=ctx.settings["rules.hp_zero_ends_game"]))
        else:
            heal(world, creature, delta, ctx)
        after = reload(world, creature).character
        hp, _ = counted_hp(after)
        taken = character.temp_hp - after.temp_hp if delta < 0 else 0
        temporary = {"temp_hp_lost": taken} if taken > 0 else {}
        return Applied({"new_hp": hp or 0, "hp_before": before or 0, **temporary}, warnings)

    def describe(self, character: Character) -> MemberVitals:
        """Return class, level, hit points and armor class as they are now."""
        sheet, values = sheet_of(character), effective(character)
        hp, most = counted_hp(character)
        return {"class": sheet.class_, "level": sheet.level, "hp": hp, "max_hp": most, "ac": values.ac.effective}

    def hit_points(self, character: Character) -> tuple[int | None, int | None]:
        """Return the hit points that count now, and their maximum."""
        return counted_hp(character)

    def is_down(self, character: Character) -> bool:
        """Return whether a character is unconscious."""
        return found(character, "unconscious") is not None


VITALS = SheetVitals()
