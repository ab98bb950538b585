"""Actions of the toolkit in one line each, for people who read what happened.

Made from what an action reports and never logged. Source: docs/cli.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Json = Mapping[str, Any]


def told(action: Json) -> str | None:
    """Return an action in words, or None for a tool that nobody has found words for, or without its arguments."""
    tell = _TELL.get(action["tool"])
    if tell is None or "args" not in action:
        return None
    args, result = action["args"], action["result"]
    if "results" in result and "batch" in args:
        return "; ".join(
            _item(tell, args, asked, entry) for asked, entry in zip(args["batch"], result["results"], strict=True)
        )
    return tell(args, result)


def _item(tell: Callable[[Json, Json], str], args: Json, asked: Any, entry: Json) -> str:
    if not entry["ok"]:
        return f"not done: {entry['reason']}"
    shared = {key: value for key, value in args.items() if key not in ("batch", "atomic")}
    return tell({**shared, **asked}, entry["result"])


def _who(args: Json, *keys: str) -> str:
    for key in keys:
        for ending in ("_id", "_name", ""):
            if isinstance(args.get(key + ending), str):
                return str(args[key + ending])
    return "somebody"


def _at(position: Json) -> str:
    return f"{position['x']},{position['y']}" + (f",{position['z']}" if position.get("z") else "")


def _hp(hp: Json) -> str:
    if "look" in hp:
        return f"looks {hp['look']}"
    return f"{hp['before']} -> {hp['after']} of {hp['max']} HP"


def _names(rows: Any, key: str = "name") -> str:
    return ", ".join(str(row[key]) for row in rows) or "nobody"


def _roll(result: Json) -> str:
    label = f"{result['label']}: " if result.get("label") else ""
    return f"{label}{result['expression']} = {result['total']} {list(result['rolls'])}"


def _check(result: Json) -> str:
    what = result.get("skill") or result.get("ability") or result["check_type"]
    outcome = {True: ", success", False: ", failure", None: ""}[result.get("success")]
    against = f" against {result['dc']}" if result.get("dc") is not None else ""
    return f"{what} {result['total']}{against}{outcome}"


def _action(_args: Json, result: Json) -> str:
    parts = [f"{result['actor']}: {(result['action_type'] or 'move').replace('_', ' ')}"]
    if result.get("target"):
        parts[0] += f" {result['target']}"
    if attack := result.get("attack"):
        against = f" against {attack['target_ac']}" if "target_ac" in attack else ""
        parts.append(f"{attack['total']}{against}, {attack['result'].replace('_', ' ')}")
    if damage := result.get("damage"):
        parts.append(f"{damage['final']} {damage['type']} damage")
    if hp := result.get("target_hp"):
        parts.append(_hp(hp))
    if check := result.get("check"):
        parts.append(_check(check))
    if contest := result.get("contest"):
        parts.append("wins the contest" if contest["success"] else "does not win the contest")
    if movement := result.get("movement"):
        parts.append(f"{_at(movement['from'])} to {_at(movement['to'])}, {movement['cost']} feet")
    for strike in result.get("opportunity_attacks", ()):
        outcome = strike["result"].replace("_", " ")
        parts.append(f"{strike['attacker_id']} strikes in passing: {outcome}, {strike['damage']} damage")
    return ", ".join(parts)


def _turn(_args: Json, result: Json) -> str:
    parts = [f"round {result['round']}: {result['previous']['name']} ends, {result['current']['name']} begins"]
    parts += [f"{each['target_id']} is no longer {each['condition']}" for each in result["expired"]]
    parts += [f"{each['type']} deals {each['target_id']} {each['damage_applied']}" for each in _hurt(result, "hazard")]
    parts += [f"an aura deals {each['target_id']} {each['damage_applied']}" for each in _hurt(result, "aura")]
    if result["death_save_required"]:
        parts.append("a death save is due")
    return ", ".join(parts)


def _hurt(result: Json, by: str) -> list[Json]:
    return [each for each in result.get(f"{by}_results", ()) if each.get("damage_applied")]


def _order(_args: Json, result: Json) -> str:
    order = ", ".join(f"{row['name']} {row['initiative']}" for row in result["order"])
    return f"{result['encounter_id']} begins, in order: {order}"


def _encounter(args: Json, result: Json) -> str:
    if "order" in result:
        return _order(args, result)
    if "encounters" in result:
        return f"{result['count']} fights: {_names(result['encounters'], 'encounter_id')}"
    return _ending(args, result) if "participant_updates" in result else _view(args, result)


def _view(_args: Json, result: Json) -> str:
    whose = result.get("current_turn")
    turn = f", {whose['name']} to act" if whose else ""
    return f"{result['encounter_id']} is {result['status']}, round {result['round']}{turn}"


def _ending(args: Json, result: Json) -> str:
    summary = result.get("summary")
    most = f"; most effective: {summary['most_effective']}" if summary and summary["most_effective"] else ""
    return f"{args['encounter_id']} ends: {result['outcome']} after {result['rounds']} rounds{most}"


def _save(_args: Json, result: Json) -> str:
    return (
        f"{result['character']}: {result['outcome'].replace('_', ' ')} ({result['successes']} to {result['failures']})"
    )


def _condition(_args: Json, result: Json) -> str:
    names = _names(result["conditions"], "condition") if result["conditions"] else "nothing"
    return f"{result['operation']} {result['condition'] or ''} on {result['target']}: now {names}".replace("  ", " ")


def _change(_args: Json, result: Json) -> str:
    plain = (str, int, type(None))
    parts = [
        f"{key} {before} -> {after}"
        for key, (before, after) in result["changes"].items()
        if isinstance(before, plain) and isinstance(after, plain)
    ]
    return f"{result['name']}: {', '.join(parts) or 'unchanged'}"


def _people(_args: Json, result: Json) -> str:
    return _names(result["characters"]) if "characters" in result else f"looks at {result['character']['name']}"


def _made(_args: Json, result: Json) -> str:
    person = result["character"]
    verb = "imagines" if result["preview"] else "creates"
    return f"{verb} {person['name']}, {person['sheet']['race']} {person['sheet']['class']} {person['sheet']['level']}"


def _item_moved(args: Json, result: Json) -> str:
    name = result["item"]["name"] if result.get("item") else args.get("item_name", "belongings")
    healing = result.get("healing")
    healed = f", {healing['target_id']} regains {healing['total']}" if healing and "total" in healing else ""
    return f"{_who(args, 'character')}: {args['operation']} {name}{healed}"


def _place(args: Json, result: Json) -> str:
    if edge := result.get("edge"):
        return f"{args['operation']} {edge['from_location_id']} and {edge['to_location_id']}"
    return (
        f"{args['operation']} {result['location']['name']}" if result.get("location") else f"{args['operation']} places"
    )


def _step(_args: Json, result: Json) -> str:
    if not result.get("moved"):
        return "the party stays"
    return f"the party goes from {result['from']['name'] if result['from'] else 'nowhere'} to {result['to']['name']}"


def _membership(args: Json, result: Json) -> str:
    return f"{args['operation']} {_who(args, 'character')}: {_names(result.get('members', ()))}"


def _concentration(_args: Json, result: Json) -> str:
    state = f"concentrates on {result['spell_name']}" if result["concentrating"] else "concentrates on nothing"
    return f"{result['target']} {state}"


def _slots(args: Json, result: Json) -> str:
    left = ", ".join(f"{level}: {pool['current']}/{pool['max']}" for level, pool in result["slots"].items())
    return f"{args['operation']} for {_who(args, 'character', 'target')}: {left or 'no slots'}"


def _aura(args: Json, result: Json) -> str:
    hurt = ", ".join(
        f"{each['target_id']} {each['damage_applied']}" for each in result["results"] if each["damage_applied"]
    )
    name = result["aura"]["spell_name"] if result.get("aura") else "auras"
    return f"{args['operation']} {name}" + (f": {hurt}" if hurt else "")


_QUEST_WORDS = {
    "offer": "is offered",
    "start": "is taken on",
    "decline": "is declined",
    "complete": "is completed",
    "fail": "has failed",
}


def _quest(args: Json, result: Json) -> str:
    quest = result.get("quest")
    if quest is None:
        return f"{result['count']} quests: {_names(result['quests'], 'title')}" if result["quests"] else "no quests"
    if args["operation"] == "complete_objective":
        done = next(each for each in quest["objectives"] if each["id"] == args["objective_id"])
        left = sum(not each["done"] for each in quest["objectives"]) or "nothing"
        return f"{quest['title']}: {done['text']}, done; {left} to go"
    promised = f", for {quest['reward']}" if args["operation"] == "offer" and quest["reward"] else ""
    by = f" by {quest['giver_id']}" if args["operation"] == "offer" and quest["giver_id"] else ""
    return f"{quest['title']} ({quest['quest_id']}) {_QUEST_WORDS[args['operation']]}{by}{promised}"


def _drawn(_args: Json, result: Json) -> str:
    return "the field as it stands: " + " / ".join(result["rows"][:4]) + (" ..." if len(result["rows"]) > 4 else "")


_TELL: Mapping[str, Callable[[Json, Json], str]] = {
    "create_encounter": _order,
    "get_encounter": _view,
    "execute_action": _action,
    "advance_turn": _turn,
    "roll_death_save": _save,
    "manage_condition": _condition,
    "render_battlefield": _drawn,
    "modify_terrain": lambda args, result: (
        f"{args['operation']} {args['terrain_type']} at {', '.join(result['affected'])}"
    ),
    "end_encounter": _ending,
    "manage_encounter": _encounter,
    "roll_dice": lambda _args, result: _roll(result),
    "create_character": _made,
    "get_character": _people,
    "update_character": _change,
    "delete_character": lambda _args, result: f"{result['deleted']['name']} is gone",
    "roll_check": lambda args, result: f"{_who(args, 'character')}: {_check(result)}",
    "manage_effect": lambda args, result: (
        f"{args['operation']} {result['effect']['name'] if result.get('effect') else 'effects'} on {result['target']}"
    ),
    "take_rest": lambda args, result: (
        f"{_who(args, 'character', 'target')}: {result['rest_type']} rest,"
        f" {result['hp_before']} -> {result['hp_after']} HP"
    ),
    "level_up": lambda args, result: (
        f"{_who(args, 'character', 'target')}: level {result['old_level']} -> {result['new_level']},"
        f" +{result['hp_gain']} HP"
    ),
    "manage_concentration": _concentration,
    "manage_spell_slots": _slots,
    "use_scroll": lambda _args, result: (
        f"{result['character_id']} reads {result['spell_name']}: {'it works' if result['success'] else 'it fails'}"
    ),
    "manage_aura": _aura,
    "synthesize_spell": lambda _args, result: (
        f"{result['caster']} improvises {result['spell']['name']}: {result['total']} against {result['dc']},"
        f" {result['outcome'].replace('_', ' ')}"
    ),
    "measure_distance": lambda _args, result: f"{result['distance_feet']} feet",
    "calculate_aoe": lambda _args, result: f"{result['shape']} of {result['tile_count']} squares",
    "check_line_of_sight": lambda _args, result: "in sight" if result["can_see"] else "not in sight",
    "check_cover": lambda _args, result: f"cover: {result['cover'].replace('_', ' ')}",
    "place_prop": lambda args, result: (
        f"{args.get('operation', 'place')} {result['prop']['name'] if result.get('prop') else 'props'}"
    ),
    "calculate_movement": lambda _args, result: (
        f"a way of {result['cost_feet']} feet" if "cost_feet" in result else f"{result.get('count', 0)} squares"
    ),
    "manage_location": _place,
    "move_party": _step,
    "manage_party": _membership,
    "manage_inventory": _item_moved,
    "manage_notes": lambda args, result: (
        f"{args['operation']}: {result['note']['content']}" if result.get("note") else f"{args['operation']} notes"
    ),
    "manage_quest": _quest,
    "get_session_context": lambda _args, _result: "looks at the session as it stands",
}
