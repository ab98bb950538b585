"""A turn's changes to the belongings of a character.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from turnwright.model.base import Document
from turnwright.model.character import Character
from turnwright.model.coin import denomination
from turnwright.model.state.overlay import World
from turnwright.narration.facts import Effect, EffectKind


def belongings_changes(before: Document | None, after: Document | None, world: World) -> Iterator[Effect]:
    """Yield the items that a character gained and lost."""
    del world
    if not (isinstance(before, Character) and isinstance(after, Character)):
        return
    had, has = (Counter({item.name: 0 for item in person.inventory}) for person in (before, after))
    for counted, person in ((had, before), (has, after)):
        for item in person.inventory:
            counted[item.name] += item.quantity
    kinds = {item.name: item.type for person in (before, after) for item in person.inventory}
    for name in sorted(kinds):
        change = has[name] - had[name]
        coin = denomination(name) or ("coin" if kinds[name] == "currency" else None)
        who, other = (after.id, None) if change > 0 else (None, after.id)
        if change:
            what = frozenset({name})
            yield Effect(EffectKind.GOODS, who=who, other=other, what=what, delta=abs(change), coin=coin, is_net=True)
