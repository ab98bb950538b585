"""Check the output of a turn: as a whole, in a fixed order, before any of it is applied.

Source: docs/tools/scenes.md, "Outputs".
"""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.model.clock import Clock
from turnwright.model.crew import PendingConsequence
from turnwright.model.intrigue import Faction
from turnwright.model.mood import MoodName
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.scenes.beats import is_threat
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.scars import scar_named
from turnwright.rulesets.scenes.turn_output import (
    ENDING,
    FIELDS,
    MASK,
    NUMBERS,
    ConsequenceEffects,
    Range,
    TurnOutput,
)


def require_output(play: Play, output: TurnOutput, mood: MoodName) -> None:
    """Refuse an output as a whole for the first rule it breaks.

    Args:
        play: the game.
        output: the submitted output.
        mood: the mood in which the segment began.
    """
    _require_suggestions(play, output)
    _require_ranges(output)
    _require_trauma_rules(play, output, mood)
    _require_mask(output, mood)
    _require_ids(play, output)
    _require_consequences(play, output, mood)
    if _changes_actor(output, mood):
        play.require_actor()


def _require_suggestions(play: Play, output: TurnOutput) -> None:
    most, given = play.rule("suggestions_max"), output.suggested_actions
    if len(given) > most:
        repair = hint.ask("output.suggested_actions", list(given))
        raise CallFailed(Reason.INVALID_ARGS, f"output.suggested_actions: wants at most {most}", repair)


def _require_ranges(output: TurnOutput) -> None:
    for field, number, allowed in _numbers(output):
        if number not in allowed:
            repair = hint.ask(field, number)
            detail = f"{field}: wants {allowed.low} to {allowed.high}"
            raise CallFailed(Reason.DELTA_OUT_OF_RANGE, detail, repair)


def _numbers(output: TurnOutput) -> Iterator[tuple[str, int, Range]]:
    for name, allowed in NUMBERS.items():
        yield f"output.{name}", getattr(output, name), allowed
    for place, ticks in enumerate(output.clock_ticks):
        yield f"output.clock_ticks.{place}.ticks", ticks.ticks, Range(1, 2)
    for place, effects in enumerate(output.consequence_effects):
        where = f"output.consequence_effects.{place}"
        for name, allowed in EFFECTS.items():
            yield f"{where}.{name}", getattr(effects, name), allowed
        if effects.faction_shift:
            yield f"{where}.faction_shift.steps", effects.faction_shift.steps, Range(-1, 1)


EFFECTS = {
    "stress_delta": Range(-2, 3),
    "heat_delta": Range(-2, 3),
    "coin_delta": Range(-4, 8),
    "wanted_delta": Range(0, 1),
}


def _require_trauma_rules(play: Play, output: TurnOutput, mood: MoodName) -> None:
    given = output.trauma_assigned
    if mood != "trauma":
        if given is not None:
            detail = "output.trauma_assigned: nobody breaks now"
            raise CallFailed(Reason.TRAUMA_NOT_ALLOWED, detail, hint.remove("output.trauma_assigned"))
        return
    scar_named(play, given, "output.trauma_assigned")


def _require_mask(output: TurnOutput, mood: MoodName) -> None:
    for name, allowed in MASK[mood].items():
        number = getattr(output, name)
        if number not in allowed:
            field = f"output.{name}"
            repair = hint.ask(field, number)
            raise CallFailed(Reason.DELTA_NOT_ALLOWED_IN_MOOD, f"{field}: the mood is {mood}", {**repair, "mood": mood})
    for name, moods in FIELDS.items():
        if mood not in moods and getattr(output, name):
            repair = {**hint.ask(f"output.{name}", output.as_written.get(name)), "mood": mood}
            raise CallFailed(Reason.DELTA_NOT_ALLOWED_IN_MOOD, f"output.{name}: the mood is {mood}", repair)
    if not output.continue_scene and mood not in ENDING:
        repair = {**hint.ask("output.continue_scene", False, [True]), "mood": mood}
        raise CallFailed(Reason.SCENE_CANNOT_END, f"output.continue_scene: the mood is {mood}", repair)


