"""manage_quest: tasks of the party, from the offer to the end.

Source: docs/tools/quests.md, "From offer to end".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from turnwright.model.base import name_tag
from turnwright.model.json_types import JsonObject
from turnwright.model.numbered import number_of
from turnwright.model.quest import Objective, Quest, QuestStatus, status_tag
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.core.quests._quest_args import ManageQuestArgs, ManageQuestResult
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import toolkit

WANTED: Mapping[str, QuestStatus] = {
    "start": "offered",
    "decline": "offered",
    "complete_objective": "active",
    "complete": "active",
    "fail": "active",
}
"""The status a quest must have for each operation that changes one."""
_ENDS: Mapping[str, QuestStatus] = {"decline": "declined", "complete": "completed", "fail": "failed"}


@toolkit(
    ManageQuestArgs,
    ManageQuestResult,
    family="quests",
    example={
        "operation": "offer",
        "title": "Rats in the cellar",
        "giver_name": "Lena",
        "objectives": ["Find the nest", "Kill the rat king"],
        "reward": "20 gold pieces",
    },
    batch=True,
)
def manage_quest(world: World, args: ManageQuestArgs, ctx: Context) -> Applied:
    """Keep track of quests: offer, start or decline one, complete an objective, complete or fail it, list them.

    Call it in the moment it happens: `offer` when a character asks the party for something, `start` when the party
    agrees, `decline` when it says no, and so on; narration alone changes nothing. An offered quest can be started or
    declined, an active one completed or failed, and a closed one stays closed. `complete` with open objectives needs
    `force`. Hand over rewards with `manage_inventory`. Gives the quest as it is now, or the list, the newest first.
    """
    return _OPERATIONS[args.operation](world, args, ctx)


def _offer(world: World, args: ManageQuestArgs, ctx: Context) -> Applied:
    if args.quest_id is not None:
        detail = "args.quest_id: a new quest is given its id"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove("args.quest_id"))
    has_giver = args.giver_id is not None or args.giver_name is not None
    giver = require_character(world, args.giver_id, args.giver_name, "giver") if has_giver else None
    title = args.title or ""
    alike = [quest.id for quest in world.all_tagged(Quest, name_tag(title)) if quest.is_open]

    quest = Quest(
        id=world.new_id("quest", Quest),
        title=title,
        giver_id=giver.id if giver else None,
        objectives=tuple(
            Objective(id=f"objective-{number}", text=text) for number, text in enumerate(args.objectives or (), start=1)
        ),
        reward=args.reward,
        offered_turn=ctx.closed_turns,
    )
    warnings = (f"there is another open quest called {title}: {', '.join(alike)}",) if alike else ()
    return _kept(world, quest, *warnings)


def _start(world: World, args: ManageQuestArgs, ctx: Context) -> Applied:
    del ctx
    return _kept(world, _require(world, args).replace(status="active"))


def _complete_objective(world: World, args: ManageQuestArgs, ctx: Context) -> Applied:
    del ctx
    quest = _require(world, args)
    found = next((objective for objective in quest.objectives if objective.id == args.objective_id), None)
    if found is None:
        detail = f"{quest.id} has no objective {args.objective_id}"
        known = quest.left or [objective.id for objective in quest.objectives]
        repair = hint.name("args.objective_id", args.objective_id, known)
        raise CallFailed(Reason.NOT_FOUND, detail, repair)
    if found.done:
        repair = hint.ask("args.objective_id", found.id, quest.left)
        raise CallFailed(Reason.CONFLICT, f"{found.id} of {quest.id} is done already", repair)
    done = [each.replace(done=True) if each is found else each for each in quest.objectives]
    return _kept(world, quest.replace(objectives=done))


def _end(world: World, args: ManageQuestArgs, ctx: Context) -> Applied:
    quest = _require(world, args)
    status, left = _ENDS[args.operation], ", ".join(quest.left)
    if status == "completed" and left and not args.force:
        given = "force" in args.model_fields_set
        repair = hint.ask("args.force", False, [True]) if given else hint.ask_for("args.force", [True])
        raise CallFailed(Reason.RULE_VIOLATION, f"{quest.id} has open objectives: {left}", repair)
    warnings = (f"completed with open objectives: {left}",) if status == "completed" and left else ()
    return _kept(world, quest.replace(status=status, closed_turn=ctx.closed_turns), *warnings)


def _list(world: World, args: ManageQuestArgs, ctx: Context) -> Applied:
    del ctx
    found = [quest for quest in world.all(Quest) if args.status in (None, quest.status)]
    newest = sorted(found, key=lambda quest: number_of(quest.id), reverse=True)
    shown = [_shown(quest) for quest in newest[: args.limit]]
    return Applied({"quests": shown, "count": len(found), "total": _total(world)})


def _kept(world: World, quest: Quest, *warnings: str) -> Applied:
    world.put(quest)
    return Applied({"quest": _shown(quest), "total": _total(world)}, warnings)


def _shown(quest: Quest) -> JsonObject:
    return {"quest_id": quest.id, **{key: value for key, value in quest.value().items() if key not in ("id", "extra")}}


def _total(world: World) -> int:
    return len(world.paths(Quest.collection))


# which quest


def _require(world: World, args: ManageQuestArgs) -> Quest:
    """Return the quest that a call means, if its status fits the operation.

    Raises:
        CallFailed: `not_found`, `ambiguous`; `conflict` for a quest that is closed or started already; else
            `rule_violation`.
    """
    wanted = args.quest_id or ""
    quest = world.find(Quest, wanted) or _named(world, wanted, args.operation)
    if quest.status != WANTED[args.operation]:
        others = _fitting(world, args.operation)
        raise _unfit(quest, args.operation, hint.ask("args.quest_id", wanted, others))
    return quest


def _named(world: World, title: str, operation: str) -> Quest:
    found = world.all_tagged(Quest, name_tag(title))
    if len(found) == 1:
        return found[0]
    fitting = _fitting(world, operation)
    if not found:
        known = fitting or sorted((quest.id for quest in world.all(Quest)), key=number_of)
        repair = hint.name("args.quest_id", title, known)
        raise CallFailed(Reason.NOT_FOUND, f"there is no quest {title}", repair)
    ids = sorted((quest.id for quest in found), key=lambda each: (each not in fitting, number_of(each)))
    repair = hint.ask("args.quest_id", title, ids)
    raise CallFailed(Reason.AMBIGUOUS, f"{title} could be {', '.join(ids)}", repair)


def _fitting(world: World, operation: str) -> list[str]:
    """Return the ids of the quests that an operation could be done with."""
    found = world.all_tagged(Quest, status_tag(WANTED[operation]))
    return sorted((quest.id for quest in found), key=number_of)


def _unfit(quest: Quest, operation: str, repair: hint.Hint) -> CallFailed:
    if not quest.is_open:
        return CallFailed(Reason.CONFLICT, f"{quest.id} is closed already: {quest.status}", repair)
    if quest.status == "offered":
        return CallFailed(Reason.RULE_VIOLATION, f"{quest.id} is only offered: it was not started", repair)
    if operation == "start":
        return CallFailed(Reason.CONFLICT, f"{quest.id} is active already", repair)
    return CallFailed(Reason.RULE_VIOLATION, f"{quest.id} is not offered any more, but active", repair)


_OPERATIONS: Mapping[str, Callable[[World, ManageQuestArgs, Context], Applied]] = {
    "offer": _offer,
    "start": _start,
    "decline": _end,
    "complete_objective": _complete_objective,
    "complete": _end,
    "fail": _end,
    "list": _list,
}
