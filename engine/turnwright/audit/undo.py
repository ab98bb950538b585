"""Keep the documents as they were before the records that later undos restore.

Source: docs/stages/5-commit.md, "Undo".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from turnwright.audit.equality import same_when_restored
from turnwright.model.json_types import JsonObject, JsonValue
from turnwright.rulesets.lifetime import Restoration
from turnwright.store.document_table import DocumentTable

if TYPE_CHECKING:
    from turnwright.model.wire.shapes import Record

NOTHING: Mapping[str, Restoration] = {}


class Undos:
    """The undos of a log, and what each must lead back to.

    For each record that an undo ahead leads back to, only the documents are kept that changed between it and the next
    such record, as they were before: so what is kept follows what changes, and neither log nor campaign.
    """

    def __init__(
        self, targets: Iterable[int], kinds: DocumentTable, restorations: Mapping[str, Restoration] = NOTHING
    ) -> None:
        """Begin before the first record.

        Args:
            targets: the records that the undos of the log lead back to.
            kinds: the models of documents.
            restorations: how documents that an undo leads back are restored, by path.
        """
        self._kinds = kinds
        self._restorations = restorations
        self._left = Counter(targets)
        self._before: dict[int, dict[str, JsonValue]] = {}

    def pass_by(self, seq: int, values: JsonObject, paths: Iterable[str]) -> None:
        """Take note of the record that comes next, before its changes to these documents are made."""
        if seq in self._left:
            self._before[seq] = {}
        if self._before:
            newest = self._before[next(reversed(self._before))]
            for path in paths:
                newest.setdefault(path, values.get(path))

    def faults(self, record: Record, values: JsonObject) -> Iterator[str]:
        """Yield what is wrong with an undo whose changes are made."""
        target = record["undone_from"]
        if target not in self._left:
            return  # appended while the log was read, so the earlier state was not kept
        if target not in self._before or not 0 < target < record["seq"]:
            yield f"takes back record {target}, which does not stand before it"
            return
        migrated = record.get("migrated", ())  # no migration is run again to look at an old log
        for path, before in sorted(self._changed_since(target).items()):
            after = values.get(path)
            is_same = path in migrated or same_when_restored(path, before, after, self._kinds, self._restorations)
            if not is_same:
                yield f"leaves {path} other than it was before record {target}"
        self._let_go(target)

    def _changed_since(self, target: int) -> JsonObject:
        changed: dict[str, JsonValue] = {}
        for seq, before in self._before.items():
            if seq >= target:
                changed = before | changed
        return changed

    def _let_go(self, target: int) -> None:
        self._left[target] -= 1
        if self._left[target]:
            return
        del self._left[target]
        dropped = self._before.pop(target)
        if earlier := [seq for seq in self._before if seq < target]:
            before = self._before[earlier[-1]]
            self._before[earlier[-1]] = dropped | before
