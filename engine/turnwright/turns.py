"""Turns, taken one by one or from the drop folder: each answered when what it applied is durable.

Source: docs/stages/1-intake.md, "Taking a file"; docs/stages/6-publish.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from threading import Event
from typing import Any

from turnwright import pipeline
from turnwright.model.authority import GM
from turnwright.model.errors import BadRequest, CampaignError
from turnwright.model.reason import Reason
from turnwright.model.settings import settings_of
from turnwright.model.strict_json import json_fault
from turnwright.stages import commit, intake, publish
from turnwright.stages.own_faults import OwnFaults
from turnwright.stages.settings import require_authority
from turnwright.store import drop
from turnwright.store.files import storage_errors
from turnwright.store.store import Store
from turnwright.world.overlay import World
from turnwright.writer import Clock, Writer

Reply = dict[str, Any]
_MOST_TOGETHER = 64
"""How many dropped turn files share a sync."""


class TurnTaker(Writer):
    """A writer that takes turns."""

    verifier_error: str | None = None
    """Why the narration of the last turn processed could not be checked; None when it could, or had not to be."""

    def __init__(self, store: Store, clock: Clock, wait: float, lag: float) -> None:
        super().__init__(store, clock, wait, lag)
        self._recent: dict[int, Mapping[str, Any]] = {}

    def process(
        self,
        turn: Any,
        *,
        authority: str = GM,
        dice: Sequence[int] = (),
        dry_run: bool = False,
        source: str | None = None,
    ) -> Reply:
        """Take one turn and return the reply; what it applied is in the log and durable then.

        Documents and results follow at once, or while turns come fast, within the campaign's `lag`.

        Args:
            turn: any JSON value, or the bytes of a turn file.
            authority: `gm` or `player:<character id>`: comes from the door, never from the turn.
            dice: faces that are used, in the order of drawing, before the generator.
            dry_run: say what would happen, and change nothing.
            source: the name under which the turn's file was claimed.

        Raises:
            CampaignBusy, CampaignInvalid, StorageFailed: nothing was applied.
        """
        require_authority(authority)
        if dice != ():
            _require_faces(dice)
        if source is not None and (type(source) is not str or json_fault(source)):
            raise BadRequest("a source is the name of a file, as a text that a record can hold")
        with self._writing():
            reply = self._take(turn, authority, dice, dry_run, source)
            if not dry_run:
                self._store.sync()
                self._follow()
        return reply

    def process_drop(
        self, *, dry_run: bool = False, patient: bool = False, stop: Event | None = None
    ) -> Iterator[tuple[str, Reply]]:
        """Take the turn files that wait in the drop folder, in byte order of their names.

        Args:
            dry_run: say what would happen to each as things stand, and change nothing.
            patient: leave for another time what is not ready: a file that does not parse, until it has been unchanged
                for a while, since it may still be written; and all that waits while another process writes.
            stop: once this is set, nothing more is taken; what was taken is told.

        Yields:
            the name of each file and the reply to it. What is no ordinary file, or may not be read, is refused where it
                lies.

        Raises:
            CampaignBusy, CampaignInvalid, StorageFailed: the files that were not told of wait as before.
            ExceptionGroup: when all others are done: some files brought out faults of ours, and were refused.
        """
        files, faults, wait = self._store.files, OwnFaults(), 0.0 if patient else self._wait
        if not dry_run and not self._edits_seen:
            with self._writing(wait):
                self._on_firm_ground(lambda: None)
                self._follow()
        with storage_errors("cannot read the drop folder"):
            names, strange = drop.waiting(files)
            unfinished = [] if dry_run else drop.claimed(files)
        ready = self._ready(names) if patient else names
        if dry_run:
            yield from ((name, self._preview_file(name, faults)) for name in ready)
        else:
            if unfinished:
                yield from self._take_claims(lambda: iter(drop.still_claimed(files, unfinished)), faults, wait)
            for together, is_last in _groups(ready):
                if stop and stop.is_set():
                    break
                yield from self._take_claims(partial(self._claim_each, together), faults, wait, is_last=is_last)
        for name, fault in strange.items():
            refused = intake.TurnRefused(Reason.INVALID_TURN, f"{fault}; it was left where it is")
            yield name, publish.refused(refused, self.now())
        faults.raise_all()

    def _ready(self, names: Iterable[str]) -> Iterator[str]:
        """Yield the names of files that nobody may still be writing, each looked at when it is due."""
        for name in names:
            with storage_errors("cannot read the drop folder"):
                is_ready = not drop.may_be_unfinished(self._store.files, name)
            if is_ready:
                yield name

    def _claim_each(self, names: Sequence[str]) -> Iterator[drop.Claim]:
        """Yield the claims of dropped files, each made when the record it is made for is the next one."""
        for name in names:
            if taken := drop.claim(self._store.files, name, self._store.history.seq + 1):
                yield taken

    def _take_claims(
        self, claims_of: Callable[[], Iterator[drop.Claim]], faults: OwnFaults, wait: float, *, is_last: bool = False
    ) -> Iterator[tuple[str, Reply]]:
        """Process turn files that are taken together: one sync makes all their records durable, then all are told.

        What stops at one of them stops before it: those before are done, that one is given back. A fault of ours that a
        turn brings out stops nothing: given back, its file would bring it out again for ever. Either way, nothing is
        left of what was taken in of it.
        """
        files, store = self._store.files, self._store
        done: list[tuple[drop.Claim, Reply]] = []
        failure: Exception | None = None
        with self._writing(wait):
            for claim in claims_of():
                end = store.history.size
                try:
                    done.append((claim, self._reply_to(claim)))
                except Exception as error:
                    if not store.is_loaded:
                        raise  # with lines of those before, of which nobody may be told now
                    store.take_back(end)
                    if isinstance(error, CampaignError) or not self._edits_seen:  # hand edits are no fault of the turn
                        failure = error
                        drop.give_back(files, claim)
                        break
                    done.append((claim, faults.reply_to(claim.name, error, self.now())))
            if done:
                drop.make_claims_durable(files)
            store.sync()
            for claim, reply in done:
                drop.put_away(files, claim, store.history.seq + 1, reply)
            if is_last and self._is_behind:
                self._behind.at_once()
            else:
                self._follow()
        yield from ((claim.name, reply) for claim, reply in done)
        if failure:
            raise failure

    def _reply_to(self, claim: drop.Claim) -> Reply:
        """Process a claimed file, unless its record is there already."""
        with storage_errors(f"{claim.name} could not be taken"):
            known = self._store.record_of_source(claim.source)
            if known:
                return publish.reply_of(known)
            return self._take(drop.read_turn(self._store.files, claim.path), GM, (), False, claim.source)

    def _preview_file(self, name: str, faults: OwnFaults) -> Reply:
        with self._writing():
            data = drop.read_turn(self._store.files, f"{drop.DROP_FOLDER}/{name}")
            reply = faults.reply_of(lambda: self._take(data, GM, (), True, None), name, self.now)
        return {**reply, "dry_run": True}

    @contextmanager
    def as_left(self, seq: int | None) -> Iterator[tuple[World, Mapping[str, Any] | None]]:
        """Give the campaign as this object's last turn left it, and who acted in a record of its
        own, its calls and its dice: for who tells of that turn.

        Nobody is waited for, and what others did since is not looked for: `reading` does that.

        Args:
            seq: the record's number.
        """
        with self._mutex:
            record = None if seq is None else self._recent.get(seq) or self._store.record(seq)
            yield World(self._store), record

    def _take(self, turn: Any, authority: str, dice: Sequence[int], dry_run: bool, source: str | None) -> Reply:
        now = self.now()
        try:
            reply = self._on_firm_ground(
                lambda: self._attempt(turn, authority, dice, dry_run, source, now), dry_run=dry_run
            )
        except intake.TurnRefused as refused:
            reply = publish.refused(refused, now)
        return {**reply, "dry_run": True} if dry_run else reply

    def _attempt(
        self, turn: Any, authority: str, dice: Sequence[int], dry_run: bool, source: str | None, now: str
    ) -> Reply:
        self.verifier_error = None
        world, has_edits = self._with_edits() if dry_run else (World(self._store), False)
        received = intake.receive(turn, settings_of(world.campaign.settings), self._is_closed)
        desk = self._desk(world, now, "dry/" if dry_run else "")
        if has_edits:
            desk = pipeline.after(desk, commit.head_of(desk.history, "edit"))
        known = pipeline.known_reply(desk, received, authority)
        if known is not None:
            return known
        turn_id = pipeline.turn_id_of(desk, received, authority)
        force = pipeline.effect_of(desk, received, authority, turn_id)
        closing = pipeline.close_unanswered(desk, turn_id)
        if closing:
            desk = pipeline.after(desk, closing.record)
        sealed = pipeline.run(desk, received, force, turn_id, source, dice)
        self.verifier_error = sealed.verifier_error
        reply = publish.reply_of(sealed.record)
        if not dry_run:
            if closing:
                self._store.append(closing.record, closing.documents, durable=False)
            self._store.append(sealed.record, sealed.documents, durable=False)
            self._remember(sealed.record)
        return reply

    def _remember(self, record: Mapping[str, Any]) -> None:
        """Keep of the newest records what their replies do not hold, so that telling of them reads no log."""
        calls = record.get("tool_calls")
        self._recent[record["seq"]] = {
            "actor_id": record.get("actor_id"),
            "tool_calls": [_ids_of(call) for call in calls] if isinstance(calls, list) else [],
            "draws": record.get("draws", ()),  # an attempt may hold none
        }
        for seq in list(self._recent)[:-_MOST_TOGETHER]:
            del self._recent[seq]

    def _is_closed(self, turn_id: str) -> bool:
        record = self._store.record_of_turn(turn_id)
        return record is not None and record["kind"] != "attempt"

    def _desk(self, world: World, now: str, label: str) -> pipeline.Desk:
        store = self._store
        return pipeline.Desk(world, store.history, store.record_of_turn, self._dice_secret, now, label, store.record)


def _ids_of(call: Any) -> dict[str, Any]:
    return {key: call[key] for key in ("id", "call_id") if key in call} if isinstance(call, Mapping) else {}


def _groups(names: Iterable[str]) -> Iterator[tuple[list[str], bool]]:
    """Yield the names of files that are taken together, and whether they are the last ones."""
    rest = iter(names)
    together = list(islice(rest, _MOST_TOGETHER))
    while together:
        following = list(islice(rest, _MOST_TOGETHER))
        yield together, not following
        together = following


def _require_faces(dice: Any) -> None:
    if isinstance(dice, (str, bytes)) or not isinstance(dice, Sequence) or json_fault(list(dice)):
        raise BadRequest("given dice are a list of faces")
