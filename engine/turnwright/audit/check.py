"""Report every problem of a campaign directory: its documents, and the pending turn files.

Read-only. It needs no log; if there is one, it checks whether a writer could continue from it, and what would be
rebuilt.
Source: docs/stages/README.md, "Checking".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwright.model.base import Document, Model
from turnwright.model.call_shapes import OURS, CallShape, shape_of, understood
from turnwright.model.campaign import CAMPAIGN_PATH, FORMAT, CampaignDocument, Protocol
from turnwright.model.errors import CampaignInvalid, StorageFailed
from turnwright.model.fuzzy_match import did_you_mean, nearest
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import Settings, settings_faults, settings_of
from turnwright.model.state.log_state import LogState
from turnwright.model.state.overlay import InMemorySource, World
from turnwright.model.strict_json import MAX_DEPTH, JsonError, json_fault, parse_json
from turnwright.model.wire.reason import CallFailed, Problem
from turnwright.model.wire.turn import ToolCall
from turnwright.protocol.stage1_intake import TurnRefused, depth_of_args, receive
from turnwright.protocol.stage3_tools.aliases import batch_of, canonicalize
from turnwright.protocol.stage3_tools.checks import require_call, tool_called
from turnwright.protocol.stage3_tools.normalize import normalize_args
from turnwright.protocol.validation.edits import campaign_problems
from turnwright.protocol.validation.unknown_names import allowlist_warnings, setting_warnings
from turnwright.rulesets.in_use import documents_at, missing_rulesets, tables_at, tables_of
from turnwright.rulesets.migration import documents_of, migrated
from turnwright.rulesets.registry import RulesetTables
from turnwright.rulesets.tool import Tool
from turnwright.rulesets.toolbox import TOOLS, Toolbox, tools_of
from turnwright.schemas.faults import schema_faults
from turnwright.schemas.schemas import of_model, turn_schema, validator
from turnwright.store.checkpoint import Checkpoint
from turnwright.store.checkpoint_file import Unreadable
from turnwright.store.document_table import DocumentTable
from turnwright.store.documents import (
    document_from,
    find_documents,
    holds_a_beginning,
    misnamed,
    read_document,
    read_documents,
)
from turnwright.store.files import Files, storage_errors
from turnwright.store.folders import folders_of_turns, linked_folders, where_instead
from turnwright.store.hard_links import problem_of
from turnwright.store.inbox import DROP_FOLDER, read_turn, waiting
from turnwright.store.log import LOG_PATH, NOBODY_READS, Log, copies_of_log
from turnwright.store.results import RESULTS_FOLDER, require_no_later_reply
from turnwright.store.secret import SECRET_PATH, is_open_to_others, secret_with_hash
from turnwright.store.store import Store

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

_MADE_AGAIN = "the next writer makes it again from the log"


def check_directory(path: Path) -> list[Problem]:
    """Return everything that is wrong with a campaign directory, sorted by file.

    A document is checked against its schema, then for itself, then against the rest of the campaign; a waiting turn as
    a whole, and each of its calls (a warning) against the schema of its tool.
    """
    files = Files(path)
    used = tables_at(files)
    kinds = documents_at(files)
    with storage_errors("cannot read the campaign"):
        linked = linked_folders(files, kinds)
    if problems := linked or list(_unreadable_folders(files, kinds)):
        return problems
    if kinds.is_older:
        return sorted(map(_printable, _older_problems(files, kinds)), key=lambda problem: problem.file)
    logged, problems = _logged(files, kinds)
    problems += [*missing_rulesets(used), *_unknown_names(files, kinds)]
    documents: dict[str, Document] = {}
    found = find_documents(files, kinds)
    if CAMPAIGN_PATH not in found and CAMPAIGN_PATH not in logged:
        message = f"there is no campaign.json in {path}{where_instead(path)}"
        problems.append(Problem(CAMPAIGN_PATH, "$", "missing", message))
    for name in logged.keys() - found.keys():
        documents[name] = logged[name]
        problems.append(Problem(name, "$", "missing", f"is missing; {_MADE_AGAIN}", warning=True))
    for name, seen in found.items():
        data, faults = read_document(files, name, seen)
        document = None
        if not faults:
            document, faults = _parsed(name, data, kinds)
            if faults and name in logged and holds_a_beginning(data, logged[name]):
                document = logged[name]
                faults = [Problem(name, "$", "cut_off", f"holds only the beginning; {_MADE_AGAIN}", warning=True)]
        problems += faults
        if document:
            documents[name] = document
    problems += _campaign_problems(documents, found.keys() - documents.keys(), logged, used)
    campaign = documents.get(CAMPAIGN_PATH)
    if isinstance(campaign, CampaignDocument) and campaign.content is not None:
        from turnwright.audit.packs_in_use import pack_warnings  # needs the models of all entries

        problems += pack_warnings(files, campaign)
    problems += _drop_problems(files, campaign)
    return sorted(map(_printable, problems), key=lambda problem: problem.file)


def _logged(files: Files, kinds: DocumentTable) -> tuple[dict[str, Document], list[Problem]]:
    """Return every document as of the last record, and why no writer could continue from it; nothing without a log.

    What a look at the log from its beginning would show is for `verify`.
    """
    store = Store(files, kinds)
    try:
        with storage_errors("cannot read the campaign"):
            store.load_for_reading()
            paths = [*kinds.single, *(path for folder in kinds.collections for path in store.paths(folder))]
            documents = {path: document for path in paths if (document := store.peek(path))}
            return documents, list(_beside_the_log(files, kinds, store.history))
    except CampaignInvalid as refusal:
        return {}, list(refusal.problems)
    except StorageFailed as failure:
        return {}, [Problem(LOG_PATH, "$", "file", str(failure))]
    finally:
        store.close()


def _older_problems(files: Files, kinds: DocumentTable) -> Iterator[Problem]:
    """Yield what is wrong with a directory of an older format once it is migrated, which happens in memory here."""
    documents, problems = read_documents(files, kinds)
    _, of_log = _logged(files, kinds)
    yield from [*problems, *of_log, *_unknown_names(files, kinds)]
    if problems:
        return
    try:
        newest = documents_of(migrated({path: document.value() for path, document in documents.items()}))
    except CampaignInvalid as refusal:
        yield from refusal.problems
        return
    yield from campaign_problems(World(InMemorySource(newest)), newest)
    message = f"is of an older format; the next writer brings the campaign to format {FORMAT}"
    yield Problem(CAMPAIGN_PATH, "$.format", "format", message, warning=True)


def _beside_the_log(files: Files, kinds: DocumentTable, history: LogState) -> Iterator[Problem]:
    """Yield what a writer misses: the dice secret, the log where turns were taken, its end where replies lie there."""
    if history.seq < 0:
        if shown := folders_of_turns(files):
            yield Problem(LOG_PATH, "$", "log", f"is missing, but turns were taken: see {', '.join(shown)}")
        return
    try:
        secret_with_hash(files, history.secret_hash)
    except CampaignInvalid as refusal:
        yield from refusal.problems
    except OSError as error:  # the writer may be another user, who can read it
        yield Problem(SECRET_PATH, "$", "file", f"cannot be read: {error.strerror}", warning=True)
    if is_open_to_others(files):
        message = "may be read by others, who can foretell the dice; its owner's next turn closes it (`chmod 600`)"
        yield Problem(SECRET_PATH, "$", "mode", message, warning=True)
    if shared := problem_of(files):
        yield shared
    if not _has_checkpoint(files):
        yield from _later_replies(files, kinds, history)


def _has_checkpoint(files: Files) -> bool:
    """Return whether there is a checkpoint that the log was held against."""
    try:
        with closing(Checkpoint.open(files, writable=False)) as checkpoint:
            checkpoint.history()
    except Unreadable:
        return False
    return True


def _later_replies(files: Files, kinds: DocumentTable, history: LogState) -> Iterator[Problem]:
    """Yield which reply tells that the end of the log was lost, unless its record has come since the log was read."""
    try:
        require_no_later_reply(files, history.seq)
    except CampaignInvalid as refusal:
        if not any(Log(files, kinds).lines(history.size)):
            yield from refusal.problems
    except OSError as error:
        yield Problem(RESULTS_FOLDER, "$", "file", f"cannot be read: {error.strerror}", warning=True)


def _printable(problem: Problem) -> Problem:
    """Return a problem whose file name can be printed, although the file system has it in no encoding."""
    return problem._replace(file=problem.file.encode(errors="surrogateescape").decode(errors="replace"))


def _unreadable_folders(files: Files, kinds: DocumentTable) -> Iterator[Problem]:
    for folder in ("", *kinds.collections, DROP_FOLDER):
        try:
            files.listing(folder)
        except OSError as error:
            yield Problem(folder.strip("/") or ".", "$", "file", f"is no folder that can be read: {error.strerror}")
            if not folder:
                return


def _unknown_names(files: Files, kinds: DocumentTable) -> Iterator[Problem]:
    """Warn of files that look like documents, or like the log, but that the engine ignores."""
    for name in copies_of_log(files):
        yield Problem(name, "$", "unknown_file", NOBODY_READS, warning=True)
    known = {*kinds.single, *(folder.partition("/")[0] for folder in kinds.collections), DROP_FOLDER, RESULTS_FOLDER}
    for name, seen in files.listing("").items():
        if name.startswith(".") or name in known:
            continue
        if name.endswith(".json"):
            message = f"is no file of a campaign, so nobody reads it{did_you_mean(name, kinds.single)}"
            yield Problem(name, "$", "unknown_file", message, warning=True)
        elif seen.is_folder and any(inner.endswith(".json") for inner in _names_in(files, name)):
            guess = did_you_mean(name, [folder.rstrip("/") for folder in kinds.collections])
            message = f"is no folder of a campaign, so nobody reads its files{guess}"
            yield Problem(name, "$", "unknown_file", message, warning=True)


def _names_in(files: Files, folder: str) -> Iterable[str]:
    try:
        return files.listing(folder)
    except OSError:
        return ()


# documents


def _parsed(path: str, data: bytes, kinds: DocumentTable) -> tuple[Document | None, list[Problem]]:
    try:
        value = parse_json(data, max_depth=MAX_DEPTH)
    except JsonError as error:
        return None, [Problem(path, "$", "json", str(error))]
    document, faults = document_from(path, value, kinds)
    if faults and faults[0].rule == "format":
        return None, faults
    model = kinds.model_of(path)
    assert model is not None, path
    if against_schema := list(schema_faults(path, "$", _validator_of(model), value)):
        return None, against_schema + _misnamed(path, model, value, against_schema)
    return document, faults


def _misnamed(path: str, model: type[Document], value: Any, found: Iterable[Problem]) -> list[Problem]:
    """Return what is wrong with the file's name, although the document is not valid for other reasons."""
    if not isinstance(value, dict) or any(problem.path in ("$.id", "$.parent_area_id") for problem in found):
        return []
    known = {key: value[key] for key in model.model_fields if key in value}
    expected = model.model_construct(None, **known).path
    return [misnamed(path, expected)] if expected != path else []


