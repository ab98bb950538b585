"""One campaign under everything that can happen to it, and what must hold after each step.

The log is read here by other means than the engine's: the jsonpatch package folds it, and a model of its own says
which records an undo took back.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonpatch
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.builders import Json, begin, call, clock, documents, hp_delta, move, on_disk, spelt, turn, untyped

from turnwright import Campaign, CampaignError
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store.documents import document_from

WHO = st.sampled_from(["pc_001", "pc_002", "npc_001", "pc_001", "nobody"])
WHERE = st.sampled_from(["area_001", "area_002", "area_003", "area_004", "area_005", "area_006", "nowhere"])
CALLS = st.one_of(
    st.builds(hp_delta, st.sampled_from([-12, -4, -1, 0, 1, 5, True, None, 2**53 + 1]), WHO),
    st.builds(move, WHERE, WHERE, WHO),
    st.builds(lambda to, start: move(to, start), WHERE, st.just("area_001")),
    st.builds(
        lambda parent, size: call("map_generate", parent_area_id=parent, constraints={"size": size}),
        st.none() | WHERE,
        st.sampled_from([1, 3, 99]),
    ),
    st.sampled_from([call("move_options"), call("ghost"), None, {}, {"id": "x", "tool": "move", "args": 5}]),
)
LIE = "Mira takes 77 damage."
TURNS = st.fixed_dictionaries(
    {},
    optional={
        "tool_calls": st.lists(CALLS, max_size=4),
        "atomic": st.booleans(),
        "actor_id": st.sampled_from(["pc_001", "pc_002", "pc_002", "npc_001"]),
        "turn_id": st.sampled_from(["a", "b", "c", "turn_0002", "turn_0005", "bad id"]),
        "assistant_text": st.sampled_from([LIE, LIE, "Rain."]),
        "output": st.just({}),
        "x_note": st.sampled_from([1, True, 1.0, "é"]),
        "unknown": st.nothing() | st.just(1),
    },
)
EDITS = st.fixed_dictionaries(
    {},
    optional={
        "hp": st.none() | st.integers(0, 20),
        "max_hp": st.none() | st.integers(1, 12),
        "position": st.none() | WHERE,
        "character_state": st.none() | st.sampled_from(["alive", "dying", "dead", "unconscious", "asleep"]),
        "extra": st.dictionaries(
            st.sampled_from("ab/~"), st.sampled_from([1, True, 1.0, "x", None, [1], [True]]), max_size=2
        ),
    },
).filter(bool)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "narration.check": st.sampled_from(["retry", "log"]),
        "rules.hp_zero_ends_game": st.booleans(),
        "limits.calls": st.sampled_from([2, 64, 0]),
        "results.keep": st.sampled_from([1, 500]),
        "selected.active_actor_id": st.sampled_from(["pc_001", "pc_002", None, "npc_001"]),
        "goal.text": st.sampled_from(["", "Out!"]),
    },
)
SPOILS: list[tuple[str, bytes]] = [
    ("campaign.json", b"["),
    ("characters/pc_001.json", b'{"id": "pc_002"}'),
    ("characters/pc_002.json", b'{"id": "pc_002", "hp": -1}'),
    ("maps/root.json", b'{"areas": {}}'),
    ("maps/area_002.json", b'{"parent_area_id": "area_404", "areas": {}}'),
    ("characters/new.json", b"\xff"),
]
PROTOCOL = {"repeat_window": 2}


class Machine(RuleBasedStateMachine):
    """The directory, the campaign opened on it, and what is remembered from outside."""

    def __init__(self) -> None:
        super().__init__()
        self.room = Path(tempfile.mkdtemp())
        self.path = self.room / "campaign_0"
        self.forks = 0
        self.campaign: Campaign
        self.remembered: dict[int, str] = {}
        self.turns: list[tuple[Json, Json]] = []

    def teardown(self) -> None:
        if hasattr(self, "campaign"):
            for seq, state in self.remembered.items():
                assert spelt(self.campaign.state_at(f"#{seq}")) == state
            self.campaign.close()
        shutil.rmtree(self.room)

    @initialize()
    def begin(self) -> None:
        self.campaign = begin(self.path, documents(protocol=PROTOCOL))

    # the log, read by other means

    def lines(self) -> list[bytes]:
        return (self.path / "log.jsonl").read_bytes().splitlines(keepends=True)

    def records(self) -> list[Json]:
        return [json.loads(line) for line in self.lines()]

    def states(self) -> list[dict[str, Any]]:
        """Return every document after each record, folded by the jsonpatch package."""
        found: list[dict[str, Any]] = []
        for record in self.records():
            values = dict(found[-1]) if found else {}
            for path, operations in record.get("changes", {}).items():
                if operations == [{"op": "remove", "path": ""}]:
                    del values[path]
                elif path in values:
                    values[path] = jsonpatch.apply_patch(values[path], operations)
                else:
                    [whole] = operations
                    assert (whole["op"], whole["path"]) == ("add", "")
                    values[path] = whole["value"]
            found.append(values)
        return found

    def documents(self) -> dict[str, Any]:
        """Return what the files hold; a file that people edited keeps their words, so defaults are filled in."""
        found = {path: document_from(path, value, BUILT_IN.documents)[0] for path, value in on_disk(self.path).items()}
        return {path: document.value() for path, document in found.items() if document}

    def taken(self) -> dict[int, int | None]:
        """Return for each record the undo that took it back, by replaying every undo."""
        maps: list[dict[int, int | None]] = []
        for record in self.records():
            seq = record["seq"]
            if record["kind"] == "undo":
                target = record["undone_from"]
                maps.append({**maps[target - 1], **dict.fromkeys(range(target, seq), seq), seq: None})
            else:
                maps.append({**(maps[-1] if maps else {}), seq: None})
        return maps[-1]

    # what happens to the campaign

    @rule(
        value=TURNS,
        authority=st.sampled_from(["gm", "gm", "gm", "player:pc_002"]),
        dry_run=st.sampled_from([False, False, False, True]),
    )
    def take_a_turn(self, value: Json, authority: str, dry_run: bool) -> None:
        before, size = spelt(self.campaign.state), len(self.lines())
        reply = self.campaign.process(value, authority=authority, dry_run=dry_run)
        after, records = spelt(self.campaign.state), self.records()
        if reply["status"] == "refused" or dry_run:
            assert (after, len(records)) == (before, size)
            return
        calls = value.get("tool_calls", [])
        told = reply["tool_feedback"]["failed_calls"]
        assert len(reply["applied_actions"]) + len(told) == len(calls) + ("output" in value)
        assert len(records) - size in (0, 1, 2)
        assert records[untyped(reply["seq"])]["turn_id"] == reply["turn_id"]
        if len(records) > size and not reply["applied_actions"]:
            assert after == before
        if reply["status"] != "retry_needed" and len(records) > size:
            self.turns.append((value | {"turn_id": reply["turn_id"]}, reply))
        if len(records) > size:
            people = [doc for path, doc in self.campaign.state.items() if path.startswith("characters/")]
            hp = {person["id"]: person["hp"] for person in people if person["hp"] is not None}
            assert reply["state_summary"]["hp"] == hp

    @precondition(lambda self: any(reply["turn_id"] in "abc" for _, reply in self.turns))
    @rule(data=st.data(), same=st.booleans())
    def hand_in_again(self, data: st.DataObject, same: bool) -> None:
        value, first = data.draw(st.sampled_from([pair for pair in self.turns if pair[1]["turn_id"] in "abc"]))
        size = len(self.lines())
        reply = self.campaign.process(value if same else value | {"x_other": 1})
        if same:
            undo = self.taken()[first["seq"]]
            assert reply == first | ({} if undo is None else {"undone_by": undo})
        else:
            assert reply["reason"] == "turn_conflict"
        assert len(self.lines()) == size

    @rule(patch=SETTINGS)
    def set_settings(self, patch: Json) -> None:
        before = spelt(self.campaign.state)
        try:
            self.campaign.set(patch)
        except CampaignError:
            assert spelt(self.campaign.state) == before

    @rule(who=st.sampled_from(["pc_001", "pc_002", "npc_001"]), changes=EDITS, delta=st.sampled_from([-3, 2]))
    def edit_a_character_and_then_hit_it(self, who: str, changes: Json, delta: int) -> None:
        """The turn is about to read the document, and so a process that stays takes the edit over."""
        value = self._edit(f"characters/{who}.json", lambda person: person | changes)
        reply = self.campaign.process(turn(hp_delta(delta, who), actor_id="pc_002"))
        if reply["status"] == "applied" and value["max_hp"] is None:
            assert reply["applied_actions"][0]["result"] == {"new_hp": max(0, value["hp"] + delta)}

    @rule(who=st.sampled_from(["pc_001", "pc_002", "npc_001"]), changes=EDITS)
    def edit_a_character_and_open_again(self, who: str, changes: Json) -> None:
        value = self._edit(f"characters/{who}.json", lambda person: person | changes)
        self._open_again()
        self.campaign.process({})
        found = self.campaign.state[f"characters/{who}.json"]
        assert spelt({key: found.get(key) for key in changes}) == spelt(
            {key: value[key] or found.get(key) for key in changes}
        )

    @rule(name=st.sampled_from(["new", "newer"]), hp=st.integers(0, 9))
    def add_a_character_by_hand(self, name: str, hp: int) -> None:
        path = self.path / "characters" / f"{name}.json"
        path.write_text(json.dumps({"id": name, "hp": hp}), encoding="utf-8")
        self._open_again()
        self.campaign.process({})
        assert self.campaign.state[f"characters/{name}.json"]["hp"] == hp

    @rule(extra=st.sampled_from(["one", "two"]), calls=st.sampled_from([3, 64]))
    def edit_the_campaign_by_hand(self, extra: str, calls: int) -> None:
        revision = self.campaign.state["campaign.json"]["settings_revision"]
        old = self.campaign.state["campaign.json"]["settings"]
        limits = {} if calls == 64 else {"limits": {"calls": calls}}
        new = {key: part for key, part in old.items() if key != "limits"} | limits
        self._edit("campaign.json", lambda value: value | {"settings": new, "extra": {"note": extra}})
        self.campaign.process({})
        after = self.campaign.state["campaign.json"]
        assert after["extra"] == {"note": extra}
        assert after["settings_revision"] == revision + (spelt(old) != spelt(new))

    @rule(name=st.sampled_from(["Hall", "Cellar"]))
    def edit_the_map_by_hand(self, name: str) -> None:
        def renamed(layer: Json) -> Json:
            layer["areas"]["area_001"]["name"] = name
            layer["connections"] = []
            return layer

        self._edit("maps/root.json", renamed)
        self._open_again()
        self.campaign.process({})
        assert self.campaign.state["maps/root.json"]["areas"]["area_001"]["name"] == name

    @rule(spoil=st.sampled_from(SPOILS))
    def spoil_a_file_and_put_it_back(self, spoil: tuple[str, bytes]) -> None:
        path, size = self.path / spoil[0], len(self.lines())
        kept = path.read_bytes() if path.exists() else None
        path.write_bytes(spoil[1])
        self._open_again()
        with pytest.raises(CampaignError):
            self.campaign.process(turn(hp_delta(-1)))
        assert path.read_bytes() == spoil[1]
        assert len(self.lines()) == size
        if kept is None:
            path.unlink()
        else:
            path.write_bytes(kept)
        self._open_again()

    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        records, taken = self.records(), self.taken()
        standing = [r["seq"] for r in records if r["kind"] not in ("new", "fork") and taken[r["seq"]] is None]
        turns = [seq for seq in standing if records[seq]["kind"] == "turn"]
        target = data.draw(st.sampled_from([None, *standing, 0]))
        if target == 0 or (target is None and not turns):
            with pytest.raises(CampaignError):
                self.campaign.undo(None if target is None else "#0")
            return
        first = turns[-1] if target is None else target
        wanted = json.loads(spelt(self.states()[first - 1]))
        now = self.campaign.state["campaign.json"]
        told = self.campaign.undo(None if target is None else f"#{target}")
        wanted["campaign.json"] |= {"id": now["id"], "counters": now["counters"]}
        assert spelt(self.campaign.state) == spelt(wanted)
        back = [entry["seq"] for entry in told["undone"]]
        assert back == [seq for seq in range(len(records) - 1, first - 1, -1) if taken[seq] is None]

    @precondition(lambda self: self.forks < 3)
    @rule(data=st.data(), follow=st.booleans())
    def fork(self, data: st.DataObject, follow: bool) -> None:
        states = self.states()
        seq = data.draw(st.integers(0, len(states) - 1))
        before = self.lines()
        self.forks += 1
        child = self.campaign.fork(self.room / f"campaign_{self.forks}", f"#{seq}", seed=str(self.forks))
        assert self.lines() == before
        with Campaign.open(child, clock) as other:
            wanted = json.loads(spelt(states[seq]))
            wanted["campaign.json"]["id"] += f"-{seq + 1}"
            assert spelt(other.state) == spelt(wanted)
            assert spelt(other.state_at(f"#{seq}")) == spelt(states[seq])
        if follow:
            self.campaign.close()
            self.path, self.campaign = child, Campaign.open(child, clock)
            self.remembered = {n: state for n, state in self.remembered.items() if n <= seq}
            self.turns = [(value, reply) for value, reply in self.turns if reply["seq"] <= seq]

    @rule()
    def reopen(self) -> None:
        self._open_again()

    @rule()
    def lose_the_checkpoint(self) -> None:
        self.campaign.close()
        for file in sorted((self.path / ".turnwright").glob("checkpoint*")):
            file.unlink()
        self.campaign = Campaign.open(self.path, clock)

    @rule(data=st.data())
    def lose_a_document(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(on_disk(self.path))))
        (self.path / name).unlink()
        self._open_again()
        self.campaign.process({})
        assert (self.path / name).exists()

    @rule(tail=st.sampled_from([b"{", b'{"seq":999,"kind":"turn"', b"\x00\x00"]))
    def tear_the_last_line(self, tail: bytes) -> None:
        before = self.lines()
        self.campaign.close()
        with (self.path / "log.jsonl").open("ab") as log:
            log.write(tail)
        self.campaign = Campaign.open(self.path, clock)
        self.campaign.process({})
        assert self.lines()[: len(before)] == before
        assert len(self.lines()) > len(before)

    @rule(value=TURNS)
    def somebody_else_takes_a_turn(self, value: Json) -> None:
        with Campaign.open(self.path, clock) as other:
            other.process(value)
            state = spelt(other.state)
        assert spelt(self.campaign.state) == state

    def _edit(self, name: str, change: Callable[[Json], Json]) -> Json:
        file = self.path / name
        value = change(json.loads(file.read_text(encoding="utf-8")))
        file.write_text(json.dumps(value, indent=1), encoding="utf-8")
        return value

    def _open_again(self) -> None:
        self.campaign.close()
        self.campaign = Campaign.open(self.path, clock)

    # what holds after every step

    @invariant()
    def log_documents_and_state_are_one(self) -> None:
        states = self.states()
        assert spelt(states[-1]) == spelt(self.documents()) == spelt(self.campaign.state)
        for seq, state in self.remembered.items():
            assert spelt(states[seq]) == state
        self.remembered[len(states) - 1] = spelt(states[-1])
        oldest = min(self.remembered)
        assert spelt(self.campaign.state_at(f"#{oldest}")) == self.remembered[oldest]

    @invariant()
    def the_chain_is_whole(self) -> None:
        previous = "0" * 64
        for seq, line in enumerate(self.lines()):
            record = json.loads(line)
            assert (record["seq"], record["prev"]) == (seq, previous)
            previous = hashlib.sha256(line.removesuffix(b"\n")).hexdigest()

    @invariant()
    def every_turn_left_its_reply(self) -> None:
        for file in sorted((self.path / "results").glob("*.json")):
            reply = json.loads(file.read_text(encoding="utf-8"))
            record = self.records()[reply["seq"]]
            assert {key: record[key] for key in reply} == reply


CALM = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def test_a_campaign_holds_together_whatever_happens_to_it() -> None:
    run_state_machine_as_test(
        Machine, settings=settings(max_examples=6, stateful_step_count=25, deadline=None, suppress_health_check=CALM)
    )


@pytest.mark.slow
def test_a_campaign_holds_together_for_long() -> None:
    run_state_machine_as_test(
        Machine, settings=settings(max_examples=250, stateful_step_count=60, deadline=None, suppress_health_check=CALM)
    )
