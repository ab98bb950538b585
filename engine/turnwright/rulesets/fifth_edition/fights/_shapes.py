"""Other shapes: stat blocks that let their monster take the form of another one, and its own again.

Source: SRD 5.1, "Monsters" (Shapechanger, Change Shape); docs/content.md, "Change of shape".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from turnwright.content.names import key_of
from turnwright.content.pack import Found
from turnwright.model.encounter import Participant, TrueShape
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.content_library import packs_of, require_entry
from turnwright.rulesets.fifth_edition.battlefield import body_on_grid, occupant_of, solid_squares
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.fights._monsters import shaped
from turnwright.rulesets.fifth_edition.fights.executable import CHANGE_SHAPE
from turnwright.rulesets.fifth_edition.fights.traits import block_in, figures
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import sheet_of
from turnwright.rulesets.fifth_edition.sheets.skills import ability_modifier
from turnwright.rulesets.fifth_edition.targets import body_of, in_true_shape

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart, FormFigures, StatBlock
    from turnwright.rulesets.fifth_edition.shapes import ActionReport

_FIELD = "args.form"
_TRUE = "true-form"
T = TypeVar("T")


def is_change_of_shape(part: BlockPart) -> bool:
    """Return whether a part of a stat block is a change of shape."""
    return part.get("kind") == CHANGE_SHAPE


def required_shape(act: ActionContext, part: BlockPart) -> Found | None:
    """Return the stat block of the shape that a call names, or None for the actor's own.

    Raises:
        CallFailed: `invalid_args` without `form`, `not_found` and `ambiguous` for names, `rule_violation` for a form
            that this change of shape does not give, `conflict` where there is no room for it.
    """
    wanted = act.args.form
    known = [*_short_names(act, part), *(["true form"] if act.actor.true_shape is not None else [])]
    if wanted is None:
        detail = f"{_FIELD}: is required for {part['name']}: what {act.actor_id} becomes"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask_for(_FIELD, known))
    if _is_true(act, wanted):
        return None
    found = _named(act, part, wanted)
    if found.id == act.actor.stat_block:
        detail = f"{_FIELD}: {act.actor_id} has that form"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, wanted, known))
    _require_room(act, found)
    return found


def _is_true(act: ActionContext, wanted: str) -> bool:
    true = act.actor.true_shape
    if true is None:
        return False
    names = {_TRUE, key_of(true.stat_block), key_of(act.encounter.stat_blocks[true.stat_block]["name"])}
    return key_of(wanted) in names or key_of(wanted) == _short(true.stat_block)


def _named(act: ActionContext, part: BlockPart, wanted: str) -> Found:
    """Return the entry of the form that a call names, as far as this change of shape gives it."""
    into = figures(part)["into"]
    block = _true_block(act)
    if into == "forms":
        ids = _forms(block)
        meant = next((each for each in ids if key_of(wanted) in (each, _short(each))), wanted)
        found = _entry(act, meant)
        if found.id not in ids:
            detail = f"{_FIELD}: {act.actor_id} has no form {wanted}"
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, wanted, [_short(each) for each in ids]))
        return found
    if isinstance(into, Mapping):
        return _guise(act, block, into, wanted)
    found = _entry(act, wanted)
    form = block_in(found)
    if form["type"] not in into:
        detail = f"{_FIELD}: {found.name} is {form['type']}, and {part['name']} gives {' or '.join(into)}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, wanted))
    if form["cr"] > block["cr"]:
        detail = f"{_FIELD}: the challenge rating of {found.name} is higher than that of {act.actor_id}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, wanted))
    return found._replace(value=_composed(block, form, part))


def _entry(act: ActionContext, name: str) -> Found:
    match = require_entry(act.world, act.ctx, name, "monsters", _FIELD)
    act.packs.update(packs_of(match, act.ctx))
    return match.found


def _guise(act: ActionContext, block: StatBlock, into: Mapping[str, FormFigures], wanted: str) -> Found:
    """Return the actor's own stat block with the speeds and the size of a form that the block lists."""
    form = next((form for name, form in into.items() if key_of(name) == key_of(wanted)), None)
    if form is None:
        detail = f"{_FIELD}: {act.actor_id} has no form {wanted}"
        raise CallFailed(Reason.NOT_FOUND, detail, hint.name(_FIELD, wanted, list(into)))
    return Found("", "monsters", key_of(wanted), {**block, **form})


def _short_names(act: ActionContext, part: BlockPart) -> Iterator[str]:
    into = figures(part)["into"]
    if into == "forms":
        yield from (_short(each) for each in _forms(_true_block(act)) if each != act.actor.stat_block)
    elif isinstance(into, Mapping):
        yield from into


def _short(identifier: str) -> str:
    """Return the short name of a form among the others of its kind: `wolf` of `werewolf-wolf`."""
    return identifier.rpartition("-")[2]


def _true_block(act: ActionContext) -> StatBlock:
    true = act.actor.true_shape
    found: StatBlock = act.encounter.stat_blocks[true.stat_block if true else act.actor.stat_block or ""]
    return found


def _forms(block: StatBlock) -> list[str]:
    return [block["id"], *block.get("forms_of", ())]


def _require_room(act: ActionContext, found: Found) -> None:
    body = body_on_grid(act.world, act.actor)._replace(size=found.value["size"])
    solid = {(x, y) for x, y, _ in body.squares} & solid_squares(act.encounter)
    if solid or occupant_of(act.world, act.encounter, body.squares, {act.actor_id}):
        detail = f"{_FIELD}: there is no room for {act.actor_id} as {found.name}"
        raise CallFailed(Reason.CONFLICT, detail, hint.ask(_FIELD, act.args.form))


# what a form is made of