def _campaign_problems(
    documents: Mapping[str, Document], unread: Iterable[str], logged: Mapping[str, Document], used: RulesetTables
) -> Iterator[Problem]:
    """Yield what is wrong with documents given each other, but for what a file that cannot be read may hold."""
    doubtful = {path.rpartition("/")[0] + "/" for path in unread}
    found = _among(documents, logged)
    campaign = documents.get(CAMPAIGN_PATH)
    if isinstance(campaign, CampaignDocument):
        world = World(InMemorySource(documents))
        found += [*allowlist_warnings(world, campaign), *setting_warnings(world, campaign)]
    for problem in found:
        rule = problem.rule.rpartition(":")[2]
        place = "maps/" if problem.rule.startswith("parent:") and rule == "missing" else used.absence.get(rule)
        if place not in doubtful:
            yield problem


def _among(documents: Mapping[str, Document], logged: Mapping[str, Document]) -> list[Problem]:
    """Return what is wrong with documents given each other, and where it matters given what the log says they were."""
    world = World(InMemorySource(documents))
    problems = campaign_problems(world, documents)
    is_above_a_bound = any(problem.rule == "too_much" for problem in problems)
    return campaign_problems(world, documents, logged.get) if is_above_a_bound else problems


# turns


def _drop_problems(files: Files, campaign: Document | None) -> Iterator[Problem]:
    settings, protocol, tools = settings_of({}), Protocol(), TOOLS
    if isinstance(campaign, CampaignDocument):
        protocol, tools = campaign.contract, tools_of(campaign)
        rows = tables_of(campaign).settings
        faults = settings_faults(campaign.settings, rows)
        settings = settings if faults else settings_of(campaign.settings, rows)
    names, strange = waiting(files)
    for name in names:
        yield from _turn_problems(files, f"{DROP_FOLDER}/{name}", settings, protocol, tools)
    for name, lying in strange.items():
        yield Problem(f"{DROP_FOLDER}/{name}", "$", "file", lying.fault)


