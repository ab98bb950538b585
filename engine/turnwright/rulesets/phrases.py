"""Phrases that the words of several tools share: rolls, hit points, squares.

Source: docs/cli.md, "What happened, in words".
"""

from __future__ import annotations

from turnwright.model.coin import denomination
from turnwright.rulesets.facts import Facts
from turnwright.rulesets.story_context import StoryContext, joined, listed

ABILITIES = {
    "str": "Strength",
    "dex": "Dexterity",
    "con": "Constitution",
    "int": "Intelligence",
    "wis": "Wisdom",
    "cha": "Charisma",
}
_BLOWS = {"hit": "a hit", "miss": "a miss", "critical_hit": "a critical hit", "critical_miss": "a critical miss"}
_GIVEN_D20 = ("manual_roll", "manual_rolls")
_DOWN = ("dead", "down")
"""States that are stated beside hit points; the numbers convey the rest."""


# dice


def signed(number: int | None) -> str:
    """Return a number to be added, such as ` + 3`; nothing for 0."""
    return f" {'-' if number < 0 else '+'} {abs(number)}" if number else ""


def d20(ctx: StoryContext, roll: Facts, args: Facts, *manual: str, modifier: str = "modifier") -> str:
    """Return a d20 as rolled, its modifier, and the total: `(disadvantage: 15, 10) + 3 = 13`; empty for none."""
    total = roll.number("total")
    natural, added = roll.number("natural"), roll.number(modifier)
    if added is None and natural is not None and total is not None:
        added = total - natural
    if natural is None or total is None:
        return "" if total is None else str(total)
    faces = _faces(ctx, roll, args, *(manual or _GIVEN_D20))
    if natural + (added or 0) != total:  # an older version wrote it, or a part is missing: do not print a wrong sum
        return f"{faces}, {total} in all"
    return f"{faces}{signed(added)}{_parts(roll)} = {total}" if added or faces != str(total) else str(total)


def _faces(ctx: StoryContext, roll: Facts, args: Facts, *manual: str) -> str:
    natural, rolls, mode = roll.number("natural"), roll.numbers("rolls"), roll.text("mode")
    faces = ctx.faces(rolls or [natural or 0], args, *manual)
    if mode in ("advantage", "disadvantage"):
        why = listed(roll.texts(f"{mode}_reasons"))
        return f"({mode}: {', '.join(faces)}{f'; {why}' if why else ''})"
    if len(faces) == 1:
        return faces[0]
    return f"({', '.join(faces)}: {natural} counts)"


def _parts(roll: Facts) -> str:
    """Return the parts of a modifier, if it has more than one."""
    ability = roll.text("ability")
    named = ((ABILITIES.get(ability, ability), "ability_mod"), ("proficiency", "proficiency"), ("bonus", "bonus"))
    parts = [f"{name} {value:+d}" for name, key in named if (value := roll.number(key))]
    return f" ({', '.join(parts)})" if len(parts) > 1 else ""


def verdict(roll: Facts, against: str = "DC", key: str = "dc") -> str:
    """Return the number that a roll was compared with and the outcome: ` against DC 12: success`."""
    dc = roll.number(key)
    held = f" against {against} {dc}" if dc is not None else ""
    success = roll.flag("success")
    if success is None:
        return held
    return f"{held}: {'success' if success else 'failure'}"


def save(ctx: StoryContext, row: Facts, args: Facts, named: str) -> str:
    """Return a character's saving throw; where the reader does not know the numbers, only whether it succeeded."""
    success = row.flag("success")
    if success is None:
        return ""
    ability = row.text("ability")
    name = joined(ctx.person(named), f"{ABILITIES[ability]} save" if ability in ABILITIES else "save")
    rolled = d20(ctx, row, args) if ctx.reader.knows(named) else ""
    told = f"{name} {rolled}" if rolled else name
    # The difficulty is known to the character who set it.
    return f"{told}{verdict(row)}" if ctx.reader.is_game_master else f"{told}: {'success' if success else 'failure'}"


