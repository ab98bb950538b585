"""Stress, heat, wanted level and coin: every change is clamped, reported and recorded in one place.

Source: docs/tools/scenes.md, "Stress, heat, coin".
"""

from __future__ import annotations

from turnwright.model.crew import Playing
from turnwright.model.strict_json import MAX_INT
from turnwright.rulesets.scenes.play import Play


def change_stress(play: Play, delta: int, reason: str) -> int:
    """Change the stress of the acting character; return by how much it really changed."""
    return _change_actor(play, "stress", "StressChanged", delta, play.rule("stress_max"), reason)


def change_coin(play: Play, delta: int, reason: str) -> int:
    """Change the coin of the acting character, as far as numbers go; return by how much it really changed."""
    return _change_actor(play, "coin", "CoinChanged", delta, MAX_INT, reason)


def change_heat(play: Play, delta: int, reason: str) -> int:
    """Change the crew's heat; return by how much it really changed."""
    changed = _change_crew(play, "heat", "HeatChanged", delta, play.rule("heat_max"), reason)
    _book(play, "heat", changed)
    return changed


def change_wanted(play: Play, delta: int, reason: str) -> int:
    """Change the crew's wanted level; return the real change."""
    return _change_crew(play, "wanted", "WantedChanged", delta, play.rule("wanted_max"), reason)


def _change_actor(play: Play, field: str, event: str, delta: int, most: int, reason: str) -> int:
    if delta == 0:
        return 0
    actor = play.require_actor()
    before: int = getattr(actor, field)
    after = _bounded(play, field, before, delta, most)
    if after != before:
        play.world.put(actor.replace(**{field: after}))
        play.emit(event, from_=before, to=after, reason=reason)
        _book(play, field, after - before)
    return after - before


def _change_crew(play: Play, field: str, event: str, delta: int, most: int, reason: str) -> int:
    before: int = getattr(play.crew, field)
    after = _bounded(play, field, before, delta, most) if delta else before
    if after != before:
        play.set_crew(**{field: after})
        play.emit(event, from_=before, to=after, reason=reason)
    return after - before


def _bounded(play: Play, field: str, before: int, delta: int, most: int) -> int:
    wanted = before + delta
    # A bound that was lowered meanwhile stops increases; it never reduces a value.
    after = max(0, min(max(most, before), wanted))
    if after != wanted:
        play.emit("DeltaClamped", field=field, requested=delta, applied=after - before)
    return after


def _book(play: Play, field: str, change: int) -> None:
    """Add a change to the totals of the turn and the scene."""
    if change == 0:
        return
    ledger = play.crew.ledger
    play.set_crew(ledger=ledger.replace(**{field: getattr(ledger, field) + change}))
    if isinstance(play.crew.phase, Playing):
        scene = play.scene
        play.world.put(scene.replace(ledger=scene.ledger.replace(**{field: getattr(scene.ledger, field) + change})))
