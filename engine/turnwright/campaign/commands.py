"""Changes to a campaign other than turns: settings, undo, resuming a session, and forks.

Source: docs/stages/2-settings.md; docs/stages/5-commit.md, "Undo" and "Fork".
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from turnwright.campaign.reader import Reader
from turnwright.campaign.writer import Writer
from turnwright.model.campaign import CAMPAIGN_PATH
from turnwright.model.dice.draws import Dice
from turnwright.model.errors import BadRequest, CampaignBusy
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.wire.record import as_record
from turnwright.protocol.stage2_settings import patched_campaign
from turnwright.rulesets.in_use import settings_in, tables_of
from turnwright.store.files import require_path, storage_errors
from turnwright.store.store import Store

if TYPE_CHECKING:
    from turnwright.campaign import timeline
    from turnwright.campaign.content import AddedPack
    from turnwright.model.wire.shapes import AddedContentAnswer, ResumeAnswer, SettingsAnswer, UndoAnswer

_MAX_REREADS = 8


class Commands:
    """Runs commands on one campaign, each as one record or none.

    Args:
        store: the campaign's log and files.
        writer: holds its lock while a command runs.
        reader: reads the log for commands that look far back, without holding the lock.
    """

    def __init__(self, store: Store, writer: Writer, reader: Reader) -> None:
        self._store = store
        self._writer = writer
        self._reader = reader

    def set(self, changes: JsonObject) -> SettingsAnswer:
        """Change settings, all or nothing; see `Campaign.set`."""
        with self._writer.writing():
            return self._writer.with_edits_adopted(lambda: self._set(changes))

    def _set(self, changes: JsonObject) -> SettingsAnswer:
        if not isinstance(changes, Mapping):
            raise BadRequest("settings are changed by an object of dotted keys and values")
        before = World(self._store).campaign
        after, changed = patched_campaign(before, changes)
        if changed:
            record = self._writer.head("settings") | {"patch": dict(changes), "changed": changed}
            self._writer.commit(record | {"settings_revision": after.settings_revision}, {CAMPAIGN_PATH: after})
        in_force = settings_in(after).in_force()
        return {"settings": in_force, "changed": changed, "settings_revision": after.settings_revision}

    def add_content(self, pack: AddedPack) -> AddedContentAnswer:
        """Copy a checked pack into the campaign and use it, all or nothing; see `Campaign.add_content`."""
        with self._writer.writing():
            return self._writer.with_edits_adopted(lambda: self._add_content(pack))

    def _add_content(self, pack: AddedPack) -> AddedContentAnswer:
        from turnwright.campaign.content import with_pack
        from turnwright.store.carried_packs import CarriedPacks

        carried = CarriedPacks(self._store.files)
        before = World(self._store).campaign
        after = with_pack(before, pack.id)
        is_there = carried.holds(pack.id, pack.files)
        if not is_there:
            carried.write(pack.id, pack.files)
        answer: AddedContentAnswer = {
            "id": pack.id,
            "sha256": pack.sha256,
            "entries": pack.entries,
            "copied": not is_there,
            "record": None,
        }
        if after is before:
            return answer
        try:
            record = self._writer.head("edit") | {"files": [CAMPAIGN_PATH]}
            self._writer.commit(record, {CAMPAIGN_PATH: after})
        except BaseException:
            if not is_there:
                carried.remove(pack.id)
            raise
        answer["record"] = record["seq"]
        return answer

    def undo(self, mark: str | None, *, last: timeline.Last = "turn", dry_run: bool) -> UndoAnswer:
        """Return all documents to what they were before a turn; see `Campaign.undo`."""
        from turnwright.campaign import timeline

        before: timeline.Before | None = None
        for _ in range(_MAX_REREADS):
            with self._writer.writing():
                done = self._writer.with_edits_adopted(partial(self._undo, mark, last, dry_run, before))
            if isinstance(done, dict):
                return done
            # The log is read without the lock; records added meanwhile are checked before anything is undone.
            with self._reader.opened() as reader, storage_errors("cannot read the campaign"):
                before = timeline.read_before(reader, done)
        raise CampaignBusy("others keep changing what is to be taken back")

    def _undo(
        self, mark: str | None, last: timeline.Last, dry_run: bool, before: timeline.Before | None
    ) -> UndoAnswer | timeline.Undoing:
        """Undo, or return what is to be undone where it is not known how the documents were before it."""
        from turnwright.campaign import timeline

        store = self._store
        undoing = timeline.undoing_from(store, timeline.undo_target(store, mark, last))
        answer: UndoAnswer = {"from": undoing.target, "undone": undoing.records, "record": None}
        if dry_run:
            return answer
        if before is None or not before.fits(undoing):
            return undoing
        documents = timeline.documents_before(store, undoing, before)
        numbers = [entry["seq"] for entry in undoing.records]
        migrated = timeline.migrated_by_undo(store, undoing, before)
        undone = {"undone_from": undoing.target, "undone": numbers, **migrated}
        record = as_record({**self._writer.head("undo"), **undone})
        self._writer.commit(record, documents)
        return {**answer, "record": record["seq"]}

    def resume(self) -> ResumeAnswer:
        """Resume a session that a player ended; see `Campaign.resume`."""
        with self._writer.writing():
            return self._writer.with_edits_adopted(self._resume)

    def _resume(self) -> ResumeAnswer:
        world = World(self._store)
        seq = self._store.history.seq + 1
        dice = Dice(self._store.secrets.get(self._store.history.secret_hash), str(seq))
        session = tables_of(world.campaign).resume(world, dice.part(0), seq)
        drawn = {"draws": dice.drawn} if dice.drawn else {}
        self._writer.commit(as_record({**self._writer.head("session"), **session.record}), session.documents, **drawn)
        return {"record": seq, "request": session.record["request"]}

    def fork(self, path: str | Path, mark: str, seed: str | None) -> Path:
        """Make a new campaign directory from this one as it was after a record; see `Campaign.fork`."""
        from turnwright.campaign import timeline

        require_path(path)
        with self._reader.opened() as reader, storage_errors(f"cannot make {path}"):
            return timeline.fork(reader, Path(path), mark, seed, self._writer.now())
