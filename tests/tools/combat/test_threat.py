"""get_encounter with monsters: how hard a fight would be, by the rules and by simulations of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.builders import Json, clock, spelt
from tests.sampling import some

from turnwright import Campaign, Viewer
from turnwright.content.registry import built_in
from turnwright.rulesets.fifth_edition.fights._threat import simulation
from turnwright.rulesets.fifth_edition.fights._threat.report import MAX_ROUNDS

HEROES = (("Ada", "Fighter"), ("Bran", "Rogue"), ("Cyra", "Wizard"), ("Dov", "Cleric"))
GOBLINS: Json = {"monster": "goblin", "count": 3}
PLAYER = "player:character-1"
MONSTERS = sorted(row.id for row in built_in("srd-5.1").rows() if row.kind == "monsters")


def party(place: Path, level: int = 1, heroes: int = 4, seed: str = "threat") -> Campaign:
    campaign = Campaign.new(place, template="toolkit", seed=seed, clock=clock)
    calls = []
    for name, kind in HEROES[:heroes]:
        sheet = {"name": name, "race": "Human", "class": kind, "level": level}
        calls.append({"id": name, "tool": "create_character", "args": sheet})
        joining = {"operation": "add", "character_name": name}
        calls.append({"id": f"{name} joins", "tool": "manage_party", "args": joining})
    assert campaign.process({"tool_calls": calls})["status"] == "applied"
    return campaign


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with party(tmp_path / "c") as campaign:
        yield campaign


def threat(campaign: Campaign, *monsters: Json, **args: Any) -> Json:
    answer = campaign.query("get_encounter", {"monsters": list(monsters), "runs": 3, **args})
    assert answer["ok"], answer
    found: Json = answer["result"]["threat"]
    return found


def failure(campaign: Campaign, *monsters: Json, authority: str = "gm", **args: Any) -> Json:
    answer: Json = dict(
        campaign.query("get_encounter", {"monsters": list(monsters), "runs": 1, **args}, authority=authority)
    )
    assert not answer["ok"], answer
    return answer


@pytest.mark.parametrize(
    ("level", "heroes", "monsters", "told"),
    [
        (1, 4, [GOBLINS], (150, 200, 75, "within", [])),
        (1, 4, [{"monster": "bugbear"}], (200, 200, 100, "within", [])),
        (1, 2, [{"monster": "bugbear"}], (200, 100, 200, "beyond", [])),
        (1, 4, [{"monster": "ogre"}, {"monster": "rat", "count": 2}], (470, 200, 235, "beyond", ["ogre"])),
        (5, 4, [{"monster": "troll"}], (1800, 1800, 100, "within", [])),
        (5, 3, [{"monster": "troll"}], (1800, 1350, 133, "beyond", [])),
    ],
)
def test_the_rules_set_the_xp_of_the_monsters_against_a_rating_as_high_as_the_party_s_level(
    tmp_path: Path, level: int, heroes: int, monsters: list[Json], told: tuple[object, ...]
) -> None:
    with party(tmp_path / "c", level, heroes) as campaign:
        rules = threat(campaign, *monsters, runs=1)["by_rules"]
    assert (rules["xp"], rules["party_xp"], rules["percent"], rules["verdict"], rules["above_level"]) == told


def test_simulations_tell_rounds_and_who_falls(campaign: Campaign) -> None:
    found = threat(campaign, {"monster": "goblin", "count": 6}, runs=8)
    played, falls = found["by_simulation"], [row["falls_percent"] for row in found["party"]]
    assert played["runs"] == 8
    assert 1 <= played["least_rounds"] <= played["mean_rounds"] <= played["most_rounds"] <= MAX_ROUNDS
    assert 0 < max(falls) <= played["somebody_falls_percent"] <= min(100, sum(falls))
    assert played["somebody_dies_percent"] <= played["somebody_falls_percent"]


@pytest.mark.parametrize(
    ("monster", "wins", "falls"), [("rat", 100, 0), ("adult red dragon", 0, 100), ("tarrasque", 0, 100)]
)
def test_what_cannot_be_lost_is_won_and_what_cannot_be_won_is_lost(
    campaign: Campaign, monster: str, wins: int, falls: int
) -> None:
    played = threat(campaign, {"monster": monster})["by_simulation"]
    assert (played["party_wins_percent"], played["somebody_falls_percent"]) == (wins, falls)


def test_more_monsters_make_it_harder(campaign: Campaign) -> None:
    few, many = (threat(campaign, {"monster": "goblin", "count": n}, runs=6)["by_simulation"] for n in (1, 7))
    assert few["somebody_falls_percent"] < many["somebody_falls_percent"]


def test_the_same_seed_gives_the_same_and_another_one_other_dice(campaign: Campaign) -> None:
    many = {"monster": "goblin", "count": 6}
    first, again, *others = (threat(campaign, many, runs=4, seed=seed) for seed in (1, 1, 2, 3))
    assert spelt(first) == spelt(again)
    assert all(first["by_rules"] == other["by_rules"] for other in others)
    assert len({spelt(each) for each in (first, *others)}) == 3


def test_the_dice_of_the_campaign_are_not_told(tmp_path: Path) -> None:
    with party(tmp_path / "a", seed="one") as one, party(tmp_path / "b", seed="two") as two:
        assert threat(one, GOBLINS) == threat(two, GOBLINS)


def test_nothing_changes_and_nothing_is_drawn(campaign: Campaign) -> None:
    before, records = spelt(campaign.state), len(list(campaign.records()))
    threat(campaign, GOBLINS)
    assert spelt(campaign.state) == before
    assert len(list(campaign.records())) == records
    call = {"id": "a", "tool": "get_encounter", "args": {"monsters": [GOBLINS], "runs": 1}}
    assert campaign.process({"tool_calls": [call]})["status"] == "applied"
    record = list(campaign.records())[-1]
    assert (record["changes"], record["draws"]) == ({}, [])
    assert list(record["packs"]) == ["srd-5.1"]
    assert spelt(campaign.state) == before


def test_the_party_fights_as_it_is_now(campaign: Campaign) -> None:
    hurt = [{"id": who, "tool": "update_character", "args": {"character_name": who, "hp": 1}} for who, _ in HEROES]
    fresh = threat(campaign, GOBLINS, runs=8)
    assert campaign.process({"tool_calls": hurt})["status"] == "applied"
    found = threat(campaign, GOBLINS, runs=8)
    assert [row["hp"] for row in found["party"]] == [1, 1, 1, 1]
    assert found["by_simulation"]["somebody_falls_percent"] > fresh["by_simulation"]["somebody_falls_percent"]


def test_casters_use_the_slots_that_are_left(campaign: Campaign) -> None:
    empty = {"1": {"current": 0, "max": 2}}
    spent = [
        {"id": who, "tool": "manage_spell_slots", "args": {"operation": "set", "character_name": who, "slots": empty}}
        for who in ("Cyra", "Dov")
    ]
    fresh = threat(campaign, {"monster": "ogre"}, runs=8)["by_simulation"]
    assert campaign.process({"tool_calls": spent})["status"] == "applied"
    tired = threat(campaign, {"monster": "ogre"}, runs=8)["by_simulation"]
    assert tired["mean_rounds"] > fresh["mean_rounds"]


def test_a_long_fight_is_simulated_less_often(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    from turnwright.rulesets.fifth_edition.fights._threat import check

    monkeypatch.setattr(check, "MAX_ROUNDS_IN_ALL", 1)
    assert threat(campaign, GOBLINS, runs=20)["by_simulation"]["runs"] == 1


def test_who_cannot_win_in_time_is_undecided(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "MAX_ROUNDS", 1)
    played = threat(campaign, {"monster": "ogre"})["by_simulation"]
    assert (played["undecided_percent"], played["most_rounds"]) == (100, 1)


def test_a_player_is_refused_whatever_the_monster_is_and_whoever_is_there(campaign: Campaign) -> None:
    assert campaign.set({"players.tools": ["move", "get_encounter"]})
    known, unknown, looked = (
        failure(campaign, {"monster": name}, authority=PLAYER) for name in ("goblin", "jabberwock", "tarrasque")
    )
    assert known == unknown == looked
    assert known["reason"] == "not_permitted"


def test_players_do_not_see_what_the_game_master_checked(campaign: Campaign) -> None:
    call = {"id": "a", "tool": "get_encounter", "args": {"monsters": [GOBLINS], "runs": 1}}
    reply = campaign.process({"tool_calls": [call]})
    for viewer in (Viewer.of(PLAYER), Viewer.of("player:character-2")):
        assert "goblin" not in spelt(campaign.project(reply, viewer)).casefold()


def test_nobody_left_to_fight_is_said(tmp_path: Path) -> None:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="nobody", clock=clock) as campaign:
        assert failure(campaign, GOBLINS)["reason"] == "rule_violation"


def test_unknown_monsters_and_too_many_are_refused(campaign: Campaign) -> None:
    assert failure(campaign, {"monster": "jabberwock"})["reason"] == "not_found"
    assert failure(campaign, {"monster": "goblin", "count": 31})["reason"] == "invalid_args"
    assert failure(campaign, *[{"monster": "goblin", "count": 20}] * 2)["reason"] == "limit_exceeded"


@pytest.fixture(name="veterans", scope="module")
def fixture_veterans(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    with party(tmp_path_factory.mktemp("veterans") / "c", level=6) as campaign:
        yield campaign


@pytest.mark.parametrize("name", some(MONSTERS, 12))
def test_a_fight_with_a_monster_can_be_simulated(veterans: Campaign, name: str) -> None:
    simulated(veterans, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", MONSTERS)
def test_a_fight_with_every_monster_can_be_simulated(veterans: Campaign, name: str) -> None:
    simulated(veterans, name)


def simulated(veterans: Campaign, name: str) -> None:
    found = threat(veterans, {"monster": f"monsters/{name}"}, runs=1)
    assert found["monsters"][0]["monster"] == name
    assert 1 <= found["by_simulation"]["most_rounds"] <= MAX_ROUNDS


def test_who_is_at_0_hit_points_fights_in_no_simulation(campaign: Campaign) -> None:
    for number in (4, 3, 2, 1):  # the acting one last, who can do nothing then
        hurt = {"character_id": f"character-{number}", "hp": 0}
        assert (
            campaign.process({"tool_calls": [{"id": "a", "tool": "update_character", "args": hurt}]})["status"]
            == "applied"
        )
    assert "nobody of the party can fight here" in failure(campaign, GOBLINS)["detail"]
