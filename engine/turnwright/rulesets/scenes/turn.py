"""Apply the output of a turn, and its consequences.

Source: docs/tools/scenes.md, "Outputs".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwright.model.clock import Clock
from turnwright.model.crew import FromAftermath, FromTrauma
from turnwright.model.intrigue import ATTITUDES, Faction, Rumor
from turnwright.model.mood import ActionContext, MoodName, SceneMood, TraumaMood
from turnwright.model.scene import DmNarration
from turnwright.rulesets.scenes.beats import add_beat, add_cost, add_shift, add_threat, resolve_threats
from turnwright.rulesets.scenes.clocks import check_completion, take_interrupt, tick
from turnwright.rulesets.scenes.closing import close_scene
from turnwright.rulesets.scenes.moods import check_trauma, continuing, go
from turnwright.rulesets.scenes.output_checks import require_output
from turnwright.rulesets.scenes.play import Play, Source
from turnwright.rulesets.scenes.scars import assign, scar_named
from turnwright.rulesets.scenes.stats import change_coin, change_heat, change_stress, change_wanted
from turnwright.rulesets.scenes.texts import left_by_aftermath
from turnwright.rulesets.scenes.turn_output import ConsequenceEffects, TurnOutput
from turnwright.rulesets.scenes.waiting import after_turn

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import TurnDeltas

HOLDING_LINE = "The moment holds. Nothing moves yet; the next step is still yours."


def apply(play: Play, output: TurnOutput) -> TurnDeltas:
    """Apply the output of a turn in scene, action, aftermath or trauma: all of it, or nothing."""
    mood = play.mood
    if isinstance(mood, TraumaMood):
        play.acting_id = mood.for_
    judged = play.crew.awaiting.mood or mood.mood
    require_output(play, output, judged)
    _lint(play, output, judged)
    if judged == "trauma":
        assert isinstance(mood, TraumaMood)
        ends = _heal(play, output, mood)
    else:
        _change(play, output)
        ends = not output.continue_scene
    _complete(play, output.narration, judged, ends=ends, variant=output.scene_variant)
    done = next(event.data for event in reversed(play.events) if event.type == "TurnCompleted")
    return {
        "stress_delta": done["stress_delta"],
        "heat_delta": done["heat_delta"],
        "coin_delta": done["coin_delta"],
    }


def hold(play: Play) -> None:
    """Use a neutral line in place of an output that stayed invalid; nothing else changes."""
    play.emit("TurnFallback", reason="no output of this turn could be applied")
    play.acting_id = play.crew.awaiting.for_ or play.acting_id
    _complete(play, HOLDING_LINE, play.crew.awaiting.mood or play.mood.mood, ends=False, source="system")


def _lint(play: Play, output: TurnOutput, judged: MoodName) -> None:
    if not 2 <= len(output.suggested_actions) <= 3:
        play.warnings.append("lint_suggestions")
    if judged == "action" and play.crew.mood_turns >= 1:
        play.warnings.append("lint_action_stalled")


def _change(play: Play, output: TurnOutput) -> None:
    for effects in output.consequence_effects:
        _make_real(play, effects)
    change_stress(play, output.stress_delta, "turn")
    change_heat(play, output.heat_delta, "turn")
    change_coin(play, output.coin_delta, "turn")
    if output.cost_description:
        add_cost(play, output.cost_description)
    resolve_threats(play, output.threats_resolved)
    if output.threat_description:
        add_threat(play, output.threat_description)
    for ticks in output.clock_ticks:
        clock = play.world.find(Clock, ticks.clock_id)
        assert clock is not None
        tick(play, clock, ticks.ticks, ticks.reason or "turn")
    if output.suggested_actions:
        play.set_crew(suggested_actions=output.suggested_actions)
    if output.scene_variant is not None and play.mood.mood == "scene":
        phase = play.crew.phase
        play.set_crew(phase=phase.replace(mood=output.scene_variant))


def _make_real(play: Play, effects: ConsequenceEffects) -> None:
    pending = play.crew.pending_consequences
    due = next(entry for entry in pending if entry.id == effects.consequence_id)
    play.set_crew(pending_consequences=[entry for entry in pending if entry is not due])
    if text := effects.note.strip() or due.text.strip():
        add_shift(play, text)
    told = effects.as_written
    shown = {key: told[key] for key in told if key not in ("consequence_id", "acknowledged", "note")}
    play.emit("ConsequenceApplied", id=effects.consequence_id, effects=shown, note=effects.note)
    change_stress(play, effects.stress_delta, "consequence")
    change_heat(play, effects.heat_delta, "consequence")
    change_wanted(play, effects.wanted_delta, "consequence")
    change_coin(play, effects.coin_delta, "consequence")
    if effects.threat:
        add_threat(play, effects.threat)
    if effects.rumor:
        play.world.put(Rumor(id=play.world.new_id("rumor", Rumor), content=effects.rumor, spread="tavern"))
    if shift := effects.faction_shift:
        _shift(play, shift.faction_id, shift.steps)


def _shift(play: Play, faction_id: str, steps: int) -> None:
    faction = play.world.find(Faction, faction_id)
    assert faction is not None
    place = min(max(ATTITUDES.index(faction.attitude) + steps, 0), len(ATTITUDES) - 1)
    play.world.put(faction.replace(attitude=ATTITUDES[place]))


def _heal(play: Play, output: TurnOutput, mood: TraumaMood) -> bool:
    """Assign the trauma; return whether the scene ends with it."""
    scar = scar_named(play, output.trauma_assigned, "output.trauma_assigned")
    assign(play, scar, mood.trigger, mood.what_broke)
    left = FromTrauma(trauma_gained=scar, adrenaline=mood.adrenaline, unresolved_action=_unresolved(play))
    play.set_crew(pending_outcome=None, scene_entry_context=left)
    if output.suggested_actions:
        play.set_crew(suggested_actions=output.suggested_actions)
    if mood.adrenaline:
        go(play, "trauma_complete", continuing("running on adrenaline", "high"))
    else:
        go(play, "trauma_complete", continuing("after the break"))
    return mood.end_scene_after


def _unresolved(play: Play) -> ActionContext | None:
    pending = play.crew.pending_outcome
    if pending is None or pending.chosen_die is None or pending.chosen_tier is None:
        return None
    return ActionContext(
        die_chosen=pending.chosen_die,
        position=pending.position,
        effect=pending.effect,
        tier=pending.chosen_tier,
        other_dice=pending.other_dice,
        domain=pending.domain,
        situation=pending.situation,
        stakes=pending.stakes,
    )


def context_of_action(play: Play) -> ActionContext:
    """Return the chosen die of the action that is resolved now."""
    context = _unresolved(play)
    assert context is not None
    return context


def _complete(
    play: Play,
    narration: str,
    judged: MoodName,
    *,
    ends: bool,
    variant: SceneMood | None = None,
    source: Source = "dm",
) -> None:
    """Complete the turn, and set what follows."""
    add_beat(play, DmNarration(text=narration, mood=judged, seq=play.seq, turn=play.crew.turn))
    _settle_entry(play, judged)
    _clear_interrupt(play, judged)
    check_completion(play)
    play.set_crew(mood_turns=play.crew.mood_turns + 1)
    broke = check_trauma(play, _trigger(play), narration)
    if broke and ends:
        phase = play.crew.phase
        play.set_crew(phase=phase.replace(mood=play.mood.replace(end_scene_after=True)))
    if not broke and judged == "aftermath":
        _leave_aftermath(play, variant, ends=ends)
    play.tell(narration, source)
    if ends and not broke:
        close_scene(play, "concluded")
    ledger = play.crew.ledger
    play.set_crew(ledger=type(ledger)())
    play.emit(
        "TurnCompleted",
        narration=narration,
        stress_delta=ledger.stress,
        heat_delta=ledger.heat,
        coin_delta=ledger.coin,
        suggested_actions=list(play.crew.suggested_actions),
    )
    if ends and not broke:
        from turnwright.rulesets.scenes.interlude import enter

        enter(play)
    else:
        after_turn(play)


def _trigger(play: Play) -> str:
    """Return the cause of the stress: a full clock, or the turn itself."""
    reasons = [event.data["reason"] for event in play.events if event.type == "StressChanged"]
    return "consequence" if reasons[-1:] == ["consequence"] else "turn"


def _settle_entry(play: Play, judged: MoodName) -> None:
    """Clear the entry context of a scene, which is shown once; update the one that an aftermath leaves behind."""
    entry = play.crew.scene_entry_context
    if judged == "scene":
        play.set_crew(scene_entry_context=None)
    elif judged == "aftermath" and isinstance(entry, FromAftermath):
        play.set_crew(scene_entry_context=left_by_aftermath(play, entry.transition_note))


def _clear_interrupt(play: Play, judged: MoodName) -> None:
    """Clear an interrupt without force: it was shown in the turn that is now over."""
    head = play.crew.pending_interrupt
    was_shown = play.crew.awaiting.player_text and judged != "trauma"
    if head is not None and not head.forces_action and was_shown:
        take_interrupt(play)


def _leave_aftermath(play: Play, variant: SceneMood | None, *, ends: bool) -> None:
    if play.mood.mood != "aftermath":
        return
    if ends:
        tool = "accept"
    elif play.crew.mood_turns >= play.rule("aftermath_max_turns"):
        tool = "auto_accept"
        play.emit("AutoAccepted")
    else:
        play.warnings += ["lint_variant_unused"] if variant else []
        return
    play.set_crew(scene_entry_context=left_by_aftermath(play, ""))
    go(play, tool, variant or continuing())
