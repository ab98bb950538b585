"""Stage 3: the order of checks over random mixes of defects; the oracle is written from the table of checks alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from tests.builders import AREAS, Json, begin, call, documents, failed, person, spelt, turn
from tests.sampling import tries

from turnwright import Campaign

STATES = {
    "p_alive": "alive",
    "p_dying": "dying",
    "p_out": "unconscious",
    "p_held": "restrained_permanent",
    "p_dead": "dead",
    "p_odd": "asleep",
}
PEOPLE = [person(who, character_state=state) for who, state in STATES.items()] + [person("npc", hp=None)]
ALLOWED = ["move", "hp_delta", "move_options", "ghost"]
HERE, REACHED = "area_001", ("area_002", "area_003")
MAX_COUNT = 2**53

Verdict = tuple[str, str] | None
"""Status and reason, or None for a call that is applied."""
INVALID_ARGS = ("error", "invalid_args")


class Setting:
    """One campaign, and what the oracle has to know of it."""

    def __init__(self, campaign: Campaign, move_from: str, actor_context: str) -> None:
        self.campaign = campaign
        self.move_from = move_from
        self.actor_context = actor_context

    def verdict(self, entry: Any, acting: str | None, player: bool) -> Verdict:
        """Go through the table from the top."""
        if not _is_call(entry):
            return "error", "invalid_call"
        tool, args = entry["tool"], entry["args"]
        if tool not in ("move", "hp_delta", "move_options"):
            return "rejected", "tool_not_allowed"
        if player and tool == "hp_delta":
            return "rejected", "not_permitted"
        if self.actor_context == "reject" and "actor_id" in args:
            if type(args["actor_id"]) is not str or not args["actor_id"].strip():
                return INVALID_ARGS
            if args["actor_id"].strip() != acting:
                return "rejected", "actor_context_mismatch"
        if acting is None or STATES[acting] == "asleep":
            return "rejected", "invalid_actor_state"
        if STATES[acting] != "alive" and not (STATES[acting] == "dying" and _heals_itself(tool, args, acting)):
            return "rejected", "actor_state_restricted"
        if any(type(value) is int and abs(value) > MAX_COUNT for value in args.values()):
            return INVALID_ARGS
        fits = {"move": self._move_fits, "hp_delta": _hp_delta_fits, "move_options": self._actor_fits}
        return None if fits[tool](args, acting) else INVALID_ARGS

    def _actor_fits(self, args: Json, acting: str) -> bool:
        if "actor_id" not in args:
            return True
        actor = args["actor_id"]
        return type(actor) is str and (self.actor_context == "reject" or actor == acting)

    def _move_fits(self, args: Json, acting: str) -> bool:
        if self.move_from == "required" and not {"actor_id", "from_area_id"} <= args.keys():
            return False
        if self.move_from == "forbidden" and "from_area_id" in args:
            return False
        came_from = args.get("from_area_id", HERE)
        return self._actor_fits(args, acting) and came_from == HERE and args.get("to_area_id") in REACHED


def _is_call(entry: Any) -> bool:
    if type(entry) is not dict or type(entry.get("id")) is not str or type(entry.get("tool")) is not str:
        return False
    return type(entry.get("args")) is dict and (entry.get("reason") is None or type(entry["reason"]) is str)


def _heals_itself(tool: str, args: Json, acting: str) -> bool:
    delta = args.get("delta")
    return tool == "hp_delta" and args.get("target_character_id") == acting and type(delta) is int and delta > 0


def _hp_delta_fits(args: Json, acting: str) -> bool:
    delta = args.get("delta")
    if args.get("target_character_id") not in STATES or type(args.get("cause")) is not str:
        return False
    return type(delta) is int and -MAX_COUNT <= delta <= MAX_COUNT - 10


@pytest.fixture(scope="module", name="tables")
def fixture_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Setting]]:
    found = []
    for move_from in ("required", "checked", "forbidden"):
        for actor_context in ("strict_error", "reject"):
            protocol = {"move_from": move_from, "actor_context": actor_context, "repeat_window": 0}
            values = documents(PEOPLE, AREAS, party=STATES, active=None, allowlist=ALLOWED, protocol=protocol)
            campaign = begin(tmp_path_factory.mktemp("order") / "c", values)
            found.append(Setting(campaign, move_from, actor_context))
    yield found
    for setting in found:
        setting.campaign.close()


WORDS = st.sampled_from(["", " ", "x", "p_dead", "PC"])
ODD = st.sampled_from([5, True, 1.0, [], {}])
WHO = st.sampled_from(["p_alive", "p_alive", "p_alive", "p_dying", "p_dying", *STATES])
ARGS = st.fixed_dictionaries(
    {},
    optional={
        "actor_id": WHO | WHO.map(lambda who: f" {who} ") | WORDS | ODD,
        "from_area_id": st.sampled_from([HERE, HERE, "area_002", "nowhere", 5, []]),
        "to_area_id": st.sampled_from([*REACHED, "area_004", HERE, "nowhere", "", 5, True, None]),
        "target_character_id": WHO | st.sampled_from(["npc", "nobody", "", None, 5]),
        "delta": st.sampled_from([1, 1, 2, 0, -1, True, 1.0, "1", None, MAX_COUNT + 1, -MAX_COUNT - 1, MAX_COUNT]),
        "cause": st.sampled_from(["", "rain", 5, None]),
        "colour": ODD,
    },
)
TOOLS = st.sampled_from(["map_generate", "ghost", "Move", "move ", "", "x"])
BAD_CALLS = st.fixed_dictionaries(
    {}, optional={"id": WORDS | ODD, "tool": TOOLS | ODD, "args": ARGS | ODD | st.none(), "reason": WORDS | ODD}
)


@st.composite
def nearly_good(draw: st.DrawFn) -> Json:
    """Give a call that is good for somebody, with none or some of its arguments changed or taken away."""
    who = draw(WHO)
    good: dict[str, Json] = {
        "move": {"actor_id": who, "from_area_id": HERE, "to_area_id": "area_002"},
        "hp_delta": {"target_character_id": who, "delta": 1, "cause": "", "actor_id": who},
        "move_options": {"actor_id": who},
    }
    tool = draw(st.sampled_from(list(good)))
    args = good[tool] | draw(st.just({}) | ARGS)
    for name in draw(st.just([]) | st.lists(st.sampled_from(list(good[tool])), max_size=2)):
        args.pop(name, None)
    tool = draw(st.sampled_from([tool] * 8 + ["map_generate", "ghost", "Move", "move ", ""]))
    return call(tool, "é", **args) | draw(st.sampled_from([{}, {"reason": None}, {"junk": 1}]))


ENTRIES = st.one_of(nearly_good(), nearly_good(), nearly_good(), nearly_good(), BAD_CALLS, ODD | st.none() | WORDS)


@hypothesis_settings(max_examples=tries(375))
@given(st.integers(0, 5), ENTRIES, WHO | WHO | WHO | WHO | st.none(), st.booleans(), st.booleans())
def test_the_first_check_that_fails_decides(
    tables: list[Setting], which: int, entry: Any, acting: str | None, focus: bool, player: bool
) -> None:
    """`focus` lets random arguments name the acting character often enough to get past the first checks."""
    table = tables[which]
    if focus and acting and _is_call(entry):
        own = {name: acting for name in ("actor_id", "target_character_id") if name in entry["args"]}
        entry = {**entry, "args": {**entry["args"], **own}}
    player = player and acting is not None
    value = turn(entry) | ({"actor_id": acting} if acting and not player else {})
    authority = f"player:{acting}" if player else "gm"
    reply = table.campaign.process(value, authority=authority, dry_run=True)
    wanted = table.verdict(entry, acting, player)
    event(str(wanted))
    assert failed(reply) == ([] if wanted is None else [wanted])
    assert (reply["status"] == "applied") == (wanted is None)


def test_the_oracle_has_seen_every_reason(tables: list[Setting]) -> None:
    """Every row of the table that core tools can reach, one call each, so that the property above is not idle."""
    reject = tables[1]
    cases: list[tuple[Any, str | None, bool, Verdict]] = [
        ("move", None, False, ("error", "invalid_call")),
        (call("map_generate", parent_area_id=None), "p_alive", False, ("rejected", "tool_not_allowed")),
        (call("ghost"), "p_alive", False, ("rejected", "tool_not_allowed")),
        (call("hp_delta"), "p_alive", True, ("rejected", "not_permitted")),
        (call("move", actor_id=" "), "p_dead", False, INVALID_ARGS),
        (call("move", actor_id="p_out"), "p_dead", False, ("rejected", "actor_context_mismatch")),
        (call("move_options"), None, False, ("rejected", "invalid_actor_state")),
        (call("move_options"), "p_odd", False, ("rejected", "invalid_actor_state")),
        (call("move_options", actor_id=" p_dead "), "p_dead", False, ("rejected", "actor_state_restricted")),
        (call("move"), "p_alive", False, INVALID_ARGS),
        (call("move_options"), "p_alive", True, None),
    ]
    for entry, acting, player, wanted in cases:
        value = turn(entry) | ({"actor_id": acting} if acting and not player else {})
        authority = f"player:{acting}" if player else "gm"
        assert reject.verdict(entry, acting, player) == wanted
        assert failed(reject.campaign.process(value, authority=authority, dry_run=True)) == [wanted] * (
            wanted is not None
        )


@hypothesis_settings(max_examples=tries(40))
@given(st.integers(0, 5), st.lists(ENTRIES, max_size=6), st.none() | WHO)
def test_a_failed_call_changes_no_document(
    tables: list[Setting], which: int, entries: list[Any], acting: str | None
) -> None:
    table = tables[which]
    bad = [entry for entry in entries if table.verdict(entry, acting, False) is not None]
    before = spelt(table.campaign.state)
    reply = table.campaign.process({"tool_calls": bad} | ({"actor_id": acting} if acting else {}))
    assert failed(reply) == [table.verdict(entry, acting, False) for entry in bad]
    assert reply["status"] == ("failed" if bad else "empty")
    assert spelt(table.campaign.state) == before
    assert list(table.campaign.records())[-1]["changes"] == {}
