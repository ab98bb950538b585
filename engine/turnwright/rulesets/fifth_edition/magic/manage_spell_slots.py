"""manage_spell_slots: spell slots that a caster has left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple

from pydantic import Field

from turnwright.model.base import ABSENT, Count, Flag, Id, ListOf, Model, Text
from turnwright.model.character import Character
from turnwright.model.creature import PactPool, Pool
from turnwright.model.sheet import Sheet
from turnwright.model.state.overlay import World
from turnwright.model.vocabulary import CasterType
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.fifth_edition.magic import slots
from turnwright.rulesets.fifth_edition.sheets.sheet_rules import caster_type, full_pact_slots, sheet_of
from turnwright.rulesets.fifth_edition.targets import creature_of, put_creature, require_sheet
from turnwright.rulesets.references import CharacterId, Choice, Name
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.fifth_edition.magic.shapes import MovedSlots, SlotsReport

Operation = Annotated[
    Literal["view", "expend", "restore", "set"],
    Choice(
        synonyms={
            "view": ("get", "show", "query", "list", "check"),
            "expend": ("spend", "use", "cast", "consume"),
            "restore": ("regain", "recover", "refill", "give back"),
            "set": ("override", "assign"),
        }
    ),
]
SpellLevel = Annotated[int, Field(strict=True, ge=1, le=9)]
Few = Annotated[int, Field(strict=True, ge=0, le=99)]
_PACT = "pact"


class SlotCount(Model):
    """Slots of one level."""

    current: Few = Field(description="How many are left.")
    max: Few = Field(description="How many there are in all.")


class SlotTable(Model):
    """Slots by spell level, and those of a pact."""

    level_1: SlotCount | None = Field(default=None, alias="1")
    level_2: SlotCount | None = Field(default=None, alias="2")
    level_3: SlotCount | None = Field(default=None, alias="3")
    level_4: SlotCount | None = Field(default=None, alias="4")
    level_5: SlotCount | None = Field(default=None, alias="5")
    level_6: SlotCount | None = Field(default=None, alias="6")
    level_7: SlotCount | None = Field(default=None, alias="7")
    level_8: SlotCount | None = Field(default=None, alias="8")
    level_9: SlotCount | None = Field(default=None, alias="9")
    pact: SlotCount | None = ABSENT

    def given(self) -> dict[str, SlotCount]:
        """Return the counts given, by spell level or `pact`."""
        counts = {field.alias or name: getattr(self, name) for name, field in type(self).model_fields.items()}
        return {key: count for key, count in counts.items() if count is not None}


class ManageSpellSlotsArgs(ToolkitArgs):
    """Arguments of `manage_spell_slots`."""

    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "slot_level": ("expend", "restore"),
        "count": ("expend", "restore"),
        "pact_magic": ("expend", "restore"),
        "slots": ("set",),
    }
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {"set": ("slots",)}

    operation: Operation = Field(
        description="view the slots, expend some, restore some or all, or set them (the referee's word)."
    )
    character_id: CharacterId | None = Field(default=None, description="The owner of the slots.")
    character_name: Name | None = Field(default=None, description="The owner's name, in place of character_id.")
    slot_level: SpellLevel | None = Field(
        default=None, description="Which slots: required for expend unless pact_magic; restore without it refills all."
    )
    count: Annotated[int, Field(strict=True, ge=1, le=99)] = Field(
        default=1, description="How many are expended or restored."
    )
    pact_magic: Flag = Field(default=False, description="The slots of a warlock's pact are meant, all of one level.")
    slots: Annotated[SlotTable, Field(examples=[{"1": {"current": 2, "max": 2}}])] | None = Field(
        default=None, description="For set: current and max by spell level or pact; levels left out stay as they are."
    )


class SlotsOf(Model):
    """How many slots of a level were spent or came back."""

    level: SpellLevel
    count: Count
    pact: Flag


class ManageSpellSlotsResult(Model):
    """All slots as they are now, and the changes."""

    character_id: Id
    operation: Text
    caster_type: CasterType
    slots: Mapping[str, SlotCount] = Field(description="By spell level; levels without slots are left out.")
    pact: PactPool | None
    expended: ListOf[SlotsOf]
    restored: ListOf[SlotsOf]


class _Changed(NamedTuple):
    """A sheet after a change, and how many slots of which level it was."""

    sheet: Sheet
    moved: tuple[tuple[int, int, bool], ...] = ()

    def told(self) -> list[MovedSlots]:
        """Return what was moved as results hold it."""
        return [{"level": level, "count": count, "pact": pact} for level, count, pact in self.moved]


@toolkit(
    ManageSpellSlotsArgs,
    ManageSpellSlotsResult,
    example={"operation": "expend", "character_id": "cyra", "slot_level": 1},
    batch=True,
)
def manage_spell_slots(world: World, args: ManageSpellSlotsArgs, ctx: Context) -> Applied:
    """Look at a character's spell slots, spend some, give some back, or set them.

    `execute_action` (cast_spell) and `synthesize_spell` spend their slot themselves, and `take_rest` restores them: use
    this for all other spending and for what the game master decides. Cantrips need no slot.
    """
    del ctx
    character = require_character(world, args.character_id, args.character_name)
    sheet = sheet_of(require_sheet(creature_of(world, character), "magic by spell slots"))
    expended: list[MovedSlots] = []
    restored: list[MovedSlots] = []
    if args.operation == "expend":
        changed = _expended(character, sheet, args)
        expended = changed.told()
    elif args.operation == "restore":
        changed = _restored(character, sheet, args)
        restored = changed.told()
    else:
        changed = _Changed(sheet if args.operation == "view" else _as_set(sheet, args.slots or SlotTable()))
    if changed.sheet != sheet:
        put_creature(world, creature_of(world, character), character.replace(sheet=changed.sheet))
    told = {"character_id": character.id, "operation": args.operation, **shown_slots(changed.sheet)}
    return Applied({**told, "expended": expended, "restored": restored})


def shown_slots(sheet: Sheet) -> SlotsReport:
    """Return the caster type and all slots as results hold them."""
    pools = {level: pool for level, pool in sheet.spell_slots.items() if pool.max}
    pact = sheet.pact_slots
    return {
        "caster_type": caster_type(sheet),
        "slots": {level: {"current": pool.current, "max": pool.max} for level, pool in sorted(pools.items())},
        "pact": {"current": pact.current, "max": pact.max, "slot_level": pact.slot_level} if pact else None,
    }


def _expended(character: Character, sheet: Sheet, args: ManageSpellSlotsArgs) -> _Changed:
    if args.pact_magic:
        pact = _require_pact(character, sheet, args)
        if pact.current < args.count:
            detail = f"{character.id} has {pact.current} slots of the pact left, not {args.count}"
            raise CallFailed(Reason.RULE_VIOLATION, detail, _fewer(args))
        return _Changed(slots.spend_pact(sheet, args.count), ((pact.slot_level, args.count, True),))
    with_enough = [int(level) for level, pool in sheet.spell_slots.items() if pool.current >= args.count]
    if args.slot_level is None:
        by_pact = not with_enough and _has_by_pact(sheet, args)
        repair = hint.ask_for("args.pact_magic", [True]) if by_pact else hint.ask_for("args.slot_level", with_enough)
        raise CallFailed(Reason.INVALID_ARGS, "args.slot_level: is required for expend, or pact_magic", repair)
    pool = sheet.spell_slots.get(str(args.slot_level))
    if pool is None or pool.current < args.count:
        raise _too_few(character, sheet, args, pool, with_enough)
    moved = ((args.slot_level, args.count, False),)
    return _Changed(slots.spend(sheet, args.slot_level, args.count), moved)


def _too_few(
    character: Character, sheet: Sheet, args: ManageSpellSlotsArgs, pool: Pool | None, with_enough: list[int]
) -> CallFailed:
    """Return the failure for slots that are not there, with the nearest that would be."""
    detail = f"{character.id} has {pool.current if pool else 0} slots of level {args.slot_level} left, not {args.count}"
    if pool is not None and pool.current > 0:
        repair = _fewer(args)
    elif with_enough:
        repair = hint.ask("args.slot_level", args.slot_level, with_enough)
    elif _has_by_pact(sheet, args):
        repair = hint.ask_for("args.pact_magic", [True])
    else:
        repair = {}
    return CallFailed(Reason.RULE_VIOLATION, detail, repair)


def _has_by_pact(sheet: Sheet, args: ManageSpellSlotsArgs) -> bool:
    """Return whether `pact_magic` would give what the call wants to expend."""
    pact = sheet.pact_slots
    return pact is not None and pact.current >= args.count and _reaches(pact, args.slot_level)


def _reaches(pact: PactPool, level: int | None) -> bool:
    """Return whether slots of a pact serve for a level; the spell may be lower than its slot."""
    return level is None or level <= pact.slot_level


def _fewer(args: ManageSpellSlotsArgs) -> hint.Hint:
    return hint.ask("args.count", args.count)


def _restored(character: Character, sheet: Sheet, args: ManageSpellSlotsArgs) -> _Changed:
    if args.pact_magic:
        pact = _require_pact(character, sheet, args)
        gained = min(args.count, pact.max - pact.current)
        more = sheet.replace(pact_slots=pact.replace(current=pact.current + gained))
        return _Changed(more, ((pact.slot_level, gained, True),))
    if args.slot_level is None:
        return _refilled(character, sheet)
    pool = sheet.spell_slots.get(str(args.slot_level))
    if pool is None:
        detail = f"{character.id} has no slots of level {args.slot_level}"
        known = [int(level) for level in sheet.spell_slots]
        repair = hint.ask("args.slot_level", args.slot_level, known)
        raise CallFailed(Reason.RULE_VIOLATION, detail, repair)
    gained = min(args.count, max(0, pool.max - pool.current))
    moved = ((args.slot_level, gained, False),)
    return _Changed(_with_pool(sheet, args.slot_level, pool.replace(current=pool.current + gained)), moved)


def _refilled(character: Character, sheet: Sheet) -> _Changed:
    """Return a sheet with all its slots."""
    pact = sheet.pact_slots
    if not sheet.spell_slots and pact is None:
        raise CallFailed(Reason.RULE_VIOLATION, f"{character.id} has no spell slots to restore")
    pools = {level: pool.replace(current=pool.max) for level, pool in sheet.spell_slots.items()}
    moved = [(int(level), pool.max - pool.current, False) for level, pool in sheet.spell_slots.items()]
    full = sheet.replace(spell_slots=pools)
    if pact is not None:
        full = full.replace(pact_slots=pact.replace(current=pact.max))
        moved.append((pact.slot_level, pact.max - pact.current, True))
    return _Changed(full, tuple(each for each in moved if each[1] > 0))


def _require_pact(character: Character, sheet: Sheet, args: ManageSpellSlotsArgs) -> PactPool:
    pact = sheet.pact_slots
    if pact is None:
        detail = f"{character.id} has no slots of a pact"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.pact_magic", True))
    if not _reaches(pact, args.slot_level):
        detail = f"the pact of {character.id} gives slots of level {pact.slot_level}, not {args.slot_level}"
        repair = hint.ask("args.slot_level", args.slot_level, [pact.slot_level])
        raise CallFailed(Reason.RULE_VIOLATION, detail, repair)
    return pact


def _as_set(sheet: Sheet, table: SlotTable) -> Sheet:
    """Return a sheet with the slots that the referee says; none in all is none to show."""
    given = table.given()
    if not given:
        repair = hint.ask("args.slots", {})
        raise CallFailed(Reason.INVALID_ARGS, "args.slots: is empty", repair)
    for level, count in given.items():
        if count.current > count.max:
            repair = hint.ask(f"args.slots.{level}.current", count.current)
            raise CallFailed(Reason.INVALID_ARGS, f"args.slots.{level}.current: is more than max", repair)
    for level, count in given.items():
        if level != _PACT:
            sheet = _with_pool(sheet, int(level), Pool(current=count.current, max=count.max))
    return _with_pact(sheet, given[_PACT]) if _PACT in given else sheet


def _with_pact(sheet: Sheet, count: SlotCount) -> Sheet:
    if count.max == 0:
        return sheet.replace(pact_slots=None)
    known = sheet.pact_slots or full_pact_slots(sheet)
    slot_level = known.slot_level if known else 1
    return sheet.replace(pact_slots=PactPool(current=count.current, max=count.max, slot_level=slot_level))


def _with_pool(sheet: Sheet, level: int, pool: Pool) -> Sheet:
    pools = {**sheet.spell_slots, str(level): pool}
    return sheet.replace(spell_slots={key: kept for key, kept in pools.items() if kept.max})
