"""Spells that a stat block casts without slots: at will, or so often a day.

Source: SRD 5.1, "Monsters", "Innate Spellcasting"; docs/content.md, "Spells of a stat block".
"""

from __future__ import annotations

from typing import NamedTuple

from turnwright.content.names import key_of
from turnwright.model.encounter import BlockUse, Encounter, Participant
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason

SELF_ONLY = "self-only"
"""A stat block's notes on a spell that it casts on its own creature alone."""


class Innate(NamedTuple):
    """A spell that a stat block casts without slots.

    Attributes:
        use: the key that its uses are counted by.
        spell: the id of its entry.
        per_day: how often; None for at will.
        note: the block's note, or None.
    """

    use: str
    spell: str
    per_day: int | None
    note: str | None


def spells_of(encounter: Encounter, person: Participant) -> frozenset[str]:
    """Return the spells that a participant's stat block lists, by id."""
    castings = [part.get("spellcasting", {}) for part in (encounter.block_of(person) or {}).get("traits", ())]
    counted = [groups for said in castings for groups in (said.get("prepared", {}), said.get("per_day", {}))]
    groups = [group for each in counted for group in each.values()]
    groups += [said.get("at_will", ()) for said in castings]
    return frozenset(spell for group in groups for spell in group)


def innate_of(encounter: Encounter, person: Participant, spell_name: str | None) -> Innate | None:
    """Return how a participant's stat block casts a spell without slots, or None where it does not."""
    key = key_of(spell_name or "")
    for part in (encounter.block_of(person) or {}).get("traits", ()):
        said = part.get("spellcasting", {})
        use, note = f"{part['id']}.{key}", said.get("figures", {}).get("notes", {}).get(key.replace("-", "_"))
        if key in said.get("at_will", ()):
            return Innate(use, key, None, note)
        for count, spells in said.get("per_day", {}).items():
            if key in spells:
                return Innate(use, key, int(count), note)
    return None


def require_left(innate: Innate, person: Participant) -> None:
    """Refuse a spell that has been cast as often as a day allows.

    Raises:
        CallFailed: `rule_violation`.
    """
    if innate.per_day is not None and person.block_use.uses.get(innate.use, 0) >= innate.per_day:
        times = "once" if innate.per_day == 1 else f"{innate.per_day} times"
        detail = f"{person.id} casts {innate.spell} {times} a day, and has done so"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.spell_name", innate.spell))


def require_own(innate: Innate, person: Participant, targets: tuple[str, ...]) -> None:
    """Refuse other targets than the caster for a spell that the block casts on its own creature alone.

    Raises:
        CallFailed: `rule_violation`.
    """
    if innate.note == SELF_ONLY and any(each not in person.ids for each in targets):
        detail = f"{person.id} casts {innate.spell} on itself alone"
        raise CallFailed(Reason.RULE_VIOLATION, detail, hint.ask("args.target_ids", list(targets), [[person.id]]))


def with_innate(use: BlockUse, innate: Innate) -> BlockUse:
    """Return the uses left after such a spell was cast, as recorded; at-will spells use up nothing."""
    if innate.per_day is None:
        return use
    return use.replace(uses={**use.uses, innate.use: use.uses.get(innate.use, 0) + 1})