def _require_ids(play: Play, output: TurnOutput) -> None:
    known = sorted(clock.id for clock in play.world.all(Clock))
    for place, ticks in enumerate(output.clock_ticks):
        if play.world.find(Clock, ticks.clock_id) is None:
            repair = hint.name(f"output.clock_ticks.{place}.clock_id", ticks.clock_id, known)
            raise CallFailed(Reason.CLOCK_UNKNOWN, f"there is no clock {ticks.clock_id}", repair)
    for place, text in enumerate(output.threats_resolved):
        if not is_threat(play, text):
            repair = hint.name(f"output.threats_resolved.{place}", text, play.crew.unresolved_threats)
            raise CallFailed(Reason.INVALID_ARGS, f"output.threats_resolved.{place}: is no unresolved threat", repair)


def due_consequences(play: Play) -> list[PendingConsequence]:
    """Return the consequences that the prompt in force showed, and that the next output so has to make real."""
    current = play.crew.awaiting.prompt_id
    return [entry for entry in play.crew.pending_consequences if entry.prompt_id < current]


def _require_consequences(play: Play, output: TurnOutput, mood: MoodName) -> None:
    pending = {entry.id for entry in play.crew.pending_consequences}
    given = [effects.consequence_id for effects in output.consequence_effects]
    for place, effects in enumerate(output.consequence_effects):
        where = f"output.consequence_effects.{place}"
        if effects.consequence_id not in pending or effects.consequence_id in given[:place]:
            left = sorted(pending - set(given[:place]))
            repair = hint.remove(where)
            if left:
                repair = hint.name(f"{where}.consequence_id", effects.consequence_id, left)
            raise CallFailed(Reason.CONSEQUENCE_UNKNOWN, f"{where}: no such consequence is pending", repair)
        shift = effects.faction_shift
        if shift and play.world.find(Faction, shift.faction_id) is None:
            known = [faction.id for faction in play.world.all(Faction)]
            repair = hint.name(f"{where}.faction_shift.faction_id", shift.faction_id, known)
            raise CallFailed(Reason.INVALID_ARGS, f"{where}: there is no faction {shift.faction_id}", repair)
    missing = [entry.id for entry in due_consequences(play) if entry.id not in given]
    if missing and mood != "trauma":
        field = "output.consequence_effects"
        repair = (
            hint.ask(field, [effects.as_written for effects in output.consequence_effects])
            if given
            else hint.ask_for(field)
        )
        detail = f"{field}: nothing about {', '.join(missing)}"
        raise CallFailed(Reason.CONSEQUENCE_UNADDRESSED, detail, repair)
    _require_reasons(output)


def _require_reasons(output: TurnOutput) -> None:
    """Refuse a consequence without effects that does not say why."""
    for place, effects in enumerate(output.consequence_effects):
        if not effects.note.strip() and not _has_effect(effects):
            field = f"output.consequence_effects.{place}.note"
            given = "note" in effects.model_fields_set
            repair = hint.ask(field, effects.note) if given else hint.ask_for(field)
            raise CallFailed(Reason.CONSEQUENCE_UNADDRESSED, f"{field}: has to say why nothing changes", repair)


def _has_effect(effects: ConsequenceEffects) -> bool:
    shift = effects.faction_shift
    numbers = any(getattr(effects, name) for name in EFFECTS)
    return bool(numbers or effects.threat or effects.rumor or (shift and shift.steps))


def _changes_actor(output: TurnOutput, mood: MoodName) -> bool:
    deltas = [output.stress_delta, output.coin_delta, mood == "trauma"]
    deltas += [effects.stress_delta or effects.coin_delta for effects in output.consequence_effects]
    return any(deltas)
