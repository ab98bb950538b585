"""Deeds of a stat block, by name: actions, Multiattack, legendary actions, reactions.

Source: SRD 5.1, "Monsters"; docs/content.md, "Actions of a stat block".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from turnwright.content.names import key_of
from turnwright.model.character import Character
from turnwright.model.encounter import Encounter, Participant
from turnwright.model.vocabulary import ActionCost
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.fights.executable import (
    CHANGE_SHAPE,
    ON_ITSELF,
    PLANE_SHIFT,
    RECKLESS,
    not_executed,
    takes_a_slot,
)
from turnwright.rulesets.fifth_edition.fights.traits import figures, trait, uses_left

if TYPE_CHECKING:
    from turnwright.model.content_shapes import ActionUse, BlockPart, StatBlock
    from turnwright.model.creature import Discerned, Disguise, EndsBy

MULTIATTACK = "multiattack"
_FIELD = "args.action"

Group = Literal["effect", "action", "legendary", "reaction", "trait", "multiattack"]
_COSTS: Mapping[Group, ActionCost] = {
    "action": "action",
    "effect": "action",
    "multiattack": "action",
    "trait": "action",
    "legendary": "legendary",
    "reaction": "reaction",
}


class Deed(NamedTuple):
    """One action or trait that a stat block gives its monster.

    Attributes:
        group: the list of the block that it is in.
        part: its figures; none for Multiattack.
        counted: the part whose recharge and uses it takes: itself, or the part it is an option of.
        ends_by: of an effect, the events that end it.
        disguise: of an effect, the illusion that it is.
        condition: the spell condition that it ends, if any.
        discerned: of an illusion, the senses or checks that see through it.
    """

    group: Group
    part: BlockPart
    counted: BlockPart
    ends_by: EndsBy | None = None
    disguise: Disguise | None = None
    condition: str | None = None
    discerned: Discerned | None = None

    @property
    def name(self) -> str:
        """Its name in the block."""
        named: str = self.part["name"]
        return named

    @property
    def id(self) -> str:
        """Its id in the block."""
        identifier: str = self.part["id"]
        return identifier

    @property
    def is_attack(self) -> bool:
        """Whether it is an attack roll, or several."""
        return self.group == "multiattack" or isinstance(self.part.get("attack"), Mapping)

    @property
    def usual_cost(self) -> ActionCost:
        """Its cost unless a call says otherwise."""
        if self.part.get("kind") == RECKLESS:
            return "free"
        if takes_a_slot(self.part):
            return "bonus_action"
        return "bonus_action" if figures(self.part).get("cost") == "bonus_action" else _COSTS[self.group]


def deeds(block: StatBlock) -> Iterator[Deed]:
    """Yield everything that a block lets its monster do, options apart."""
    if block.get("multiattack"):
        whole: BlockPart = {"id": MULTIATTACK, "name": "Multiattack"}
        yield Deed("multiattack", whole, whole)
    lists: tuple[tuple[Group, Sequence[BlockPart]], ...] = (
        ("action", block.get("actions", ())),
        (
            "trait",
            [each for each in block.get("traits", ()) if _is_used(each)],
        ),
        ("legendary", block.get("legendary", {}).get("actions", ())),
        ("reaction", block.get("reactions", ())),
    )
    for group, parts in lists:
        for part in parts:
            options = part.get("options", ())
            if not options:
                yield Deed(group, part, part)
            yield from (Deed(group, option, part) for option in options)


def _is_used(part: BlockPart) -> bool:
    """Return whether a trait is used like an action."""
    return part.get("kind") in ("bonus_action_kill", CHANGE_SHAPE, RECKLESS, PLANE_SHIFT) or takes_a_slot(part)


def way_to_end(bodies: Sequence[Character], wanted: str) -> Deed | None:
    """Return the action that ends or sees through an effect or condition on one of these that a call names, or None.

    The last one of them is the actor.
    """
    for place, body in enumerate(bodies):
        for effect in body.effects:
            if key_of(effect.name) != key_of(wanted):
                continue
            part: BlockPart = {"id": key_of(effect.name), "name": effect.name}
            if effect.ends_by is not None:
                return Deed("effect", part, part, effect.ends_by)
            if effect.disguise is not None:
                if place == len(bodies) - 1:
                    part["figures"] = {"cost": "bonus_action"}
                return Deed("effect", part, part, disguise=effect.disguise)
            if effect.discerned is not None:
                return Deed("effect", part, part, discerned=effect.discerned)
        for condition in body.conditions:
            name = condition.spell or condition.condition
            if condition.ends_by is not None and key_of(name) == key_of(wanted):
                own: BlockPart = {"id": key_of(name), "name": name}
                return Deed("effect", own, own, condition.ends_by, condition=condition.condition)
    return None


def require_deed(encounter: Encounter, actor: Participant, wanted: str, cost: ActionCost | None) -> Deed:
    """Return the part of the actor's stat block that a call names.

    Raises:
        CallFailed: `not_found` without a stat block or a part of that name; `ambiguous` for a part that has
            options; `not_executable` for a part that dice and numbers do not decide.
    """
    block = encounter.block_of(actor)
    if block is None:
        detail = f"{_FIELD}: {actor.id} has no stat block; give action_type, and the figures"
        raise CallFailed(Reason.NOT_FOUND, detail, {"field": _FIELD, "got": wanted})
    key, known = key_of(wanted), list(deeds(block))
    named = [each for each in known if key in (each.id, key_of(each.name))]
    named = _of_cost(named, cost, is_own_turn=encounter.current.id == actor.id)
    if not named:
        options = [each for each in known if each.counted is not each.part and key_of(each.counted["name"]) == key]
        if options:
            names = [each.name for each in options]
            detail = f"{_FIELD}: {options[0].counted['name']} is one of {', '.join(names)}"
            raise CallFailed(Reason.AMBIGUOUS, detail, hint.ask(_FIELD, wanted, names))
        names = list(dict.fromkeys(each.name for each in known))
        detail = f"{_FIELD}: {actor.id} has no action called {wanted}; it has {', '.join(names) or 'none'}"
        raise CallFailed(Reason.NOT_FOUND, detail, hint.name(_FIELD, wanted, names))
    _require_executable(named[0], actor, wanted)
    return named[0]


def _of_cost(named: list[Deed], cost: ActionCost | None, *, is_own_turn: bool) -> list[Deed]:
    """Return the deeds, first those that fit the call's cost, or the moment."""
    groups = {"legendary": "legendary", "reaction": "reaction", "action": "action"}
    wanted = groups.get(cost or "") or ("action" if is_own_turn else "legendary")
    return sorted(named, key=lambda each: each.group != wanted)