def _turn_problems(
    files: Files, path: str, settings: Settings, protocol: Protocol, tools: Toolbox
) -> Iterator[Problem]:
    try:
        data = read_turn(files, path)
        turn = parse_json(data, max_bytes=settings["limits.turn_bytes"], max_depth=settings["limits.turn_depth"])
    except FileNotFoundError:
        return  # it was taken since we looked
    except OSError as error:
        yield Problem(path, "$", "file", f"cannot be read: {error.strerror}")
        return
    except JsonError as error:
        yield Problem(path, "$", "json", str(error))
        return
    against_schema = list(schema_faults(path, "$", _turn_validator(), turn))
    yield from against_schema or _refusal(path, turn, settings)
    calls = turn.get("tool_calls") if isinstance(turn, dict) else None
    for place, entry in enumerate(calls if isinstance(calls, list) else ()):
        call, shape = understood(entry, place + 1, depth_of_args(settings)), shape_of(entry) or OURS
        at = f"$.tool_calls[{place}]"
        for problem in _call_problems(path, at, call, protocol, tools):
            yield problem._replace(path=_as_written(problem.path, at, shape), warning=True)


def _as_written(where: str, at: str, shape: CallShape) -> str:
    """Return a path as the call was written, perhaps in another protocol's shape; `where` is the path in ours."""
    for key, steps in (("args", shape.path_of_arguments), ("tool", shape.path_of_tool)):
        if where.startswith(f"{at}.{key}"):
            return f"{at}.{'.'.join(steps)}{where.removeprefix(f'{at}.{key}')}"
    return where


