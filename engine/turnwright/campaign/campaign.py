"""A campaign directory, opened: the public API.

from turnwright import Campaign

with Campaign.open("my-campaign") as campaign:
    reply = campaign.process({"tool_calls": [...]})
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from turnwright.campaign.runner import TurnRunner
from turnwright.campaign.writer import Clock
from turnwright.model.campaign import CAMPAIGN_PATH
from turnwright.model.dice.draws import Dice
from turnwright.model.errors import BadRequest, CampaignBusy, CampaignError
from turnwright.model.json_types import JsonObject
from turnwright.model.settings import settings_of
from turnwright.model.state.overlay import World
from turnwright.model.wire.record import as_record
from turnwright.protocol.stage2_settings import patched_campaign
from turnwright.rulesets.in_use import tables_at
from turnwright.store.files import Files, require_path, storage_errors
from turnwright.store.folders import require_campaign
from turnwright.store.lock import DEFAULT_WAIT
from turnwright.store.store import Store
from turnwright.store.system import system_clock

if TYPE_CHECKING:
    from turnwright.campaign import timeline
    from turnwright.model.wire.shapes import ResumeAnswer, SettingsAnswer, UndoAnswer

_MAX_REREADS = 8
DEFAULT_LAG = 0.5
"""Seconds that documents and results may be behind the log while turns come fast."""


class Campaign(TurnRunner):
    """One campaign directory. Use `Campaign.open` or `Campaign.new`, and close it, best by `with`."""

    @classmethod
    def open(
        cls, path: str | Path, clock: Clock | None = None, *, wait: float = DEFAULT_WAIT, lag: float | None = None
    ) -> Self:
        """Open a campaign directory. The campaign may be used by several threads, and by forks of this process.

        Args:
            path: the directory.
            clock: gives an aware datetime; default: the system's.
            wait: seconds to wait for another writer before `CampaignBusy`.
            lag: seconds that documents and results may be behind the log while turns come fast; default
                `DEFAULT_LAG`, 0 for not at all.

        Raises:
            CampaignInvalid: when there is no campaign.
            BadRequest: when `wait` or `lag` is no number of seconds from 0 to 3600.
        """
        require_path(path)
        with storage_errors(f"cannot open {path}"):
            require_campaign(Files(Path(path)))
            files = Files(Path(path).absolute())  # it is the same one wherever the process goes
        store = Store(files, tables_at(files).documents)
        return cls(store, clock or system_clock, wait, DEFAULT_LAG if lag is None else lag)

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
        """Make a new campaign directory and open it.

        Args:
            path: the directory; made if it is not there, and empty otherwise.
            template: `stage3` (the default), `toolkit`, `scenes`, or the name of a sample campaign.
            from_file: a campaign in one file, to be imported instead of a template.
            seed: makes the dice repeatable; default: a secret nobody can guess, of a sample campaign too.
            clock: as for `open`.
            with_turns: whether the turn files that a sample campaign brings wait in the drop folder.

        Raises:
            BadRequest: when the directory is not empty or the template is unknown.
            CampaignInvalid: when what should be imported is no valid campaign.
        """
        from turnwright.campaign.bootstrap import begin_directory

        require_path(path)
        with storage_errors(f"cannot make {path}"):
            begin_directory(Path(path), template, from_file, seed, (clock or system_clock)(), with_turns=with_turns)
        return cls.open(path, clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the campaign; an error on the way here is told, and not that files are still behind."""
        with suppress(CampaignError) if kind else nullcontext():
            self.close()

    def set(self, changes: JsonObject) -> SettingsAnswer:
        """Change settings, `selected.active_actor_id` or `goal.*`: all or nothing, in one record.

        Returns:
            An object with `settings` (in force), `changed` (the keys whose value differs) and `settings_revision`.

        Raises:
            BadRequest: naming every key that cannot be set so.
        """
        with self._writing():
            return self._with_edits_adopted(lambda: self._set(changes))

    def _set(self, changes: JsonObject) -> SettingsAnswer:
        if not isinstance(changes, Mapping):
            raise BadRequest("settings are changed by an object of dotted keys and values")
        before = World(self._store).campaign
        after, changed = patched_campaign(before, changes)
        if changed:
            record = self._head("settings") | {"patch": dict(changes), "changed": changed}
            self._commit(record | {"settings_revision": after.settings_revision}, {CAMPAIGN_PATH: after})
        in_force = settings_of(after.settings).in_force()
        return {"settings": in_force, "changed": changed, "settings_revision": after.settings_revision}

    def undo(self, mark: str | None = None, *, dry_run: bool = False) -> UndoAnswer:
        """Return all documents to what they were before a turn; later turns and hand edits go with it.

        Args:
            mark: a turn id, or the number of any record but the first; default: the last turn not undone.
            dry_run: only say what would be undone.

        Returns:
            An object with `from`, the first record taken back; `undone`, all of them, newest first, as
            `{seq, kind, turn_id}`; and `record`, the number of the undo's own record, None in a dry run.
        """
        from turnwright.campaign import timeline

        before: timeline.Before | None = None
        for _ in range(_MAX_REREADS):
            with self._writing():
                done = self._with_edits_adopted(partial(self._undo, mark, dry_run, before))
            if isinstance(done, dict):
                return done
            # Nobody is kept waiting while the log is read; what came meanwhile is looked at before anything is undone.
            with self._reader() as reader, storage_errors("cannot read the campaign"):
                before = timeline.read_before(reader, done)
        raise CampaignBusy("others keep changing what is to be taken back")

    def _undo(self, mark: str | None, dry_run: bool, before: timeline.Before | None) -> UndoAnswer | timeline.Undoing:
        """Undo, or return what is to be undone where it is not known how the documents were before it."""
        from turnwright.campaign import timeline

        store = self._store
        undoing = timeline.undoing_from(store, timeline.undo_target(store, mark))
        answer: UndoAnswer = {"from": undoing.target, "undone": undoing.records, "record": None}
        if dry_run:
            return answer
        if before is None or not before.fits(undoing):
            return undoing
        documents = timeline.documents_before(store, undoing, before)
        numbers = [entry["seq"] for entry in undoing.records]
        record = self._head("undo") | {"undone_from": undoing.target, "undone": numbers}
        self._commit(record, documents)
        return {**answer, "record": record["seq"]}

    def resume(self) -> ResumeAnswer:
        """Go on with a session that a player ended: the crew chooses anew what to do between scenes.

        Returns:
            An object with `record`, the number of its record, and `request`, what is asked now.

        Raises:
            BadRequest: when there is no such session.
        """
        with self._writing():
            return self._with_edits_adopted(self._resume)

    def _resume(self) -> ResumeAnswer:
        from turnwright.rulesets.scenes.session import resumed

        seq = self._store.history.seq + 1
        dice = Dice(self._dice_secret(self._store.history.secret_hash), str(seq))
        session = resumed(World(self._store), dice, seq)
        drawn = {"draws": dice.drawn} if dice.drawn else {}
        self._commit(as_record({**self._head("session"), **session.record}), session.documents, **drawn)
        return {"record": seq, "request": session.record["request"]}

    def fork(self, path: str | Path, mark: str, *, seed: str | None = None) -> Path:
        """Make a new campaign directory from this one as it was after a record; both go their own way from there."""
        from turnwright.campaign import timeline

        require_path(path)
        with self._reader() as reader, storage_errors(f"cannot make {path}"):
            return timeline.fork(reader, Path(path), mark, seed, self.now())
