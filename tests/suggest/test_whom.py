"""Whom a hint is about: who is hurt, who gets a thing, and whose deed a message tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from tests.suggest.looking import intents_of, look, tools_of

MIRA: Mapping[str, Any] = {
    "actor": {"id": "pc_001", "name": "Mira"},
    "party": [{"id": "pc_001", "name": "Mira"}, {"id": "pc_002", "name": "Brannoc"}],
    "npcs_present": [{"id": "npc_drake", "name": "Drake"}],
    "encounter": None,
}
INN = {
    "areas": {"current": {"id": "a1", "name": "Inn"}, "reachable": [{"id": "a2", "name": "Old Docks"}]},
    "items": {"actor": ["Rope"], "area": ["lantern"], "npcs": []},
}
FIGHT = {"encounter": {"active": True, "id": "e1", "enemies_alive": 2, "round": 1}}


def hurt(message: str, **context: Any) -> list[tuple[Any, Any]]:
    """Return whose hit points change by how much, by the hints."""
    found = [one.arguments or {} for one in look(message, **{**MIRA, **context}).suggestions if one.tool == "hp_delta"]
    return [(arguments.get("target_character_id"), arguments.get("delta")) for arguments in found]


@pytest.mark.parametrize(
    ("message", "delta"),
    [
        ("I deal 6 damage.", -6),
        ("I hit him for 9.", -9),
        ("12 damage!", -12),
        ("I rolled a 17 to hit, 6 damage.", -6),
        ("My fireball deals 28 damage to all of them.", -28),
        ("I deal 6 damage to the door.", -6),
        ("I heal the guard for 9.", 9),
        ("I use a healing potion on the guard.", None),
    ],
)
def test_who_deals_damage_or_heals_is_not_the_one_it_happens_to(message: str, delta: int | None) -> None:
    assert hurt(message) == [(None, delta)]


@pytest.mark.parametrize(
    ("message", "whose", "delta"),
    [
        ("I take 6 damage from the drake.", "pc_001", -6),
        ("I get hit for 6 damage.", "pc_001", -6),
        ("The drake bites me for 6 damage.", "pc_001", -6),
        ("-5 hp for me.", "pc_001", -5),
        ("I heal for 9.", "pc_001", 9),
        ("I fall into the pit.", "pc_001", None),
        ("I drink a healing potion.", "pc_001", None),
        ("Mira deals 6 damage to the drake.", "npc_drake", -6),
        ("Brannoc loses 4 hp.", "pc_002", -4),
        ("I heal Brannoc for 5.", "pc_002", 5),
        ("The rocks deal 12 damage to Brannoc.", "pc_002", -12),
        ("Let me heal Brannoc for 5.", "pc_002", 5),
        ("Let me deal 6 damage to the drake.", "npc_drake", -6),
        ("The drake takes 6 damage from me.", "npc_drake", -6),
        ("The drake next to me takes 6 damage.", "npc_drake", -6),
    ],
)
def test_who_is_hurt_or_healed_is_told_where_the_words_say_it(message: str, whose: str, delta: int | None) -> None:
    assert hurt(message) == [(whose, delta)]


@pytest.mark.parametrize(
    ("language", "deals", "takes"),
    [
        ("de", "Ich füge dem Goblin 8 Schaden zu.", "Ich erleide 8 Schaden durch die Falle."),
        ("es", "Hago 8 de daño.", "Sufro 8 de daño."),
        ("fr", "Je lui inflige 8 dégâts.", "Je subis 8 dégâts du piège."),
        ("pt", "Causo 8 de dano.", "Sofro 8 de dano."),
    ],
)
def test_who_is_hurt_is_told_apart_in_every_full_language(language: str, deals: str, takes: str) -> None:
    assert hurt(deals, language=language) == [(None, -8)]
    assert hurt(takes, language=language) == [("pc_001", -8)]


@pytest.mark.parametrize(
    ("language", "message", "whose", "delta"),
    [
        ("es", "Brannoc me cura 6 puntos de vida.", "pc_001", 6),
        ("es", "Brannoc se cura 6 puntos de vida.", "pc_002", 6),
        ("es", "Te curo 6 puntos de vida.", None, 6),
        ("es", "Le bajo 6 pv al drake.", "npc_drake", -6),
        ("pt", "Brannoc me cura 6 pontos de vida.", "pc_001", 6),
        ("pt", "Te curo 6 pontos de vida.", None, 6),
        ("fr", "Le drake m'inflige 6 dégâts.", "pc_001", -6),
        ("de", "Mir werden 6 Schaden zugefügt.", "pc_001", -6),
    ],
)
def test_a_pronoun_says_who_is_hurt_or_healed(language: str, message: str, whose: str | None, delta: int) -> None:
    assert hurt(message, language=language) == [(whose, delta)]


@pytest.mark.parametrize(
    "message",
    [
        "I hit the drake for 6 damage.",
        "12 damage!",
        "Let me hit the drake for 6 damage.",
        "Brannoc deals 6 damage to the drake.",
    ],
)
def test_a_blow_in_a_fight_is_an_attack_and_no_hint_about_hit_points(message: str) -> None:
    assert "hp_delta" not in tools_of(look(message, "combat", **{**MIRA, **FIGHT}))
    assert "hp_delta" in tools_of(look("I take 6 damage from the fire.", "combat", **{**MIRA, **FIGHT}))


# who gets a thing


def given_to(message: str, **context: Any) -> list[str | None]:
    """Return to whom a thing is handed, by the hints."""
    here = {**MIRA, **INN, "npcs_present": [], **context}
    found = [one.arguments or {} for one in look(message, **here).suggestions if one.intent == "item.give"]
    return [arguments.get("to_character_name") for arguments in found]


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("I sell my Rope to Sedge for 2 gold.", "Sedge"),
        ("I give my Rope to Sedge with a smile.", "Sedge"),
        ("I hand my Rope to Sedge in exchange for the map.", "Sedge"),
        ("I give my Rope to Sister Anna.", "Sister Anna"),
        ("I hand my Rope to Captain Voss, slowly.", "Captain Voss"),
        ("I give my Rope to Brannoc for safekeeping.", "Brannoc"),
        ("I give him my Rope.", None),
        ("I give my Rope to the guard.", None),
    ],
)
def test_the_receiver_of_a_thing_is_named_and_nothing_else(message: str, name: str | None) -> None:
    assert given_to(message) == [name]


@pytest.mark.parametrize(
    ("language", "message", "name"),
    [
        ("es", "Le doy la cuerda a Sedge.", "Sedge"),
        ("es", "Le doy a Sedge mi Rope.", "Sedge"),
        ("es", "Te doy mi Rope.", None),
        ("es", "Os doy una antorcha.", None),
        ("pt", "Lhe dou a corda.", None),
        ("pt", "Te dou minha Rope.", None),
        ("pt", "Dou a corda a Sedge com um sorriso.", "Sedge"),
        ("fr", "Je donne ma Rope à Sedge avec un sourire.", "Sedge"),
        ("de", "Ich gebe mein Seil an Sedge mit einem Lächeln.", "Sedge"),
    ],
)
def test_a_pronoun_is_nobodys_name(language: str, message: str, name: str | None) -> None:
    assert given_to(message, language=language) == [name]


# what another member does


@pytest.mark.parametrize(
    "message",
    [
        "Brannoc takes the lantern.",
        "Brannoc, pick up the lantern!",
        "Brannoc gives his Ring to Sedge.",
        "Brannoc looks around. He takes the lantern.",
        "Brannoc sleeps.",
        "While Brannoc walks to Old Docks, I stay here.",
    ],
)
def test_what_another_member_does_or_is_told_to_do_is_no_act_of_the_speaker(message: str) -> None:
    assert set(intents_of(look(message, **{**MIRA, **INN}))) <= {"check"}


def test_a_game_master_speaks_for_every_member() -> None:
    assert intents_of(look("Brannoc takes the lantern.", **{**MIRA, **INN, "speaker": "dm"})) == ["item.take"]


def test_a_check_is_any_members_for_it_names_nobody() -> None:
    [check] = look("Brannoc searches the room.", **{**MIRA, **INN}).suggestions
    assert (check.intent, "character_id" in (check.arguments or {})) == ("check", False)


@pytest.mark.parametrize(
    "message",
    ["Mira and Brannoc", "Brannoc and Mira", "Brannoc and I", "Mira, Brannoc and I", "I and Brannoc", "Me and Brannoc"],
)
def test_what_the_speaker_does_with_another_member_is_the_speakers_act(message: str) -> None:
    assert intents_of(look(f"{message} walk to the Old Docks.", **{**MIRA, **INN})) == ["travel"]


@pytest.mark.parametrize("message", ["Brannoc attacks the drake.", "Brannoc ends his turn."])
def test_another_member_does_not_act_in_the_speakers_turn(message: str) -> None:
    assert look(message, "combat", **{**MIRA, **FIGHT}).suggestions == ()


# when the speaker's turn is over

NOT_OVER = {
    "en": [
        "I attack but I'm not done.",
        "I attack. I am not finished yet.",
        "I attack the wolf, that's not my whole turn.",
        "I attack the wolf but don't end my turn.",
    ],
    "de": ["Ich greife den Wolf an, aber ich bin noch nicht fertig.", "Ich greife an, beende aber meinen Zug nicht."],
    "es": ["Ataco a Grik, pero no he terminado.", "Ataco a Grik, pero no termino mi turno."],
    "fr": ["J'attaque Grik, mais je n'ai pas fini.", "J'attaque Grik, mais je ne termine pas mon tour."],
    "pt": ["Ataco Grik, mas não terminei.", "Ataco Grik, mas não termino meu turno."],
    "ru": ["Я атакую Грика, но я не закончил.", "Атакую Грика, но не заканчиваю ход."],
    "zh": ["我攻击哥布林,但我还没结束。", "我攻击哥布林,但不结束回合。"],
    "ja": ["ゴブリンを攻撃する。でもまだ終わらない。", "ゴブリンを攻撃する。ターンは終了しない。"],
}


@pytest.mark.parametrize(("language", "message"), [(name, one) for name, told in NOT_OVER.items() for one in told])
def test_a_turn_that_is_said_not_to_be_over_does_not_end(language: str, message: str) -> None:
    assert intents_of(look(message, "combat", **{**MIRA, **FIGHT, "language": language})) == ["hp.attack"]


def test_what_stands_behind_a_pause_ends_the_turn() -> None:
    assert "turn.advance" in intents_of(look("Hang on... OK, I attack the wolf.", "combat", **{**MIRA, **FIGHT}))


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("de", "Ich greife den Wolf an, er ist noch nicht tot."),
        ("zh", "我攻击哥布林,它还没死。"),
        ("es", "Ataco a Grik, todavía no está muerto."),
    ],
)
def test_an_enemy_that_is_not_down_yet_keeps_no_turn_open(language: str, message: str) -> None:
    assert "turn.advance" in intents_of(look(message, "combat", **{**MIRA, **FIGHT, "language": language}))
