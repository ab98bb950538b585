"""manage_aura: auras that surround a creature and affect others near it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from turnwright.model.aura import Aura
from turnwright.model.encounter import Encounter
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import Ability, words
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import not_found, require_character
from turnwright.rulesets.fifth_edition.magic._aura_act import Faces
from turnwright.rulesets.fifth_edition.magic._aura_args import ManageAuraArgs, ManageAuraResult, shown
from turnwright.rulesets.fifth_edition.magic._aura_targets import chosen_targets, meant_id
from turnwright.rulesets.fifth_edition.magic._auras import Processed, auras_of, participant_behind, run_aura, ticked
from turnwright.rulesets.fifth_edition.magic._faces import require_faces
from turnwright.rulesets.fifth_edition.targets import (
    Creature,
    combatant,
    creature_of,
    fight_of,
    participant_of,
    require_participant,
    require_running,
)
from turnwright.rulesets.fifth_edition.triggers import told
from turnwright.rulesets.reference_lookup import replace_person
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import toolkit


@toolkit(
    ManageAuraArgs,
    ManageAuraResult,
    example={
        "operation": "create",
        "owner_id": "brom",
        "spell_name": "Spirit Guardians",
        "radius": 15,
        "damage": "3d8",
        "damage_type": "radiant",
        "save_dc": 15,
        "save_ability": "wis",
        "half_on_save": True,
    },
)
def manage_aura(world: World, args: ManageAuraArgs, ctx: Context) -> Applied:
    """Create, list, process or remove an aura: magic around a creature that hurts, heals or hampers those near it.

    In a fight, bind it with encounter_id: then `advance_turn` applies it to each turn that begins inside, counts its
    rounds, and process is only for other moments, such as a creature walking in. Outside a fight, process needs
    the targets with their distances. It really changes hit points and conditions. An aura ends with its
    owner's concentration on its spell.
    """
    if args.operation == "create":
        return _create(world, args)
    if args.operation == "list":
        return _told(args, auras=_fitting(world, args))
    if args.operation == "remove":
        aura = _require_aura(world, args.aura_id or "")
        world.remove(aura.path)
        return _told(args, aura_id=aura.id, removed=True)
    return _process(world, args, ctx)


def _create(world: World, args: ManageAuraArgs) -> Applied:
    owner = _require_owner(world, args)
    if (args.save_dc is None) != (args.save_ability is None):
        missing = "save_dc" if args.save_dc is None else "save_ability"
        values: Iterable[Any] = () if args.save_dc is None else words(Ability)
        detail = f"args.{missing}: a saving throw needs both save_dc and save_ability"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(f"args.{missing}", values))
    harms = args.damage is not None or args.condition is not None
    aura = Aura(
        id=world.new_id("aura", Aura),
        owner_id=_lasting_id(world, owner),
        spell_name=args.spell_name or "",
        radius=args.radius or 1,
        encounter_id=args.encounter_id,
        duration=args.duration,
        rounds_remaining=args.duration,
        damage=args.damage,
        damage_type=args.damage_type,
        healing=args.healing,
        condition=args.condition,
        effect=args.effect,
        save_dc=args.save_dc,
        save_ability=args.save_ability,
        half_on_save=args.half_on_save,
        affects_enemies=harms if args.affects_enemies is None else args.affects_enemies,
        affects_allies=not harms if args.affects_allies is None else args.affects_allies,
        affects_self=args.affects_self,
    )
    world.put(aura)
    return _told(args, aura=aura)


def _require_owner(world: World, args: ManageAuraArgs) -> Creature:
    if args.encounter_id is None:
        return creature_of(world, require_character(world, args.owner_id, args.owner_name, "owner"))
    encounter = require_running(world, args.encounter_id)
    return combatant(world, encounter, require_participant(world, encounter, args.owner_id, args.owner_name, "owner"))


def _lasting_id(world: World, owner: Creature) -> str:
    """Return the id that still finds a creature after the fight, if it outlives the fight."""
    person = participant_of(world, owner)
    return owner.character.id if person is None else person.character_id or person.id


def _require_aura(world: World, aura_id: str) -> Aura:
    found = world.find(Aura, aura_id)
    if found is None:
        raise not_found(world, "aura", "args.aura_id", aura_id)
    return found


def _fitting(world: World, args: ManageAuraArgs) -> list[Aura]:
    """Return the auras of an owner, of a fight, or all there are."""
    auras = sorted(world.all(Aura), key=lambda aura: (len(aura.id), aura.id))
    if args.owner_id is not None or args.owner_name is not None:
        owner = _require_owner(world, args)
        auras = [aura for aura in auras if aura.owner_id in (owner.id, owner.character.id)]
    elif args.encounter_id is not None:
        require_running(world, args.encounter_id)
    return [aura for aura in auras if args.encounter_id in (None, aura.encounter_id)]


def _process(world: World, args: ManageAuraArgs, ctx: Context) -> Applied:
    encounter, auras = _to_process(world, args)
    reached = {aura.id: chosen_targets(world, aura, encounter, args.targets) for aura in auras}
    targets = {target.id for those in reached.values() for target in those}
    faces = _faces(world, args, auras, targets, encounter)

    done = Processed([], [], [], [])
    for aura in auras:
        if world.find(Aura, aura.id) is not None:  # one may end another, with the concentration that holds it
            each = run_aura(world, _bound(world, aura, encounter), ctx, reached[aura.id], faces)
            done = done.plus(each)
    left = [aura for aura in (world.find(Aura, aura.id) for aura in auras) if aura is not None]
    expired: list[Aura] = []
    if args.decrement_duration:
        left, expired = ticked(world, left)
    touched = {row["target_id"] for row in done.rows}
    return _told(
        args,
        aura_id=args.aura_id,
        aura=left[0] if left and args.aura_id is not None else None,
        auras=left,
        results=done.rows,
        skipped=[target for target in dict.fromkeys(done.skipped) if target not in touched],
        expired=bool(expired),
        removed=len(left) < len(auras),
        warnings=tuple(dict.fromkeys([*done.warnings, *told(done.triggered)])),
    )


def _to_process(world: World, args: ManageAuraArgs) -> tuple[Encounter | None, list[Aura]]:
    """Return the auras that the call selects, and the fight whose positions count."""
    if args.aura_id is None:
        if args.encounter_id is None:
            repair = hint.ask_for("args.aura_id", [aura.id for aura in _fitting(world, args)])
            raise CallFailed(Reason.INVALID_ARGS, "args.aura_id: is required for process, or encounter_id", repair)
        return require_running(world, args.encounter_id), auras_of(world, args.encounter_id)
    aura = _require_aura(world, args.aura_id)
    if aura.encounter_id is not None and args.encounter_id not in (None, aura.encounter_id):
        repair = hint.ask("args.encounter_id", args.encounter_id, [aura.encounter_id])
        raise CallFailed(Reason.CONFLICT, f"{aura.id} is bound to {aura.encounter_id}", repair)
    encounter_id = aura.encounter_id or args.encounter_id
    encounter = require_running(world, encounter_id) if encounter_id is not None else None
    if encounter is not None and aura.encounter_id is None:
        _require_in(world, aura, encounter)
    return encounter, [aura]


def _require_in(world: World, aura: Aura, encounter: Encounter) -> None:
    """Refuse a fight that the owner of an unbound aura takes no part in."""
    if participant_behind(encounter, aura.owner_id) is None:
        own = fight_of(world, aura.owner_id)
        field = "args.encounter_id"
        repair = hint.ask(field, encounter.id, [own.id] if own else [])
        raise CallFailed(Reason.NOT_FOUND, f"{aura.owner_id} takes no part in {encounter.id}", repair)


def _bound(world: World, aura: Aura, encounter: Encounter | None) -> Aura:
    """Return an aura bound to the fight it is processed in."""
    if encounter is None or aura.encounter_id is not None:
        return aura
    bound = aura.replace(encounter_id=encounter.id)
    world.put(bound)
    return bound


def _faces(
    world: World, args: ManageAuraArgs, auras: list[Aura], targets: set[str], encounter: Encounter | None
) -> Faces:
    """Return the faces that were given, once they fit their dice."""
    given = {
        name: value
        for name in ("manual_damage_rolls", "manual_healing_rolls", "manual_save_rolls")
        if (value := getattr(args, name))
    }
    if not given:
        return Faces()
    if args.aura_id is None:
        field = f"args.{next(iter(given))}"
        repair = hint.remove(field)
        raise CallFailed(Reason.INVALID_ARGS, f"{field}: wants aura_id, as it is of one aura", repair)
    aura = auras[0]
    require_faces("args.manual_damage_rolls", aura.damage, args.manual_damage_rolls)
    require_faces("args.manual_healing_rolls", aura.healing, args.manual_healing_rolls)
    saves: dict[str, int] = {}
    for i, made in enumerate(args.manual_save_rolls):
        field = f"args.manual_save_rolls.{i}"
        if aura.save_dc is None:
            raise CallFailed(Reason.INVALID_ARGS, f"{field}: {aura.id} asks no save", hint.remove(field))
        meant = meant_id(world, made.target_id, encounter)
        if meant not in targets:
            repair = replace_person(world, f"{field}.target_id", made.target_id, targets)
            raise CallFailed(Reason.NOT_FOUND, f"{made.target_id} is none of the targets", repair)
        saves[meant] = made.roll
    return Faces(args.manual_damage_rolls, args.manual_healing_rolls, saves)


def _told(
    args: ManageAuraArgs,
    *,
    aura: Aura | None = None,
    auras: Iterable[Aura] = (),
    warnings: tuple[str, ...] = (),
    **told: Any,
) -> Applied:
    """Return the result: the operation's own fields, with the rest empty."""
    result = {
        "operation": args.operation,
        "aura_id": aura.id if aura else None,
        "aura": shown(aura) if aura else None,
        "auras": [shown(each) for each in auras],
        "results": [],
        "skipped": [],
        "remaining": aura.rounds_remaining if aura else None,
        "expired": False,
        "removed": False,
        "reason": args.reason,
    }
    return Applied({**result, **told}, warnings)
