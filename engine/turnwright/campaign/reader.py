"""A campaign directory, read: as of the last complete record, waiting for nobody and changing nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from turnwright.model.authority import GM, player_of
from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH
from turnwright.model.dice.draws import Dice, DiceRequest
from turnwright.model.documents import DocumentTable
from turnwright.model.errors import BadRequest, CampaignInvalid
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import Source, World
from turnwright.model.strict_json import copied, json_fault
from turnwright.model.viewer import Viewer
from turnwright.model.wire.reason import Problem
from turnwright.protocol.parts import TurnContext
from turnwright.protocol.stage2_settings import TurnPolicy, between_turns, require_authority
from turnwright.protocol.stage3_tools.run import query
from turnwright.rulesets.in_use import require_rulesets, tables_at
from turnwright.store.documents import folders_of_documents
from turnwright.store.files import Files, storage_errors
from turnwright.store.reader_pool import ReaderPool
from turnwright.store.store import Store
from turnwright.store.system import pause

if TYPE_CHECKING:
    from turnwright.campaign.follow import Wait
    from turnwright.campaign.recall import RecallReply
    from turnwright.model.wire.shapes import QueryAnswer, Record, Reply

LastTurn = Callable[[], "Record | None"]
_guarded = partial(storage_errors, "cannot read the campaign")


class Reader:
    """The reading half of a campaign. Each call sees the campaign as of one record."""

    def __init__(self, files: Files, kinds: DocumentTable) -> None:
        self._files = files
        self._kinds = kinds
        self._spare = ReaderPool(files, kinds)

    @property
    def state(self) -> dict[str, Any]:
        """Every document as of the last record, as plain JSON by path, plus nothing else."""
        with self.reading() as world:
            return self._documents_of(world)

    def _documents_of(self, world: World) -> dict[str, Any]:
        folders = sorted(folders_of_documents(self._files, self._kinds))
        paths = [*self._kinds.single, *(path for folder in folders for path in world.paths(folder))]
        return {path: document.value() for path in paths if (document := world.get(path))}

    @contextmanager
    def reading(self, *, at: str | None = None) -> Iterator[World]:
        """Give the campaign as of its last complete record; waits for nobody and changes nothing.

        Args:
            at: a turn id or the number of a record: give the campaign as it was after that.
        """
        self._require_rulesets()
        with self.moment(at=at) as (world, _):
            yield world

    def _require_rulesets(self) -> None:
        """Refuse a campaign that names a ruleset which is not installed: its documents are not understood."""
        if not self._kinds.is_complete:
            require_rulesets(tables_at(self._files))

    @contextmanager
    def moment(self, *, at: str | None = None) -> Iterator[tuple[World, LastTurn]]:
        """Give what `reading` gives, and a function that returns the record of the last turn that stood then, if any.

        Unlike `reading`, it also works while a ruleset of the campaign is not installed.

        Args:
            at: as for `reading`.
        """
        from turnwright.campaign import timeline

        with self._reader() as reader:
            with _guarded():
                source = timeline.readable(reader)
                seq = reader.history.seq if at is None else int(timeline.require_record(reader, at)["seq"])
                world = World(_GuardedSource(source) if at is None else timeline.documents_at(reader, at))
            yield world, _guarded()(partial(_last_turn, reader, seq))

    def records(self, *, after: int = -1, last: int | None = None) -> Iterator[Record]:
        """Yield the log's records in order, each checked against the chain.

        Args:
            after: the number of the last record that is left out; default: none is.
            last: how many of them there are at most, the last ones; default: all.

        Raises:
            BadRequest: when `after` or `last` is no such integer.
        """
        _require_range(after, last)
        with self._reader() as reader, _guarded():
            yield from reader.records(after if last is None else max(after, reader.history.seq - last))

    def recall(
        self,
        query: str | None = None,
        *,
        viewer: Viewer,
        person: str | None = None,
        place: str | None = None,
        thing: str | None = None,
        limit: int = 20,
        before: int | None = None,
    ) -> RecallReply:
        """Search what was said and done, as far as one viewer may know it; turns that were undone are left out.

        All that is asked for has to be in one turn. Words are compared without case and from their beginning, and
        only with what the viewer may know of the turn.

        Args:
            query: words that all have to occur; default: any.
            viewer: the reader.
            person: the name or id of a character that is named or speaks.
            place: the name or id of an area that is named, or where the turn ended.
            thing: the name of a thing that is named.
            limit: how many turns to return, at most 100.
            before: only records with a lower number are looked at; a reply with `more` says where to go on.

        Returns:
            The turns, newest first. One search reads up to 1,000 records.

        Raises:
            BadRequest: when an argument is none of this.

        Source: docs/stages/6-publish.md, "Recall".
        """
        from turnwright.campaign.recall import Search, recall

        search = Search(query, person, place, thing, limit, before)
        search.require_valid()
        _require_viewer(viewer)
        self._require_rulesets()
        from turnwright.campaign import timeline

        with self._reader() as reader, _guarded():
            return recall(reader, World(_GuardedSource(timeline.readable(reader))), viewer, search)

    def follow(
        self, *, viewer: Viewer, after: int | None = None, last: int | None = None, wait: Wait | None = None
    ) -> Iterator[Record]:
        """Yield records as they are committed, by this object or another process, as one viewer may see them.

        The game master gets them as they are. Others get of a turn its projection, of an undo the numbers of what it
        took back, and of any other record that there is one; each with `seq`, `kind` and `timestamp`.

        Args:
            viewer: the reader.
            after: the number of the last record that is left out; -1 leaves out none, and None, the default, all that
                are there.
            last: how many of those that are there come at most, the last ones; default: all.
            wait: called after each look at the log; it waits and returns whether to look again. The default sleeps for
                a quarter of a second and goes on for ever.

        Raises:
            BadRequest: when `after` or `last` is no such integer.
            CampaignInvalid: when the log no longer holds the record that came last, as when an older copy was put back.
        """
        from turnwright.campaign.follow import follow, seen_of

        _require_range(-1 if after is None else after, last)
        _require_viewer(viewer)
        with self._reader() as reader:
            head = reader.history.seq
        start = head if after is None else after
        if last is not None:
            start = max(start, head - last)
        found = follow(lambda number: self.records(after=number), start, wait or pause)
        return (seen_of(record, viewer, self.project) for record in found)

    def project(self, reply: Reply | Record, viewer: Viewer, *, own: bool | None = None) -> Reply:
        """Return what one viewer may see of a reply, or of a record of a turn, as the campaign stands now.

        Everything for the game master. For a player and the party: how the turn ended, the events and the request that
        are for them; for the player whose turn it was also how its parts ended. Any tool, key or event that is on
        no list is hidden. For a character that a model plays: how the turn ended.

        Args:
            reply: from `process`, or a record of a turn from `records`.
            viewer: who looks at it.
            own: whether the turn came through this viewer's door; default: what its record says. A dry run and a
                refused turn have no record, so for those it has to be said.

        Returns:
            `turn_id`, `seq`, `timestamp`, `status`; of a refused turn also `reason`, `detail` and `hint`; of any other
            `applied_actions` (without `args`), `tool_feedback`, `events` and `request`.

        Raises:
            BadRequest: when it is neither a reply nor the record of a turn, or for no viewer.

        Source: docs/stages/6-publish.md, "Projections".
        """
        from turnwright.campaign import timeline
        from turnwright.protocol.stage6_publish import publish

        _require_reply(reply)
        _require_viewer(viewer)
        with self._reader() as reader, _guarded():
            if own is None:
                own = "authority" not in reply and _is_own(reader, reply, viewer)
            world = World(_GuardedSource(timeline.readable(reader)))
            return publish.project(reply, viewer, own=own, world=world)

    def waiting_for_dice(self) -> DiceRequest | None:
        """Return what the table has to throw for the turn that waits; None when none does."""
        with self._reader() as reader, _guarded():
            waiting = reader.history.waiting_turn
            return copied(waiting.request) if waiting and waiting.request else None

    def legal(self, authority: str = GM) -> dict[str, Any]:
        """Return the JSON Schema of the tool calls that are legal now."""
        from turnwright.protocol.stage0_prepare.prepare import legal_schema

        require_authority(authority)
        with self.reading() as world:
            legal: dict[str, Any] = copied(legal_schema(world, self._in_force(world, authority)))
        return legal

    @contextmanager
    def _reader(self) -> Iterator[Store]:
        """Give the campaign, loaded as of its last complete record; refuse what is none, or none any more."""
        reader = self._spare.take()
        try:
            with _guarded():
                reader.load_for_reading()
                if reader.history.seq < 0 and self._files.look(CAMPAIGN_PATH) is None:
                    raise CampaignInvalid([Problem(CAMPAIGN_PATH, "$", "missing", "there is no campaign.json")])
            yield reader
        finally:
            self._spare.give_back(reader)

    def _in_force(self, world: World, authority: str) -> TurnPolicy:
        campaign = world.campaign
        acting_id = player_of(authority) or campaign.selected.active_actor_id
        return between_turns(campaign, settings_of(campaign.settings), acting_id, authority)

    def query(self, tool: str, args: Mapping[str, Any], *, authority: str = GM) -> QueryAnswer:
        """Call a read-only tool outside a turn: the same checks, no record.

        Returns:
            An object with `ok`, and with `result` if that is true, else with status, reason, detail and hint.

        Raises:
            BadRequest: when the tool is not read-only.
        """
        require_authority(authority)
        if type(tool) is not str or json_fault(tool):
            raise BadRequest("the name of a tool is a text")
        if not isinstance(args, Mapping):
            raise BadRequest("the arguments of a tool are an object")
        with self.reading() as world:
            return query(tool, args, world, TurnContext(self._in_force(world, authority), Dice(b"", "query")))

    def state_at(self, mark: str) -> dict[str, Any]:
        """Return every document as it was after a record, given by turn id or number."""
        from turnwright.campaign import timeline

        with self._reader() as reader, _guarded():
            return timeline.values_at(reader, timeline.require_record(reader, mark)["seq"])


def _require_range(after: Any, last: Any) -> None:
    if type(after) is not int:
        raise BadRequest("after is the number of a record")
    if last is not None and (type(last) is not int or last < 0):
        raise BadRequest("last is a number of records, 0 or more")


def _require_viewer(viewer: Any) -> None:
    if not isinstance(viewer, Viewer):
        raise BadRequest("a viewer is a turnwright.Viewer")


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
