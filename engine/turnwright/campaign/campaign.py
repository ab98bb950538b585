"""A campaign directory, opened: the public API.

from turnwright import Campaign

with Campaign.open("my-campaign") as campaign:
    reply = campaign.process({"tool_calls": [...]})
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from turnwright.campaign.commands import Commands
from turnwright.campaign.packs import CampaignPacks
from turnwright.campaign.reader import Reader
from turnwright.campaign.runner import TurnRunner
from turnwright.campaign.writer import Clock, Writer
from turnwright.model.authority import GM
from turnwright.model.errors import CampaignError
from turnwright.model.json_types import JsonObject
from turnwright.rulesets.in_use import documents_at
from turnwright.store.document_table import opaque
from turnwright.store.files import Files, require_path, storage_errors
from turnwright.store.folders import require_campaign
from turnwright.store.lock import DEFAULT_WAIT
from turnwright.store.reader_pool import ReaderPool
from turnwright.store.store import Store
from turnwright.store.system import system_clock

if TYPE_CHECKING:
    from turnwright.campaign.content import AddedPack
    from turnwright.campaign.follow import Wait
    from turnwright.campaign.reader import LastTurn
    from turnwright.campaign.recall import RecallReply
    from turnwright.campaign.runner import OnRecord, RecordOf, Stop
    from turnwright.campaign.timeline import Last
    from turnwright.content.registry import PackRegistry
    from turnwright.model.dice.draws import DiceRequest
    from turnwright.model.json_schema import JsonSchema
    from turnwright.model.json_types import JsonObject
    from turnwright.model.open_request import OpenRequest
    from turnwright.model.state.overlay import World
    from turnwright.model.viewer import Viewer
    from turnwright.model.wire.prompt import Prompt, ToolDefinition
    from turnwright.model.wire.shapes import (
        AddedContentAnswer,
        QueryAnswer,
        Record,
        Reply,
        ResumeAnswer,
        SettingsAnswer,
        UndoAnswer,
    )
    from turnwright.rulesets.imports import ImportAnswer, Page
    from turnwright.store.inbox import Lying
    from turnwright.toolset.find import FoundTools

DEFAULT_LAG = 0.5
"""Seconds that documents and results may be behind the log while turns come fast."""


class Campaign:
    """One campaign directory. Use `Campaign.open` or `Campaign.new`, and close it, best by `with`.

    The campaign may be used by several threads, and by forks of this process. Once it is closed, all but `close` raises
    `CampaignClosed`.
    """

    def __init__(
        self, path: str | Path, clock: Clock | None = None, *, wait: float = DEFAULT_WAIT, lag: float | None = None
    ) -> None:
        require_path(path)
        with storage_errors(f"cannot open {path}"):
            require_campaign(Files(Path(path)))
            files = Files(Path(path).absolute())  # it is the same one wherever the process goes
        kinds = documents_at(files)
        pool = ReaderPool(files, kinds)
        self._store = Store(files, opaque(kinds) if kinds.is_older else kinds)  # only what a writer reads is migrated
        self._writer = Writer(self._store, pool, clock or system_clock, wait, DEFAULT_LAG if lag is None else lag)
        self._packs = CampaignPacks(files)
        self._reader = Reader(files, kinds, pool, self._writer.prepare_reading, self._packs.open)
        self._runner = TurnRunner(self._store, self._writer, self._packs.open)
        self._commands = Commands(self._store, self._writer, self._reader)

    # open and close

    @classmethod
    def open(
        cls, path: str | Path, clock: Clock | None = None, *, wait: float = DEFAULT_WAIT, lag: float | None = None
    ) -> Self:
        """Open a campaign directory.

        Args:
            path: the directory.
            clock: gives an aware datetime; default: the system's.
            wait: seconds to wait for another writer before `CampaignBusy`.
            lag: seconds that documents and results may be behind the log while turns come fast; default `DEFAULT_LAG`,
                0 for none.

        Raises:
            CampaignInvalid: when there is no campaign.
            BadRequest: when `wait` or `lag` is not a number of seconds from 0 to 3600.
        """
        return cls(path, clock, wait=wait, lag=lag)

    @classmethod
    def new(
        cls,
        path: str | Path,
        template: str | None = None,
        from_file: str | Path | None = None,
        seed: str | None = None,
        clock: Clock | None = None,
        *,
        with_turns: bool = True,
    ) -> Self:
        """Create a new campaign directory and open it.

        Args:
            path: the directory; created if missing, else it must be empty.
            template: `stage3` (the default), `toolkit`, `scenes`, or the name of a sample campaign.
            from_file: a campaign in one file, to be imported instead of a template.
            seed: makes the dice repeatable; default: an unpredictable secret, also for a sample campaign.
            clock: as for `open`.
            with_turns: whether to put the turn files of a sample campaign into the drop folder.

        Raises:
            BadRequest: when the directory is not empty or the template is unknown.
            CampaignInvalid: when the import is not a valid campaign.
        """
        from turnwright.campaign.bootstrap import begin_directory

        require_path(path)
        with storage_errors(f"cannot make {path}"):
            begin_directory(Path(path), template, from_file, seed, (clock or system_clock)(), with_turns=with_turns)
        return cls.open(path, clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the campaign; a pending exception takes precedence over an error about files that are behind."""
        with suppress(CampaignError) if kind else nullcontext():
            self.close()

    def flush(self, *, wait: float | None = None) -> None:
        """Bring documents and results up to the log. Readers in this package see the current state without it.

        Args:
            wait: seconds to wait for another writer; default: those given when the campaign was opened.

        Raises:
            CampaignBusy, StorageFailed: when some are behind; no turn is lost, and the next writer writes them.
            CampaignInvalid: the same, until an invalid hand edit is fixed.
        """
        self._writer.flush(wait=wait)

    def close(self, *, wait: float | None = None) -> None:
        """Bring documents and results up to the log, and close the directory's files.

        Args:
            wait: as for `flush`.

        Raises:
            CampaignBusy, StorageFailed, CampaignInvalid: as for `flush`; the files are closed all the same, unless a
                signal handler asks for it in the middle of a turn.
        """
        self._writer.close(wait=wait)

    # turns

    def process(
        self,
        turn: Any,
        *,
        authority: str = GM,
        dice: Sequence[int] = (),
        dry_run: bool = False,
        source: str | None = None,
        reply_as: str | None = None,
        by_model: bool = False,
        profile: str = "full",
    ) -> Reply:
        """Process one turn and return the reply; by then its changes are in the log and durable.

        Documents and results follow immediately, or within the campaign's `lag` while turns come fast.

        Args:
            turn: any JSON value, or the bytes of a turn file.
            authority: `gm` or `player:<character id>`: comes from the caller, never from the turn.
            dice: faces to use before the generator, in the order of drawing.
            dry_run: report what would happen, and change nothing.
            source: the name under which the turn's file was claimed.
            reply_as: `openai`, `anthropic` or `mcp`: the reply has `tool_messages`, too, which report the
                result of each call in the form of that API. A player's hold what the player may know.
            by_model: whether a model made the turn: it must not supply dice. A turn with `agent` declares it itself.
            profile: the profile of the tool list that the calls were made from; names may then replace ids, and
                arguments with only one possible value may be omitted.

        Raises:
            CampaignBusy, CampaignInvalid, StorageFailed: nothing was applied.
        """
        return self._runner.process(
            self._reader.completed(turn, authority, profile) if profile != "full" else turn,
            authority=authority,
            dice=dice,
            dry_run=dry_run,
            source=source,
            reply_as=reply_as,
            by_model=by_model,
        )

    def add(self, kind: str, text: str) -> Reply:
        """Add what a few words describe, by one turn of the game master's, and return the reply to it.

        Args:
            kind: `hero`, `npc`, `place` or `monster`.
            text: the words, such as `Greta, halfling rogue 2`.

        Raises:
            BadRequest: when nothing can be made of the words, or the game has no tool for it; nothing was applied.
            CampaignBusy, CampaignInvalid, StorageFailed: nothing was applied.
        """
        from turnwright.campaign.adding import turn_that_adds

        with self._reader.reading() as world:
            turn = turn_that_adds(world, self._packs.open, kind, text)
        return self._runner.process(turn)

    def process_drop(
        self,
        *,
        dry_run: bool = False,
        patient: bool = False,
        stop: Stop | None = None,
        reply_as: str | None = None,
    ) -> Iterator[tuple[str, Reply]]:
        """Process the pending turn files in the drop folder, in byte order of their names.

        Args:
            dry_run: report what would happen to each now, and change nothing.
            patient: leave files that are not ready: a file that does not parse, until it has been unchanged for a
                while, since it may still be written; and all pending files while another process writes.
            stop: once this is set, no more files are taken; those already taken are reported.
            reply_as: as for `process`; replies beside a refused file and in `results/` do not include it.

        Yields:
            the name of each file and the reply to it. A file that is not regular, or cannot be read or moved, is
                refused where it lies.

        Raises:
            CampaignBusy, CampaignInvalid, StorageFailed: the files not reported are still pending.
            ExceptionGroup: after all other files: some files triggered internal errors, and were refused.
        """
        return self._runner.process_drop(dry_run=dry_run, patient=patient, stop=stop, reply_as=reply_as)

    @property
    def unclaimed(self) -> Mapping[str, Lying]:
        """The entries that could not be taken when the drop folder was last processed to its end, by name."""
        return self._runner.unclaimed

    @property
    def on_record(self) -> OnRecord | None:
        """A function that is given each record of a turn as it is made, and may not change it; None for none.

        A record holds more than the reply.
        """
        return self._runner.on_record

    @on_record.setter
    def on_record(self, listener: OnRecord | None) -> None:
        self._runner.on_record = listener

    @property
    def verifier_error(self) -> str | None:
        """Why the narration of the last turn processed could not be checked; None when it could, or had not to be."""
        return self._runner.verifier_error

    def waiting_for_dice(self) -> DiceRequest | None:
        """Return what the table has to throw for the turn that waits; None when none does."""
        return self._reader.waiting_for_dice()

    def open_request(self, *, viewer: Viewer) -> OpenRequest | None:
        """Return the viewer's open request, to be answered by a turn with an `answer`; None if there is none.

        Table dice are requested from the game master. A request of a conversation goes to the player it names, or to
        the whole table; the game master and the party see all of them.

        Args:
            viewer: the answering viewer; a player sees only requests to that player.
        """
        return self._reader.open_request(viewer)

    def now(self) -> str:
        """Return the time by the campaign's clock, as records hold it."""
        return self._writer.now()

    # characters that come and go

    def import_characters(
        self,
        data: bytes,
        name: str,
        *,
        replace: bool = False,
        join: bool = False,
        as_id: str | None = None,
        dry_run: bool = False,
    ) -> ImportAnswer:
        """Bring the characters of a file into the campaign, all of them in one turn or none.

        Args:
            data: the file: a sheet of turnwright's own, a Foundry VTT actor, a D&D Beyond character, CSV or YAML.
            name: its name, which reports and the record hold.
            replace: whether characters with the same ids may be replaced; they stay where they are in the campaign.
            join: whether they join the party.
            as_id: the id that the one character of the file gets; default: its own, or one made of its name.
            dry_run: report what would happen, and change nothing.

        Raises:
            BadRequest: when the file cannot be read, or a character cannot be put; nothing was changed.
            CampaignBusy, CampaignInvalid, StorageFailed: nothing was changed.

        Source: docs/characters.md.
        """
        from turnwright.campaign.characters import bring_in

        return bring_in(
            self._reader,
            self._runner,
            self._packs.open,
            data,
            name,
            replace=replace,
            join=join,
            as_id=as_id,
            dry_run=dry_run,
        )

    def export_character(self, character_id: str, form: str = "sheet") -> bytes:
        """Return a character as a file: `sheet`, `foundry` or `csv`.

        Raises:
            BadRequest: when there is no such character or form.
        """
        from turnwright.campaign.characters import written

        return written(self._reader, self._packs.open, character_id, form)

    def character_page(self, character_id: str) -> Page:
        """Return the content of a character's printable page, as text.

        Raises:
            BadRequest: when there is no such character.
        """
        from turnwright.campaign.characters import page_of

        return page_of(self._reader, self._packs.open, character_id)

    # what is legal, and what tools tell

    def legal(self, authority: str = GM, *, viewer: Viewer | None = None, full: bool = False) -> JsonSchema:
        """Return the JSON Schema of the tool calls that are legal now.

        It is short, and in words that grammars of constrained decoding follow: optional arguments are left out that few
        calls need, never a tool, an operation or an id.

        Args:
            authority: whose calls: `gm` or `player:<character id>`.
            viewer: the same as a viewer; it wins over `authority`.
            full: with all arguments, and with all that a schema can say of them.

        Raises:
            BadRequest: when the viewer is neither the game master nor a player.
        """
        return self._reader.legal(authority, viewer, full=full)

    def tools(
        self, form: str = "openai", *, viewer: Viewer, profile: str = "full", can_find: bool = False
    ) -> list[ToolDefinition]:
        """Return the tools that a viewer may call now, in the format of a model API.

        Args:
            form: `openai`, `anthropic`, `mcp` or `jsonschema`.
            viewer: the game master or a player.
            profile: `full`, or `core` or `tiny` for a short list with short schemas; submit calls made from one of
                these to `process` with the same profile.
            can_find: whether the list ends with `find_tool`, which `find_tools` answers, and `call_tool`, whose calls
                `process` takes.

        Raises:
            BadRequest: when an argument is none of this.

        Source: docs/stages/0-prepare.md, "Profiles".
        """
        return self._reader.tools(form, viewer, profile, can_find=can_find)

    def find_tools(self, query: str, form: str = "openai", *, viewer: Viewer) -> FoundTools:
        """Return the tools that match some words best, with all their arguments, among those a viewer may ever call.

        Args:
            query: the name of a tool, or words for what it should do.
            form: `openai`, `anthropic`, `mcp` or `jsonschema`.
            viewer: the game master or a player.

        Raises:
            BadRequest: when an argument is none of this.
        """
        return self._reader.find_tools(query, form, viewer)

    def prompt(self, message: str | None = None, *, viewer: Viewer) -> Prompt:
        """Return the input of a model that answers now: for the game master, or for a player's seat.

        Args:
            message: a player's message to the game master; for a player's seat, the question to the model.
            viewer: the game master or a player; a player's holds only what that seat may know.

        Raises:
            BadRequest: when the viewer is neither, or the player's character is not in the party.

        Source: docs/stages/0-prepare.md, "The context pack"; docs/python.md, "A player's seat".
        """
        from turnwright.game_master.prompts.current_request import prompt_for

        return prompt_for(self, message, viewer)

    def query(self, tool: str, args: JsonObject, *, authority: str = GM) -> QueryAnswer:
        """Call a read-only tool outside a turn: the same checks, no record.

        Returns:
            An object with `ok`, and with `result` if that is true, else with status, reason, detail and hint.

        Raises:
            BadRequest: when the tool is not read-only.
        """
        return self._reader.query(tool, args, authority)

    # reading

    @property
    def state(self) -> dict[str, Any]:
        """Every document as of the last record, as plain JSON by path, plus nothing else."""
        return self._reader.state()

    def state_at(self, mark: str) -> dict[str, Any]:
        """Return every document as it was after a record, given by turn id or number."""
        return self._reader.state_at(mark)

    def reading(self, *, at: str | None = None) -> AbstractContextManager[World]:
        """Return the campaign as of its last complete record, without waiting or changing anything.

        Args:
            at: a turn id or the number of a record: return the campaign as it was after that.
        """
        return self._reader.reading(at=at)

    def moment(self, *, at: str | None = None) -> AbstractContextManager[tuple[World, LastTurn]]:
        """Give what `reading` gives, and a function that returns the record of the last turn that stood then, if any.

        Unlike `reading`, it also works while a ruleset of the campaign is not installed.

        Args:
            at: as for `reading`.
        """
        return self._reader.moment(at=at)

    def as_left(self) -> AbstractContextManager[tuple[World, RecordOf]]:
        """Return the campaign after this object's last turn, and a function that returns a record by its number.

        It does not wait, and does not load later records of other processes: `reading` does that.
        """
        return self._runner.as_left()

    def records(self, *, after: int = -1, last: int | None = None) -> Iterator[Record]:
        """Yield the log's records in order, each checked against the chain.

        Args:
            after: the number of the last record to skip; default: skip none.
            last: yield at most this many, the last ones; default: all.

        Raises:
            BadRequest: when `after` or `last` is not a valid integer.
        """
        return self._reader.records(after=after, last=last)

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
        """Search the texts and actions that one viewer may know; undone turns are omitted.

        One turn has to match all criteria. Words match case-insensitively and as prefixes, and only in the part of the
        turn that the viewer may know.

        Args:
            query: words that all have to occur; default: any.
            viewer: the reader.
            person: the name or id of a character that is named or speaks.
            place: the name or id of an area that is named, or where the turn ended.
            thing: the name of a thing that is named.
            limit: how many turns to return, at most 100.
            before: search only records with a lower number; a reply with `more` says where to continue.

        Returns:
            The turns, newest first. One search reads up to 1,000 records.

        Raises:
            BadRequest: when an argument is none of this.

        Source: docs/stages/6-publish.md, "Recall".
        """
        from turnwright.campaign.recall import Search

        return self._reader.recall(Search(query, person, place, thing, limit, before), viewer)

    def follow(
        self, *, viewer: Viewer, after: int | None = None, last: int | None = None, wait: Wait | None = None
    ) -> Iterator[Record]:
        """Yield one viewer's view of records as they are committed, by this object or another process.

        The game master gets them unchanged. Others get the projection of a turn, the numbers of the records that an
        undo reverted, and only the existence of any other record; each with `seq`, `kind` and `timestamp`.

        Args:
            viewer: the reader.
            after: the number of the last record to skip; -1 skips none, and None, the default, all existing ones.
            last: yield at most this many of the existing records, the last ones; default: all.
            wait: called after each poll of the log; it waits and returns whether to poll again. The default sleeps for
                a quarter of a second and continues forever.

        Raises:
            BadRequest: when `after` or `last` is not a valid integer.
            CampaignInvalid: when the log no longer holds the last record yielded, as after restoring an older copy.
        """
        return self._reader.follow(viewer, after, last, wait)

    def project(self, reply: Reply | Record, viewer: Viewer, *, own: bool | None = None) -> Reply:
        """Return one viewer's view of a reply, or of a record of a turn, in the current state of the campaign.

        The game master sees everything. A player and the party see the status of the turn, and their events and
        request; the turn's own player also sees the results of its parts. Any tool, key or event that is on no list is
        hidden. A character that a model plays sees the status of the turn.

        Args:
            reply: from `process`, or a record of a turn from `records`.
            viewer: the reader.
            own: whether this viewer submitted the turn; default: as its record says. A dry run and a refused turn have
                no record, so they need this argument.

        Returns:
            `turn_id`, `seq`, `timestamp`, `status`; of a refused turn also `reason`, `detail` and `hint`; of any other
            `applied_actions` (without `args`), `tool_feedback`, `events` and `request`.

        Raises:
            BadRequest: when it is neither a reply nor the record of a turn, or the viewer is unknown.

        Source: docs/stages/6-publish.md, "Projections".
        """
        return self._reader.project(reply, viewer, own=own)

    # changes to the campaign other than turns

    def set(self, changes: JsonObject) -> SettingsAnswer:
        """Change settings, `selected.active_actor_id` or `goal.*`: all or nothing, in one record.

        Returns:
            An object with `settings` (in force), `changed` (the keys whose value differs) and `settings_revision`.

        Raises:
            BadRequest: naming every key that cannot be set so.
        """
        return self._commands.set(changes)

    def add_content(self, pack: AddedPack) -> AddedContentAnswer:
        """Copy a checked pack into the campaign and use it: all of it, or nothing.

        Args:
            pack: from `turnwright.campaign.content.require_addable`.

        Returns:
            An object with `id`, `sha256`, `entries`, `copied` (whether its files were written) and `record`, the number
            of the record that added it to `campaign.json`; None where the campaign used it already.
        """
        return self._commands.add_content(pack)

    def open_packs(self) -> PackRegistry:
        """Return the content packs that this campaign can use; each is opened when it is first asked for."""
        return self._packs.open()

    def undo(self, mark: str | None = None, *, last: Last = "turn", dry_run: bool = False) -> UndoAnswer:
        """Restore all documents to their state before a turn; later turns and hand edits are undone with it.

        Args:
            mark: a turn id, or the number of any record but the first; default: as `last` says.
            last: without a mark, what to undo: the last `turn` not undone; the last `exchange`, all since the last turn
                with `user_input`; or the last `undo`, which restores what it reverted.
            dry_run: only report what would be undone.

        Returns:
            An object with `from`, the first record undone; `undone`, all of them, newest first, as
            `{seq, kind, turn_id}`; and `record`, the number of the undo's own record, None in a dry run.
        """
        return self._commands.undo(mark, last=last, dry_run=dry_run)

    def resume(self) -> ResumeAnswer:
        """Resume a session that a player ended: the crew chooses again what to do between scenes.

        Returns:
            An object with `record`, the number of its record, and `request`, the open request.

        Raises:
            BadRequest: when there is no such session.
        """
        return self._commands.resume()

    def fork(self, path: str | Path, mark: str, *, seed: str | None = None) -> Path:
        """Make a new campaign directory from this one as it was after a record; both go their own way from there."""
        return self._commands.fork(path, mark, seed)
