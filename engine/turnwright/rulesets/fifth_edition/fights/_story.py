"""What happened in fights, in words. Source: docs/cli.md, "What happened, in words"."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.phrases import ABILITIES, blow, counted, d20, harm, hp, save, square, thrown, verdict
from turnwright.rulesets.story_context import StoryContext, joined, listed, named_in

_VERBS = {
    "dash": "dashes",
    "disengage": "disengages",
    "dodge": "dodges",
    "hide": "hides",
    "search": "searches",
    "grapple": "grapples",
    "shove": "shoves",
    "help": "helps",
    "attack": "attacks",
    "escape_grapple": "struggles free",
}
_OUTWARD = {
    "cast_spell": "casts a spell",
    "ready": "readies an action",
    "use_object": "uses an item",
    "use_special_ability": "does something special",
}
"""Parts of an action that readers who do not know the actor's abilities can see."""
_SAVES = {
    "critical_failure": "two failures at once",
    "critical_success": "back on their feet",
    "death": "a failure, and death",
    "stabilized": "a success, and stable",
}


# a fight begins and ends


def create_encounter(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell that a fight begins, and its turn order."""
    del args
    rows = [row for row in result.many("order") if ctx.reader.sees(row.text("id"))]
    order = listed(
        f"{row.text('name')}{_initiative(row, ctx)}" for row in rows if ctx.reader.sees(row.text("character_id"))
    )
    return ctx.with_id("a fight begins", result.text("encounter_id")) + (f", in order: {order}" if order else "")


def _initiative(row: Facts, ctx: StoryContext) -> str:
    number = row.number("initiative")
    mark = " (given)" if row.flag("given") else ""
    return f" {number}{mark}" if number is not None and _is_known(row, ctx) else ""


def _is_known(row: Facts, ctx: StoryContext) -> bool:
    return any(ctx.reader.knows(named) for named in (row.text("id"), row.text("character_id")) if named)


def get_encounter(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe the state of a fight."""
    del args
    if not ctx.reader.is_game_master:
        return "looks at the fight"
    if "threat" in result:
        return _previewed(result.one("threat"))
    turn = result.one("current_turn").text("name")
    number = result.number("round")
    status = f"the fight is {result.word('status')}" if result.text("status") else "looks at the fight"
    return joined(
        ctx.with_id(status, result.text("encounter_id")),
        f"round {number}" if number is not None else "",
        f"{turn} to act" if turn else "",
    )


def _previewed(threat: Facts) -> str:
    """Tell how hard a fight would be, by both measures."""
    foes = listed([f"{row.number('count')} x {row.text('name')}" for row in threat.many("monsters")])
    rules, played = threat.one("by_rules"), threat.one("by_simulation")
    falls = f"somebody falls in {played.number('somebody_falls_percent')} % of {played.number('runs')} simulations"
    return f"looks how hard a fight with {foes} would be: {rules.number('percent')} % by the rules; {falls}"


def end_encounter(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell that a fight is over, its outcome, and the state of each participant."""
    rounds = result.number("rounds")
    after = f" after {counted(rounds, 'round')}" if rounds is not None else ""
    outcome = result.text("outcome") or args.text("outcome")
    told = f"the fight ends{after}" + (f": {outcome.replace('_', ' ')}" if outcome else "")
    changed = [_came_out(row, ctx) for row in result.many("participant_updates")]
    most = result.one("summary").text("most_effective")
    effective = f"most effective: {ctx.person(most)}" if most and ctx.reader.sees(most) else ""
    learnt = _learnt(result.one("experience"), ctx) if ctx.reader.is_game_master else ""
    return "; ".join(part for part in (told, listed(changed), effective, learnt) if part)


def _learnt(experience: Facts, ctx: StoryContext) -> str:
    """Tell how many experience points each character got, and which ones can gain a level."""
    gained = experience.many("gained")
    if not gained or not experience.number("share"):
        return ""
    due = [
        f"level {row.number('level_due')} is due for {ctx.person(row.text('character_id'))}"
        for row in gained
        if row.number("level_due") is not None
    ]
    each = f"{experience.number('share')} experience for {ctx.people([row.text('character_id') for row in gained])}"
    return ", ".join([each, *due])


def _came_out(row: Facts, ctx: StoryContext) -> str:
    named = row.text("character_id") or row.text("participant_id")
    if not all(ctx.reader.sees(row.text(key)) for key in ("character_id", "participant_id")):
        return ""
    change = row.one("hp")
    before, after = change.number("initial"), change.number("final")
    if before is None or after is None or before == after:
        return ""
    if not (_knows_either(row, ctx)):
        return f"{ctx.person(named)}: down" if after == 0 else ""
    return f"{row.text('name') or ctx.person(named)} {before} -> {after} hp"


def _knows_either(row: Facts, ctx: StoryContext) -> bool:
    named = [row.text(key) for key in ("character_id", "participant_id", "name")]
    return any(ctx.reader.knows(each) for each in named if each)


def manage_encounter(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe an operation on a fight, or which fights there are."""
    if added := [each for each in result.texts("added") if ctx.reader.sees(each)]:
        who = ctx.people(added)
        return ctx.with_id(f"{who} {'joins' if len(added) == 1 else 'join'} the fight", result.text("encounter_id"))
    if "order" in result:
        return create_encounter(args, result, ctx)
    if "encounters" in result or "count" in result:
        fights = [ctx.with_id(row.word("status"), row.text("encounter_id")) for row in result.many("encounters")]
        return f"looks at the fights: {listed(fights) or 'none'}"
    if "participant_updates" in result or args.text("operation") == "end":
        return end_encounter(args, result, ctx)
    return get_encounter(args, result, ctx)


# a combatant's actions


def execute_action(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe an action in a fight: the roll, the harm, and the state of the affected creatures."""
    actor = result.text("actor") or named_in(args, "actor")
    return "; ".join(part for part in _action(args, result, ctx, actor) if part) or f"{ctx.person(actor)} acts"


def _action(args: Facts, result: Facts, ctx: StoryContext, actor: str) -> Iterator[str]:
    target = result.text("target") or named_in(args, "target")
    attack = result.one("attack")
    head = _deed(args, result, ctx, actor, target)
    is_listed = bool(result.text("action") and result.many("targets"))
    if rolled := blow(ctx, attack, args, actor, target) if attack and not is_listed else "":
        head = f"{head}: {rolled}"
    yield from _with_strikes(result, ctx, head)
    if check := result.one("check"):
        yield _check(ctx, check, args, actor)
    if contest := result.one("contest"):
        yield _contest(ctx, contest, actor, target)
    rows = result.many("targets") or [result]
    for row in rows:
        own = actor if row.one("save") else ""  # saves to shake something off name no target
        yield _befallen(ctx, row, args, actor, row.text("target_id") or target or own, is_one=len(rows) == 1)
    for row in result.many("traits"):
        yield _trait(ctx, row, args)
    yield from areas_and_leavers(ctx, result, args)
    yield from _after(args, result, ctx, actor)


def _trait(ctx: StoryContext, row: Facts, args: Facts) -> str:
    """Return what a trait of a stat block did by itself."""
    source, target = row.text("source_id"), row.text("target_id")
    if not (ctx.reader.sees(source) and ctx.reader.sees(target)):
        return ""
    befell = _befallen(ctx, row, args, source, target, is_one=True)
    return f"{row.text('action')} of {ctx.person(source)}: {befell}" if befell else ""


def areas_and_leavers(ctx: StoryContext, result: Facts, args: Facts) -> Iterator[str]:
    """Yield what lasting areas of spells did, and how summoned creatures left."""
    for row in result.many("areas"):
        source, target = row.text("source_id"), row.text("target_id")
        if not ctx.reader.sees(target):
            continue
        befell = _befallen(ctx, row, args, source, target, is_one=True)
        gained = listed(each.replace("_", " ") for each in row.texts("conditions"))
        now = f"{ctx.person(target)} is now {gained}" if gained else ""
        lost = f"{ctx.person(target)} loses the action" if row.flag("loses_action") else ""
        told = joined(befell, now, lost)
        yield f"{row.text('spell')}: {told}" if told else ""
    for row in result.many("left"):
        outcome = {"gone": "is gone", "hostile": "turns on its summoner", "stays": "obeys no more"}
        if ctx.reader.sees(row.text("id")):
            yield f"{row.text('id')} {outcome.get(row.text('outcome'), 'leaves')} ({row.text('spell')})"


def _with_strikes(result: Facts, ctx: StoryContext, head: str) -> Iterator[str]:
    """Yield the action, movement before or after it, and opportunity attacks, in the order in which they happened."""
    movement = result.one("movement")
    way = " to ".join(filter(None, (square(movement.one("from")), square(movement.one("to")))))
    cost = movement.number("cost")
    gone = f"{way}{f', {cost} feet' if cost is not None else ''}" if way else ""
    strikes = list(_strikes(result, ctx))
    if gone and result.text("move_when") == "before":
        yield from (f"{ctx.person(result.text('actor'))} goes from {gone}", *strikes, head)
    else:
        yield from (joined(head, gone), *strikes)


def _strikes(result: Facts, ctx: StoryContext) -> Iterator[str]:
    for strike in result.many("opportunity_attacks"):
        if ctx.reader.sees(strike.text("attacker_id")):
            damage = strike.number("damage")
            hurt = f"{damage} damage" if damage else ""
            yield joined(f"{ctx.person(strike.text('attacker_id'))} strikes in passing: {strike.word('result')}", hurt)


def _deed(args: Facts, result: Facts, ctx: StoryContext, actor: str, target: str) -> str:
    who, kind = ctx.person(actor), result.text("action_type") or args.text("action_type")
    rows = [row.text("target_id") for row in result.many("targets")]
    whom = ctx.people(list(dict.fromkeys(rows)) or ([target] if target else []))
    if not ctx.reader.knows(actor) and kind in _OUTWARD:
        return f"{who} {_OUTWARD[kind]}" + (f" at {whom}" if whom and kind == "cast_spell" else "")
    if kind == "ready":
        what = result.text("spell") or result.one("readied").text("action") or args.text("readied_action")
        trigger = result.one("readied").text("trigger") or args.text("trigger")
        return f"{who} readies {what or 'an action'}" + (f", for when {trigger}" if trigger else "")
    if spell := result.text("spell") or (args.text("spell_name") if kind == "cast_spell" else ""):
        level = result.one("slot").number("level")
        return f"{who} casts {spell}" + (f" (slot of level {level})" if level else "") + (f" at {whom}" if whom else "")
    if kind == "use_object":
        return f"{who} uses {result.text('item') or args.text('item_name', 'item_id') or 'an item'}"
    if named := result.text("action"):
        return f"{who} uses {named}" + (f" on {whom}" if whom else "")
    if kind == "use_special_ability":
        return f"{who} uses {result.text('ability') or args.text('ability_name') or 'an ability'}"
    if not kind:
        return f"{who} moves"
    verb = _VERBS.get(kind)
    said = f"{who} {verb}" if verb else f"{who}: {kind.replace('_', ' ')}"
    weapon = result.one("attack").text("weapon")
    return f"{said} {whom}".rstrip() + (f" ({weapon})" if weapon else "")


def _check(ctx: StoryContext, check: Facts, args: Facts, actor: str) -> str:
    ability = ABILITIES.get(check.text("ability"), "")
    name = check.word("skill").capitalize() or (f"{ability} check" if ability else "check")
    if not ctx.reader.knows(actor):
        return name if check.flag("success") is None else f"{name}: {'success' if check.flag('success') else 'failure'}"
    shown = check if ctx.reader.is_game_master else Facts({"success": check.flag("success")})
    return f"{name} {d20(ctx, check, args)}{verdict(shown)}"


def _contest(ctx: StoryContext, contest: Facts, actor: str, target: str) -> str:
    sides = []
    for named, total, skill in ((actor, "actor_total", "actor_skill"), (target, "target_total", "target_skill")):
        number = contest.number(total)
        if number is not None and ctx.reader.knows(named):
            sides.append(f"{ctx.person(named)}, {contest.word(skill).capitalize() or 'contest'} {number}")
    won = contest.flag("success")
    outcome = "" if won is None else "success" if won else "failure"
    against = " against ".join(sides)
    return f"{against}: {outcome}" if against and outcome else against or outcome


def _befallen(ctx: StoryContext, row: Facts, args: Facts, actor: str, target: str, *, is_one: bool) -> str:
    """Return the effect on one target."""
    if target and not ctx.reader.sees(target):
        return ""
    saved = save(ctx, row.one("save"), args, target)
    attack = "" if is_one or not row.one("attack") else blow(ctx, row.one("attack"), args, actor, target)
    named = f"{row.text('action')} at " if row.text("action") and attack else ""
    attacked = f"{named}{ctx.person(target)}: {attack}" if attack else ""
    hurt = harm(ctx, row.one("damage"), args, actor) if row.one("damage") else ""
    whose = target or actor
    now = listed(each.replace("_", " ") for each in row.texts("inflicted"))
    brought = f"{ctx.person(whose)} is now {now}" if now else ""
    left = hp(ctx, whose, row.one("target_hp"), status=row.text("target_status"), always=False)
    return joined(attacked, saved, hurt, brought, left)


def _after(args: Facts, result: Facts, ctx: StoryContext, actor: str) -> Iterator[str]:
    """Yield the effects of an action besides harm."""
    healing = result.one("used").one("healing")
    if healing and ctx.reader.knows(healing.text("target_id") or actor):
        total, dice = healing.number("total"), thrown(ctx, healing.numbers("rolls"), args)
        yield f"{healing.text('expression')}{dice} = {total}" if total is not None else ""
    elif outcome := result.text("outcome"):
        yield outcome if ctx.reader.is_game_master else ""
    for row in result.many("concentration_checks") or [result.one("concentration_check")]:
        yield concentration(ctx, row, args)
    if regained := result.number("healing"):
        yield f"{counted(regained, 'hit point')} regained" if ctx.reader.knows(actor) else ""
    if found := [each for each in result.texts("found") if ctx.reader.sees(each)]:
        yield f"finds {ctx.people(found)}"
    if freed := [each for each in result.texts("freed") if ctx.reader.sees(each)]:
        yield f"{ctx.people(freed)} breaks free"


def concentration(ctx: StoryContext, row: Facts, args: Facts) -> str:
    """Return a save for concentration, and whether the spell holds."""
    named, spell = row.text("target_id"), row.text("spell_name")
    if not row or not ctx.reader.sees(named):
        return ""
    broken = row.flag("broken")
    outcome = "" if broken is None else f"{spell or 'the spell'} {'ends' if broken else 'holds'}"
    rolled = d20(ctx, row, args) if ctx.reader.knows(named) else ""
    against = f" against DC {row.number('dc')}" if rolled and row.number("dc") is not None else ""
    return (
        f"{ctx.person(named)}, concentration {rolled}{against}: {outcome}"
        if rolled
        else joined(ctx.person(named), outcome)
    )


# turns, and what they bring


def advance_turn(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell which turn ends, which begins, and what happened between them."""
    number = result.number("round")
    ends, begins = (result.one(key) for key in ("previous", "current"))
    head = joined(*(f"{_whose(ctx, row)} {verb}" for row, verb in ((ends, "ends"), (begins, "begins")) if row))
    told = f"round {number}: {head}" if number is not None and head else head or "the next turn begins"
    return "; ".join([told, *(part for part in _between(args, result, ctx) if part)])


def _whose(ctx: StoryContext, row: Facts) -> str:
    named = row.text("id")
    return ctx.person(named) if named and not ctx.reader.sees(named) else row.text("name") or ctx.person(named)


def _between(args: Facts, result: Facts, ctx: StoryContext) -> Iterator[str]:
    def seen(key: str) -> list[Facts]:
        return [row for row in result.many(key) if ctx.reader.sees(row.text("target_id"))]

    for row in seen("recharged"):
        if ctx.reader.is_game_master:
            outcome = "is back" if row.flag("ready") else "is not back"
            yield f"{row.text('action')} of {ctx.person(row.text('target_id'))} {outcome} (d6: {row.number('natural')})"
    for row in seen("regenerated"):
        yield f"{ctx.person(row.text('target_id'))} regenerates" + (
            f" {row.number('amount')} hp" if ctx.reader.is_game_master else ""
        )
    for row in seen("traits"):
        yield _trait(ctx, row, args)
    for row in seen("lasting"):
        yield _by_effect(ctx, row)
    yield from areas_and_leavers(ctx, result, args)
    for row in seen("saves"):
        named, condition = row.text("target_id"), row.word("condition")
        yield save(ctx, row, args, named) + (f" (against {condition})" if condition else "")
    for row in seen("expired"):
        yield f"{ctx.person(row.text('target_id'))} is no longer {row.word('condition')}"
    for row in seen("effects_expired"):
        yield f"{row.text('name') or 'an effect'} on {ctx.person(row.text('target_id'))} ends"
    for row in seen("concentration_ended"):
        yield f"{ctx.person(row.text('target_id'))} no longer concentrates on {row.text('spell_name') or 'a spell'}"
    for row in result.many("auras_expired"):
        yield f"{row.text('spell_name') or 'an aura'} ends"
    for row in result.many("terrain_expired"):
        yield f"{row.word('terrain_type') or 'ground'} goes away at {listed(row.texts('positions'))}"
    for row in seen("hazard_results"):
        yield _suffered(ctx, row, args, row.word("type") or "the ground")
    for row in seen("aura_results"):
        yield aura_row(ctx, row, args)
    for row in seen("concentration_checks"):
        yield concentration(ctx, row, args)
    if result.flag("death_save_required"):
        yield "a death save is due"
    if result.flag("all_down"):
        yield "no one is standing"


def _by_effect(ctx: StoryContext, row: Facts) -> str:
    """Return what an effect that lasts gave or dealt as a turn began or ended."""
    who, name = ctx.person(row.text("target_id")), row.text("name") or "an effect"
    healing, temporary, damage = (row.number(key) for key in ("healing", "temp_hp", "damage"))
    return joined(
        f"{name} gives {who} back {counted(healing, 'hit point')}" if healing else "",
        f"{name} gives {who} temporary hit points ({temporary})" if temporary else "",
        f"{name} deals {who} {damage} damage" if damage is not None else "",
        _decided(ctx, row, who, name),
    )


def _decided(ctx: StoryContext, row: Facts, who: str, name: str) -> str:
    """Return how a spell controls a turn."""
    outcome, face = row.text("outcome"), row.number("natural")
    if not outcome:
        return ""
    more = row.text("direction") or (f"at {ctx.person(row.text('at'))}" if row.text("at") else "")
    thrown_face = f" ({face})" if face is not None and ctx.reader.is_game_master else ""
    return f"{name}{thrown_face}: {who} {outcome}{f' {more}' if more else ''}"


def _suffered(ctx: StoryContext, row: Facts, args: Facts, what: str) -> str:
    damage = row.number("damage_applied")
    named = row.text("target_id")
    saved = save(ctx, row.one("save"), args, named)
    return joined(saved, f"{what} deals {ctx.person(named)} {damage} damage" if damage else "")


def aura_row(ctx: StoryContext, row: Facts, args: Facts, condition: str = "") -> str:
    """Return what an aura did to a creature; empty if nothing.

    Args:
        ctx: the reader's context.
        row: its effect on one creature.
        args: the arguments of the call.
        condition: the one that the aura brings.
    """
    named, healing = row.text("target_id"), row.number("healing")
    who = ctx.person(named)
    better = f"the aura heals {who}" + (f", {healing} hp" if ctx.reader.knows(named) else "") if healing else ""
    marks = {"applied": f"{who} is {condition or 'affected'}", "resisted": f"{who} resists"}
    return joined(_suffered(ctx, row, args, "the aura"), better, marks.get(row.text("condition"), ""))


def roll_death_save(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell the result of a death save, and the counts so far."""
    named = result.text("character") or named_in(args, "character")
    rolled = d20(ctx, result, args) if ctx.reader.knows(named) else ""
    outcome = result.text("outcome")
    said = _SAVES.get(outcome, outcome.replace("_", " "))
    good, bad = result.number("successes"), result.number("failures")
    count = (
        f"{counted(good, 'success', 'successes')}, {counted(bad, 'failure')}"
        if good is not None and bad is not None
        else ""
    )
    told = f"{ctx.person(named)}, death save" + (f" {rolled}" if rolled else "") + (f": {said}" if said else "")
    return told + (f" ({count})" if count else "")


def manage_condition(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell which condition was added or removed, and which conditions the creature has now."""
    target = result.text("target") or named_in(args, "target", "character")
    who = ctx.person(target)
    operation = args.text("operation") or result.text("operation")
    condition = result.word("condition") or args.word("condition")
    level = result.number("exhaustion_level")
    now = listed(_condition(row, is_timed=ctx.reader.knows(target)) for row in result.many("conditions")) or "nothing"
    gone = listed(each.replace("_", " ") for each in result.texts("expired"))
    if result.flag("blocked"):
        return f"{who} is immune to {condition or 'it'}"
    change = {
        "add": f"{who} now has exhaustion {level}" if level else f"{who} is now {condition or 'in another condition'}",
        "remove": _without(who, condition, level),
        "tick": f"a round goes by for {who}" + (f": no longer {gone}" if gone else ""),
    }.get(operation, f"looks at the conditions of {who}")
    return f"{change} (on them: {now})" if "conditions" in result else change


def _without(who: str, condition: str, level: int | None) -> str:
    if level:
        return f"{who} has exhaustion {level} left"
    return f"{who} is free of all conditions" if condition in ("", "all") else f"{who} is no longer {condition}"


def _condition(row: Facts, *, is_timed: bool) -> str:
    level, left = row.number("exhaustion_level"), row.number("rounds_remaining") if is_timed else None
    return row.word("condition") + (f" {level}" if level else "") + (f", {counted(left, 'round')} left" if left else "")


# the ground


def render_battlefield(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell that a viewer looks at the battlefield; the reader sees it elsewhere."""
    del args, result, ctx
    return "looks at the field"


def modify_terrain(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Tell where the terrain changed."""
    del ctx
    kind = result.word("terrain_type") or args.word("terrain_type") or "ground"
    where = listed(result.texts("affected"))
    verb = {"add": "is added", "remove": "is removed", "clear": "is cleared"}.get(
        result.text("operation") or args.text("operation"), "changes"
    )
    return f"{kind} {verb}" + (f" at {where}" if where else "")
