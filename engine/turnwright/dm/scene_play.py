"""How the game master answers in a scene game: one turn document a segment, until a player has to speak.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from typing import Any

from turnwright.dm import feedback
from turnwright.dm.briefing import Briefing
from turnwright.dm.exchange import Narrated, Stopped
from turnwright.dm.model import Message, ModelAnswer
from turnwright.dm.sitting import Reply, Sitting
from turnwright.scenes.play import find_crew


def is_awaited(sitting: Sitting) -> bool:
    """Return whether the game waits for its game master."""
    with sitting.campaign.reading() as world:
        crew = find_crew(world)
    return crew is not None and crew.awaiting.stage.startswith("dm_")


def go_on(sitting: Sitting, since: int) -> None:
    """Ask the model for turn documents until the game waits for a player.

    As long as it is asked for the same, results and what failed go back to the model; after `scene.max_repairs` outputs
    that failed the engine goes on by itself.

    Args:
        sitting: the exchange.
        since: the record after which hints may have been followed.

    Raises:
        Stopped: when it cannot go on; what was committed stays.
    """
    conversation: list[Message] = []
    prompt_id: int | None = None
    turn_id: str | None = None
    unusable = 0
    most = sitting.settings["agents.max_steps"]
    for step in range(most):
        if not is_awaited(sitting):
            return
        briefing = sitting.brief("", since=since)
        if briefing.prompt_id != prompt_id:
            conversation, prompt_id, unusable = [], briefing.prompt_id, 0
        answer = sitting.asker.ask(briefing, conversation, step=step, wants_document=True)
        turn = _turn(answer, briefing)
        if turn is None:
            unusable += 1
            if unusable > sitting.settings["agents.max_repairs"]:
                raise Stopped("failed", "the model's answers held no turn that could be read", "garbage")
            conversation += feedback.asked_again(answer, feedback.NO_OUTPUT)
            continue
        reply = sitting.hand_in(turn if turn_id is None else {"turn_id": turn_id, **turn}, briefing.agent)
        turn_id = reply["turn_id"] if reply["status"] == "retry_needed" else None
        _tell(sitting, reply, briefing)
        if reply["status"] == "refused" and reply["reason"] == "campaign_ended":
            raise Stopped("refused", reply["detail"])
        conversation += feedback.after_output(answer, reply)
    if is_awaited(sitting):
        raise Stopped("stuck", f"the game master was asked {most} times and is not done (agents.max_steps)")


def _turn(answer: ModelAnswer, briefing: Briefing) -> dict[str, Any] | None:
    """Return the turn that an answer makes; None when there is nothing in it to hand in."""
    if not answer.is_well_formed:
        return None
    turn: dict[str, Any] = {"tool_calls": list(answer.tool_calls)} if answer.tool_calls else {}
    if (output := _output(answer, briefing)) is not None:
        turn["output"] = output
    if not turn:
        return None
    if answer.keeps_narration:
        turn["keep_narration"] = True
    turn["prompt_id"] = briefing.prompt_id
    return turn if briefing.actor is None else {"actor_id": briefing.actor, **turn}


def _output(answer: ModelAnswer, briefing: Briefing) -> Any:
    """Return the document that was handed in; prose alone is one where nothing but a narration is asked for."""
    if answer.output is not None or answer.tool_calls or answer.is_cut_off or not answer.text.strip():
        return answer.output
    field = _prose_field(briefing.output_schema)
    return None if field is None else {field: answer.text.strip()}


def _prose_field(schema: Any) -> str | None:
    """Return the one field that a document must have, when it is a text; None when it must have more."""
    schema = schema or {}
    needed, fields = schema.get("required", ()), schema.get("properties", {})
    return needed[0] if len(needed) == 1 and fields.get(needed[0], {}).get("type") == "string" else None


def _tell(sitting: Sitting, reply: Reply, briefing: Briefing) -> None:
    """Tell whoever looks on which texts were published."""
    for event in reply.get("events", ()):
        if event["type"] == "NarrativeAdded" and event["data"]["source"] != "player":
            told = Narrated(event["data"]["text"], briefing.agent, None, (), False, reply["turn_id"])
            sitting.outcome.narrations.append(told)
            sitting.tell(told)