def _composed(own: StatBlock, form: StatBlock, part: BlockPart) -> StatBlock:
    """Return the stat block of a creature in the form of another one: what it keeps, and what the form gives."""
    said = figures(part)
    replaced = said.get("replaces")
    made = _replacing(own, form, replaced) if replaced is not None else _keeping(own, form, said["keeps"])
    made["actions"] = [*(each for each in made["actions"] if each["id"] != part["id"]), part]
    return made


def _keeping(own: StatBlock, form: StatBlock, keeps: Sequence[str]) -> StatBlock:
    """Return the form with what its bearer keeps: abilities, proficiencies, traits by kind."""
    made: StatBlock = {**form}
    made.pop("legendary", None)
    made.pop("forms_of", None)
    abilities = [each for each in keeps if each in own["stats"]]
    made["stats"] = {**form["stats"], **{each: own["stats"][each] for each in abilities}}
    made |= {"cr": own["cr"], "xp": own["xp"], "proficiency_bonus": own["proficiency_bonus"]}
    if "proficiencies" in keeps:
        better = {each: _modifier(made, each) + own["proficiency_bonus"] for each in own.get("saves", {})}
        saves = form.get("saves", {})
        made["saves"] = {**saves, **{each: max(bonus, saves.get(each, bonus)) for each, bonus in better.items()}}
    kept = [each for each in own.get("traits", ()) if each.get("kind") in keeps]
    made["traits"] = [*kept, *_features(form)]
    made["actions"] = list(form.get("actions", ()))
    return made


def _replacing(own: StatBlock, form: StatBlock, replaced: Sequence[str]) -> StatBlock:
    """Return the creature's own stat block with what the form replaces, and with what it lacks and the form has."""
    made: StatBlock = {**own}
    abilities = [each for each in replaced if each in own["stats"]]
    made["stats"] = {**own["stats"], **{each: form["stats"][each] for each in abilities}}
    made["saves"] = {
        each: bonus + _modifier(made, each) - _modifier(own, each) for each, bonus in own.get("saves", {}).items()
    }
    if "ac" in replaced:
        made["ac"] = form["ac"]
    if "speeds" in replaced:
        made["speeds"] = form["speeds"]
    if "senses" in replaced:
        made["senses"] = form.get("senses", {})
    made["resistances"] = _joined(own.get("resistances", ()), form.get("resistances", ()))
    made["immunities"] = _joined(own.get("immunities", ()), form.get("immunities", ()))
    made["condition_immunities"] = _joined(own.get("condition_immunities", ()), form.get("condition_immunities", ()))
    held = {each["id"] for each in own.get("traits", ())}
    made["traits"] = [*own.get("traits", ()), *(each for each in _features(form) if each["id"] not in held)]
    if "actions" in replaced:
        bite = {each["id"]: each for each in own["actions"] if each["id"] == "bite"}
        made["actions"] = [bite.get(each["id"], each) for each in form.get("actions", ())]
        made["multiattack"] = form.get("multiattack", [])
    else:
        held = {each["id"] for each in own["actions"]}
        made["actions"] = [*own["actions"], *(each for each in form.get("actions", ()) if each["id"] not in held)]
    return made


def _joined(own: Sequence[T], others: Sequence[T]) -> list[T]:
    """Return rows with those of others that are not among them."""
    return [*own, *(each for each in others if each not in own)]


def _features(form: StatBlock) -> Iterator[BlockPart]:
    """Yield the traits of a form; how it casts is a class's, and no part of its shape."""
    return (each for each in form.get("traits", ()) if "spellcasting" not in each)


def _modifier(block: StatBlock, ability: str) -> int:
    return ability_modifier(block["stats"][ability])


# the actor in another shape


def take_shape(act: ActionContext, found: Found | None) -> ActionReport:
    """Give the actor another shape, or its own: statistics and attacks, not hit points, conditions and effects."""
    if found is None:
        creature = act.creature(act.actor_id)
        person = in_true_shape(act.actor)
        act.change(
            act.actor_id,
            stat_block=person.stat_block,
            body=person.body,
            strike=person.strike,
            save_bonuses=person.save_bonuses,
            true_shape=person.true_shape,
        )
        name = (act.encounter.block_of(act.actor) or {})["name"]
        return {"outcome": f"{creature.id} has its own shape again: {name}"}
    block, actor, encounter = block_in(found), act.actor, act.encounter
    key = found.id if block.get("forms_of") else _key(actor, found)
    act.world.put(encounter.replace(stat_blocks={**encounter.stat_blocks, key: block}))
    body = body_of(act.world, actor)
    entrant = shaped(found, actor, act.ctx)
    sheet, own = sheet_of(entrant.character), sheet_of(body)
    if any("spellcasting" in each for each in block.get("traits", ())):
        sheet = sheet.replace(
            spell_slots=own.spell_slots, spellcasting_ability=own.spellcasting_ability, level=own.level
        )
    true = actor.true_shape or TrueShape(
        stat_block=actor.stat_block or "", sheet=own, strike=actor.strike, save_bonuses=actor.save_bonuses
    )
    is_back = key == true.stat_block
    act.change(
        act.actor_id,
        stat_block=key,
        body=body.replace(sheet=sheet),
        strike=entrant.strike,
        save_bonuses=entrant.save_bonuses,
        true_shape=None if is_back else true,
    )
    # A composed block keeps its own name, so the message names the form.
    has_own_name = found.name == _true_block(act)["name"]
    named = key_of(act.args.form or found.id).replace("-", " ") if has_own_name else found.name
    return {"outcome": f"{act.actor_id} takes the shape of {named}"}


def _key(actor: Participant, found: Found) -> str:
    """Return the key by which a fight keeps a composed stat block."""
    true = actor.true_shape
    return f"{true.stat_block if true else actor.stat_block}.{found.id}"
