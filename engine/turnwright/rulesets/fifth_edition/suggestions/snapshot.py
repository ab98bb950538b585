"""What the fifth edition adds to a snapshot: the fight, and the acting character's spells and pending saves.

Source: docs/suggestions.md, "The snapshot".
"""

from __future__ import annotations

from dataclasses import replace

from turnwright.model.character import Character
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.rulesets.fifth_edition.fights.running import enemies_standing, fight_now
from turnwright.rulesets.snapshots import SnapshotContext
from turnwright.suggestions.snapshot import ActorView, EncounterView, Named, Snapshot


def fill(seen: Snapshot, ctx: SnapshotContext) -> Snapshot:
    """Add the fight with its participants, and the values on the acting character's sheet."""
    fight = fight_now(ctx.world, ctx.actor.id if ctx.actor else None)
    if ctx.actor is not None:
        seen = replace(seen, actor=_actor(seen.actor, ctx.actor))
    if fight is None:
        return replace(seen, encounter=EncounterView(active=False))
    fighting = (one for one in fight.participants if one.id not in ctx.unseen)
    present = tuple(Named(one.name, one.character_id or one.id, one.is_enemy) for one in fighting)
    return replace(seen, encounter=_encounter(ctx.world, fight), npcs_present=present)


def _encounter(world: World, fight: Encounter) -> EncounterView:
    current = fight.current
    return EncounterView(
        active=True,
        id=fight.id,
        enemies_alive=enemies_standing(world, fight),
        round=fight.round,
        current_actor_id=current.character_id or current.id,
        controller="enemy" if current.is_enemy else "player",
    )


def _actor(seen: ActorView, actor: Character) -> ActorView:
    sheet = actor.sheet
    return replace(
        seen,
        concentration=actor.concentration is not None,
        is_dying=_is_dying(actor),
        spells=tuple(dict.fromkeys((*sheet.known_spells, *sheet.prepared_spells))) if sheet else None,
        is_caster=sheet is not None and bool(sheet.known_spells or sheet.prepared_spells or sheet.cantrips),
    )


def _is_dying(actor: Character) -> bool:
    """Return whether a death save can be rolled: for characters of players with a sheet, neither stable nor dead."""
    is_down = actor.max_hp is not None and (actor.hp or 0) <= 0
    is_stable = actor.death_saves is not None and actor.death_saves.stable
    return actor.character_type == "pc" and is_down and not (is_stable or actor.is_dead)
