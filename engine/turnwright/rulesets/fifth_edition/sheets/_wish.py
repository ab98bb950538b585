"""A call's requested change of hit points: validated first, applied later.

Source: docs/stages/3-tools.md, "Hit points".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import Field

from turnwright.model.base import ONE_LINE, SafeInt, Text
from turnwright.model.character import Character
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import MAX_INT
from turnwright.model.vocabulary import DamageType
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.fifth_edition.condition_list import gained
from turnwright.rulesets.fifth_edition.damage import check_concentration, damage, heal
from turnwright.rulesets.fifth_edition.maintained_effects import end_maintained_effects
from turnwright.rulesets.fifth_edition.sheets import health
from turnwright.rulesets.fifth_edition.sheets import life_override as decree
from turnwright.rulesets.fifth_edition.sheets._sheet_args import wants
from turnwright.rulesets.fifth_edition.sheets.derived_stats import effective
from turnwright.rulesets.fifth_edition.sheets.health import with_hp_delta
from turnwright.rulesets.fifth_edition.targets import Creature, count_conditions, put_creature
from turnwright.rulesets.fifth_edition.triggers import told, triggers
from turnwright.rulesets.references import Choice
from turnwright.rulesets.tool import Context

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.shapes import ConcentrationReport

_SIGNED = Annotated[Text, Field(pattern=r"^[+-][0-9]{1,15}$", json_schema_extra=ONE_LINE, examples=["+5", "-5"])]
HpChange = Annotated[_SIGNED | SafeInt, wants('wants a number to set, "+5" to heal or "-5" to hurt')]
Healing = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]
TempHp = Annotated[int, Field(strict=True, ge=0, le=1_000_000)]
Decree = Annotated[
    Literal["alive", "dead"],
    Choice({"alive": ("raise", "revive", "living", "resurrect"), "dead": ("kill", "killed", "slain", "die")}),
]


class Wish(NamedTuple):
    """A requested change of hit points: `set` to an amount, `heal` or `harm` by one, or none.

    Attributes:
        field: the argument that requests it.
        decree: the game master's decision about life and death, or None.
    """

    kind: Literal["set", "heal", "harm", "nothing"]
    amount: int = 0
    field: str = ""
    decree: Literal["alive", "dead"] | None = None


def wish_of(hp: str | int | None, healing: int | None, word: Literal["alive", "dead"] | None) -> Wish:
    """Return the change that a call's arguments request; healing takes precedence over hp."""
    if healing is not None:
        return Wish("heal", healing, "args.healing", word)
    if hp is None:
        return Wish("nothing", decree=word)
    if isinstance(hp, str):
        return Wish("heal" if hp[0] == "+" else "harm", int(hp[1:]), "args.hp", word)
    return Wish("harm", -hp, "args.hp", word) if hp < 0 else Wish("set", hp, "args.hp", word)


def require_wish(character: Character, wish: Wish) -> None:
    """Refuse an impossible change of a creature's hit points; no dice are drawn and nothing is changed.

    Raises:
        CallFailed: `invalid_args` for an impossible amount, `rule_violation` for healing the dead.
    """
    if wish.decree is not None:
        _require_decree(wish)
    if wish.kind == "nothing":
        return
    if character.hp is None and wish.kind != "set":
        raise CallFailed(Reason.RULE_VIOLATION, f"{character.id} has no hit points to change")
    if wish.kind == "set" and wish.amount > (most := _most(character)):
        repair = hint.ask(wish.field, wish.amount)
        raise CallFailed(Reason.INVALID_ARGS, f"{wish.field}: is above the maximum of {most}", repair)
    if wish.kind == "heal" and character.max_hp is None and (character.hp or 0) + wish.amount > MAX_INT:
        raise CallFailed(Reason.INVALID_ARGS, f"{wish.field}: hit points would grow beyond 2^53")
    helps = wish.kind == "heal" or (wish.kind == "set" and wish.amount > 0)
    if helps and character.is_dead and wish.decree is None:
        detail = f"{character.id} is dead, and cannot be healed"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask_for("args.character_state", ["alive"]))


def _require_decree(wish: Wish) -> None:
    if wish.decree == "dead" and wish.kind != "nothing" and (wish.kind, wish.amount) != ("set", 0):
        detail = f"{wish.field}: stands beside character_state dead"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(wish.field, wish.amount))
    if wish.decree == "alive" and wish.kind != "nothing" and (wish.kind == "harm" or wish.amount == 0):
        detail = f"{wish.field}: leaves nobody alive"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask(wish.field, wish.amount))


def _most(character: Character) -> int:
    return MAX_INT if character.max_hp is None else effective(character).max_hp.effective


class Came(NamedTuple):
    """The result of a requested change.

    Attributes:
        adjusted: the reason that changed the damage; None without damage.
        concentration_check: the saving throw that the damage required.
        warnings: what else the game master should know, in words.
    """

    adjusted: str | None = None
    concentration_check: ConcentrationReport | None = None
    warnings: tuple[str, ...] = ()


def done(world: World, creature: Creature, wish: Wish, kind: DamageType | None, ctx: Context) -> Came:
    """Apply a change that `require_wish` has validated."""
    if wish.decree is not None:
        return _decreed(world, creature, wish)
    if wish.kind == "harm":
        harm = damage(world, creature, wish.amount, kind, ctx)
        return Came(harm.adjusted, check_concentration(world, harm, ctx), harm.warnings)
    if wish.kind == "heal":
        heal(world, creature, wish.amount, ctx)
    elif wish.kind == "set":
        after = _set(creature.character, wish.amount, ctx)
        count_conditions(world, put_creature(world, creature, after), gained(creature.character, after))
        return Came(warnings=end_maintained_effects(world, creature).notices(creature))
    return Came()


def _decreed(world: World, creature: Creature, wish: Wish) -> Came:
    before = creature.character
    dies = wish.decree == "dead"
    after = decree.slain(before) if dies else decree.raised(before, _risen(before, wish))
    lost = end_maintained_effects(world, put_creature(world, creature, after))
    triggered = triggers(creature, "on_death") if dies and not before.is_dead else ()
    return Came(warnings=(*lost.notices(creature), *told(triggered)))


def _risen(character: Character, wish: Wish) -> int:
    had = 0 if character.is_dead else character.hp or 0
    wanted = {"set": wish.amount, "heal": had + wish.amount}.get(wish.kind, max(1, had))
    return min(wanted, max(_most(character), had))


def _set(character: Character, hp: int, ctx: Context) -> Character:
    changes_state = ctx.settings["rules.hp_zero_ends_game"]
    if character.hp is None:
        return character.replace(hp=hp)
    if character.max_hp is None:
        return with_hp_delta(character, hp - character.hp, changes_state=changes_state)
    if hp > character.hp:
        return health.healed(character, hp - character.hp, changes_state=changes_state)
    if hp == 0 and character.hp > 0 and not character.is_dead:
        return health.at_zero(character, changes_state=changes_state)
    return character.replace(hp=hp)
