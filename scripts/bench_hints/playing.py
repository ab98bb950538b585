"""Play a row of the table: hand the call in, follow the hints, and hold what was applied against what was meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from pydantic import ValidationError
from scripts.bench_hints.following import follow, repairs
from scripts.bench_hints.rows import Row
from scripts.bench_hints.worlds import Worlds
from tests.builders import spelt as spelt_json

from turnwright import Campaign
from turnwright.model.dice.expression import DiceError, parse, render
from turnwright.protocol.stage3_tools.normalize import normalize_args
from turnwright.tools.registry import TOOLS

Verdict = Literal["repaired", "rightly silent", "silent", "something else"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
MAX_ROUNDS = 2
"""In how many rounds of hints a call has to be repaired."""
_PATIENCE = 6
"""How many rounds are followed to see whether something else is applied in the end."""
_DICE = frozenset({"damage", "damage_expression", "expression", "healing", "trap_damage"})
"""Arguments that hold dice, which can be written in several ways."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a row.

    Attributes:
        rounds: how often hints were followed.
        applied: the turn that was applied in the end, or None.
        told: the failures on the way there, in order.
    """

    row: Row
    verdict: Verdict
    rounds: int
    applied: Mapping[str, Any] | None = None
    told: Sequence[Mapping[str, Any]] = field(default_factory=list)


def play(row: Row, worlds: Worlds) -> Outcome:
    """Hand in the call of a row, and follow the hints as long as there are any."""
    campaign = worlds.shared(row.world)
    turn = turn_of(row, row.call)
    told: list[Mapping[str, Any]] = []
    for rounds in range(_PATIENCE + 1):
        action, failed = _rehearse(campaign, turn)
        if action is not None:
            return Outcome(row, _judge(row, worlds, turn, action, rounds), rounds, turn, told)
        told.append(failed)
        mended = follow(turn, repairs(failed))
        if mended is None:
            break
        turn = mended
    return Outcome(row, "silent" if row.meant else "rightly silent", len(told) - 1, None, told)


def turn_of(row: Row, call: Mapping[str, Any]) -> dict[str, Any]:
    """Return the turn in which a call of a row is handed in."""
    return {**row.turn, "tool_calls": [call]}


def why_not_applied(row: Row, call: Mapping[str, Any], worlds: Worlds) -> Mapping[str, Any] | None:
    """Return the failure of a call in the world of a row, or None when all of it is applied."""
    action, failed = _rehearse(worlds.shared(row.world), turn_of(row, call))
    return failed if action is None or action["result"].get("failed") else None


def _rehearse(campaign: Campaign, turn: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, Mapping[str, Any]]:
    """Return the action of the only call of a turn, or how it failed; nothing comes of it, and dice fall alike."""
    reply = campaign.process(turn, dry_run=True)
    if reply["status"] == "refused":
        return None, {key: reply.get(key) for key in ("reason", "detail", "hint") if reply.get(key)}
    done, failed = reply["applied_actions"], reply["tool_feedback"]["failed_calls"]
    return (done[0], {}) if done else (None, failed[0])


def _judge(row: Row, worlds: Worlds, turn: Mapping[str, Any], action: Mapping[str, Any], rounds: int) -> Verdict:
    if not any(_is_same(row, worlds, turn, action, call) for call in row.meant):
        return "something else"
    return "repaired" if rounds <= MAX_ROUNDS else "silent"


def _is_same(
    row: Row, worlds: Worlds, turn: Mapping[str, Any], action: Mapping[str, Any], call: Mapping[str, Any]
) -> bool:
    """Return whether what was applied is what a call says, and has the same effect."""
    meant = turn_of(row, call)
    other, failed = _rehearse(worlds.shared(row.world), meant)
    if other is None:
        raise ValueError(f"{row.id}: what was meant is refused: {failed}")
    tool, given, wanted = other["tool"], action["args"], other["args"]
    if action["tool"] != tool or spelt_json(_deed(tool, given)) != spelt_json(_deed(tool, wanted)):
        return False
    return spelt_json(given) == spelt_json(wanted) or _effect(worlds, row, turn) == _effect(worlds, row, meant)


def _deed(tool: str, args: Mapping[str, Any]) -> Any:
    """Return arguments in the one form that all spellings of them have.

    Whom or what an id or a name stands for is told by the effect alone, where a tool takes either.
    """
    if "batch" in args:
        return [{key: args[key] for key in args if key != "batch"}, [_deed(tool, item) for item in args["batch"]]]
    model = TOOLS[tool].args
    if TOOLS[tool].family == "core":  # such a tool ignores what it does not know, and takes keys as they are spelled
        args = {name: args[name] for name in args if name in model.model_fields}
    else:
        args = normalize_args(model, args)[0]
    with suppress(ValidationError):
        args = model.model_validate(args).model_dump(mode="json", by_alias=True)
    return _plain("", {name: value for name, value in args.items() if _twin(name) not in args})


def _plain(name: str, value: Any) -> Any:
    """Return a value without what holds nothing; whether that made a difference, the effect tells."""
    if isinstance(value, Mapping):
        plain = {key: _plain(key, each) for key, each in value.items()}
        return {key: each for key, each in plain.items() if each not in (None, [], {})}
    if isinstance(value, (list, tuple)):
        return [_plain(name, each) for each in value]
    if name in _DICE and isinstance(value, str):
        with suppress(DiceError):
            return render(parse(value))
    return value


def _twin(name: str) -> str | None:
    for end, other in (("_id", "_name"), ("_name", "_id")):
        if name.endswith(end):
            return name.removesuffix(end) + other
    return None


def _effect(worlds: Worlds, row: Row, turn: Mapping[str, Any]) -> str:
    """Return what a turn does to a campaign that nothing was done to yet."""
    campaign = worlds.fresh(row.world)
    campaign.process(turn)
    record = list(campaign.records())[-1]
    results = [action["result"] for action in record["applied_actions"]]
    return spelt_json([results, record.get("changes"), record.get("draws"), record.get("events")])
