"""Read a campaign directory as of the last complete record, without waiting or changing anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH
from turnwright.model.dice.draws import DiceRequest
from turnwright.model.errors import BadRequest, CampaignInvalid
from turnwright.model.open_request import OpenRequest
from turnwright.model.state.overlay import Source, World
from turnwright.model.strict_json import copied, json_fault
from turnwright.model.viewer import Viewer, request_for, require_viewer
from turnwright.model.wire.reason import Problem
from turnwright.protocol.query import query
from turnwright.protocol.stage2_settings import require_authority
from turnwright.rulesets.in_use import documents_at, require_rulesets_at, tables_of
from turnwright.store.document_table import DocumentTable
from turnwright.store.documents import folders_of_documents
from turnwright.store.files import Files, storage_errors
from turnwright.store.reader_pool import ReaderPool
from turnwright.store.store import Store
from turnwright.store.system import pause
from turnwright.toolset.role import Role

if TYPE_CHECKING:
    from turnwright.campaign.follow import Follower, Wait
    from turnwright.campaign.packs import OpenPacks
    from turnwright.campaign.recall import RecallReply, Search
    from turnwright.model.json_schema import JsonSchema
    from turnwright.model.json_types import JsonObject
    from turnwright.model.wire.prompt import ToolDefinition
    from turnwright.model.wire.shapes import QueryAnswer, Record, Reply
    from turnwright.toolset.find import FoundTools
    from turnwright.toolset.offered import Profile

LastTurn = Callable[[], "Record | None"]
_guarded = partial(storage_errors, "cannot read the campaign")


class Reader:
    """Reads one campaign directory: each call sees it as of one record.

    Args:
        files: the directory's files.
        kinds: the models of its documents.
        pool: gives the stores that are read from.
        prepare: called before each reading; it may refuse it.
        open_packs: gives the content packs that the campaign can use.
    """

    def __init__(
        self,
        files: Files,
        kinds: DocumentTable,
        pool: ReaderPool,
        prepare: Callable[[], None],
        open_packs: OpenPacks | None = None,
    ) -> None:
        self._files = files
        self._kinds = kinds
        self._pool = pool
        self._prepare = prepare
        self._open_packs = open_packs
        self._migrated: tuple[str, Source] | None = None
        """The documents of an older format in the newest, and the hash of the record they were read up to."""

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """Give the campaign, loaded as of its last complete record; refuse what is none, or none any more."""
        self._prepare()
        if self._kinds.is_older:
            self._look_anew()
        reader = self._pool.take()
        try:
            with _guarded():
                reader.load_for_reading()
                if reader.history.seq < 0 and self._files.look(CAMPAIGN_PATH) is None:
                    raise CampaignInvalid([Problem(CAMPAIGN_PATH, "$", "missing", "there is no campaign.json")])
            yield reader
        finally:
            self._pool.give_back(reader)

    def _look_anew(self) -> None:
        """Look whether a writer has migrated the campaign since."""
        kinds = documents_at(self._files)
        if not kinds.is_older:
            self._kinds = kinds
            self._pool.use(kinds)

    def _source(self, reader: Store) -> Source:
        """Return the documents as `timeline.readable` does; those of an older format are migrated once a record."""
        from turnwright.campaign import timeline

        if reader.history.seq < 0 or not reader.kinds.is_older:
            return timeline.readable(reader)
        kept, head = self._migrated, reader.history.head
        if kept is None or kept[0] != head:
            kept = self._migrated = (head, timeline.readable(reader))
        return kept[1]

    @contextmanager
    def moment(self, *, at: str | None = None) -> Iterator[tuple[World, LastTurn]]:
        """Give the campaign as of a record, and its last turn then; see `Campaign.moment`."""
        from turnwright.campaign import timeline

        with self.opened() as reader:
            with _guarded():
                source = self._source(reader)
                seq = reader.history.seq if at is None else int(timeline.require_record(reader, at)["seq"])
                world = World(_GuardedSource(source) if at is None else timeline.documents_at(reader, at))
            yield world, _guarded()(partial(_last_turn, reader, seq))

    @contextmanager
    def reading(self, *, at: str | None = None) -> Iterator[World]:
        """Give the campaign as of a record, with all its rulesets; see `Campaign.reading`."""
        self._require_rulesets()
        with self.moment(at=at) as (world, _):
            yield world

    def _require_rulesets(self) -> None:
        if not self._kinds.is_complete:
            require_rulesets_at(self._files)

    def state(self) -> dict[str, Any]:
        """Return every document as plain JSON, by path."""
        with self.reading() as world:
            folders = sorted(folders_of_documents(self._files, self._kinds))
            paths = [*self._kinds.single, *(path for folder in folders for path in world.paths(folder))]
            return {path: document.value() for path in paths if (document := world.get(path))}

    def state_at(self, mark: str) -> dict[str, Any]:
        """Return every document as it was after a record, as plain JSON by path."""
        from turnwright.campaign import timeline

        with self.opened() as reader, _guarded():
            return timeline.newest_values_at(reader, timeline.require_record(reader, mark)["seq"])

    def records(self, *, after: int = -1, last: int | None = None) -> Iterator[Record]:
        """Yield records in order; see `Campaign.records`."""
        _require_range(after, last)
        with self.opened() as reader, _guarded():
            yield from reader.records(after if last is None else max(after, reader.history.seq - last))

    def recall(self, search: Search, viewer: Viewer) -> RecallReply:
        """Search the log; see `Campaign.recall`."""
        from turnwright.campaign.recall import recall

        search.require_valid()
        require_viewer(viewer)
        self._require_rulesets()
        with self.opened() as reader, _guarded():
            return recall(reader, World(_GuardedSource(self._source(reader))), viewer, search)

    def follow(self, viewer: Viewer, after: int | None, last: int | None, wait: Wait | None) -> Iterator[Record]:
        """Yield records as they are committed; see `Campaign.follow`."""
        from turnwright.campaign.follow import follow

        return follow(self.follower(viewer, after, last), wait or pause)

    def follower(self, viewer: Viewer, after: int | None, last: int | None) -> Follower:
        """Return what looks at the log for records that come; the arguments are those of `Campaign.follow`."""
        from turnwright.campaign.follow import Follower

        _require_range(-1 if after is None else after, last)
        require_viewer(viewer)
        with self.opened() as reader:
            head = reader.history.seq
        start = head if after is None else after
        if last is not None:
            start = max(start, head - last)
        return Follower(lambda number: self.records(after=number), self.project, viewer, start)

    def project(self, reply: Reply | Record, viewer: Viewer, *, own: bool | None = None) -> Reply:
        """Return what one viewer may see of a reply or a record of a turn; see `Campaign.project`."""
        from turnwright.protocol.stage6_publish import publish

        _require_reply(reply)
        require_viewer(viewer)
        with self.opened() as reader, _guarded():
            if own is None:
                own = "authority" not in reply and _is_own(reader, reply, viewer)
            world = World(_GuardedSource(self._source(reader)))
            return publish.project(reply, viewer, own=own, world=world)

    def waiting_for_dice(self) -> DiceRequest | None:
        """Return what the table has to throw for the turn that waits; None when none does."""
        with self.opened() as reader, _guarded():
            waiting = reader.history.waiting_turn
            return copied(waiting.request) if waiting and waiting.request else None

    def open_request(self, viewer: Viewer) -> OpenRequest | None:
        """Return what is asked of a viewer now; see `Campaign.open_request`."""
        require_viewer(viewer)
        dice = self.waiting_for_dice() if viewer.is_game_master else None
        if dice is not None:
            return OpenRequest(dice["request_id"], {**dice}, is_table_dice=True)
        with self.reading() as world:
            conversation = tables_of(world.campaign).conversation(world)
            request = request_for(viewer, conversation.request(world)) if conversation is not None else None
        return None if request is None else OpenRequest(request["id"], request, is_table_dice=False)

    def legal(self, authority: str, viewer: Viewer | None, *, full: bool) -> JsonSchema:
        """Return the JSON Schema of the tool calls that are legal now; see `Campaign.legal`."""
        from turnwright.protocol.stage0_prepare.prepare import legal_schema

        if viewer is not None:
            authority = _authority_of(viewer)
        require_authority(authority)
        with self.reading() as world:
            legal: JsonSchema = copied(legal_schema(world, Role(authority).policy(world), full=full))
        return legal

    def tools(self, form: str, viewer: Viewer, profile: str, *, can_find: bool) -> list[ToolDefinition]:
        """Return the tools that a viewer may call now; see `Campaign.tools`."""
        from turnwright.toolset.forms import form_of, in_form
        from turnwright.toolset.offered import FINDING_TOOLS, offered_tools

        role, shape, size = Role(_authority_of(viewer)), form_of(form), _profile_of(profile)
        door = FINDING_TOOLS if can_find else ()
        with self.reading() as world:
            tools: list[ToolDefinition] = copied(in_form(offered_tools(world, role, size, door=door), shape))
        return tools

    def find_tools(self, query: str, form: str, viewer: Viewer) -> FoundTools:
        """Return the tools that fit some words; see `Campaign.find_tools`."""
        from turnwright.toolset.find import search_tools
        from turnwright.toolset.forms import form_of, in_form

        role, shape = Role(_authority_of(viewer)), form_of(form)
        if type(query) is not str or json_fault(query):
            raise BadRequest("what is looked for is a text")
        with self.reading() as world:
            found, others = search_tools(world, query, role)
            return {"tools": copied(in_form(found, shape)), "others": others}

    def completed(self, turn: Any, authority: str, profile: str) -> Any:
        """Return a turn whose calls came from a list of tools as the engine takes it: a short list leaves much out."""
        from turnwright.toolset.calls import completed_turn

        if _profile_of(profile) == "full" or not isinstance(turn, Mapping):
            return turn
        with self.reading() as world:
            return completed_turn(world, turn, Role(authority))

    def query(self, tool: str, args: JsonObject, authority: str) -> QueryAnswer:
        """Call a read-only tool outside a turn; see `Campaign.query`."""
        require_authority(authority)
        if type(tool) is not str or json_fault(tool):
            raise BadRequest("the name of a tool is a text")
        if not isinstance(args, Mapping):
            raise BadRequest("the arguments of a tool are an object")
        with self.reading() as world:
            return query(tool, args, world, Role(authority).policy(world), self._open_packs)


def _authority_of(viewer: Viewer) -> str:
    require_viewer(viewer)
    if viewer.authority is None:
        raise BadRequest("only the game master and players hand in turns, and so have legal calls, tools and a prompt")
    return viewer.authority


def _profile_of(profile: str) -> Profile:
    from turnwright.toolset.offered import PROFILES

    for known in PROFILES:
        if profile == known:
            return known
    raise BadRequest(f"a profile is one of {', '.join(PROFILES)}")


def _require_range(after: Any, last: Any) -> None:
    if type(after) is not int:
        raise BadRequest("after is the number of a record")
    if last is not None and (type(last) is not int or last < 0):
        raise BadRequest("last is a number of records, 0 or more")


def _require_reply(reply: Any) -> None:
    keys = ("applied_actions", "tool_feedback", "events", "request")
    is_reply = isinstance(reply, Mapping) and {"turn_id", "seq", "timestamp", "status"} <= reply.keys()
    if not is_reply or (reply["status"] != "refused" and not all(key in reply for key in keys)):
        raise BadRequest("only a reply, or the record of a turn, can be projected")


def _is_own(store: Store, reply: Reply | Record, viewer: Viewer) -> bool:
    """Return whether the log says that a reply is to a turn that came through a player's door."""
    if viewer.kind != "player" or reply.get("dry_run") or type(reply["seq"]) is not int:
        return False
    record = store.record(reply["seq"]) if 0 <= reply["seq"] <= store.history.seq else None
    is_its = record is not None and record.get("turn_id") == reply["turn_id"]
    return is_its and record is not None and record.get("authority") == viewer.authority


class _GuardedSource:
    """A source that turns what the machine refuses into one clear error; other errors of its reader pass through."""

    def __init__(self, below: Source) -> None:
        self._below = below

    def get(self, path: str) -> Document | None:
        with _guarded():
            return self._below.get(path)

    def has(self, path: str) -> bool:
        with _guarded():
            return self._below.has(path)

    def paths(self, collection: str) -> Sequence[str]:
        with _guarded():
            return self._below.paths(collection)

    def layer_of(self, area_id: str) -> str | None:
        with _guarded():
            return self._below.layer_of(area_id)

    def highest_area(self) -> int:
        with _guarded():
            return self._below.highest_area()

    def tagged(self, collection: str, tag: str) -> Sequence[str]:
        with _guarded():
            return self._below.tagged(collection, tag)


def _last_turn(store: Store, seq: int) -> Record | None:
    """Return the record of the last turn that stood when the log ended with record `seq`; None when there was none."""
    then = replace(store.history, seq=seq, undos=[undo for undo in store.history.undos if undo[0] <= seq])
    records = (store.record(number) for number in range(seq, -1, -1) if then.undone_by(number) is None)
    return next((record for record in records if record and record["kind"] == "turn"), None)
