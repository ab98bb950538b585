"""Answer a message outside scene games: calls and their results, then one text.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from turnwright.game_master import feedback
from turnwright.game_master.exchange import WITHHELD, Narrated, Stopped
from turnwright.game_master.prompts.request_builder import AgentRequest
from turnwright.game_master.session import Session
from turnwright.llm.port import Message, ModelAnswer
from turnwright.model.wire.agent import NPC_AGENTS
from turnwright.model.wire.reason import Reason
from turnwright.model.wire.record import as_received, as_record, as_reply
from turnwright.protocol.stage4_conflicts.conflicts import MAX_RETRIES

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import ReceivedTurn, Record, Reply


def play(
    sitting: Session, brief: Callable[[], AgentRequest], before: feedback.Before | None = None, *, may_call: bool = True
) -> None:
    """Ask the model until it produces a text that passes the check.

    Each answer with calls is a turn; its results and failures are returned to the model. The text is a separate turn,
    which the narration check compares with everything applied for this message.

    Args:
        sitting: the exchange.
        brief: builds the current briefing.
        before: the earlier calls for this message.
        may_call: False if only the narration is left.

    Raises:
        Stopped: when it cannot continue; committed turns stay.
    """
    conversation: list[Message] = []
    most, repairs = sitting.settings["agents.max_steps"], 0
    for step in range(most):
        is_last = (step == most - 1 and most > 1) or repairs > sitting.settings["agents.max_repairs"]
        briefing = brief()
        if before is not None and step == 0:
            conversation += feedback.after_interruption(before, partial(_own, sitting, briefing))
        has_tools = may_call and not is_last
        answer = sitting.asker.ask(briefing, conversation, step=step, has_tools=has_tools)
        calls, text = (list(answer.tool_calls) if has_tools else []), answer.text.strip()
        is_half = answer.is_cut_off and not calls and not is_last and step + 1 < most
        if is_half or not answer.is_well_formed or not (calls or text):
            if is_last:
                raise _gave_up(answer, step + 1)
            repairs += 1
            conversation += feedback.asked_again(answer)
            continue
        calls = sitting.understood(calls, briefing)
        if searches := feedback.searches_in(calls):
            found = sitting.found_tools(searches, briefing)
            conversation += feedback.after_search(answer, found, has_more=len(calls) > len(searches))
            continue
        if calls:
            reply = sitting.hand_in_calls(_turn(briefing), calls, briefing)
            _require_open(reply)
            repairs += reply["status"] in ("partial", "failed", "refused")
            if not (text and reply["seq"] is not None and _is_settled(sitting, reply)):
                will_be_last = step + 2 >= most or repairs > sitting.settings["agents.max_repairs"]
                learned = sitting.learned(reply, briefing, calls)
                conversation += feedback.after_calls(answer, learned, is_last=will_be_last)
                continue
        if _narrate(sitting, briefing, answer, conversation, step, may_call=may_call):
            return
    raise Stopped("stuck", f"the game master was asked {most} times and gave no text (agents.max_steps)")


def _own(sitting: Session, briefing: AgentRequest, turn: Record) -> Reply | None:
    """Return a turn as shown to the agent; agents that play a character see nothing of another's turn."""
    if briefing.agent in NPC_AGENTS and turn.get("speaker_id") != briefing.npc_id:
        return None
    return sitting.learned(as_reply(turn), briefing, turn["tool_calls"])


def _gave_up(answer: ModelAnswer, asked: int) -> Stopped:
    """Return why there is no text, although nothing else was left to do."""
    if not answer.is_well_formed:
        return Stopped("failed", "the model's answers could not be read", "garbage")
    if answer.tool_calls:
        return Stopped(
            "stuck", f"the game master was asked {asked} times, and called tools instead of telling anything"
        )
    return Stopped("failed", "the model's answers were empty", "garbage")


def _is_settled(sitting: Session, reply: Reply) -> bool:
    record = None if reply["seq"] is None else sitting.chronicle.record(reply["seq"])
    return feedback.is_settled(reply, record or as_record({}))


def _require_open(reply: Reply) -> None:
    if reply["status"] == "refused" and reply["reason"] == "campaign_ended":
        raise Stopped("refused", reply["detail"])


def _turn(briefing: AgentRequest, text: str = "") -> ReceivedTurn:
    """Return an agent's turn without its calls: actor, speaker and listeners."""
    turn: ReceivedTurn = {"agent": str(briefing.agent)}
    if briefing.actor is not None:
        turn["actor_id"] = briefing.actor
    if text:
        turn["assistant_text"] = text
    if briefing.speaker_id:
        turn["speaker_id"] = briefing.speaker_id
    if briefing.addressees:
        turn["addressees"] = list(briefing.addressees)
    if briefing.private:
        turn["private"] = True
    return turn


def _narrate(
    sitting: Session,
    briefing: AgentRequest,
    answer: ModelAnswer,
    conversation: list[Message],
    step: int,
    *,
    may_call: bool,
) -> bool:
    """Publish a text, and return whether one was; instead of telling it again the model may have made calls only."""
    reply, stands = publish(sitting, briefing, answer, conversation, step, may_call=may_call)
    if reply["status"] == "refused":
        raise Stopped("refused", f"the text could not be recorded: {reply['detail']}")
    record = None if reply["seq"] is None else sitting.chronicle.record(reply["seq"])
    if record is None or not ("assistant_text" in record or _has_called(reply)):
        raise Stopped("withheld", WITHHELD)
    if "assistant_text" not in record:
        return False
    event = Narrated(
        record["assistant_text"],
        briefing.agent,
        briefing.speaker_id,
        tuple(briefing.addressees),
        briefing.private,
        record["turn_id"],
        is_cut_off=stands.is_cut_off,
    )
    sitting.outcome.narrations.append(event)
    sitting.tell(event)
    return True


def _has_called(reply: Reply) -> bool:
    """Return whether calls were made, applied or failed for themselves and not with the turn."""
    failed = reply["tool_feedback"]["failed_calls"]
    return bool(reply["applied_actions"]) or any(call["reason"] != Reason.TURN_ABORTED for call in failed)


def publish(
    sitting: Session,
    briefing: AgentRequest,
    answer: ModelAnswer,
    conversation: list[Message],
    step: int,
    *,
    may_call: bool = True,
) -> tuple[Reply, ModelAnswer]:
    """Hand in a text, and again what the model makes of its findings, as often as the engine takes it.

    Returns:
        The last reply, and the answer that it is the reply to.
    """
    text, stands = answer.text.strip(), answer
    reply = sitting.hand_in(_turn(briefing, text), briefing.agent)
    for attempt in range(1, MAX_RETRIES + 1):
        if reply["status"] != "retry_needed":
            break
        conversation += feedback.after_conflict(text, reply, is_master=briefing.agent not in NPC_AGENTS)
        answer = sitting.asker.ask(briefing, conversation, step=step + attempt, has_tools=may_call)
        text = answer.text.strip() if answer.is_well_formed else ""
        again = as_received({"turn_id": reply["turn_id"], **_turn(briefing, text)})
        if answer.tool_calls and may_call:
            calls = sitting.understood(answer.tool_calls, briefing)
            done = sitting.hand_in_calls(again, calls, briefing)
            learned = sitting.learned(done, briefing, calls)
            conversation += feedback.after_calls(answer, learned, is_last=False)
            reply, stands = (done, answer) if done["seq"] is not None else (reply, stands)
        elif text:
            reply, stands = sitting.hand_in(again, briefing.agent), answer
    return reply, stands
