"""Compression: turn the beats of a scene into a summary and lasting facts.

Source: docs/tools/scenes.md, "Compression".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from turnwright.model.base import Flag, Id, ListOf, Model, SafeInt
from turnwright.model.crew import BetweenScenes
from turnwright.model.intrigue import Ledger, Rumor, Tension, Thread
from turnwright.model.location import Location
from turnwright.model.prose import Narration
from turnwright.model.scene import ClockTick, DiceRoll, Revelation, Scene, SceneSummary
from turnwright.rulesets.scenes.beats import add_threat
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.waiting import ask_text, wait_for

if TYPE_CHECKING:
    from turnwright.rulesets.scenes.shapes import Summarized

RECENT = 3
"""How many summaries prompts show."""
NOTHING_CAME = "no summary of the scene could be applied"
_MAX_EXCERPT_LENGTH = 200


def _split(value: Any) -> Any:
    return [seed.strip() for seed in value.split(",") if seed.strip()] if isinstance(value, str) else value


class NewRumor(Model):
    """Something bystanders could repeat."""

    ri_content: Narration = Field(description="The rumor itself.")
    ri_spread: Literal["whisper", "tavern", "common_knowledge"] = Field(description="How far it got already.")
    ri_true: Flag | None = Field(default=None, description="Whether it is true; null: unknown.")


class ThreadUpdate(Model):
    """An open thread that is new, or has changed."""

    thread_id: Id | None = Field(
        default=None, description="The thread that changes; without a known id it is a new one."
    )
    hook: Narration = Field(description="The subject of the thread.")
    tension: Tension = Field(description="How close it is to breaking.")


class CompressionOutput(Model):
    """The remains of the beats: durable facts and no new fiction."""

    summary: Narration = Field(description="The events, in one paragraph.")
    key_moments: Annotated[ListOf[Narration], Field(min_length=1, max_length=5)] = Field(
        description="The 3 to 5 moments that mattered."
    )
    consequence_seeds: Annotated[ListOf[Narration], Field(max_length=3), BeforeValidator(_split)] = Field(
        default=(), description="Threats that are loose now, a few words each."
    )
    stress_change: SafeInt | None = Field(
        default=None, description="The change of stress in these beats, to be compared with the engine's count."
    )
    coin_change: SafeInt | None = Field(default=None, description="The change of coin, to be compared likewise.")
    new_rumors: Annotated[ListOf[NewRumor], Field(max_length=5)] = Field(
        default=(), description="Rumors that bystanders could spread."
    )
    thread_updates: Annotated[ListOf[ThreadUpdate], Field(max_length=3)] = Field(
        default=(), description="Open threads that are new, or have changed."
    )


def compression_due(play: Play) -> None:
    """Wait for a summary of the closed scene, or else of the running one.

    A running scene whose compression is long overdue gets the engine's own summary at once.
    """
    if play.crew.closed_scene_id is None and len(play.scene.beats) >= 2 * play.rule("compress_at"):
        fallback(play)
        return
    awaiting = play.crew.awaiting
    wait_for(play, "dm_compression", for_=play.acting_id if awaiting.for_ is None else awaiting.for_)


def apply(play: Play, output: CompressionOutput) -> Summarized:
    """Replace the beats by a summary, keep its facts, and continue."""
    scene = _subject(play)
    if output.stress_change not in (None, scene.ledger.stress) or output.coin_change not in (None, scene.ledger.coin):
        play.warnings.append("lint_ledger_mismatch")
    summary_id = _summarise(play, scene, output.summary, output.key_moments)
    for seed in output.consequence_seeds:
        add_threat(play, seed)
    rumor_ids = [_add_rumor(play, rumor) for rumor in output.new_rumors]
    # All are looked up before any is put: an id that one of them is given now is not one that another could mean.
    threads = [_updated_thread(play, update) for update in output.thread_updates]
    for thread in threads:
        play.world.put(thread)
    _go_on(play, scene)
    return {"summary_id": summary_id, "rumor_ids": rumor_ids, "thread_ids": [thread.id for thread in threads]}


def fallback(play: Play) -> None:
    """Use the engine's own summary in place of a missing one, and continue."""
    scene = _subject(play)
    play.emit("TurnFallback", reason=NOTHING_CAME)
    _summarise(play, scene, *_mechanical(play, scene))
    _go_on(play, scene)


