"""Answer in a scene game: one turn document per segment, until a player has to speak.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnwright.game_master import feedback
from turnwright.game_master.exchange import WITHHELD, Narrated, Stopped
from turnwright.game_master.prompts.request_builder import AgentRequest
from turnwright.game_master.session import Session
from turnwright.llm.port import Message, ModelAnswer
from turnwright.model.crew import Crew
from turnwright.rulesets.scenes.outputs import OutputKind, output_of
from turnwright.rulesets.scenes.play import find_crew

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import ReceivedTurn, Reply


def is_awaited(sitting: Session) -> bool:
    """Return whether the game waits for its game master."""
    return _owed(sitting) is not None


def go_on(sitting: Session, since: int) -> None:
    """Ask the model for turn documents until the game waits for a player.

    As long as it is asked for the same, results and what failed go back to the model. An answer without a document that
    can be read, or one that is refused as a whole, is an output that failed; after `scene.max_repairs` of those the
    engine goes on by itself. Where it cannot, such an answer counts here alone, and the exchange ends after
    `agents.max_repairs` of them.

    Args:
        sitting: the exchange.
        since: the record after which hints may have been followed.

    Raises:
        Stopped: when it cannot continue; committed turns stay.
    """
    conversation: list[Message] = []
    prompt_id: int | None = None
    turn_id: str | None = None
    unusable = 0
    most = sitting.settings["agents.max_steps"]
    for step in range(most):
        owed = _owed(sitting)
        if owed is None:
            return
        briefing = sitting.brief("", since=since)
        if briefing.prompt_id != prompt_id:
            conversation, prompt_id, unusable = [], briefing.prompt_id, 0
        answer = sitting.asker.ask(briefing, conversation, step=step, wants_document=True)
        parts = _parts(answer, briefing)
        reply = _hand_in(sitting, parts, briefing, turn_id) if parts else None
        if reply is None:
            conversation += feedback.asked_again(answer, feedback.NO_OUTPUT)
        else:
            conversation += feedback.after_output(answer, reply)
        if reply is None or reply["status"] == "refused":
            if not owed.can_be_given_up:
                unusable += 1
                if unusable > sitting.settings["agents.max_repairs"]:
                    raise Stopped("failed", "the model's answers held no turn that could be taken", "garbage")
                continue
            reply = _hand_in(sitting, {"output": {}}, briefing, turn_id)
        turn_id = reply["turn_id"] if reply["status"] == "retry_needed" else None
        if is_closed_in_conflict(reply):
            raise Stopped("withheld", WITHHELD)
    if is_awaited(sitting):
        raise Stopped("stuck", f"the game master was asked {most} times and is not done (agents.max_steps)")


def is_closed_in_conflict(reply: Reply) -> bool:
    """Return whether a turn was closed because its text contradicted what was applied too often."""
    is_closed = reply["status"] == "failed" and "conflict_report" in reply
    return is_closed and any(finding["severity"] == "error" for finding in reply["findings"])


def owed_by_master(crew: Crew | None) -> OutputKind | None:
    """Return the document that the game waits for; None where it waits for a player, were it only whether to wait."""
    if crew is None or crew.request is not None or not crew.awaiting.stage.startswith("dm_"):
        return None
    return output_of(crew)


def _owed(sitting: Session) -> OutputKind | None:
    with sitting.campaign.reading() as world:
        return owed_by_master(find_crew(world))


def _hand_in(sitting: Session, parts: ReceivedTurn, briefing: AgentRequest, turn_id: str | None) -> Reply:
    """Submit a turn that answers a prompt. The model does not choose its actor or its prompt.

    Raises:
        Stopped: when the campaign has ended, or another process continued it.
    """
    turn: ReceivedTurn = {**parts, "prompt_id": briefing.prompt_id}
    if briefing.actor is not None:
        turn = {"actor_id": briefing.actor, **turn}
    if turn_id is not None:
        turn = {"turn_id": turn_id, **turn}
    reply = sitting.hand_in(turn, briefing.agent)
    _tell(sitting, reply, briefing)
    if reply["status"] == "refused" and reply["reason"] == "campaign_ended":
        raise Stopped("refused", reply["detail"])
    return reply


def _parts(answer: ModelAnswer, briefing: AgentRequest) -> ReceivedTurn:
    """Return what an answer hands in, as a turn holds it; empty where there is nothing that can be read."""
    if not answer.is_well_formed:
        return {}
    parts: ReceivedTurn = {"tool_calls": list(answer.tool_calls)} if answer.tool_calls else {}
    if (output := _output(answer, briefing)) is not None:
        parts["output"] = output
    if not parts:
        return {}
    if answer.keeps_narration:
        parts["keep_narration"] = True
    if answer.note:
        parts["dm_note"] = answer.note
    return parts


def _output(answer: ModelAnswer, briefing: AgentRequest) -> Any:
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


def _tell(sitting: Session, reply: Reply, briefing: AgentRequest) -> None:
    """Tell observers which texts were published."""
    for event in reply.get("events", ()):
        if event["type"] == "NarrativeAdded" and event["data"]["source"] != "player":
            told = Narrated(event["data"]["text"], briefing.agent, None, (), False, str(reply["turn_id"]))
            sitting.outcome.narrations.append(told)
            sitting.tell(told)
