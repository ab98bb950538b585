"""What magic did, in words. Source: docs/cli.md, "What happened, in words"."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.phrases import counted, d20, verdict
from turnwright.rulesets.story_context import StoryContext, joined, listed, named_in


def manage_concentration(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell which spell a caster concentrates on, and the result of a save for it."""
    named = result.text("target") or named_in(args, "character", "target")
    who = ctx.person(named)
    spell = result.text("spell_name") or args.text("spell_name") or "a spell"
    operation = result.text("operation") or args.text("operation")
    if result.flag("broken"):
        return joined(
            _save(args, result, ctx, named, who), f"{spell} ends" if result.number("total") else _ends(who, spell)
        )
    if operation == "set":
        before = result.text("previous_spell")
        return f"{who} concentrates on {spell}" + (f" and lets {before} go" if before else "")
    if operation == "check" and result.number("total") is not None:
        return joined(_save(args, result, ctx, named, who), f"{spell} holds")
    if result.flag("concentrating"):
        return f"{who} concentrates on {spell}"
    return f"{who} concentrates on nothing"


def _ends(who: str, spell: str) -> str:
    return f"{who} no longer concentrates on {spell}"


def _save(args: Facts, result: Facts, ctx: StoryContext, named: str, who: str) -> str:
    if not ctx.reader.knows(named):
        return who if result.number("total") is not None else ""
    rolled = d20(ctx, result, args)
    return f"{who}, concentration {rolled}{verdict(result)}" if rolled else ""


def cast_spell(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell the caster, the spell, and what happened to each target."""
    from turnwright.rulesets.fifth_edition.fights._story import areas_and_leavers, execute_action

    only = result.many("targets")
    told = execute_action(args, only[0].under(result) if len(only) == 1 else result, ctx)
    rows = [row for row in result.many("targets") if ctx.reader.sees(row.text("target_id"))]
    more = [each for row in rows for each in _brought(ctx, row)]
    by = result.one("countered")
    lost = f"{ctx.person(by.text('by'))} counters it, and it is lost" if by.flag("success") else ""
    held = f"{ctx.person(by.text('by'))} fails to counter it" if by and not by.flag("success") else ""
    came = [_joining(each.text("name"), len(each.texts("ids"))) for each in result.many("summoned")]
    parts = [told or ctx.person(named_in(args, "caster")), *(each for each in (lost, held) if each), *came, *more]
    if len(only) != 1:
        return "; ".join(parts)
    return "; ".join([*parts, *(each for each in areas_and_leavers(ctx, result, args) if each)])


def _joining(name: str, count: int) -> str:
    return f"{name} joins" if count == 1 else f"{name} x {count} join"


def _brought(ctx: StoryContext, row: Facts) -> Iterator[str]:
    """Yield what a spell did to a target besides harm."""
    who = ctx.person(row.text("target_id"))
    healed = row.one("healing").number("gained")
    if healed is not None:
        yield f"{who} regains {healed} hit points"
    if gained := [each.replace("_", " ") for each in row.texts("conditions")]:
        yield f"{who} is now {listed(gained)}"
    if effect := row.text("effect"):
        yield f"{effect} is on {who}"
    for each in row.many("dispelled"):
        name = each.text("spell") or "a spell"
        yield f"{name} on {who} ends" if each.flag("ended") else f"{name} on {who} holds"
    if (why := row.text("unaffected")) and ctx.reader.is_game_master:
        yield f"nothing happens to {who}: {why}"


def manage_spell_slots(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell which slots are spent or back, and how many are left."""
    named = result.text("character_id") or named_in(args, "character", "target")
    who = ctx.person(named)
    if not ctx.reader.knows(named):
        return f"the spell slots of {who}"
    spent, back = (_rows(result, key) for key in ("expended", "restored"))
    slots = result.one("slots")
    left = [f"level {level} {_pool(slots.one(level))}" for level in slots if _pool(slots.one(level))]
    pact = _pool(result.one("pact"))
    now = listed([*left, f"pact {pact}" if pact else ""])
    done = f"{who} spends {spent}" if spent else f"{who} regains {back}" if back else f"the spell slots of {who}"
    return done + (f"; left: {now}" if now else "")


def _rows(result: Facts, key: str) -> str:
    return listed(_slot(row) for row in result.many(key))


def _slot(row: Facts) -> str:
    kind = "pact slot" if row.flag("pact") else "slot"
    level = row.number("level")
    return counted(row.number("count") or 1, kind) + (f" of level {level}" if level is not None else "")


def _pool(pool: Facts) -> str:
    current, most = pool.number("current"), pool.number("max")
    return f"{current}/{most}" if None not in (current, most) else ""


def use_scroll(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell who read a scroll, which one, and whether it worked."""
    named = result.text("character_id") or named_in(args, "character")
    spell = result.text("spell_name") or args.text("scroll_name", "spell_name") or "a scroll"
    at = ctx.people(result.texts("targets"))
    works = {True: "it works", False: "it fails", None: ""}[result.flag("success")]
    rolled = d20(ctx, result, args) if ctx.reader.knows(named) else ""
    roll = f"{rolled}{_against(result)}" if rolled else ""
    return joined(f"{ctx.person(named)} reads {spell}" + (f" at {at}" if at else ""), roll, works)


def _against(result: Facts) -> str:
    dc = result.number("dc")
    return f" against DC {dc}" if dc is not None else ""


def manage_aura(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe a change of an aura, and its effects."""
    from turnwright.rulesets.fifth_edition.fights._story import aura_row

    operation = result.text("operation") or args.text("operation")
    aura = result.one("aura")
    identifier = result.text("aura_id") or args.text("aura_id")
    name = aura.text("spell_name") or args.text("spell_name") or "an aura"
    shown = ctx.with_id(name, identifier)
    rows = [row for row in result.many("results") if ctx.reader.sees(row.text("target_id"))]
    done = "; ".join(filter(None, (aura_row(ctx, row, args, aura.word("condition")) for row in rows)))
    owner = ctx.person(aura.text("owner_id") or named_in(args, "owner"))
    told = {
        "create": f"{shown} begins around {owner}",
        "process": f"{shown} takes effect",
        "remove": f"{shown} ends",
        "expire": f"{shown} ends",
    }.get(operation, f"looks at the auras: {listed(row.text('spell_name') for row in result.many('auras')) or 'none'}")
    ends = "it ends" if operation == "process" and (result.flag("expired") or result.flag("removed")) else ""
    return joined(told + (f": {done}" if done else ""), ends)


def synthesize_spell(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell what a caster improvised, and the outcome."""
    named = result.text("caster") or named_in(args, "caster")
    known = ctx.reader.knows(named)
    spell = result.one("spell")
    name = spell.text("name") or args.one("proposed_spell").text("name") or "magic"
    rolled = d20(ctx, result, args, modifier="bonus") if known else ""
    roll = f"{rolled}{_against(result)}" if rolled else ""
    outcome = result.word("outcome")
    effect = spell.one("effect")
    dealt, healed = effect.number("damage_total"), effect.number("healing_total")
    kind = effect.word("damage_type")
    hurt = f"{dealt} {kind} damage".replace("  ", " ") if dealt is not None and outcome != "mishap" else ""
    better = f"{healed} healed" if healed is not None else ""
    back = result.number("mishap_damage")
    return joined(
        f"{ctx.person(named)} improvises {name}" + (f": {roll}" if roll else ""),
        outcome,
        hurt,
        better,
        f"{back} damage to {ctx.person(named)}" if back and known else "",
    )
