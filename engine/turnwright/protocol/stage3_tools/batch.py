"""One call for many: a tool's argument objects in a list, each of which is done or fails by itself.

Source: docs/toolkit.md, "Batches".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason, status_of
from turnwright.model.wire.record import hints_of
from turnwright.protocol.stage3_tools.normalize import snake
from turnwright.protocol.stage3_tools.repair.coercion import yes_or_no
from turnwright.protocol.stage3_tools.repair.loose_json import read_loosely
from turnwright.rulesets.tool import MAX_ITEMS, Applied, Tool

if TYPE_CHECKING:
    from turnwright.model.json_types import JsonObject
    from turnwright.model.wire.shapes import BatchItem, Correction, Hint


class Done(NamedTuple):
    """A call that was applied, and its arguments as they were understood."""

    applied: Applied
    args: JsonObject
    corrections: list[Correction]


RunOne = Callable[[World, "JsonObject", str], Done]
"""Runs one argument object on a world; the text is its place in the call."""


def run_batch(tool: Tool[Any], args: JsonObject, world: World, run_one: RunOne, key: str = "batch") -> Done:
    """Run the items of a batch in order, each seeing what the one before left.

    Args:
        tool: the tool that runs each item.
        args: the arguments as received.
        world: the state that the tool may change.
        run_one: runs one item.
        key: the batch argument's name, as written.

    Raises:
        CallFailed: when the batch is not valid, when every item failed, or with `atomic` when any item failed.
    """
    items, shared = _items(tool, args, key)
    atomic = args.get("atomic", False)
    if type(atomic) is not bool:
        repair = _yes_or_no(atomic)
        raise CallFailed(Reason.INVALID_ARGS, "args.atomic: wants true or false", repair)
    results: list[BatchItem] = []
    understood: list[Any] = []
    corrections: list[Correction] = []
    packs: dict[str, str] = {}
    for index, item in enumerate(items):
        where = f"args.{key}.{index}"
        draft = World(world)
        try:
            done = _run_item(tool, item, shared, draft, where, run_one)
        except CallFailed as failure:
            told = _report_failed_item(index, failure, where)
            if atomic:
                raise all_or_nothing(told) from None
            results.append(told)
            understood.append(item)
            continue
        world.merge(draft)
        packs.update(done.applied.packs)
        entry: BatchItem = {"index": index, "ok": True, "result": done.applied.result}
        if done.applied.warnings:
            entry["warnings"] = list(done.applied.warnings)
        results.append(entry)
        understood.append({name: v for name, v in done.args.items() if name not in shared or v != shared[name]})
        # Corrections name arguments as the action holds them, hints as the call does.
        corrections += [
            {**each, "field": f"args.batch.{index}" + each["field"].removeprefix(where)} for each in done.corrections
        ]
    together = {"batch" if name == key else snake(name): value for name, value in args.items()} | {"batch": understood}
    return Done(_sum_up(tool, results)._replace(packs=packs), together, corrections)


def all_or_nothing(failed: BatchItem) -> CallFailed:
    """Return why a whole batch fails, from the result of the item that was not done."""
    detail = f"item {failed['index']} of all or nothing: {failed['detail']}"
    first, *more = hints_of(failed) or [hint.NONE]
    return CallFailed(Reason(failed["reason"]), detail, {**first, "items": [failed]}, more)


def _yes_or_no(atomic: Any) -> hint.Hint:
    told = yes_or_no(atomic)
    return hint.ask("args.atomic", atomic, [True, False]) if told is None else hint.repair("args.atomic", atomic, told)


def _as_list(field: str, items: Any) -> hint.Hint:
    """Return the hint for a batch that is not a list: the list in its text, or a list of its only object."""
    read = read_loosely(items).value if isinstance(items, str) else items
    if isinstance(read, (list, Mapping)) and read:
        return hint.repair(field, items, read if isinstance(read, list) else [read])
    return hint.ask(field, items)


def _as_object(tool: Tool[Any], where: str, item: Any) -> hint.Hint:
    """Return the hint for an item that is not an object: the object in its text, or one with its only required key."""
    needed = [field.alias or name for name, field in tool.args.model_fields.items() if field.is_required()]
    read = read_loosely(item).value if isinstance(item, str) else item
    if len(needed) == 1 and isinstance(item, str) and read is None and not item.lstrip().startswith(("{", "[")):
        read = {needed[0]: item}
    inner = read[0] if isinstance(read, list) and len(read) == 1 else read
    return hint.repair(where, item, inner) if isinstance(inner, Mapping) else hint.ask(where, item)


def _items(tool: Tool[Any], args: JsonObject, batch: str) -> tuple[Sequence[Any], JsonObject]:
    items, field = args[batch], f"args.{batch}"
    if not isinstance(items, list):
        raise CallFailed(Reason.INVALID_ARGS, f"{field}: wants a list", _as_list(field, items))
    shared: dict[str, Any] = {}
    for key, value in args.items():
        if key in (batch, "atomic"):
            continue
        if snake(key) not in tool.shared or snake(key) in shared:
            detail = f"args.{key}: may not stand beside {batch}"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.remove(f"args.{key}"))
        shared[snake(key)] = value
    if not items:
        raise CallFailed(Reason.INVALID_ARGS, f"{field}: is empty", hint.ask(field, []))
    if len(items) > MAX_ITEMS:
        detail = f"{field}: has {len(items)} items, of at most {MAX_ITEMS}"
        raise CallFailed(Reason.LIMIT_EXCEEDED, detail, hint.ask(field, len(items)))
    return items, shared


def _run_item(tool: Tool[Any], item: Any, shared: JsonObject, world: World, where: str, run_one: RunOne) -> Done:
    if not isinstance(item, Mapping):
        raise CallFailed(Reason.INVALID_ARGS, f"{where}: wants an object", _as_object(tool, where, item))
    own = {snake(key) for key in item if isinstance(key, str)}
    return run_one(world, {**{key: value for key, value in shared.items() if key not in own}, **item}, where)


def _report_failed_item(index: int, failure: CallFailed, where: str) -> BatchItem:
    """Return a failed item as the results hold it; its hint names the place in the whole call."""
    failed: BatchItem = {
        "index": index,
        "ok": False,
        "status": status_of(failure.reason).value,
        "reason": failure.reason.value,
        "detail": failure.detail,
    }
    hints = failure.replace(hints=[_place_hint(each, where) for each in failure.hints]).to_feedback()
    return {**failed, **hints}


def _place_hint(repair: Hint, where: str) -> Hint:
    placed = repair.copy()
    if "field" in placed:
        placed["field"] = _place_field(placed["field"], where)
    if "use" in placed:
        placed["use"] = _place_field(placed["use"], where)
    return placed


def _place_field(field: str, where: str) -> str:
    is_elsewhere = field.startswith("args") and not field.startswith(where)
    return where + field.removeprefix("args") if is_elsewhere else field


def _sum_up(tool: Tool[Any], results: Sequence[BatchItem]) -> Applied:
    done = [entry["result"] for entry in results if entry["ok"]]
    if not done:
        first = results[0]
        raise CallFailed(Reason(first["reason"]), f"no item was done: {first['detail']}", {"items": list(results)})
    totals = tool.totals(done) if tool.totals else {}
    counts = {"succeeded": len(done), "failed": len(results) - len(done)}
    return Applied({"results": list(results), **counts, **totals})