def blow(ctx: StoryContext, attack: Facts, args: Facts, attacker: str, target: str) -> str:
    """Return an attack roll: `4 + 5 = 9 against AC 13, a miss`, with the numbers that the reader may know."""
    outcome = _BLOWS.get(attack.text("result"), attack.word("result"))
    if attack.one("kept_off").flag("success") is False:
        return "held off, and lost"
    if attack.one("image"):
        outcome = "an image is struck and gone" if attack.one("image").flag("is_destroyed") else "an image, a miss"
    if ctx.reader.knows(attacker):
        rolled = d20(ctx, attack, args, "manual_attack_roll", modifier="bonus")
    else:
        rolled = str(attack.number("total") or "")
    ac = attack.number("target_ac")
    against = f" against AC {ac}" if ac is not None and ctx.reader.knows(target) else ""
    cover = attack.word("cover")
    behind = f" ({cover} cover)" if cover not in ("", "none") else ""
    return joined(f"{rolled}{against}{behind}" if rolled else "", outcome)


def thrown(ctx: StoryContext, rolls: list[int], args: Facts, *manual: str) -> str:
    """Return rolled dice in brackets behind their expression, such as ` (5, 3)`; empty for none."""
    return f" ({', '.join(ctx.faces(rolls, args, *manual))})" if rolls else ""


def harm(ctx: StoryContext, damage: Facts, args: Facts, attacker: str) -> str:
    """Return damage: amount and type, and the dice where the reader may know them."""
    final = damage.number("final")
    if final is None:
        return ""
    kinds = [part.word("type") for part in damage.many("parts") if part.number("final")]
    kind = " and ".join(dict.fromkeys(kinds)) or damage.word("type")
    told = f"{final} {kind} damage" if kind else f"{final} damage"
    expression = damage.text("expression")
    if not ctx.reader.knows(attacker):
        return told
    raw = damage.number("raw")
    changed = damage.word("adjusted")
    rolls = thrown(ctx, damage.numbers("rolls"), args, "manual_damage_roll")
    how = f"{expression}{rolls}" if expression else f"{raw} (given)" if raw is not None else ""
    halved = "" if changed in ("", "none") and raw == final else f" = {raw}" if raw is not None and expression else ""
    because = "" if changed in ("", "none") else f", {changed}"
    return f"{told} ({how}{halved}{because})" if how else told


# hit points


def hp(ctx: StoryContext, named: str, change: Facts, *, status: str = "", always: bool = True) -> str:
    """Return a change of hit points in words: `Mira 6 -> 5 hp`; for numbers unknown to the reader, `Wolf: hurt`.

    Args:
        ctx: the context, which holds the reader.
        named: the name of the character.
        change: `before`, `after` and `max`, or how they `look`.
        status: their state, such as `dead`.
        always: state the hit points even if nothing changed.
    """
    who = ctx.person(named)
    before, after = change.number("before"), change.number("after")
    if after is None or not ctx.reader.knows(named):
        look = change.text("look") or (looks(after, change.number("max"), status) if change else "")
        return f"{who}: {look}" if look and (always or before != after or before is None) else ""
    if not always and before == after:
        return ""
    fallen = f", {status}" if status in _DOWN and before != after else ""
    if before is None or before == after:
        return f"{who}: {after} hp{fallen}"
    return f"{who} {before} -> {after} hp{fallen}"


def looks(after: int | None, most: int | None, status: str = "") -> str:
    """Return how a character looks to readers who do not know its hit points; empty if that is unknown."""
    from turnwright.rulesets.health_words import look_at  # only players read such words

    return "dead" if status == "dead" else look_at(after, most) or ""


# space


def square(position: Facts) -> str:
    """Return a square, such as `5,6`; with its height if not 0."""
    x, y, z = (position.number(key) for key in "xyz")
    if x is None or y is None:
        return ""
    return f"{x},{y}" + (f",{z}" if z else "")


def counted(number: int, one: str, several: str = "") -> str:
    """Return how many there are of something: `1 square`, `3 squares`."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def quantity(count: int | None, name: str) -> str:
    """Return the number of pieces of a thing: `3 x Arrow`, and for one only the name; of coins `5 gold`."""
    if count is not None and denomination(name):
        return f"{count} {name}"
    return f"{count} x {name}" if count is not None and count != 1 else name
