"""Describe the calls about characters and dice. Source: docs/cli.md, "What happened, in words"."""

from __future__ import annotations

from collections import Counter

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.phrases import ABILITIES, counted, d20, looks, thrown, verdict
from turnwright.rulesets.story_context import StoryContext, joined, listed, named_in

_RULED = ("character_state", "death_saves")
"""Changes that follow from hit points, and are described with them."""


def roll_dice(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe the dice, the kept ones, and the sum."""
    label = result.text("label") or args.text("label", "reason")
    rolls, kept, dropped = (result.numbers(key) for key in ("rolls", "kept", "dropped"))
    fell = ", ".join(ctx.faces(rolls, args))
    counts = f"; kept {', '.join(map(str, kept))}" if dropped and kept else ""
    dice = f" ({fell}{counts})" if fell else ""
    total = result.number("total")
    return joined(label, f"{result.text('expression') or 'dice'}{dice}" + (f" = {total}" if total is not None else ""))


def roll_check(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe a check: `Mira, Perception (disadvantage: 15, 10) + 3 = 13 against DC 12: success`."""
    named = named_in(args, "character")
    name = _check_name(args, result)
    kind = result.text("check_type") or args.text("check_type")
    who = ctx.person(named) if named else ""
    if named and not ctx.reader.knows(named):
        total = result.number("total")
        rolled, held = "" if total is None else str(total), verdict(Facts({"success": result.flag("success")}))
    else:
        rolled, held = d20(ctx, result, args), verdict(result, "AC" if kind == "attack" else "DC")
    told = f"{name} {rolled}".strip() + held
    if result.flag("auto_fail"):
        told += " (a condition makes it fail)"
    return joined(who, told, _contest(result.one("contest"), ctx))


def _check_name(args: Facts, result: Facts) -> str:
    kind = result.text("check_type") or args.text("check_type")
    if skill := result.word("skill") or args.word("skill"):
        return skill.title()
    ability = result.text("ability") or args.text("ability")
    named = ABILITIES.get(ability, ability)
    if kind == "initiative":
        return "Initiative"
    return " ".join(part for part in (named, {"save": "save", "attack": "attack"}.get(kind, "check")) if part)


def _contest(contest: Facts, ctx: StoryContext) -> str:
    if not contest:
        return ""
    against, total = ctx.person(contest.text("opponent")), contest.number("opponent_total")
    number = f" {total}" if total is not None and ctx.reader.knows(contest.text("opponent")) else ""
    if contest.flag("tie"):
        return f"against {against}{number}: a tie"
    winner = contest.text("winner")
    return f"against {against}{number}" + (f": {ctx.person(winner)} wins" if winner else "")


# characters


def create_character(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe which character was created or previewed."""
    person = result.one("character")
    sheet = person.one("sheet")
    name = person.text("name") or args.text("name") or "someone"
    level = sheet.number("level")
    kind = " ".join(filter(None, (sheet.text("race"), sheet.text("class"), str(level) if level else "")))
    if result.flag("preview"):
        return joined(f"imagines {name}", kind)
    return joined(f"{ctx.with_id(name, result.text('character_id'))} is new", kind if ctx.reader.is_game_master else "")


def get_character(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe which character was looked at."""
    if "characters" in result:
        people = [ctx.with_id(row.text("name"), row.text("character_id")) for row in result.many("characters")]
        everyone = f": {listed(people) or 'no one'}" if ctx.reader.is_game_master else ""
        return f"looks at everyone{everyone}"
    named = result.one("character").text("name") or ctx.who(args, "character")
    return f"looks at {named}"


def delete_character(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe which character was deleted."""
    return f"{result.one('deleted').text('name') or ctx.who(args, 'character')} is gone for good"


def update_character(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe a character's changed values, from what to what."""
    named = result.text("character_id", "participant_id") or named_in(args, "character")
    known = ctx.reader.knows(named) or ctx.reader.knows(result.text("name"))
    name = result.text("name") or ctx.person(named)
    change = result.one("hp")
    changes = result.one("changes")
    parts = []
    if "hp" in changes or "hp" in args or "damage" in args:
        parts.append(_hp(name, change, result.one("character"), known=known))
    if known:
        parts += [text for key in changes if key not in ("hp", *_RULED) and (text := _changed(changes, key))]
    told = joined(*parts)
    kind = result.word("adjusted")
    told += f" ({kind})" if told and known and kind not in ("", "none") else ""
    return told if told.startswith(name) else f"{name}: {told or ('unchanged' if known and not changes else 'changed')}"


def _hp(name: str, change: Facts, person: Facts, *, known: bool) -> str:
    before, after = change.number("before"), change.number("after")
    state = person.word("character_state")
    if not known:
        look = looks(after, change.number("max"), state)
        return f"{name}: {look}" if look else ""
    if before is None or after is None or before == after:
        return "" if after is None else f"{name}: {after} hp"
    fallen = f", {state}" if state not in ("", "alive") else ""
    return f"{name} {before} -> {after} hp{fallen}"


def _changed(changes: Facts, key: str) -> str:
    """Return one change of a plain value; longer ones are named."""
    before, after = changes.pair(key)
    name = key.replace("_", " ")
    plain = (str, int, float, type(None))
    if isinstance(before, plain) and isinstance(after, plain) and not isinstance(after, bool):
        shown = [("nothing" if each is None else " ".join(str(each).split())) for each in (before, after)]
        return f"{name} {shown[0]} -> {shown[1]}"
    return f"new {name}"


# results in words


def manage_effect(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe which effect was added or removed."""
    who = ctx.person(result.text("target") or named_in(args, "target", "character"))
    operation = result.text("operation") or args.text("operation")
    effect = result.one("effect")
    name = effect.text("name") or args.one("effect").text("name") or args.text("name") or "an effect"
    shown = ctx.with_id(name, effect.text("effect_id"))
    gone = listed(row.text("name") for row in result.many("expired"))
    if operation == "add":
        return f"{shown} is on {who}" + (", in place of the one before" if result.flag("replaced") else "")
    if operation == "remove":
        return f"{name} on {who} ends"
    if operation == "tick":
        return f"a round goes by for {who}" + (f": {gone} ends" if gone else "")
    on = listed(row.text("name") for row in result.many("effects"))
    return f"looks at the effects on {who}" + (f": {on}" if on and ctx.reader.knows(result.text("target")) else "")


def take_rest(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe who rested, and the result."""
    named = named_in(args, "character", "target")
    who = ctx.person(named)
    kind = result.text("rest_type") or args.text("rest_type")
    rest = f"{who} takes a {kind} rest" if kind else f"{who} rests"
    if "time" in result and ctx.reader.is_game_master:
        rest += f" until {_moment(result.one('time').one('ended'))}"
    if result.flag("interrupted"):
        return f"{rest}, interrupted"
    if not ctx.reader.knows(named):
        return rest
    before, after = result.number("hp_before"), result.number("hp_after")
    spent = result.number("hit_dice_spent")
    dice = (
        f"{counted(spent, 'hit die', 'hit dice')} spent{thrown(ctx, result.numbers('hit_dice_rolls'), args)}"
        if spent
        else ""
    )
    moved = f"{before} -> {after} hp" if None not in (before, after) and before != after else ""
    same = f"{after} hp" if not moved and after is not None else ""
    return joined(rest, moved or same, dice)


def _moment(told: Facts) -> str:
    return f"day {told.number('day')}, {told.number('hour') or 0:02}:{told.number('minute') or 0:02}"


def level_up(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe which level a character reached, and its gains."""
    named = named_in(args, "character", "target")
    old, new = result.number("old_level"), result.number("new_level")
    told = f"{ctx.person(named)} reaches level {new}" if new is not None else f"{ctx.person(named)} rises"
    if not ctx.reader.knows(named):
        return told
    most, before = result.number("new_max_hp"), result.number("old_max_hp")
    dice = thrown(ctx, result.numbers("rolls"), args, "manual_roll", "manual_hp")
    top = f"maximum hp {before} -> {most}{dice}" if None not in (most, before) else ""
    learned = listed([*result.texts("new_features"), *result.texts("new_spells")])
    was = f" (was {old})" if old is not None and new is not None and new - old != 1 else ""
    points = Counter(result.texts("ability_increase"))
    raised = listed(f"{ability.upper()} +{points[ability]}" for ability in points)
    chosen = listed(result.texts("undecided"))
    parts = (raised, f"new: {learned}" if learned else "", f"still to choose: {chosen}" if chosen else "")
    return joined(told + was, top, *parts)
