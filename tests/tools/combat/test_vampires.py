"""What sunlight and running water do to vampires, and how they hold the target they bite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.builders import Json, clock
from tests.tools.blocks import act, advance, begin, call, fails, person

from turnwright import Campaign

WHO = "vampire-spawn"


@pytest.fixture(name="campaign")
def fixture_campaign(tmp_path: Path) -> Iterator[Campaign]:
    with Campaign.new(tmp_path / "c", template="toolkit", seed="vampires", clock=clock) as campaign:
        yield campaign


def put(campaign: Campaign, place: str, who: str = WHO, operation: str = "add") -> None:
    args = {"encounter_id": "encounter-1", "target_id": who, "operation": operation, "custom_name": place}
    call(campaign, "manage_condition", args)


def wound(campaign: Campaign, damage: int) -> None:
    blow = {"encounter_id": "encounter-1", "actor_id": "post", "target_id": WHO, "action_type": "attack"}
    figures = {"attack_bonus": 30, "damage_expression": str(damage), "damage_type": "force", "ignore_economy": True}
    call(campaign, "execute_action", {**blow, **figures}, 10)


def round_later(campaign: Campaign) -> Json:
    advance(campaign)
    return advance(campaign)


def test_sunlight_burns_it_as_its_turn_starts_and_stops_its_regeneration(campaign: Campaign) -> None:
    begin(campaign, {"monster": "vampire spawn"})
    wound(campaign, 40)
    assert round_later(campaign)["regenerated"][0]["amount"] == 10
    put(campaign, "sunlight")
    burned = round_later(campaign)
    (row,) = burned["traits"]
    assert (row["action"], row["damage"]["expression"], row["damage"]["type"]) == (
        "Vampire Weaknesses",
        "20",
        "radiant",
    )
    assert "regenerated" not in burned
    assert person(campaign, WHO)["body"]["hp"] == 82 - 40 + 10 - 20


def test_in_sunlight_it_attacks_with_disadvantage(campaign: Campaign) -> None:
    begin(campaign, {"monster": "vampire spawn"})
    put(campaign, "Sunlight")
    claws = act(campaign, WHO, "Claws", 15, 12, 1, 1)
    assert claws["attack"]["disadvantage_reasons"] == ["Vampire Weaknesses"]


def test_running_water_eats_it_as_its_turn_ends(campaign: Campaign) -> None:
    begin(campaign, {"monster": "vampire spawn"})
    put(campaign, "running water")
    left = advance(campaign)
    (row,) = left["traits"]
    assert (row["damage"]["expression"], row["damage"]["type"], row["target_hp"]["after"]) == ("20", "acid", 62)
    assert "regenerated" not in advance(campaign)
    put(campaign, "running water", operation="remove")
    assert round_later(campaign)["regenerated"][0]["amount"] == 10


def test_claws_hurt_or_grapple_as_the_call_says(campaign: Campaign) -> None:
    begin(campaign, {"monster": "vampire spawn"})
    hurt = act(campaign, WHO, "Claws", 15, 1, 1)
    assert (hurt["damage"]["final"], "inflicted" in hurt) == (5, False)
    held = act(campaign, WHO, "Claws", 15, action_type="grapple", ignore_economy=True)
    assert (held["damage"], held["inflicted"]) == (None, ["grappled"])
    (grip,) = person(campaign, "post")["body"]["conditions"]
    assert (grip["source"], grip["escape_dc"]) == (WHO, 13)


def test_no_other_attack_grapples_in_place_of_its_damage(campaign: Campaign) -> None:
    begin(campaign, {"monster": "wolf"})
    failed = fails(campaign, {"actor_id": "wolf", "action": "Bite", "action_type": "grapple", "target_id": "post"})
    assert (failed["reason"], failed["hint"]) == ("invalid_args", {"field": "args.action_type", "remove": True})


def test_it_bites_only_who_cannot_get_away_and_drains_the_maximum(campaign: Campaign) -> None:
    begin(campaign, {"monster": "vampire spawn"})
    failed = fails(campaign, {"actor_id": WHO, "action": "Bite", "target_id": "post"})
    assert failed["detail"] == "post is not willing or grappled or incapacitated or restrained, which Bite needs"
    wound(campaign, 30)
    act(campaign, WHO, "Claws", 15, action_type="grapple")
    bite = act(campaign, WHO, "Bite", 15, 1, 2, 3, ignore_economy=True)
    assert (bite["damage"]["final"], bite["healing"], bite["effects"]) == (9, 5, ["Bite"])
    (drained,) = person(campaign, "post")["body"]["effects"]
    assert (drained["max_hp_modifier"], drained["duration"]) == (-5, "until_long_rest")


def test_a_stomp_is_for_the_prone(campaign: Campaign) -> None:
    begin(campaign, {"monster": "elephant"})
    failed = fails(campaign, {"actor_id": "elephant", "action": "Stomp", "target_id": "post"})
    assert failed["detail"] == "post is not prone, which Stomp needs"


def test_kobolds_are_hampered_in_sunlight_too(campaign: Campaign) -> None:
    begin(campaign, {"monster": "kobold"})
    put(campaign, "sunlight", "kobold")
    dagger = act(campaign, "kobold", "Dagger", 15, 12, 1)
    assert dagger["attack"]["disadvantage_reasons"] == ["Sunlight Sensitivity"]
