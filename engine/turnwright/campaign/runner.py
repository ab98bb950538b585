"""Turns, taken one by one or from the drop folder: each answered when what it applied is durable.

Source: docs/stages/1-intake.md, "Taking a file"; docs/stages/6-publish.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from turnwright.campaign.internal_errors import InternalErrors
from turnwright.campaign.writer import Writer
from turnwright.model.authority import GM
from turnwright.model.call_shapes import PROTOCOLS
from turnwright.model.errors import BadRequest, CampaignError
from turnwright.model.state.overlay import World
from turnwright.model.strict_json import json_fault
from turnwright.model.viewer import Viewer
from turnwright.model.wire.reason import Reason
from turnwright.protocol import pipeline
from turnwright.protocol import stage1_intake as intake
from turnwright.protocol import stage5_commit as commit
from turnwright.protocol.attempt import HandedIn, PreparedCommit, TurnInputs
from turnwright.protocol.stage2_settings import require_authority
from turnwright.protocol.stage6_publish import publish
from turnwright.store import inbox as drop
from turnwright.store.files import storage_errors
from turnwright.store.store import Store

if TYPE_CHECKING:
    from turnwright.campaign.packs import OpenPacks
    from turnwright.model.wire.shapes import Record, Reply

OnRecord = Callable[["Record"], None]
RecordOf = Callable[[int], "Record | None"]
_MAX_BATCH = 64
"""Number of dropped turn files that share a sync."""


class Stop(Protocol):
    """A stop signal, such as an `Event`."""

    def is_set(self) -> bool:
        """Return whether it is time."""
        ...


class TurnRunner:
    """Processes turns of one campaign.

    Args:
        store: the campaign's log and files.
        writer: holds its lock while a turn is taken.
        open_packs: gives the content packs that the campaign can use.

    Attributes:
        on_record: called with each new record of a turn, which holds more than the reply; it must not change it.
        verifier_error: why the narration of the last turn could not be checked; None if it was checked or needed no
            check.
        unclaimed: the entries that could not be taken when the drop folder was last processed to its end, by name.
    """

    def __init__(self, store: Store, writer: Writer, open_packs: OpenPacks | None = None) -> None:
        self._store = store
        self._writer = writer
        self._open_packs = open_packs
        self._stuck: dict[str, drop.Lying] = {}
        """Claimed files that were dealt with and cannot be moved from where they lie, by path."""
        self._last: Record | None = None
        self.on_record: OnRecord | None = None
        self.verifier_error: str | None = None
        self.unclaimed: Mapping[str, drop.Lying] = {}

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
        door_tool: str = "",
    ) -> Reply:
        """Take one turn and return the reply; see `Campaign.process`.

        Args:
            turn, authority, dice, dry_run, source, reply_as, by_model: as for `Campaign.process`.
            door_tool: a tool of doors that the turn may call. Such a turn is recorded only where all of it was done.
        """
        if authority != GM:
            require_authority(authority)
        _require_form(reply_as)
        if dice != ():
            _require_faces(dice)
        if source is not None and (type(source) is not str or json_fault(source)):
            raise BadRequest("a source is the name of a file, as a text that a record can hold")
        with self._writer.writing(dry_run=dry_run):
            reply = self._take(turn, authority, dice, dry_run, source, by_model=by_model, door_tool=door_tool)
            if not dry_run:
                self._store.sync()
                self._writer.follow()
            return self._with_messages(reply, turn, authority, reply_as)

    def _with_messages(self, reply: Reply, turn: Any, authority: str, form: str | None) -> Reply:
        """Return the reply with the result of each call in the form that was asked for, if one was."""
        if form is None:
            return reply
        from turnwright.protocol.stage6_publish.tool_messages import tool_messages  # only who asks for them needs it

        seen = publish.project(reply, Viewer.of(authority), own=True, world=World(self._store))
        return {**reply, "tool_messages": tool_messages(turn, reply, form, seen)}

    def process_drop(
        self,
        *,
        dry_run: bool = False,
        patient: bool = False,
        stop: Stop | None = None,
        reply_as: str | None = None,
    ) -> Iterator[tuple[str, Reply]]:
        """Take the turn files that wait in the drop folder; see `Campaign.process_drop`."""
        _require_form(reply_as)
        self._writer.require_open()
        self.unclaimed = {}
        files, faults, wait = self._store.files, InternalErrors(), 0.0 if patient else self._writer.wait
        immovable: dict[str, drop.Lying] = {}
        if not dry_run and not self._writer.has_seen_edits:
            with self._writer.writing(wait):
                self._writer.with_edits_adopted(lambda: None)
                self._writer.follow()
        with storage_errors("cannot read the drop folder"):
            names, strange = drop.waiting(files)
            unfinished = [] if dry_run else [claim for claim in drop.claimed(files) if not self._is_stuck(claim)]
        ready = self._ready(names) if patient else names
        taken = partial(self._take_claims, faults=faults, wait=wait, reply_as=reply_as)
        if dry_run:
            yield from ((name, self._preview_file(name, faults, reply_as)) for name in ready)
        else:
            if unfinished:
                yield from taken(lambda: iter(drop.still_claimed(files, unfinished)))
            for together, is_last in _groups(ready):
                if stop and stop.is_set():
                    break
                yield from taken(partial(self._claim_each, together, immovable), is_last=is_last)
        self.unclaimed = strange | immovable
        for name, lying in self.unclaimed.items():
            refused = intake.TurnRefused(Reason.INVALID_TURN, f"{lying.fault}; it was left where it is")
            yield name, self._with_messages(publish.refused(refused, self._writer.now()), None, GM, reply_as)
        faults.raise_all()

    def _ready(self, names: Iterable[str]) -> Iterator[str]:
        """Yield the names of files that are complete, checking each when it is due."""
        for name in names:
            with storage_errors("cannot read the drop folder"):
                is_ready = not drop.may_be_unfinished(self._store.files, name)
            if is_ready:
                yield name

    def _claim_each(self, names: Sequence[str], immovable: dict[str, drop.Lying]) -> Iterator[drop.Claim]:
        """Yield the claims of dropped files, each made when the record it is made for is the next one.

        A file that cannot be moved is put among the immovable ones, and stops no other.
        """
        for name in names:
            try:
                taken = drop.claim(self._store.files, name, self._store.history.seq + 1)
            except drop.CannotBeMoved as refusal:
                immovable[name] = refusal.lying
                continue
            if taken:
                yield taken

    def _take_claims(
        self,
        claims_of: Callable[[], Iterator[drop.Claim]],
        *,
        faults: InternalErrors,
        wait: float,
        reply_as: str | None,
        is_last: bool = False,
    ) -> Iterator[tuple[str, Reply]]:
        """Process a group of turn files: one sync makes all their records durable, then all are reported.

        An error at one file stops before it: earlier files are done, that one is returned to the queue. An internal
        error rejects only that turn; returning its file to the queue would fail forever. Either way, none of its
        changes remain.
        """
        files, store = self._store.files, self._store
        done: list[tuple[drop.Claim, Reply, Any]] = []
        failure: Exception | None = None
        with self._writer.writing(wait):
            for claim in claims_of():
                end = store.history.size
                turn: Any = None
                try:
                    turn = self._turn_of(claim)
                    done.append((claim, self._reply_to(claim, turn), turn))
                except Exception as error:
                    if not store.is_loaded:
                        raise  # with lines of earlier turns, which must not be reported now
                    store.take_back(end)
                    if (
                        isinstance(error, CampaignError) or not self._writer.has_seen_edits
                    ):  # hand edits are not the turn's fault
                        failure = error
                        drop.give_back(files, claim)
                        break
                    done.append((claim, faults.reply_to(claim.name, error, self._writer.now()), turn))
            if done:
                drop.make_claims_durable(files)
            store.sync()
            for claim, reply, _ in done:
                try:
                    drop.put_away(files, claim, store.history.seq + 1, reply)
                except drop.CannotBeMoved as refusal:
                    self._stuck[claim.path] = refusal.lying  # the log knows what it did, if it did anything
            self._writer.follow(at_once=is_last)
        yield from ((claim.name, self._with_messages(reply, turn, GM, reply_as)) for claim, reply, turn in done)
        if failure:
            raise failure

    def _is_stuck(self, claim: drop.Claim) -> bool:
        """Return whether a claimed file was dealt with by us, and could only not be put away."""
        return drop.is_lying(self._store.files, claim.path, self._stuck.get(claim.path))

    def _turn_of(self, claim: drop.Claim) -> Record | bytes:
        """Return what a claimed file holds, or its record where it is there already."""
        with storage_errors(f"{claim.name} could not be taken"):
            known = self._store.record_of_source(claim.source)
            return known or drop.read_turn(self._store.files, claim.path)

    def _reply_to(self, claim: drop.Claim, turn: Record | bytes) -> Reply:
        """Process the turn of a claimed file; one that was taken before is known by its record."""
        with storage_errors(f"{claim.name} could not be taken"):
            if isinstance(turn, bytes):
                return self._take(turn, GM, (), False, claim.source)
            return publish.reply_of(turn)

    def _preview_file(self, name: str, faults: InternalErrors, reply_as: str | None) -> Reply:
        with self._writer.writing(dry_run=True):
            data = drop.read_turn(self._store.files, f"{drop.DROP_FOLDER}/{name}")
            reply = faults.reply_of(lambda: self._take(data, GM, (), True, None), name, self._writer.now)
        return self._with_messages({**reply, "dry_run": True}, data, GM, reply_as)

    @contextmanager
    def as_left(self) -> Iterator[tuple[World, RecordOf]]:
        """Give the campaign as the last turn left it, and a function that returns records; see `Campaign.as_left`."""
        with self._writer.undisturbed():
            yield World(self._store), self._record

    def _record(self, seq: int) -> Record | None:
        """Return a record by its number; that of the last turn is cached."""
        last = self._last
        return last if last is not None and last["seq"] == seq else self._store.record(seq)

    def _take(
        self,
        turn: Any,
        authority: str,
        dice: Sequence[int],
        dry_run: bool,
        source: str | None,
        *,
        by_model: bool = False,
        door_tool: str = "",
    ) -> Reply:
        handed_in = HandedIn(turn, authority, dice, source, by_model=by_model, door_tool=door_tool)
        now = self._writer.now()
        try:
            reply = self._writer.with_edits_adopted(
                lambda: self._attempt(handed_in, now, dry_run=dry_run), dry_run=dry_run
            )
        except intake.TurnRefused as refused:
            reply = publish.refused(refused, now)
        return {**reply, "dry_run": True} if dry_run else reply

    def _attempt(self, handed_in: HandedIn, now: str, *, dry_run: bool) -> Reply:
        self.verifier_error = self._last = None
        world, has_edits = self._writer.with_edits() if dry_run else (World(self._store), False)
        inputs = self._inputs(world, now, "dry/" if dry_run else "")
        if has_edits:
            inputs = pipeline.after(inputs, commit.head_of(inputs.history, "edit"))
        processed = pipeline.process(inputs, handed_in)
        self.verifier_error = processed.verifier_error
        if not dry_run and (not handed_in.door_tool or processed.reply["status"] == "applied"):
            self._append_all(processed.commits)
        return processed.reply

    def _append_all(self, commits: Sequence[PreparedCommit]) -> None:
        for prepared in commits:
            self._store.append(prepared.record, prepared.documents, durable=False)
        if commits:
            self._last = commits[-1].record
            if self.on_record:
                self.on_record(self._last)

    def _inputs(self, world: World, now: str, label: str) -> TurnInputs:
        store = self._store
        return TurnInputs(
            world,
            store.history,
            store.record_of_turn,
            store.secrets.get,
            now,
            label,
            store.record,
            self._open_packs,
        )


def _groups(names: Iterable[str]) -> Iterator[tuple[list[str], bool]]:
    """Yield the names of files that are taken together, and whether they are the last ones."""
    rest = iter(names)
    together = list(islice(rest, _MAX_BATCH))
    while together:
        following = list(islice(rest, _MAX_BATCH))
        yield together, not following
        together = following


def _require_form(form: Any) -> None:
    if form is not None and not (type(form) is str and form in PROTOCOLS):
        raise BadRequest(f"reply_as is one of {', '.join(PROTOCOLS)}")


def _require_faces(dice: Any) -> None:
    if isinstance(dice, (str, bytes)) or not isinstance(dice, Sequence) or json_fault(list(dice)):
        raise BadRequest("given dice are a list of faces")
