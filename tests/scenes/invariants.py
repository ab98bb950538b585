"""What holds between any two turns of a scene game, whoever plays it and however badly.

Each check takes the table after a turn, and reads records and plain documents only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from tests.builders import Json, spelt
from tests.scenes.table import Table

from turnwright.model.viewer import Viewer
from turnwright.protocol.stage6_publish.publish import project
from turnwright.protocol.validation.edits import campaign_problems
from turnwright.rulesets.scenes.events import EVENTS
from turnwright.rulesets.scenes.moods import EDGES
from turnwright.rulesets.scenes.projection import player_state

HUSH = "hush"
"""Stands in everything that players must never see: names of hidden clocks, secrets, notes."""
UNTOLD = "untold"
"""Begins the words that are hidden until they are chosen, each with a number of its own."""
_UNTOLD_WORD = re.compile(rf"{UNTOLD}\d+")
OFFERED = {"player_dice": "dice", "player_choice": "choice", "player_text": "text", "player_creation": "creation"}
ENGINE = {"TurnFallback", "CompressionFailed"}
"""Events of what the engine does by itself where an output never comes right."""


def characters(state: Mapping[str, Any]) -> Iterator[tuple[str, Json]]:
    for path, value in state.items():
        if path.startswith("characters/"):
            yield path, {"stress": 0, "coin": 0, "trauma": [], "pending_trauma": False, **value}


def collection(state: Mapping[str, Any], name: str) -> dict[str, Json]:
    return {path: value for path, value in state.items() if path.startswith(f"{name}/")}


def events_of(record: Json, *kinds: str) -> list[Json]:
    return [event["data"] for event in record.get("events", []) if event["type"] in kinds]


# the fourteen


def numbers_are_in_their_bounds(table: Table) -> None:
    crew = table.crew
    for path, person in characters(table.state):
        assert 0 <= person["stress"] <= 9, path
        assert person["coin"] >= 0, path
    assert 0 <= crew["heat"] <= 10
    assert 0 <= crew["wanted"] <= 4
    assert len(crew["dice_pool"]) <= 6
    assert all(1 <= face <= 6 for face in crew["dice_pool"])


def lists_are_short_and_hold_nothing_twice(table: Table) -> None:
    crew = table.crew
    for name, most in (("recent_costs", 3), ("unresolved_threats", 5)):
        assert len(crew[name]) <= most
        assert len({text.casefold() for text in crew[name]}) == len(crew[name])


def full_clocks_are_complete(table: Table) -> None:
    for path, clock in collection(table.state, "clocks").items():
        assert 0 <= clock["filled"] <= clock["segments"], path
        assert (clock["filled"] == clock["segments"]) == ("completed_at_turn" in clock), path


def scene_and_mood_are_there_while_it_is_played(table: Table) -> None:
    phase = table.crew["phase"]
    is_playing = phase["tag"] == "playing"
    assert ("mood" in phase) == ("scene_id" in phase) == is_playing
    still_open = [path for path, scene in collection(table.state, "scenes").items() if scene["open"]]
    assert still_open == ([f"scenes/{phase['scene_id']}.json"] if is_playing else [])


def nobody_stays_at_the_brink(table: Table) -> None:
    mood = table.mood or {}
    for _, person in characters(table.state):
        if person["stress"] == 9:
            assert person["pending_trauma"] or (mood.get("mood") == "trauma" and mood["for"] == person["id"])


def a_bargain_has_no_dice_and_three_ways_out(table: Table) -> None:
    if (table.mood or {}).get("mood") == "bargain":
        assert table.crew["dice_pool"] == []
    before = table.before.get("crew.json", {}).get("phase", {}).get("mood", {})
    if table.record["kind"] == "turn" and before.get("mood") == "bargain" != (table.mood or {}).get("mood"):
        done = {action["tool"] for action in table.record["applied_actions"]}
        assert done & {"accept_bargain", "retreat", "pass_out", "answer"}


def futures_are_on_offer_while_a_die_is_awaited(table: Table) -> None:
    pending = table.crew["pending_outcome"]
    is_offered = pending is not None and pending.get("chosen_die") is None
    assert is_offered == (table.crew["awaiting"]["stage"] == "player_dice")


def an_action_has_dice(table: Table) -> None:
    if (table.mood or {}).get("mood") == "action":
        assert table.crew["dice_pool"]


def every_change_of_a_number_is_told(table: Table) -> None:
    if table.record["kind"] != "turn":
        return
    for kind, field in (("HeatChanged", "heat"), ("WantedChanged", "wanted")):
        steps = [(event["from"], event["to"]) for event in events_of(table.record, kind)]
        before = table.before.get("crew.json", {}).get(field, 0)
        assert _leads([before], [table.crew[field]], steps), (kind, before, steps, table.crew[field])
    after = dict(characters(table.state))
    before_all = dict(characters(table.before))
    for kind, field in (("StressChanged", "stress"), ("CoinChanged", "coin")):
        steps = [(event["from"], event["to"]) for event in events_of(table.record, kind)]
        start = [before_all.get(path, {field: 0})[field] for path in after]
        end = [person[field] for person in after.values()]
        assert _leads(start, end, steps), (kind, start, steps, end)


def _leads(start: list[int], end: list[int], steps: list[tuple[int, int]]) -> bool:
    """Whether some way to deal the steps out over whom they are about leads from start to end."""
    if not steps:
        return start == end
    before, after = steps[0]
    if before == after:
        return False
    ways = (place for place, value in enumerate(start) if value == before)
    return any(_leads([*start[:place], after, *start[place + 1 :]], end, steps[1:]) for place in ways)


def what_players_see_keeps_the_secrets(table: Table, reply: Json, told: set[str], authority: str = "gm") -> None:
    """Hold a reply against what was told so far: `told` holds the untold words that were chosen, and grows."""
    told |= _chosen(table.record)
    for reader in ("pc", "pc2"):
        own = authority == f"player:{reader}"
        shown = [project(reply, Viewer.of(f"player:{reader}"), own=own), player_state(table.world, reader)]
        seen = json.dumps(shown)
        assert HUSH not in seen
        words = set(_UNTOLD_WORD.findall(seen))
        assert words <= told, words - told


def _chosen(record: Json) -> set[str]:
    texts = [event["narrative"] for event in events_of(record, "DieSpent")]
    if any(action["tool"] == "answer" for action in record.get("applied_actions", [])):
        texts += [event["text"] for event in events_of(record, "NarrativeAdded")]
    return {word for text in texts for word in _UNTOLD_WORD.findall(text)}


def what_fails_changes_nothing(table: Table, reply: Json) -> None:
    kinds = _kinds(reply)
    if reply["status"] != "failed" or kinds & ENGINE or _was_heard(table.record):
        return
    before, after = dict(table.before), dict(table.state)
    gives_up = (
        table.crew["phase"]["tag"] == "scenario_init" and table.request_id != table.before["crew.json"]["request"]
    )
    if "TurnLimitReached" in kinds or gives_up:  # the player is asked: that is what these are for
        for state in (before, after):
            state["campaign.json"] = {**state["campaign.json"], "counters": {}}
            state["crew.json"] = {**state["crew.json"], "request": None}
    for state in (before, after):
        state["crew.json"] = {**state["crew.json"], "awaiting": {}}
    assert spelt(before) == spelt(after)
    assert "draws" not in table.record or table.record["draws"] == []


def what_fails_beside_others_changes_nothing(then: Table, table: Table, turn: Json, reply: Json) -> None:
    """Hold a turn of which some parts failed against the same turn in which these are something else that fails.

    Args:
        then: the table before the turn; it is used up.
        table: the table after it.
        turn: the turn, whose calls have ids of their own.
        reply: the reply to it.
    """
    failed = {entry["id"] for entry in reply.get("tool_feedback", {}).get("failed_calls", [])}
    if reply["status"] != "partial" or _kinds(reply) & (ENGINE | {"TurnLimitReached"}) or "user_input" in failed:
        return
    calls = [NO_CALL if call["id"] in failed else call for call in turn.get("tool_calls", [])]
    other = {key: value for key, value in turn.items() if key not in failed} | {"tool_calls": calls}
    then.process(other)
    without, with_it = (
        {**state, "crew.json": {**state["crew.json"], "awaiting": {}}} for state in (then.state, table.state)
    )
    assert spelt(without) == spelt(with_it)


NO_CALL: Json = {"id": "none", "tool": "none", "args": {}}
"""Something else that fails, in the place of a call: dice are drawn by the number of a part."""


def _was_heard(record: Json) -> bool:
    """Whether a player said something that was taken; this is no part that is reported."""
    return any(event["source"] == "player" for event in events_of(record, "NarrativeAdded"))


def what_grows_only_grows(table: Table) -> None:
    if table.record["kind"] == "undo":
        return
    before = dict(characters(table.before))
    for path, person in characters(table.state):
        held = before.get(path, {"trauma": []})["trauma"]
        assert person["trauma"][len(person["trauma"]) - len(held) :] == held
        assert len({name.casefold() for name in person["trauma"]}) == len(person["trauma"])
    assert table.crew["wanted"] >= table.before.get("crew.json", {}).get("wanted", 0)
    for name in ("summaries", "rumors"):
        now = collection(table.state, name)
        assert collection(table.before, name).items() <= now.items()


def every_text_is_one_beat(table: Table) -> None:
    if table.record["kind"] != "turn":
        return
    heard = [event for event in events_of(table.record, "NarrativeAdded") if event["source"] == "player"]
    assert table.crew["turn"] - table.before["crew.json"]["turn"] == len(heard) <= 1
    if not events_of(table.record, "SceneCompressed"):
        seq = table.record["seq"]
        beats = [beat for scene in collection(table.state, "scenes").values() for beat in scene["beats"]]
        said = [beat for beat in beats if beat["beat"] == "player_action" and beat["seq"] == seq]
        assert [f"> {beat['text']}" for beat in said] == [event["text"] for event in heard]


# and more


def one_thing_is_awaited_and_somebody_can_give_it(table: Table) -> None:
    crew = table.crew
    stage, request = crew["awaiting"]["stage"], crew["request"]
    if stage == "dm_scenario" and request:  # an opening that does not come can be given up
        assert [option["key"] for option in request["payload"]["options"]] == ["keep_waiting", "give_up"]
    else:
        assert (request["kind"] if request else None) == OFFERED.get(stage)
    assert (stage == "none") == (crew["phase"]["tag"] == "session_ended")
    if stage == "player_choice":
        options = request["payload"]["options"]
        assert [option["index"] for option in options] == list(range(len(options)))
        assert any(not option.get("disabled") for option in options)
    if stage == "player_dice":
        dice = [die["value"] for die in request["payload"]["dice"]]
        assert dice == crew["dice_pool"] == [entry["die_value"] for entry in crew["pending_outcome"]["outcomes"]]


def the_prompt_is_numbered(table: Table) -> None:
    if table.record["kind"] != "turn":
        return
    before, after = table.before["crew.json"]["awaiting"], table.crew["awaiting"]
    keys = ("stage", "for", "segment")
    assert after["prompt_id"] >= before["prompt_id"]
    if [before[key] for key in keys] != [after[key] for key in keys]:
        assert after["prompt_id"] > before["prompt_id"]


def a_turn_begins_anew_after_the_edges_that_say_so(table: Table) -> None:
    if table.record["kind"] != "turn" or _was_heard(table.record):
        return
    anew = {event["part"] for event in table.record["events"] if event["type"] == "MoodTransition" and _restarts(event)}
    before, after = table.before["crew.json"]["awaiting"], table.crew["awaiting"]
    assert after["transition_count"] - before["transition_count"] == len(anew)


def _restarts(transition: Json) -> bool:
    data = transition["data"]
    led = (edge for edge in EDGES if (edge.tool, edge.after) == (data["tool"], data["to_mood"]))
    return any(edge.restarts for edge in led if data["from_mood"] in edge.before)


def the_documents_are_sound(table: Table) -> None:
    problems = [problem for problem in campaign_problems(table.world, table.state) if not problem.warning]
    assert problems == []


def events_hold_what_they_should(table: Table) -> None:
    for event in table.record.get("events", []):
        kind = EVENTS[event["type"]]
        assert tuple(event["data"]) == kind.data
        assert event["audience"] in ({"player", "gm"} if kind.audience == "visible" else {kind.audience})


ALWAYS = (
    numbers_are_in_their_bounds,
    lists_are_short_and_hold_nothing_twice,
    full_clocks_are_complete,
    scene_and_mood_are_there_while_it_is_played,
    nobody_stays_at_the_brink,
    a_bargain_has_no_dice_and_three_ways_out,
    futures_are_on_offer_while_a_die_is_awaited,
    an_action_has_dice,
    every_change_of_a_number_is_told,
    what_grows_only_grows,
    every_text_is_one_beat,
    one_thing_is_awaited_and_somebody_can_give_it,
    the_prompt_is_numbered,
    a_turn_begins_anew_after_the_edges_that_say_so,
    the_documents_are_sound,
    events_hold_what_they_should,
)
"""What holds after every record. That log and documents are one is seen to by the table itself."""


class Sums:
    """What changed since a player spoke last, added up from the events: what the turn must report."""

    FIELDS: ClassVar = {"StressChanged": "stress_delta", "HeatChanged": "heat_delta", "CoinChanged": "coin_delta"}

    def __init__(self) -> None:
        self._sums: dict[str, int] | None = self._nothing()

    def _nothing(self) -> dict[str, int]:
        return dict.fromkeys(self.FIELDS.values(), 0)

    def take(self, table: Table) -> None:
        """Add up what the last record tells; what was taken back leaves nothing to add to."""
        if table.record["kind"] == "undo":
            self._sums = None
        for event in table.record.get("events", []):
            kind, data = event["type"], event["data"]
            if self._sums is not None and kind in self.FIELDS:
                self._sums[self.FIELDS[kind]] += data["to"] - data["from"]
            if self._sums is not None and kind == "TurnCompleted":
                assert {field: data[field] for field in self._sums} == self._sums
            if kind == "TurnCompleted" or (kind == "NarrativeAdded" and data["source"] == "player"):
                self._sums = self._nothing()
        if "SceneStarted" in _kinds(table.record) and table.before["crew.json"]["phase"]["tag"] != "playing":
            self._sums = self._nothing()


def _kinds(record: Json) -> set[str]:
    return {event["type"] for event in record.get("events", [])}