def give_up(play: Play, errors: Sequence[str] = (NOTHING_CAME,)) -> None:
    """Continue after the last try: a running scene keeps its beats and is compressed again after the next turn.

    A closed scene has no next turn, so the engine's own summary takes its place.
    """
    play.emit("CompressionFailed", errors=list(errors))
    if _subject(play).open:
        ask_text(play)
    else:
        fallback(play)


def _subject(play: Play) -> Scene:
    """Return the scene that is to be compressed."""
    closed_id = play.crew.closed_scene_id
    closed = play.world.find(Scene, closed_id) if closed_id is not None else None
    return closed or play.scene


def _summarise(play: Play, scene: Scene, text: str, moments: Sequence[str]) -> str:
    """Put a summary in the place of the beats; return its id."""
    end = scene.first_beat + len(scene.beats)
    summary = SceneSummary(
        id=play.world.new_id("summary", SceneSummary),
        text=text,
        key_moments=tuple(moments),
        scene_id=scene.id,
        scene_location=scene.location,
        beat_range=(scene.first_beat, end),
    )
    play.world.put(summary)
    play.world.put(scene.replace(beats=(), first_beat=end, ledger=Ledger()))
    recent = (summary.id, *play.crew.recent_summary_ids)[:RECENT]
    play.set_crew(closed_scene_id=None, recent_summary_ids=recent)
    play.emit("SceneCompressed", summary=text)
    return summary.id


def _add_rumor(play: Play, rumor: NewRumor) -> str:
    truth = {True: "true", False: "false", None: "unknown"}[rumor.ri_true]
    added = {"content": rumor.ri_content, "source": "public", "truth": truth, "spread": rumor.ri_spread}
    identifier = play.world.new_id("rumor", Rumor)
    play.world.put(Rumor.model_validate({"id": identifier, **added}))
    return identifier


def _updated_thread(play: Play, update: ThreadUpdate) -> Thread:
    """Return the updated thread, or a new one; a new thread does not take over an unknown id."""
    changes = {"hook": update.hook, "tension": update.tension}
    known = play.world.find(Thread, update.thread_id) if update.thread_id is not None else None
    if known is None:
        known = Thread(id=play.world.new_id("thread", Thread), hook=update.hook)
    return known.replace(**changes)


def _mechanical(play: Play, scene: Scene) -> tuple[str, list[str]]:
    """Return a summary that needs no understanding of the text: the beginning, the end, the last dice."""
    place = play.world.find(Location, scene.location)
    told = list(_told(scene))
    gap = ["..."] if len(told) > 4 else []
    text = " ".join([f"At {_excerpt(place.name if place else scene.location)}.", *told[:2], *gap, *told[2:][-2:]])
    dice = [beat for beat in scene.beats if isinstance(beat, DiceRoll)]
    return text, [f"{beat.value} ({beat.tier}): {_excerpt(beat.situation)}" for beat in dice[-5:]]


def _told(scene: Scene) -> Iterator[str]:
    """Yield the spoken and narrated texts. Ticks are left out, as some belong to hidden clocks."""
    for beat in scene.beats:
        if not isinstance(beat, (DiceRoll, ClockTick, Revelation)):
            yield _excerpt(beat.text)


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_EXCERPT_LENGTH else line[: _MAX_EXCERPT_LENGTH - 3] + "..."


def _go_on(play: Play, scene: Scene) -> None:
    """Set what follows the compression of a scene."""
    if isinstance(play.crew.phase, BetweenScenes):
        from turnwright.rulesets.scenes.interlude import go_on

        go_on(play)
    elif scene.open or play.crew.mood_turns:
        ask_text(play)
    else:
        # After passing out, the new scene has not been narrated yet.
        wait_for(play, "dm_turn", for_=play.crew.awaiting.for_)
