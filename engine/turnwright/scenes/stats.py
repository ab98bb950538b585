"""Stress, heat, wanted level and coin: every change is clamped, told and booked in one place.

Source: docs/tools/scenes.md, "Stress, heat, coin".
"""

from __future__ import annotations

from turnwright.model.crew import Playing
from turnwright.scenes.play import Play


def change_stress(play: Play, delta: int, reason: str) -> int:
    """Change the stress of the acting character; return by how much it really changed."""
    if delta == 0:
        return 0
    actor = play.require_actor()
    after = _bounded(play, "stress", actor.stress, delta, play.rule("stress_max"))
    if after != actor.stress:
        play.world.put(actor.having(stress=after))
        play.emit("StressChanged", from_=actor.stress, to=after, reason=reason)
        _book(play, "stress", after - actor.stress)
    return after - actor.stress


def change_coin(play: Play, delta: int, reason: str) -> int:
    """Change the coin of the acting character; return by how much it really changed."""
    if delta == 0:
        return 0
    actor = play.require_actor()
    after = _bounded(play, "coin", actor.coin, delta, None)
    if after != actor.coin:
        play.world.put(actor.having(coin=after))
        play.emit("CoinChanged", from_=actor.coin, to=after, reason=reason)
        _book(play, "coin", after - actor.coin)
    return after - actor.coin


def change_heat(play: Play, delta: int, reason: str) -> int:
    """Change the crew's heat; return by how much it really changed."""
    before = play.crew.heat
    after = _bounded(play, "heat", before, delta, play.rule("heat_max")) if delta else before
    if after != before:
        play.set_crew(heat=after)
        play.emit("HeatChanged", from_=before, to=after, reason=reason)
        _book(play, "heat", after - before)
    return after - before


def change_wanted(play: Play, delta: int, reason: str) -> int:
    """Change the crew's wanted level; return by how much it really changed."""
    before = play.crew.wanted
    after = _bounded(play, "wanted", before, delta, play.rule("wanted_max")) if delta else before
    if after != before:
        play.set_crew(wanted=after)
        play.emit("WantedChanged", from_=before, to=after, reason=reason)
    return after - before


def _bounded(play: Play, field: str, before: int, delta: int, most: int | None) -> int:
    wanted = before + delta
    # A bound that was lowered meanwhile stops what goes up; it never takes away what is there.
    after = max(0, wanted if most is None else min(max(most, before), wanted))
    if after != wanted:
        play.emit("DeltaClamped", field=field, requested=delta, applied=after - before)
    return after


def _book(play: Play, field: str, change: int) -> None:
    """Add a change to what the turn and the scene sum up."""
    ledger = play.crew.ledger
    play.set_crew(ledger=ledger.having(**{field: getattr(ledger, field) + change}))
    if isinstance(play.crew.phase, Playing):
        scene = play.scene
        play.world.put(scene.having(ledger=scene.ledger.having(**{field: getattr(scene.ledger, field) + change})))
