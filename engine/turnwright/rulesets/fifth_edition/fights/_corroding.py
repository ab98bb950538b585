"""Corrosion of weapons and armor by acid and rust: each hit adds a penalty, until the item is destroyed.

Source: SRD 5.1, "Oozes", "Rust Monster"; docs/content.md, "What corrodes".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from turnwright.model.character import Character
from turnwright.model.item import Item
from turnwright.rulesets.fifth_edition.belongings.equipment import is_mundane, stuff_of
from turnwright.rulesets.fifth_edition.belongings.inventory import entry, without_item
from turnwright.rulesets.fifth_edition.fights._action import ActionContext
from turnwright.rulesets.fifth_edition.fights._weapons import Weapon
from turnwright.rulesets.fifth_edition.fights.traits import figures
from turnwright.rulesets.fifth_edition.targets import body_of, put_creature

if TYPE_CHECKING:
    from turnwright.model.content_shapes import BlockPart

_BARE = 10
"""Armor class without armor."""
_SHIELD = 2


def corrode_weapon(act: ActionContext, bearer_id: str, weapon: Weapon, target_id: str) -> None:
    """Corrode a weapon that has hit a creature whose hide does that; ammunition is used up anyway."""
    if weapon.item is None or weapon.shooter is not None:
        return
    for part in (act.encounter.block_of(act.person(target_id)) or {}).get("traits", ()):
        said = figures(part).get("weapon_penalty")
        if said is not None and _can_corrode(weapon.item, figures(part)["stuff"]):
            _wear(act, bearer_id, weapon.item, said["per_hit"], limit=said["destroyed_at"])


def corrode_armor(act: ActionContext, part: BlockPart, target_id: str) -> None:
    """Corrode the armor of a creature that an attack has hit."""
    said = figures(part).get("armor_penalty")
    worn = _worn(body_of(act.world, act.person(target_id)), ("armor",))
    for item in worn if said is not None else ():
        if said is not None and _can_corrode(item, figures(part)["stuff"]):
            _wear(act, target_id, item, said["per_hit"], limit=_limit(item, said["destroyed_at_ac"]))


def rusting_of(act: ActionContext, part: BlockPart, target_id: str) -> Item | None:
    """Return the item of a creature that a touch rusts: armor first, then a shield, then a weapon in hand."""
    items = _worn(body_of(act.world, act.person(target_id)), ("armor", "offhand", "mainhand"))
    return next((item for item in items if _can_corrode(item, figures(part)["stuff"])), None)


def rust(act: ActionContext, part: BlockPart, target_id: str) -> None:
    """Rust an item that a creature could not keep away from a touch."""
    item, said = rusting_of(act, part, target_id), figures(part)["rusts"]
    if item is None:
        return
    is_weapon = item.type == "weapon"
    limit = said["weapon_destroyed_at"] if is_weapon else _limit(item, said["armor_destroyed_at_ac"])
    _wear(act, target_id, item, said["per_touch"], limit=limit)


def _worn(body: Character, slots: Iterable[str]) -> list[Item]:
    found = (entry(body, body.equipped.get(slot, "")) for slot in slots)
    return [item for item in found if item is not None and item.type in ("armor", "shield", "weapon")]


def _can_corrode(item: Item, stuff: Collection[str]) -> bool:
    return is_mundane(item) and ("any" in stuff or stuff_of(item) in stuff)


def _limit(item: Item, least: int) -> int:
    """Return the penalty at which armor, or a shield, no longer protects."""
    if item.type == "shield":
        return _SHIELD if item.ac is None else item.ac
    return (item.armor_stats.base_ac if item.armor_stats else _BARE) - least


def _wear(act: ActionContext, bearer_id: str, item: Item, by: int, *, limit: int) -> None:
    """Give one piece of an entry its penalty, or take it away where that is all it bears."""
    bearer = act.creature(bearer_id)
    worse = item.corrosion + by
    if worse >= limit:
        put_creature(act.world, bearer, without_item(bearer.character, item, 1).character)
        act.warnings.append(f"{item.name} of {bearer_id} is destroyed")
        return
    put_creature(act.world, bearer, _corroded(bearer.character, item, worse))
    what = "damage" if item.type == "weapon" else "armor class"
    act.warnings.append(f"{item.name} of {bearer_id} corrodes: -{worse} to its {what}")


def _corroded(bearer: Character, item: Item, penalty: int) -> Character:
    """Return a creature with one piece of an entry corroded; of several, the one in use becomes its own entry."""
    if item.quantity == 1:
        inventory = tuple(each.replace(corrosion=penalty) if each.id == item.id else each for each in bearer.inventory)
        return bearer.replace(inventory=inventory)
    ids = {each.id for each in bearer.inventory}
    own = next(name for n in range(2, len(ids) + 3) if (name := f"{item.id}-{n}") not in ids)
    slot = next((slot for slot, held in bearer.equipped.items() if held == item.id), None)
    rest = without_item(bearer, item, 1).character
    piece = item.replace(id=own, quantity=1, corrosion=penalty)
    equipped = {**rest.equipped, **({} if slot is None else {slot: own})}
    return rest.replace(inventory=(*rest.inventory, piece), equipped=equipped)
