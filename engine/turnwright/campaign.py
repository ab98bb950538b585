"""A campaign directory, opened: the public API.

from turnwright import Campaign

with Campaign.open("my-campaign") as campaign:
    reply = campaign.process({"tool_calls": [...]})
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from turnwright import pipeline
from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, CREW_PATH, CampaignDocument
from turnwright.model.errors import BadRequest, CampaignError, CampaignInvalid
from turnwright.model.reason import Problem, Reason
from turnwright.model.settings import settings_of
from turnwright.reader import Reader
from turnwright.rules.draws import Dice
from turnwright.stages import commit, edits, intake, publish
from turnwright.stages.own_faults import OwnFaults
from turnwright.stages.settings import GM, patched_campaign, require_authority
from turnwright.store import drop
from turnwright.store.behind import Behind
from turnwright.store.files import Files, require_path, storage_errors, storage_failed
from turnwright.store.secret import secret_with_hash
from turnwright.store.store import DocumentChanged, Store
from turnwright.store.system import system_clock
from turnwright.world.overlay import World

Clock = Callable[[], datetime]
Reply = dict[str, Any]
T = TypeVar("T")
DEFAULT_WAIT = 10.0
"""Seconds a writer waits for another before it gives up."""
DEFAULT_LAG = 0.5
"""Seconds that documents and results may be behind the log while turns come fast."""
_MOST_TOGETHER = 64
"""How many dropped turn files share a sync."""
_MOST_REREADS = 8


class Campaign(Reader):
    """One campaign directory. Use `Campaign.open` or `Campaign.new`, and close it, best by `with`."""

    def __init__(self, store: Store, clock: Clock, wait: float, lag: float) -> None:
        super().__init__(store.files)
        self._store = store
        self._clock = clock
        self._wait = wait
        self._behind = Behind(self._flush, self.flush, lag)
        self._mutex = RLock()
        self._edits_seen = False
        self._secret: tuple[str, bytes] | None = None
        self.verifier_error: str | None = None
        """Why the narration of the last turn processed could not be checked; None when it could, or had not to be."""

    # opening

    @classmethod
    def open(
        cls, path: str | Path, clock: Clock | None = None, *, wait: float = DEFAULT_WAIT, lag: float | None = None
    ) -> Campaign:
        """Open a campaign directory. The campaign may be used by several threads.

        Args:
            path: the directory.
            clock: gives an aware datetime; default: the system's.
            wait: seconds to wait for another writer before `CampaignBusy`.
            lag: seconds that documents and results may be behind the log while turns come fast; default
                `DEFAULT_LAG`, 0 for not at all.

        Raises:
            CampaignInvalid: when there is no campaign.
        """
        require_path(path)
        files = Files(Path(path))
        with storage_errors(f"cannot open {path}"):
            if files.look(CAMPAIGN_PATH) is None and files.look("log.jsonl") is None:
                message = "there is no campaign here; `turnwright new` makes one"
                raise CampaignInvalid([Problem(str(path), "$", "missing", message)])
        return cls(Store(files), clock or system_clock, wait, DEFAULT_LAG if lag is None else lag)

    @classmethod
    def new(
        cls,
        path: str | Path,
        template: str | None = None,
        from_file: str | Path | None = None,
        seed: str | None = None,
        clock: Clock | None = None,
    ) -> Campaign:
        """Make a new campaign directory and open it.

        Args:
            path: the directory; made if it is not there, and empty otherwise.
            template: `stage3` (the default) or the name of a sample campaign.
            from_file: a campaign in one file, to be imported instead of a template.
            seed: makes the dice repeatable; default: a secret nobody can guess.
            clock: as for `open`.

        Raises:
            BadRequest: when the directory is not empty or the template is unknown.
            CampaignInvalid: when what should be imported is no valid campaign.
        """
        from turnwright.begin import begin_directory

        require_path(path)
        with storage_errors(f"cannot make {path}"):
            begin_directory(Path(path), template, from_file, seed, (clock or system_clock)())
        return cls.open(path, clock)

    def __enter__(self) -> Campaign:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def flush(self) -> None:
        """Bring documents and results up to the log. What readers of this package see is up to date without it.

        Raises:
            CampaignBusy, StorageFailed: some are behind; no turn is lost, and the next writer writes them.
            CampaignInvalid: the same, until what somebody wrote into the files by hand is mended.
        """
        with self._mutex:
            if self._store.is_behind:
                with self._writing():
                    self._flush()

    def close(self) -> None:
        """Bring documents and results up to the log, and close the directory's files.

        Raises:
            CampaignBusy, StorageFailed, CampaignInvalid: as for `flush`; the files are closed all the same.
        """
        with self._mutex:
            self._behind.stop()
            try:
                if self._is_behind:
                    self.flush()
            finally:
                self._store.close()

    # turns

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
        if not isinstance(dice, (list, tuple)):
            raise BadRequest("given dice are a list of faces")
        with self._writing():
            reply = self._take(turn, authority, dice, dry_run, source)
            if not dry_run:
                self._store.sync()
                self._follow()
        return reply

    def process_drop(self, *, dry_run: bool = False, patient: bool = False) -> Iterator[tuple[str, Reply]]:
        """Take the turn files that wait in the drop folder, in byte order of their names.

        Args:
            dry_run: say what would happen to each as things stand, and change nothing.
            patient: leave a file that does not parse until it has been unchanged for a while; it may still be written.

        Yields:
            the name of each file and the reply to it. Files that are no ordinary files are refused where they lie.

        Raises:
            CampaignBusy, CampaignInvalid, StorageFailed: the files that were not told of wait as before.
            ExceptionGroup: when all others are done: some files brought out faults of ours, and were refused.
        """
        files, faults = self._store.files, OwnFaults()
        if not dry_run and not self._edits_seen:
            with self._writing():
                self._on_firm_ground(lambda: None, dry_run)
                self._follow()
        with storage_errors("cannot read the drop folder"):
            names, strange = drop.waiting(files)
            unfinished = [] if dry_run else drop.claimed(files)
            if patient:
                names = [name for name in names if not drop.may_be_unfinished(files, name)]
        if dry_run:
            yield from ((name, self._preview_file(name, faults)) for name in names)
        else:
            if unfinished:
                yield from self._take_claims(lambda: iter(drop.still_claimed(files, unfinished)), faults)
            for start in range(0, len(names), _MOST_TOGETHER):
                together = names[start : start + _MOST_TOGETHER]
                is_last = start + _MOST_TOGETHER >= len(names)
                yield from self._take_claims(partial(self._claim_each, together), faults, is_last=is_last)
        for name in strange:
            detail = "is no ordinary file, or has a name that cannot be kept; it was left where it is"
            yield name, publish.refused(intake.TurnRefused(Reason.INVALID_TURN, detail), self.now())
        faults.raise_all()

    def _claim_each(self, names: Sequence[str]) -> Iterator[drop.Claim]:
        """Yield the claims of dropped files, each made when the record it is made for is the next one."""
        for name in names:
            if taken := drop.claim(self._store.files, name, self._store.history.seq + 1):
                yield taken

    def _take_claims(
        self, claims_of: Callable[[], Iterator[drop.Claim]], faults: OwnFaults, *, is_last: bool = False
    ) -> Iterator[tuple[str, Reply]]:
        """Process turn files that are taken together: one sync makes all their records durable, then all are told.

        What stops at one of them stops before it: those before are done, that one is given back. A fault of ours that a
        turn brings out stops nothing: given back, its file would bring it out again for ever.
        """
        files, store = self._store.files, self._store
        done: list[tuple[drop.Claim, Reply]] = []
        failure: Exception | None = None
        with self._writing():
            for claim in claims_of():
                try:
                    done.append((claim, self._reply_to(claim)))
                except Exception as error:
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
            try:
                return self._take(data, GM, (), True, None)
            except CampaignError:
                raise
            except Exception as fault:
                return {**faults.reply_to(name, fault, self.now()), "dry_run": True}

    def _take(self, turn: Any, authority: str, dice: Sequence[int], dry_run: bool, source: str | None) -> Reply:
        now = self.now()
        try:
            reply = self._on_firm_ground(lambda: self._attempt(turn, authority, dice, dry_run, source, now), dry_run)
        except intake.TurnRefused as refused:
            reply = publish.refused(refused, now)
        return {**reply, "dry_run": True} if dry_run else reply

    def _attempt(
        self, turn: Any, authority: str, dice: Sequence[int], dry_run: bool, source: str | None, now: str
    ) -> Reply:
        self.verifier_error = None
        world, has_edits = self._with_edits() if dry_run else (World(self._store), False)
        received = intake.receive(turn, settings_of(world.campaign.settings))
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
        return reply

    def _desk(self, world: World, now: str, label: str) -> pipeline.Desk:
        store = self._store
        secret = b"" if store.history.seq < 0 else self._dice_secret()
        return pipeline.Desk(world, store.history, store.record_of_turn, secret, now, label, store.record)

    # what is no turn

    def set(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Change settings, `selected.active_actor_id` or `goal.*`: all or nothing, in one record.

        Returns:
            `settings` (in force), `changed` (the keys whose value differs) and `settings_revision`.

        Raises:
            BadRequest: naming every key that cannot be set so.
        """
        with self._writing():
            return self._on_firm_ground(lambda: self._set(changes), False)

    def _set(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        if not isinstance(changes, Mapping):
            raise BadRequest("settings are changed by an object of dotted keys and values")
        before = World(self._store).campaign
        after, changed = patched_campaign(before, changes)
        if changed:
            record = self._head("settings") | {"patch": dict(changes), "changed": changed}
            self._commit(record | {"settings_revision": after.settings_revision}, {CAMPAIGN_PATH: after})
        in_force = settings_of(after.settings).in_force()
        return {"settings": in_force, "changed": changed, "settings_revision": after.settings_revision}

    def undo(self, mark: str | None = None, *, dry_run: bool = False) -> dict[str, Any]:
        """Return all documents to what they were before a turn; later turns and hand edits go with it.

        Args:
            mark: a turn id, or the number of any record but the first; default: the last turn not undone.
            dry_run: only say what would be undone.

        Returns:
            `from`: the first record taken back; `undone`: all of them, newest first, as `{seq, kind, turn_id}`;
            `record`: the undo's own, None in a dry run.
        """
        with self._writing():
            return self._on_firm_ground(lambda: self._undo(mark, dry_run), False)

    def _undo(self, mark: str | None, dry_run: bool) -> dict[str, Any]:
        from turnwright import timeline

        store = self._store
        target = timeline.undo_target(store, mark)
        undone = timeline.standing_since(store, target)
        if not dry_run:
            documents = timeline.documents_before(store, target)
            record = self._head("undo") | {"undone_from": target, "undone": [entry["seq"] for entry in undone]}
            self._commit(record, documents)
        return {"from": target, "undone": undone, "record": None if dry_run else store.history.seq}

    def resume(self) -> dict[str, Any]:
        """Go on with a session that a player ended: the crew chooses anew what to do between scenes.

        Returns:
            `record`: the number of its record; `request`: what is asked now.

        Raises:
            BadRequest: when there is no such session.
        """
        with self._writing():
            return self._on_firm_ground(self._resume, False)

    def _resume(self) -> dict[str, Any]:
        from turnwright.scenes.session import resumed

        seq = self._store.history.seq + 1
        dice = Dice(self._dice_secret(), str(seq))
        session = resumed(World(self._store), dice, seq)
        drawn = {"draws": dice.drawn} if dice.drawn else {}
        self._commit(self._head("session") | session.record, session.documents, **drawn)
        return {"record": seq, "request": session.record["request"]}

    def fork(self, path: str | Path, mark: str, *, seed: str | None = None) -> Path:
        """Make a new campaign directory from this one as it was after a record; both go their own way from there."""
        from turnwright import timeline

        require_path(path)
        with self._reader() as reader:
            reader.load_for_reading()
            return timeline.fork(reader, Path(path), mark, seed, self.now())

    # the ground under a turn

    @contextmanager
    def _reader(self) -> Iterator[Store]:
        """A reader of one's own turns should not have to read them in the log, as long as nobody is waited for."""
        if self._mutex.acquire(blocking=False):
            try:
                if self._is_behind:
                    with suppress(CampaignError), self._writing(wait=0):
                        self._flush()
            finally:
                self._mutex.release()
        with super()._reader() as reader:
            yield reader

    @contextmanager
    def _writing(self, wait: float | None = None) -> Iterator[None]:
        with self._mutex:
            try:
                self._store.begin_writing(self._wait if wait is None else wait)
                try:
                    yield
                finally:
                    self._store.end_writing()
            except OSError as error:
                raise storage_failed("the campaign could not be written", error) from error

    def _on_firm_ground(self, work: Callable[[], T], dry_run: bool) -> T:
        """Do some work on documents nobody has edited unseen: hand edits are taken over first, and again if need be."""
        for _ in range(_MOST_REREADS):
            try:
                if not dry_run and not self._edits_seen:
                    self._adopt_edits()
                return work()
            except DocumentChanged:
                self._edits_seen = False
        raise CampaignInvalid([Problem(CAMPAIGN_PATH, "$", "edit", "somebody keeps editing the campaign's files")])

    def _adopt_edits(self) -> None:
        """Take over what people changed by hand, or refuse the campaign; a log that has not begun is begun."""
        edited = self._store.changed_by_hand()
        if self._store.history.seq < 0:
            from turnwright.begin import begin_record

            begin_record(self._store, edited, self.now())
        elif edited:
            if self._store.log.has_lines:  # of dropped files, which the edit makes durable
                drop.make_claims_durable(self._store.files)
            self._record_edits(edited)
        if CREW_PATH in edited:
            # What the engine asked stands in no file yet; after a crash, this edit would look like another one.
            self._store.flush(settings_of(World(self._store).campaign.settings)["results.keep"])
        self._edits_seen = True

    def _record_edits(self, edited: Mapping[str, Document]) -> None:
        self._store.require_no_later_reply()
        documents = edits.with_revision(edited, World(self._store).campaign)
        world = self._require_valid(documents)
        drawn = self._ask_who_plays(world, documents, "")
        self._append(self._head("edit") | {"files": sorted(documents)}, world.touched, **drawn)
        self._store.leave_as_written(path for path in edited if edited[path] is world.touched[path])

    def _with_edits(self) -> tuple[World, bool]:
        """Return the campaign as hand edits make it once they are taken over, and whether there are any."""
        edited = self._store.changed_by_hand()
        self._edits_seen = False
        world = self._require_valid(edited)
        if world.get(CAMPAIGN_PATH) is None:
            raise CampaignInvalid([Problem(CAMPAIGN_PATH, "$", "missing", "there is no campaign.json")])
        self._ask_who_plays(world, edited, "dry/")
        return world, bool(edited)

    def _ask_who_plays(self, world: World, edited: Collection[str], label: str) -> dict[str, Any]:
        if CREW_PATH not in edited:
            return {}
        from turnwright.begin import ask_who_plays

        seq = self._store.history.seq
        return ask_who_plays(world, edited, self._dice_secret() if seq >= 0 else b"", f"{label}{seq + 1}")

    def _require_valid(self, documents: Mapping[str, Document]) -> World:
        """Return the campaign with these documents in it, which must leave it valid."""
        world = World(self._store)
        for document in documents.values():
            world.put(document)
        found = edits.campaign_problems(world, documents, self._store.get)
        problems = [problem for problem in found if not problem.warning]
        if problems:
            raise CampaignInvalid(problems)
        return world

    def _head(self, kind: str) -> dict[str, Any]:
        return commit.head_of(self._store.history, kind) | {"timestamp": self.now()}

    def _commit(self, record: dict[str, Any], documents: Mapping[str, Document | None], **drawn: Any) -> None:
        self._append(record, documents, **drawn)
        self._follow()

    def _append(self, record: dict[str, Any], documents: Mapping[str, Document | None], **drawn: Any) -> None:
        changes = commit.changes_of(self._store, documents)
        self._store.append({**record, "changes": changes, **drawn}, {path: documents[path] for path in changes})

    @property
    def _is_behind(self) -> bool:
        """Whether there is something to write, over files that hold no edit we have not seen."""
        return self._store.is_behind and self._edits_seen

    def _follow(self) -> None:
        if self._is_behind:
            self._behind.follow()

    def _flush(self) -> None:
        campaign = self._store.peek(CAMPAIGN_PATH)
        assert isinstance(campaign, CampaignDocument)
        keep = settings_of(campaign.settings)["results.keep"]
        self._on_firm_ground(lambda: self._store.flush(keep), False)

    def _dice_secret(self) -> bytes:
        digest = self._store.history.secret_hash
        if self._secret is None or self._secret[0] != digest:
            self._secret = (digest, secret_with_hash(self._store.files, digest))
        return self._secret[1]

    def now(self) -> str:
        """Return the time as records hold it."""
        return timestamp(self._clock())


def timestamp(moment: datetime) -> str:
    """Return an aware datetime as the protocol writes it: UTC, whole seconds, `+00:00`."""
    if moment.tzinfo is None:
        raise ValueError("the clock must give an aware datetime")
    return (moment if moment.tzinfo is UTC else moment.astimezone(UTC)).isoformat(timespec="seconds")