def _refusal(path: str, turn: Any, settings: Settings) -> Iterator[Problem]:
    """Yield what no schema can say of a turn: above all the limits of this campaign."""
    try:
        receive(turn, settings)
    except TurnRefused as refused:
        yield Problem(path, "$", refused.reason.value, refused.detail)


def _call_problems(path: str, at: str, call: Any, protocol: Protocol, tools: Toolbox) -> Iterator[Problem]:
    """Yield why a call of ours could never be applied, whatever the state of the campaign."""
    if not_a_call := list(schema_faults(path, at, _validator_of(ToolCall), call)):
        yield from not_a_call
        return
    try:
        require_call(call, None, MAX_DEPTH)
    except CallFailed as failure:
        yield Problem(path, at, failure.reason.value, failure.detail)
        return
    tool = tool_called(call["tool"], tools)
    if tool is None:
        message = f"{call['tool']} is no tool; the nearest one is {nearest(call['tool'], tools, 1)[0]}"
        yield Problem(path, f"{at}.tool", "unknown_tool", message)
        return
    if fault := json_fault(call["args"]):
        yield Problem(path, f"{at}.args", "json", fault)
    try:
        args = call["args"] if tool.is_exact else _understood(tool, call["tool"], call["args"])
    except CallFailed as failure:
        yield Problem(path, f"{at}.args", failure.reason.value, failure.detail)
        return
    model: type[Model] = tool.args_for(protocol)
    if args is not None:
        yield from schema_faults(path, f"{at}.args", _validator_of(model), args)


def _understood(tool: Tool[Any], name: str, args: JsonObject) -> JsonObject | None:
    """Return the arguments of a call as the engine understands them; None of a batch, whose items fail one by one."""
    batch, given = batch_of(name, args) if tool.batch else (None, args)
    if batch is not None:
        return None
    return normalize_args(tool.args, canonicalize(name, tool.args, given) if name != tool.name else given)[0]


@lru_cache(maxsize=256)
def _validator_of(model: type[Model]) -> Validator:
    return validator(of_model(model))


@lru_cache(maxsize=1)
def _turn_validator() -> Validator:
    return validator(turn_schema())
