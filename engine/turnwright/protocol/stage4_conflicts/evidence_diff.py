"""What a turn as a whole changed, read from the documents before and after it.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from turnwright.model.base import Document
from turnwright.model.character import Character
from turnwright.model.coin import denomination
from turnwright.model.party import PartyDocument
from turnwright.model.state.overlay import World
from turnwright.narration.facts import Effect, EffectKind
from turnwright.protocol.stage4_conflicts.evidence_people import hit_points

if TYPE_CHECKING:  # most campaigns have no fights
    from turnwright.model.encounter import Encounter

FIGHTS = "encounters/"


def state_changes(world: World, before: World) -> Iterator[Effect]:
    """Yield what the documents say a turn did, whichever of its calls it was."""
    party = world.campaign.selected.party_character_ids
    for path in sorted(world.touched):
        after, earlier = world.get(path), before.get(path)
        if isinstance(after, Character) and isinstance(earlier, Character):
            yield from _of_person(after, earlier)
            if after.id in party and after.position not in (None, earlier.position):
                yield Effect(EffectKind.TRAVEL, who=after.id, what=frozenset({after.position or ""}), is_net=True)
        elif path.startswith(FIGHTS) and after is not None and earlier is not None:
            yield from _of_fight(cast("Encounter", after), cast("Encounter", earlier))
        elif isinstance(after, PartyDocument) and after.location_id not in (None, _place_of(earlier)):
            yield Effect(EffectKind.TRAVEL, what=frozenset({after.location_id or ""}), is_net=True)


def _place_of(party: Document | None) -> str | None:
    return party.location_id if isinstance(party, PartyDocument) else None


def _of_person(after: Character, before: Character) -> Iterator[Effect]:
    yield from _of_hp(after.id, hit_points(before)[0], *hit_points(after))
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


def _of_hp(who: str, before: int | None, after: int | None, most: int | None) -> Iterator[Effect]:
    if before is None or after is None or before == after:
        return
    is_cut = after == 0 if after < before else after == most
    delta = after - before
    amounts = frozenset({abs(delta)})
    shown = {"target_character_id": who, "delta": delta, "new_hp": after}
    yield Effect(
        EffectKind.HP, who=who, delta=delta, amounts=amounts, total=after, is_cut=is_cut, shown=shown, is_net=True
    )


def _of_fight(after: Encounter, before: Encounter) -> Iterator[Effect]:
    if before.is_running and not after.is_running:
        yield Effect(EffectKind.FIGHT_OVER, is_net=True)
    elif after.is_running and (after.turn_index, after.round) != (before.turn_index, before.round):
        yield Effect(EffectKind.TURN, who=after.current.id, total=after.round, is_net=True)
    for participant in after.participants:
        was = before.participant(participant.id)
        if participant.body is not None and was is not None and was.body is not None:
            yield from _of_hp(participant.id, hit_points(was.body)[0], *hit_points(participant.body))
