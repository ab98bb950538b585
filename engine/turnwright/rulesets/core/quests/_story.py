"""Changes of quests, in words. Source: docs/cli.md, "What happened, in words"."""

from __future__ import annotations

from turnwright.rulesets.facts import Facts
from turnwright.rulesets.phrases import counted
from turnwright.rulesets.story_context import StoryContext, listed

_WORDS = {
    "offer": "is offered",
    "start": "is taken on",
    "decline": "is declined",
    "complete": "is completed",
    "fail": "has failed",
}


def manage_quest(args: Facts, result: Facts, ctx: StoryContext) -> str:
    """Describe a change of a quest, or the list of quests."""
    operation, quest = args.text("operation"), result.one("quest")
    if not quest and "quests" in result:
        rows = [ctx.with_id(row.text("title"), row.text("quest_id")) for row in result.many("quests")]
        return f"{counted(len(rows), 'quest')}: {listed(rows)}" if rows else "no quests"
    title = ctx.with_id(quest.text("title") or args.text("title") or "a quest", quest.text("quest_id"))
    if operation == "complete_objective":
        return f"{title}: {_objective(args, quest)}"
    giver, reward = quest.text("giver_id"), quest.text("reward")
    is_offer = operation == "offer"
    by = f" by {ctx.person(giver)}" if is_offer and giver and ctx.reader.sees(giver) else ""
    promised = f", for {reward}" if is_offer and reward else ""
    return f"{title} {_WORDS.get(operation, 'is looked at')}{by}{promised}"


def _objective(args: Facts, quest: Facts) -> str:
    objectives = quest.many("objectives")
    done = next((row.text("text") for row in objectives if row.text("id") == args.text("objective_id")), "")
    left = sum(row.flag("done") is not True for row in objectives)
    to_go = f"; {left or 'nothing'} to go" if objectives else ""
    return f"{done or 'an objective'}, done{to_go}"
