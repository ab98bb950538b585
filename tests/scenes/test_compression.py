"""Compression: when it is due, what it keeps, and what stands in for it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.builders import results
from tests.scenes.beginnings import told
from tests.scenes.between import between, clock, narrations, play_of, playing, scene, types
from tests.scenes.doing import do, tell
from tests.scenes.moments import in_mood

from turnwright.model.intrigue import Rumor, Thread
from turnwright.model.location import Location
from turnwright.model.mood import SceneEncounter, TraumaMood
from turnwright.model.scene import ClockTick, DiceRoll, PlayerAction, Revelation, Scene, SceneSummary
from turnwright.rulesets.scenes.compression import CompressionOutput, apply, compression_due, fallback, give_up
from turnwright.rulesets.scenes.play import Play
from turnwright.rulesets.scenes.waiting import after_turn

PLAIN: dict[str, Any] = {"summary": " They met. ", "key_moments": [" A door opens. "]}


def output(**fields: Any) -> CompressionOutput:
    return CompressionOutput.model_validate(PLAIN | fields)


def in_scene(beats: int, crew: dict[str, Any] | None = None, **fields: Any) -> Play:
    return play_of(scene(narrations(beats), **fields), crew={"phase": playing()} | (crew or {}))


def after_the_scene(beats: int = 1, **crew: Any) -> Play:
    closed = {"phase": between(), "closed_scene_id": "scene-1"}
    return play_of(scene(narrations(beats), open=False), crew=closed | crew)


def scene_of(play: Play, scene_id: str = "scene-1") -> Scene:
    found = play.world.find(Scene, scene_id)
    assert found is not None
    return found


def summary_of(play: Play, summary_id: str = "summary-1") -> SceneSummary:
    found = play.world.find(SceneSummary, summary_id)
    assert found is not None
    return found


@pytest.mark.parametrize(("beats", "stage"), [(0, "player_text"), (19, "player_text"), (20, "dm_compression")])
def test_twenty_beats_after_a_turn_are_to_be_compressed(beats: int, stage: str) -> None:
    play = in_scene(beats)
    after_turn(play)
    assert play.crew.awaiting.stage == stage
    assert len(scene_of(play).beats) == beats


@pytest.mark.parametrize(("beats", "stage"), [(39, "dm_compression"), (40, "player_text"), (41, "player_text")])
def test_an_open_scene_of_forty_beats_is_summed_up_at_once(beats: int, stage: str) -> None:
    play = in_scene(beats)
    compression_due(play)
    assert play.crew.awaiting.stage == stage
    assert bool(scene_of(play).beats) == (stage == "dm_compression")
    assert types(play) == ([] if stage == "dm_compression" else ["TurnFallback", "SceneCompressed"])


def test_how_many_beats_are_too_many_is_a_setting() -> None:
    play = play_of(scene(narrations(8)), crew={"phase": playing()}, settings={"compress_at": 4})
    compression_due(play)
    assert not scene_of(play).beats


def test_a_closed_scene_of_forty_beats_is_still_asked_for() -> None:
    play = after_the_scene(40)
    compression_due(play)
    assert play.crew.awaiting.stage == "dm_compression"


def test_the_summary_is_asked_of_whoever_answers_the_character_that_acted() -> None:
    play = in_scene(20, {"awaiting": {"stage": "dm_turn", "for": "pc", "player_text": "I wait.", "prompt_id": 3}})
    play.acting_id = None
    compression_due(play)
    awaiting = play.crew.awaiting
    assert (awaiting.for_, awaiting.player_text, awaiting.prompt_id) == ("pc", "I wait.", 4)


def test_an_applied_summary_takes_the_place_of_the_beats() -> None:
    play = in_scene(20, {"recent_summary_ids": ["a", "b", "c"]}, first_beat=21, ledger={"stress": 2})
    result = apply(play, output(key_moments=["one", "two", "three"]))
    assert summary_of(play).value() == {
        "id": "summary-1",
        "text": "They met.",
        "key_moments": ["one", "two", "three"],
        "scene_id": "scene-1",
        "scene_location": "docks",
        "beat_range": [21, 41],
    }
    after = scene_of(play)
    assert (after.beats, after.first_beat, after.ledger.stress, after.open) == ((), 41, 0, True)
    assert play.crew.recent_summary_ids == ("summary-1", "a", "b")
    assert told(play) == [("SceneCompressed", {"summary": "They met."})]
    assert play.events[0].audience == "log"
    assert result == {"summary_id": "summary-1", "rumor_ids": [], "thread_ids": []}


def test_mood_style_and_stakes_of_a_scene_that_goes_on_stay() -> None:
    play = in_scene(20, style={"class": "salon"}, stakes="the ledger", present=["npc"])
    before = scene_of(play)
    apply(play, output())
    after = scene_of(play)
    assert after == before.replace(beats=(), first_beat=20)
    assert isinstance(play.mood, SceneEncounter)


@pytest.mark.parametrize(
    ("claimed", "warns"),
    [
        ({}, False),
        ({"stress_change": 2, "coin_change": -1}, False),
        ({"stress_change": 2}, False),
        ({"stress_change": 3, "coin_change": -1}, True),
        ({"coin_change": 0}, True),
        ({"stress_change": 0, "coin_change": 0}, True),
    ],
)
def test_claimed_changes_are_compared_with_the_ledger_and_never_applied(claimed: dict[str, int], warns: bool) -> None:
    play = in_scene(20, ledger={"stress": 2, "coin": -1})
    apply(play, output(**claimed))
    assert play.warnings == (["lint_ledger_mismatch"] if warns else [])
    assert play.actor == play_of().actor
    assert types(play) == ["SceneCompressed"]


@pytest.mark.parametrize("seeds", [["the Wardens", "a debt"], "the Wardens, a debt", " the Wardens ,, a debt,"])
def test_seeds_become_threats_also_from_one_line(seeds: Any) -> None:
    play = in_scene(20, {"unresolved_threats": ["THE WARDENS", "rain"]})
    apply(play, output(consequence_seeds=seeds))
    assert play.crew.unresolved_threats == ("a debt", "the Wardens", "rain")


def test_threats_that_are_too_many_fade_after_the_cause_is_told() -> None:
    play = in_scene(20, {"unresolved_threats": ["1", "2", "3", "4", "5"]})
    apply(play, output(consequence_seeds=["6"]))
    assert told(play)[1:] == [("ThreatFaded", {"text": "5"})]
    assert play.crew.unresolved_threats == ("6", "1", "2", "3", "4")


@pytest.mark.parametrize(
    "wrong",
    [
        {"summary": " "},
        {"key_moments": []},
        {"key_moments": list("abcdef")},
        {"consequence_seeds": ["a", " "]},
        {"consequence_seeds": "a,b,c,d"},
        {"new_rumors": [{"ri_content": "x", "ri_spread": "universal"}]},
        {"new_rumors": [{"ri_content": "x", "ri_spread": "tavern"}] * 6},
        {"thread_updates": [{"hook": "x", "tension": "high"}]},
        {"thread_updates": [{"hook": "x", "tension": "rising"}] * 4},
        {"stress_change": "2"},
        {"coin_change": True},
        {"mood": "scene"},
    ],
)
def test_what_is_no_summary_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        output(**wrong)


@pytest.mark.parametrize(("is_true", "truth"), [(True, "true"), (False, "false"), (None, "unknown")])
def test_rumors_are_public_and_as_true_as_is_known(is_true: bool | None, truth: str) -> None:
    play = in_scene(20)
    play.world.put(Rumor(id="rumor-1", content="made by hand"))
    told_by = {"ri_content": " It walks. ", "ri_spread": "tavern"} | ({} if is_true is None else {"ri_true": is_true})
    result = apply(play, output(new_rumors=[told_by]))
    assert result["rumor_ids"] == ["rumor-2"]
    rumor = play.world.find(Rumor, "rumor-2")
    assert rumor is not None
    assert (rumor.content, rumor.source, rumor.truth, rumor.spread) == ("It walks.", "public", truth, "tavern")


def test_a_known_thread_changes_and_keeps_what_it_is_not_told() -> None:
    play = in_scene(20)
    play.world.put(Thread(id="ledger", hook="old", involves=("wardens",), deadline="raid"))
    result = apply(play, output(thread_updates=[{"thread_id": "ledger", "hook": "new", "tension": "urgent"}]))
    assert result["thread_ids"] == ["ledger"]
    changed = Thread(id="ledger", hook="new", tension="urgent", involves=("wardens",), deadline="raid")
    assert play.world.find(Thread, "ledger") == changed


@pytest.mark.parametrize("thread_id", [None, "nobody-knows-me"])
def test_a_thread_nobody_knows_is_new_and_gets_an_id_of_its_own(thread_id: str | None) -> None:
    play = in_scene(20)
    named = {} if thread_id is None else {"thread_id": thread_id}
    result = apply(play, output(thread_updates=[{**named, "hook": " A key. ", "tension": "rising"}]))
    assert result["thread_ids"] == ["thread-1"]
    assert list(play.world.all(Thread)) == [Thread(id="thread-1", hook="A key.", tension="rising")]


@pytest.mark.parametrize("named", [(None, "thread-1"), ("thread-2", "thread-1"), ("thread-1", "thread-1")])
def test_new_threads_never_become_one_whatever_ids_they_are_given(named: tuple[str | None, str]) -> None:
    updates = [{"thread_id": name, "hook": hook, "tension": "rising"} for name, hook in zip(named, "AB", strict=True)]
    table = in_mood("scene")
    tell(table, continue_scene=False)
    reply = do(table, output={**PLAIN, "thread_updates": updates})
    assert results(reply)[0]["thread_ids"] == ["thread-1", "thread-2"]
    hooks = {path: value["hook"] for path, value in table.state.items() if path.startswith("threads/")}
    assert hooks == {"threads/thread-1.json": "A", "threads/thread-2.json": "B"}


def test_after_an_open_scene_the_player_is_asked() -> None:
    play = in_scene(20, {"suggested_actions": ["run"]})
    apply(play, output())
    request = play.crew.request
    assert play.crew.awaiting.stage == "player_text"
    assert request is not None
    assert request.payload.model_dump() == {"suggestions": ("run",)}


def test_after_a_closed_scene_the_interlude_goes_on() -> None:
    play = after_the_scene()
    play.world.put(clock("raid"))
    apply(play, output())
    assert play.crew.awaiting.stage == "dm_transition"
    assert play.crew.closed_scene_id is None
    assert types(play) == ["SceneCompressed", "ClockAdvanced"]


@pytest.mark.parametrize(
    "mood",
    [
        SceneEncounter(source="waking up"),
        TraumaMood.model_validate({"for": "pc", "what_broke": "the fall", "trigger": "pass_out"}),
    ],
)
def test_after_a_blackout_the_new_scene_meets_the_same_words(mood: SceneEncounter | TraumaMood) -> None:
    closed, played = scene(narrations(3), open=False), scene(id="scene-2")
    waiting = {"stage": "dm_compression", "for": "pc", "segment": 2, "transition_count": 1, "player_text": "I jump."}
    phase = playing("scene-2").replace(mood=mood)
    crew = {"phase": phase, "closed_scene_id": "scene-1", "awaiting": waiting}
    play = play_of(closed, played, crew=crew)
    apply(play, output())
    awaiting = play.crew.awaiting
    assert (awaiting.stage, awaiting.for_, awaiting.player_text) == ("dm_turn", "pc", "I jump.")
    assert (awaiting.mood, awaiting.segment, awaiting.transition_count) == (mood.mood, 2, 1)
    assert scene_of(play).beats == ()
    assert scene_of(play, "scene-2") == played


def test_a_scene_that_never_got_its_summary_keeps_its_beats_and_is_tried_again() -> None:
    play = in_scene(20)
    give_up(play, ["summary: is required"])
    assert told(play) == [("CompressionFailed", {"errors": ["summary: is required"]})]
    stages = [play.crew.awaiting.stage]
    assert len(scene_of(play).beats) == 20
    after_turn(play)
    assert [*stages, play.crew.awaiting.stage] == ["player_text", "dm_compression"]


def test_a_closed_scene_that_never_got_its_summary_gets_the_engines() -> None:
    play = after_the_scene()
    give_up(play)
    assert types(play) == ["CompressionFailed", "TurnFallback", "SceneCompressed"]
    assert play.crew.awaiting.stage == "dm_transition"
    assert summary_of(play).beat_range == (0, 1)


def test_the_engines_summary_tells_the_first_the_last_and_the_dice() -> None:
    rolls = [DiceRoll(value=face, tier="partial", situation=f"try {face}", seq=1, turn=1) for face in range(1, 7)]
    acts = [PlayerAction(text=f" act\n{number} ", seq=1, turn=1) for number in range(6)]
    play = play_of(
        scene([acts[0], *rolls, *acts[1:]]), Location(id="docks", name="The Docks"), crew={"phase": playing()}
    )
    fallback(play)
    summary = summary_of(play)
    assert summary.text == "At The Docks. act 0 act 1 ... act 4 act 5"
    assert summary.key_moments == tuple(f"{face} (partial): try {face}" for face in range(2, 7))


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "At docks."),
        (1, "At docks. beat 0"),
        (3, "At docks. beat 0 beat 1 beat 2"),
        (4, "At docks. beat 0 beat 1 beat 2 beat 3"),
        (5, "At docks. beat 0 beat 1 ... beat 3 beat 4"),
    ],
)
def test_the_engines_summary_tells_nothing_twice(count: int, text: str) -> None:
    play = in_scene(count)
    fallback(play)
    assert summary_of(play).text == text


def test_the_engines_summary_names_no_clock_and_no_secret() -> None:
    tick = ClockTick(clock_id="hidden", ticks=1, seq=1, turn=1)
    secret = Revelation.model_validate({"secret": {"content": "hidden"}, "seq": 1, "turn": 1})
    play = play_of(scene([tick, secret]), crew={"phase": playing()})
    fallback(play)
    assert "hidden" not in str(summary_of(play))


@given(st.lists(st.text(max_size=4000), max_size=6), st.text(min_size=1, max_size=100))
def test_the_engines_summary_of_any_text_fits_its_document(texts: list[str], name: str) -> None:
    acts = [PlayerAction(text=text, seq=1, turn=1) for text in texts]
    rolls = [DiceRoll(value=1, tier="bad", situation=text, seq=1, turn=1) for text in texts]
    play = play_of(scene([*acts, *rolls]), Location(id="docks", name=name), crew={"phase": playing()})
    fallback(play)
    summary = summary_of(play)
    assert len(summary.text) <= 4000
    assert summary.beat_range == (0, 2 * len(texts))
    assert play.crew.awaiting.stage == "player_text"


@given(st.lists(st.integers(0, 45), min_size=1, max_size=6))
def test_summaries_of_one_scene_follow_each_other_without_a_gap(counts: list[int]) -> None:
    play = in_scene(0)
    for count in counts:
        play.world.put(scene_of(play).replace(beats=tuple(narrations(count))))
        apply(play, output())
    summaries = [summary_of(play, f"summary-{number}") for number in range(1, len(counts) + 1)]
    edges = [edge for summary in summaries for edge in summary.beat_range]
    assert edges == sorted(edges)
    assert edges[0] == 0
    assert edges[1:-1:2] == edges[2::2]
    assert edges[-1] == scene_of(play).first_beat == sum(counts)
    newest = [summary.id for summary in summaries[:-4:-1]]
    assert list(play.crew.recent_summary_ids) == newest
