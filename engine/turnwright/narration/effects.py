"""Effects as a text may mean them: people and places that calls named in their own ways, by the ids of the facts.

Source: docs/stages/4-conflicts.md, "What the checks look at".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from turnwright.model.base import name_tag
from turnwright.narration.facts import Effect, EffectKind, Facts

_PEOPLE = frozenset({"character_id", "current", "from", "target_character_id", "target_id", "to"})
"""The parts of an effect that are shown and refer to a person."""


def identified_effects(facts: Facts) -> tuple[Effect, ...]:
    """Return all that the calls did or failed to do, with people under the ids of the facts, then what is left over."""
    called, places = _aliases(facts), _places_called(facts)
    return (*(_identified(each, called, places) for each in facts.effects), *facts.changed)


def _aliases(facts: Facts) -> dict[str, str]:
    """Return which person each id or name in a call means; a name that two people have means neither."""
    named: dict[str, set[str]] = {}
    for person in facts.people:
        if person.name:
            named.setdefault(person.name.strip().casefold(), set()).add(person.id)
    found = {name: next(iter(ids)) for name, ids in named.items() if len(ids) == 1}
    return found | dict(facts.aliases) | {person.id: person.id for person in facts.people}


def _places_called(facts: Facts) -> dict[str, set[str]]:
    """Return which areas and places each name in a call can mean."""
    found: dict[str, set[str]] = {}
    for identifier, name in (*facts.areas.items(), *facts.far.items()):
        found.setdefault(name_tag(name), set()).add(identifier)
    return found


def _identified(effect: Effect, called: Mapping[str, str], places: Mapping[str, set[str]]) -> Effect:
    def known(who: str | None) -> str | None:
        return called.get(who, called.get(who.strip().casefold(), who)) if who is not None else None

    what = effect.what
    if effect.kind is EffectKind.TRAVEL:
        what = what.union(*(places.get(name_tag(name), ()) for name in what))
    shown = {key: known(one) if key in _PEOPLE and isinstance(one, str) else one for key, one in effect.shown.items()}
    return replace(effect, who=known(effect.who), other=known(effect.other), what=what, shown=shown)