def _require_executable(deed: Deed, actor: Participant, wanted: str) -> None:
    if deed.group == "multiattack" or deed.part.get("tier") != "reference":
        missing = not_executed(deed.part) if deed.group != "multiattack" else ()
        if not missing or _does_something(deed.part):
            return
    else:
        missing = tuple(deed.part.get("missing", ())) or ("what it does",)
    detail = (
        f"{_FIELD}: the engine cannot execute {deed.name} of {actor.id} ({', '.join(missing)}); decide at the table "
        "what it does, and say so with manage_condition, update_character or use_special_ability"
    )
    raise CallFailed(Reason.NOT_EXECUTABLE, detail, hint.ask(_FIELD, wanted))


def _does_something(part: BlockPart) -> bool:
    """Return whether anything of a part is executed."""
    done = {"attack", "damage", "conditions", "heal", "teleport", "uses_actions", "grapple", "forced_move"}
    if (
        part.get("kind") in {CHANGE_SHAPE, *ON_ITSELF}
        or takes_a_slot(part)
        or "via" in figures(part).get("swallow", {})
        or {"rusts", "summons"} & figures(part).keys()
    ):
        return True
    return bool(done & part.keys() or {"check", "move"} & figures(part).keys())


def require_ready(deed: Deed, actor: Participant) -> None:
    """Refuse a deed that has to recharge, or that has no use left.

    Raises:
        CallFailed: `rule_violation`.
    """
    part, use = deed.counted, actor.block_use
    if part["id"] in use.recharging:
        least = part["recharge"]["min"]
        told = f"{least}" if least == 6 else f"{least}-6"
        detail = f"{part['name']} of {actor.id} has to recharge: a d6 at the start of its turn, {told}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, deed.name))
    if figures(part).get("options_in_order") and uses_left(part, use):
        due = part["options"][use.uses.get(part["id"], 0)]
        if due["id"] != deed.id:
            detail = f"{due['name']} is the next {part['name']} of {actor.id}"
            raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, deed.name, [due["name"]]))
    if uses_left(part, use) == 0:
        counted = part["uses"]
        per = str(counted["per"]).replace("_", " ")
        detail = f"{part['name']} of {actor.id} is used up: {counted['count']} per {per}"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask(_FIELD, deed.name))


# multiattack


class Blow(NamedTuple):
    """One attack of several: the action, whether it may be left out, and the dice that say how often it is made."""

    part: BlockPart
    is_optional: bool = False
    times: str | None = None


def ways(block: StatBlock) -> list[list[Blow]]:
    """Return each way of a Multiattack, as the actions that it consists of, one by one.

    What depends on the moment is left out; a trait that has heads counts them.
    """
    found = [[blow for use in way for blow in _blows(block, use)] for way in block.get("multiattack", ())]
    return [way for way in found if way]


def _blows(block: StatBlock, use: ActionUse) -> list[Blow]:
    part = action_of(block, use["action"])
    if part is None or use.get("when") is not None or "form" in use:
        return []
    count = use.get("count", 1)
    if count == "heads":
        count = figures(trait(block, "heads") or {}).get("heads", 1)
    if isinstance(count, str):
        return [Blow(part, use.get("optional", False), count)]
    return [Blow(part, use.get("optional", False))] * count


def action_of(block: StatBlock, identifier: str) -> BlockPart | None:
    """Return an action of a block by id."""
    return next((each for each in block.get("actions", ()) if each["id"] == identifier), None)


def rest_of_way(block: StatBlock, identifier: str) -> list[str]:
    """Return what the way of a Multiattack that holds an action holds beside it, by ids; empty where none does."""
    for way in block.get("multiattack", ()):
        ids = [blow.part["id"] for use in way for blow in _blows(block, {**use, "when": None})]
        if identifier in ids and len(ids) > 1:
            ids.remove(identifier)
            return ids
    return []
