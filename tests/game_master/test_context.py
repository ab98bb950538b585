"""What prompts show of the game, and what they keep away."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.game_master.city import CHOSEN, ENTRIES, EVERYTHING, HIDDEN, MOODS, SECRET, prompt, shown, values

from turnwright.model.errors import CampaignInvalid


@pytest.mark.parametrize("name", EVERYTHING)
def test_secrets_and_what_nobody_chose_are_in_no_prompt(name: str) -> None:
    assert SECRET not in shown(name).system


def test_futures_that_were_not_chosen_are_in_no_prompt() -> None:
    for mood in ("risky", "bargaining", "breaking"):
        assert SECRET not in prompt(values(mood, pending_outcome=CHOSEN)).system


def test_hidden_clocks_are_known_to_who_plays_them_and_to_nobody_who_asks_a_player() -> None:
    knowing = {name for name in EVERYTHING if HIDDEN in shown(name).system}
    voices = {shown(name).voice for name in knowing}
    assert voices == {
        *("weaver", "precipice", "echo", "hungry_city"),
        *("archivist", "interlude_narrator", "entangler", "opener"),
    }
    assert HIDDEN not in shown("encounter").user


def test_a_clock_with_one_tick_left_says_so_and_a_full_one_is_gone() -> None:
    system = prompt(values("encounter")).system
    assert '"The lamp", id "the-lamp", goal, 7 of 8, one tick left.' in system
    assert '"Marrow knows", id "marrow-knows", threat, 2 of 6.' in system
    assert "An old debt" not in system


def test_people_are_shown_by_their_most_urgent_want() -> None:
    system = prompt(values("encounter")).system
    assert 'wants, desperate: "the name of whoever had the key"; speaks: "very polite"' in system
    assert "a quiet night" not in system


def test_who_has_left_the_world_is_not_there() -> None:
    city = values("encounter")
    del city["characters/marrow.json"]
    assert "Nobody but the crew." in prompt(city).system


def test_only_what_has_risen_or_spread_is_shown() -> None:
    system = prompt(values("encounter")).system
    assert "Whose names?" in system
    assert "A quiet matter" not in system
    assert "A woman over the wall" in system


def test_the_archivist_sees_every_thread_and_the_ledger() -> None:
    system = prompt(EVERYTHING["archivist"]).system
    assert '"A quiet matter", id "thread-2", simmering.' in system
    assert "Stress 4, heat 1, coin -1." in system


def test_summaries_are_told_in_the_order_of_the_story() -> None:
    city = values("encounter", recent_summary_ids=["summary-2", "summary-1"])
    city["summaries/summary-2.json"] = {**city["summaries/summary-1.json"], "id": "summary-2", "text": "Then she left."}
    system = prompt(city).system
    assert system.index("Ana came to the works.") < system.index("Then she left.")


@pytest.mark.parametrize(("name", "told"), [
    ("fresh", "This is where the story begins"),
    ("from_aftermath", "> The shift carries you out."),
    ("from_trauma", 'is "reckless" now. The body runs on'),
    ("from_pass_out", 'Moved on meanwhile: "Marrow knows".'),
    ("from_interlude", 'Filled meanwhile: "An old debt".'),
])  # fmt: skip
def test_how_a_scene_was_come_to_is_told_by_its_origin(name: str, told: str) -> None:
    assert told in prompt(values("encounter", scene_entry_context=ENTRIES[name])).system
    assert told not in prompt(values("encounter")).system


@pytest.mark.parametrize(("beats", "nudged"), [(3, False), (4, True)])
def test_after_four_beats_without_a_die_something_is_to_happen(beats: int, nudged: bool) -> None:
    city = values("encounter")
    die = {"beat": "dice_roll", "value": 4, "tier": "success", "situation": "x", "seq": 1, "turn": 1}
    told = {"beat": "environment_shift", "text": "rain", "seq": 1, "turn": 1}
    city["scenes/scene-1.json"]["beats"] = [told, die, *[told] * beats]
    assert (f"There were {beats} beats without a die." in prompt(city).system) is nudged


def test_the_precipice_asks_for_dice_until_one_is_chosen_and_for_their_meaning_afterwards() -> None:
    before = prompt(values("risky")).system
    after = prompt(values("risky", pending_outcome=CHOSEN, dice_pool=[5])).system
    assert "| 1 | 5 | success | 0 to 1 | 0 to 1 |" in before
    assert "The catch keeps your sleeve." not in before
    assert "> The catch keeps your sleeve." in after
    assert "- costly:" in after
    assert "- setback:" in after
    assert "- clean:" not in after
    assert "Paid already: stress 2, heat 1, coin 0." in after


def test_a_one_stands_for_something_else_in_each_position() -> None:
    tiers = {}
    for variant in ("controlled", "risky", "desperate"):
        row = re.search(r"^\| 0 \| 1 \| (\w+) \|", prompt(values(variant, dice_pool=[1])).system, re.M)
        tiers[variant] = row[1] if row else None
    assert tiers == {"controlled": "partial", "risky": "bad", "desperate": "disaster"}


def test_the_city_asks_only_prices_that_cost_something() -> None:
    def asked(**changes: Any) -> list[str]:
        rows = re.findall(r"^\| (\w+) \| \d", prompt(values("bargaining", **changes)).system, re.M)
        return [row for row in rows if row != "cost_type"]

    city = values("bargaining")
    hostile = {f"factions/{one}.json": {**city[f"factions/{one}.json"], "attitude": "hostile"} for one in FACTIONS}
    full = {f"clocks/{one}.json": {**city[f"clocks/{one}.json"], "type": "goal"} for one in THREATS}
    assert asked() == ["stress", "heat", "wanted", "clock", "faction", "trauma", "item"]
    assert asked(heat=10) == ["stress", "wanted", "clock", "faction", "trauma", "item"]
    assert asked(wanted=4) == ["stress", "heat", "clock", "faction", "trauma", "item"]
    assert asked(**hostile) == ["stress", "heat", "wanted", "clock", "trauma", "item"]
    assert asked(**full) == ["stress", "heat", "wanted", "faction", "trauma", "item"]


FACTIONS = ("the-works", "fourth-shift")
THREATS = ("marrow-knows", "the-cold")


def test_where_nobody_acts_nobody_pays() -> None:
    city = values("bargaining")
    city["campaign.json"]["selected"] = {"party_character_ids": [], "active_actor_id": None}
    city["crew.json"]["awaiting"]["for"] = None
    given = prompt(city)
    assert given.actor is None
    assert "Nobody in particular" in given.system
    assert "\n| stress |" not in given.system


@pytest.mark.parametrize(("stress", "warned"), [(6, False), (7, True)])
def test_the_echo_warns_when_little_room_is_left(stress: int, warned: bool) -> None:
    city = values("costly")
    city["characters/character-1.json"]["stress"] = stress
    assert (f"There is room for {9 - stress} stress and no more." in prompt(city).system) is warned


def test_who_breaks_is_not_offered_the_scars_they_carry() -> None:
    city = values("breaking")
    city["characters/character-1.json"]["trauma"] = ["Cold", "volatile", "of my own making"]
    system = prompt(city).system
    offered = re.findall(r"^- (\w+): ", system.partition("Scars that they could take")[2], re.M)
    assert offered[:6] == ["haunted", "obsessed", "paranoid", "reckless", "soft", "vicious"]
    assert "Pain of others is told like an inventory. The feeling of one sentence" in system


def test_the_one_who_breaks_is_shown_and_not_the_one_who_acted() -> None:
    city = values("breaking")
    city["characters/character-2.json"] = {"id": "character-2", "name": "Tull", "hp": 10, "stress": 9}
    city["crew.json"]["phase"]["mood"] = {**MOODS["breaking"], "for": "character-2"}
    assert '"Tull", id "character-2".' in prompt(city).system


def test_a_place_that_is_gone_is_said_to_be() -> None:
    city = values("encounter")
    del city["locations/pump-hall.json"]
    with pytest.raises(CampaignInvalid, match="there is no location pump-hall"):
        prompt(city)


def test_a_scene_that_is_gone_is_said_to_be() -> None:
    for documents in (values("encounter"), EVERYTHING["archivist_of_a_closed_scene"]):
        city = dict(documents)
        del city["scenes/scene-1.json"]
        with pytest.raises(CampaignInvalid, match="there is no scene scene-1"):
            prompt(city)


def test_of_a_closed_scene_the_place_may_be_gone() -> None:
    city = dict(EVERYTHING["archivist_of_a_closed_scene"])
    del city["locations/pump-hall.json"]
    assert 'At "pump-hall".' in prompt(city).system
