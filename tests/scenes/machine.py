"""A table at which anybody does anything, and what must hold after each turn."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from tests.builders import Json
from tests.scenes import invariants, moves
from tests.scenes.disk import OnDisk
from tests.scenes.invariants import HUSH, Sums
from tests.scenes.moves import CHOICES, Words, once_in
from tests.scenes.table import TOOLS, Table, clock, started

DOORS = st.sampled_from(["gm", "gm", "player:pc", "player:pc2"])
ACTORS = st.sampled_from([None, None, None, "pc", "pc2"])
WAY_BACK = 16
"""In so many turns somebody who knows nothing but what is awaited gets to where a player may speak."""
PARTY = {
    "selected": {"party_character_ids": ["pc", "pc2"], "active_actor_id": "pc"},
    "allowlist": [*TOOLS, "roll_dice"],
}


RULES = st.sampled_from([{}, {}, {"max_transitions": 2}, {"compress_at": 6}, {"aftermath_max_turns": 1}])


@st.composite
def beginnings(draw: Any) -> dict[str, Json]:
    """Draw a game in the middle of a scene, in which much is about to happen."""
    beats = draw(st.sampled_from([0, 16, 37]))
    narration = {"beat": "dm_narration", "text": "so it goes", "mood": "scene", "seq": 0, "turn": 0}
    threats = {"lampblacks": "neutral", "watch": "hostile"}
    people = {
        name: {
            "id": name,
            "name": name,
            "hp": 9,
            "stress": draw(st.sampled_from([0, 4, 7, 8])),
            "coin": draw(st.integers(0, 3)),
        }
        for name in ("pc", "pc2")
    }
    return started(
        dice_pool=draw(st.sampled_from([[], [3], [1, 5], [2, 6, 4, 4], [6, 5, 4, 3, 2, 1]])),
        heat=draw(st.sampled_from([0, 5, 9, 10])),
        wanted=draw(st.integers(0, 4)),
        pc=people["pc"],
        **{
            "campaign.json": {**PARTY, "settings": {"scene": draw(RULES)}},
            "characters/pc2.json": people["pc2"],
            "characters/harrow.json": {
                "id": "harrow",
                "character_type": "npc",
                "knows": [{"content": f"{HUSH} a son"}],
            },
            "locations/canal.json": {"id": "canal", "name": "The canal"},
            "scenes/s.json": {"beats": [narration] * beats},
            **clock("wardens", draw(st.integers(0, 3))),
            **clock(
                f"{HUSH}-deep", draw(st.integers(0, 3)), visible=False, name=f"{HUSH} the deep", consequence="Water."
            ),
            **clock("ledger", draw(st.integers(0, 3)), type="goal"),
            **{
                f"factions/{name}.json": {
                    "id": name,
                    "name": name,
                    "attitude": attitude,
                    "secrets": [{"content": HUSH}],
                }
                for name, attitude in threats.items()
            },
            "threads/key.json": {"id": "key", "hook": f"{HUSH} a key", "deadline": "wardens"},
        },
    )


def way_back(table: Table) -> None:
    """Lead a game back to where a player may speak, by what is awaited alone."""
    for _ in range(WAY_BACK):
        stage, mood = table.crew["awaiting"]["stage"], (table.mood or {}).get("mood")
        if stage in ("player_text", "none"):
            return
        if table.crew["request"] is not None:
            options = table.crew["request"]["payload"].get("options", [])
            value: Any = next((option["index"] for option in options if not option.get("disabled")), 0)
            value = CHOICES if stage == "player_creation" else value
            reply = table.process({"answer": {"request_id": table.request_id, "value": value}})
        elif stage == "dm_scenario":
            reply = table.process({"output": moves.scenario(_first, table, Words())})
        elif stage == "dm_scene_init":
            reply = table.process({"output": moves.scene_init(_first, table, Words())})
        elif mood == "trauma":
            held = table.state[f"characters/{table.mood['for']}.json"].get("trauma", [])  # type: ignore[index]
            told = {"narration": "It breaks.", "trauma_assigned": f"scar {len(held)}"}
            reply = table.process({"output": told})
        else:  # the engine helps itself after a while
            for _ in range(3):
                if table.crew["awaiting"]["stage"] == stage:
                    table.process({"output": {}})
            continue
        assert reply["status"] == "applied", reply["tool_feedback"]
    raise AssertionError(f"{WAY_BACK} turns did not lead back to a player; now {table.crew['awaiting']}")


def _is_plain(turn: Json) -> bool:
    """Whether every call of a turn can be told apart by its id."""
    calls = turn.get("tool_calls", [])
    if not isinstance(calls, list) or not all(isinstance(entry, dict) for entry in calls):
        return False
    ids = [entry.get("id") for entry in calls]
    return all(isinstance(name, str) for name in ids) and len(set(ids)) == len(ids)


def _first(strategy: st.SearchStrategy[Any]) -> Any:
    """Draw the plainest value: of numbers the least, of lists the first."""
    if hasattr(strategy, "start"):
        return strategy.start
    found = getattr(strategy, "elements", None)
    return found[0] if found else 0


class Machine(RuleBasedStateMachine):
    """The table, and what was told there so far."""

    def __init__(self) -> None:
        super().__init__()
        self.table: Table
        self.words = Words()
        self.told: set[str] = set()
        self.sums = Sums()

    @initialize(values=beginnings(), unborn=st.integers(0, 9))
    def begin(self, values: dict[str, Json], unborn: int) -> None:
        if unborn == 9:
            campaign = {"format": 2, "id": "c", "allowlist": list(TOOLS)}
            values = {"campaign.json": campaign, "crew.json": {}}
        self.table = self._begun(values)
        self._check()

    def _begun(self, values: dict[str, Json]) -> Table:
        return Table(values)

    def teardown(self) -> None:
        if hasattr(self, "table"):
            way_back(self.table)
            self.table.close()

    def _take(self, turn: Json, authority: str = "gm") -> Json:
        turn = {key: value for key, value in turn.items() if value is not None}
        size, then = len(self.table.records), self._twin(turn)
        reply = self.table.process(turn, authority=authority)
        if len(self.table.records) == size:
            assert reply["status"] == "refused"
            return reply
        invariants.what_players_see_keeps_the_secrets(self.table, reply, self.told, authority)
        invariants.what_fails_changes_nothing(self.table, reply)
        if then is not None:
            invariants.what_fails_beside_others_changes_nothing(then, self.table, turn, reply)
        self._check()
        return reply

    def _twin(self, turn: Json) -> Table | None:
        return self.table.twin() if _is_plain(turn) else None

    def _check(self) -> None:
        self.sums.take(self.table)
        for holds in invariants.ALWAYS:
            holds(self.table)

    # what is awaited

    @rule(data=st.data(), turns=st.integers(1, 6))
    def go_on(self, data: st.DataObject, turns: int) -> None:
        for _ in range(turns):
            self._go_on(data.draw)

    def _go_on(self, draw: moves.Draw) -> None:
        request = self.table.crew["request"]
        if request is not None:
            self._take(self._answer(draw, request), draw(DOORS))
        elif self.table.crew["awaiting"]["stage"] != "none":
            self._take(self._work(draw))
        elif self.table.crew["phase"]["reason"] == "player_choice":
            self.table.resume()
            self._check()

    @rule(data=st.data())
    def go_on_at_once(self, data: st.DataObject) -> None:
        """Everything of a turn in one file: what a player says, and what the game master makes of it."""
        draw = data.draw
        request = self.table.crew["request"]
        told = self._answer(draw, request) if request is not None else {}
        self._take(told | self._work(draw))

    def _answer(self, draw: moves.Draw, request: Json) -> Json:
        value = moves.value_for(draw, self.table)
        if request["kind"] == "text" and not once_in(draw, 3):
            return {"user_input": value}
        return {"answer": {"request_id": request["id"], "value": value}}

    def _work(self, draw: moves.Draw) -> Json:
        has_tools = (self.table.mood or {}).get("mood", "trauma") != "trauma"
        shape = draw(st.sampled_from(["output", "call", "both", "call"])) if has_tools else "output"
        turn: Json = {"dm_note": f"{HUSH} to myself", "actor_id": draw(ACTORS)}
        if shape != "output":
            turn["tool_calls"] = [moves.call_in(draw, self.table, self.words)]
        if shape != "call":
            turn["output"] = moves.output_for(draw, self.table, self.words)
            turn |= moves.some(draw, 3, keep_narration=st.just(True))
        turn |= moves.some(draw, 6, prompt_id=st.just(self.table.crew["awaiting"]["prompt_id"]), atomic=st.just(True))
        party = self.table.state["campaign.json"]["selected"]["party_character_ids"]
        return turn if turn["actor_id"] in party else {**turn, "actor_id": None}

    # what is not

    @rule(data=st.data(), how=st.sampled_from(["spoilt", "calls", "text", "answer"]))
    def go_wrong(self, data: st.DataObject, how: str) -> None:
        draw = data.draw
        wrong = {"spoilt": self._spoilt, "calls": self._out_of_place, "text": self._said, "answer": self._answered}
        self._take(wrong[how](draw), draw(DOORS) if how in ("text", "answer") else "gm")

    def _spoilt(self, draw: moves.Draw) -> Json:
        turn = self._work(draw)
        for key in ("tool_calls", "output"):
            if key in turn:
                turn[key] = moves.spoilt(draw, turn[key])
        more: Json = draw(st.sampled_from([self._said, self._answered, lambda _: {}]))(draw)
        return turn | more | moves.some(draw, 6, prompt_id=st.integers(0, 3))

    def _out_of_place(self, draw: moves.Draw) -> Json:
        tools = draw(st.lists(st.sampled_from(TOOLS), min_size=1, max_size=3, unique=True))
        calls = [{**moves.call_of(draw, tool, self.table, self.words), "id": tool} for tool in tools]
        return {"tool_calls": calls, **moves.some(draw, 4, atomic=st.just(True))}

    def _said(self, draw: moves.Draw) -> Json:
        return {"user_input": draw(st.sampled_from(["Stop!", "1", " ", "y" * 4001]))}

    def _answered(self, draw: moves.Draw) -> Json:
        return {"answer": {"request_id": self.table.request_id or "request-1", "value": draw(moves.WILD)}}

    # what happens beside

    @rule(how=st.sampled_from(["failures", "undo", "way back"]), back=st.integers(1, 4))
    def meanwhile(self, how: str, back: int) -> None:
        if how == "failures":
            for _ in range(3):
                self._take({"output": {"nonsense": 1}})
        elif how == "undo" and len(self.table.records) > 2:
            self.table.undo(max(1, len(self.table.records) - back))
            self._check()
        else:
            way_back(self.table.twin())


class DiskMachine(Machine):
    """The same with a campaign directory, which is checked as a whole in the end."""

    def __init__(self) -> None:
        super().__init__()
        self.room = Path(tempfile.mkdtemp())

    def _twin(self, turn: Json) -> Table | None:
        del turn
        return None  # it would draw other dice

    def _begun(self, values: dict[str, Json]) -> Table:
        return OnDisk(self.room / "game", values)

    def teardown(self) -> None:
        try:
            super().teardown()
        finally:
            shutil.rmtree(self.room)
