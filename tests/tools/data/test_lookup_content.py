"""lookup_content: one entry in short, whatever it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import Json, clock
from tests.content.packs import RAT

from turnwright import Campaign
from turnwright.content.describe import brief, describe
from turnwright.content.kinds import KINDS, MODEL_OF
from turnwright.content.pack import Found
from turnwright.content.registry import built_in
from turnwright.rulesets.toolbox import TOOLS

TOOL = "lookup_content"
MAX_TOKENS = 600


@pytest.fixture(scope="module", name="campaign")
def fixture_campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    place: Path = tmp_path_factory.mktemp("lookup") / "c"
    with Campaign.new(place, template="toolkit", seed="lookup", clock=clock) as campaign:
        yield campaign


def result_of(found: Found) -> Json:
    """Return what the tool gives for an entry, by its own model."""
    head = {"kind": found.kind, "id": found.id, "name": found.name, "pack": found.pack or None, "matched": "spelling"}
    return head | {"tier": found.value["tier"]} | brief(found)


def tokens(value: Json) -> int:
    return -(-len(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) // 4)


def test_every_entry_is_short_and_fits_the_model_of_the_result() -> None:
    pack, longest = built_in("srd-5.1"), 0
    for row in pack.rows():
        found = pack.entry(row.kind, row.id)
        assert found is not None
        result = result_of(found)
        TOOLS[TOOL].result.model_validate(result)
        longest = max(longest, tokens(result))
        assert tokens(result) <= MAX_TOKENS, row.reference
    assert longest > MAX_TOKENS / 2


def test_nearly_nothing_is_left_out() -> None:
    pack = built_in("srd-5.1")
    entries = [found for row in pack.rows() if (found := pack.entry(row.kind, row.id))]
    cut = [found.reference for found in entries if brief(found)["left_out"]]
    assert 0 < len(cut) <= 12, "class tables, and one stat block or two"


TERM = st.from_regex(r"[a-z]([a-z ]{0,60}[a-z])?", fullmatch=True)


@given(
    st.text(max_size=2000),
    st.lists(st.text(min_size=1, max_size=100).filter(str.strip), max_size=40),
    st.lists(TERM, min_size=1, max_size=40),
    st.dictionaries(st.from_regex(r"[a-z]{1,30}", fullmatch=True), st.integers() | TERM, max_size=40),
)
def test_an_own_entry_of_any_length_is_short(text: str, names: list[str], missing: list[str], more: Json) -> None:
    actions = [{"id": f"a{place}", "name": name} for place, name in enumerate(names)]
    parts = {"description": text, "actions": actions, "figures": more}
    value = MODEL_OF["monsters"].model_validate({**RAT, **parts, "tier": "partly", "missing": missing}).as_written
    assert tokens(result_of(Found("", "monsters", "mill-rat", value))) <= MAX_TOKENS


def test_every_figure_of_an_entry_is_in_its_description() -> None:
    pack = built_in("srd-5.1")
    dragon = pack.entry("monsters", "adult-black-dragon")
    assert dragon is not None
    told = describe(dragon)
    text = " ".join(
        [told.subtitle, *(line.text for line in told.facts), *(f"{line.label} {line.text}" for _, line in told.parts)]
    )
    for figure in (
        "195",
        "17d12+85",
        "STR 23",
        "DEX +7",
        "perception +11",
        "+11 to hit",
        "DC 18 DEX",
        "54 (12d8) acid",
    ):
        assert figure in text
    for figure in (
        "recharge 5-6",
        "60-foot line, 5 ft. wide",
        "costs 2",
        "11500 XP",
        "blindsight 60 ft.",
        "immunities",
    ):
        assert figure in text or figure in [line.label for line in told.facts]


def test_kinds_are_spelled_loosely(campaign: Campaign) -> None:
    for word, kind in (("armour", "armor"), ("Spell", "spells"), ("magic item", "magic_items")):
        done = campaign.query(TOOL, {"name": "shield" if kind != "magic_items" else "wand of fireballs", "kind": word})
        assert done["ok"], done
        assert done["result"]["kind"] == kind


@pytest.mark.parametrize("kind", KINDS)
def test_a_lookup_within_a_kind_gives_that_kind(campaign: Campaign, kind: str) -> None:
    name = next(row.name for row in built_in("srd-5.1").rows() if row.kind == kind)
    assert campaign.query(TOOL, {"name": name, "kind": kind})["result"]["kind"] == kind


def test_a_lookup_changes_nothing_and_draws_nothing(campaign: Campaign) -> None:
    before = campaign.state
    reply = campaign.process({"tool_calls": [{"id": "a", "tool": TOOL, "args": {"name": "goblin"}}]})
    assert reply["status"] == "applied"
    assert campaign.state == before


def test_similar_entries_are_choices_and_never_a_repair(campaign: Campaign) -> None:
    failed = campaign.query(TOOL, {"name": "goblin chief"})
    assert failed["reason"] == "not_found"
    assert "allowed" not in failed["hint"]
    assert 0 < len(failed["hint"]["choices"]) <= 5


def test_a_player_may_not_look_up_unless_the_game_master_allows_it(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="p", clock=clock) as campaign:
        hero = {"name": "Mira", "class": "Wizard", "level": 1}
        campaign.process({"tool_calls": [{"id": "a", "tool": "create_character", "args": hero}]})
        call = {"operation": "add", "character_id": "character-1"}
        campaign.process({"tool_calls": [{"id": "a", "tool": "manage_party", "args": call}]})
        refused = campaign.query(TOOL, {"name": "goblin"}, authority="player:character-1")
        assert refused["reason"] == "not_permitted"
        campaign.set({"players.tools": ["move", TOOL]})
        assert campaign.query(TOOL, {"name": "goblin"}, authority="player:character-1")["result"]["name"] == "Goblin"
