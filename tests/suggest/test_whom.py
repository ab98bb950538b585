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


POTION = {"items": {"actor": ["healing potion", "torch"]}}


@pytest.mark.parametrize("agent", ["narrative", "npc_individual"])
@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "Here's a healing potion for you."),
        ("en", "Here, take this healing potion."),
        ("en", "Take my torch, Drake."),
        ("en", "@Drake take this torch"),
        ("en", "Here's my torch."),
        ("de", "Hier ist meine torch."),
        ("de", "Hier, nimm meine torch."),
        ("es", "Aquí tienes mi torch."),
        ("fr", "Voici ma torch."),
        ("pt", "Aqui está minha torch."),
    ],
)
def test_what_a_player_hands_over_in_direct_words_goes_to_whom_it_speaks_to(
    language: str, message: str, agent: str
) -> None:
    [told] = look(message, agent, language=language, **{**MIRA, **POTION}).suggestions
    arguments = told.arguments or {}
    assert (told.operation, arguments["to_character_name"], arguments["character_id"]) == (
        "transfer",
        "Drake",
        "pc_001",
    )
    assert arguments["item_name"] in POTION["items"]["actor"]


@pytest.mark.parametrize(
    "message", ["Take a seat, Drake.", "Here's the plan.", "Take my hand, Drake.", "I have a torch."]
)
def test_direct_words_about_no_thing_of_ones_own_hand_nothing_over(message: str) -> None:
    for agent in ("narrative", "npc_individual"):
        assert look(message, agent, **{**MIRA, **POTION}).suggestions == ()


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Have a torch.", "Drake"),
        ("Have a torch, Brannoc!", "Brannoc"),
        ('"Have a torch," I say to Brannoc.', "Brannoc"),
    ],
)
def test_what_a_player_says_somebody_may_have_is_handed_over(message: str, name: str) -> None:
    for agent in ("narrative", "npc_individual"):
        [told] = look(message, agent, **{**MIRA, **POTION}).suggestions
        arguments = told.arguments or {}
        assert (told.operation, arguments["item_name"], arguments["to_character_name"]) == ("transfer", "torch", name)


@pytest.mark.parametrize(
    "message",
    [
        "We have a torch.",
        "Have a torch?",
        "Have a seat.",
        "I rest, have a torch.",
        "I sit down and have a torch.",
        "Brannoc, take the torch off the wall.",
        "Brannoc, take this torch off the wall.",
        "Brannoc, take the torch.",
    ],
)
def test_who_has_a_thing_hands_nothing_over(message: str) -> None:
    for agent in ("narrative", "npc_individual"):
        assert "item.give" not in intents_of(look(message, agent, **{**MIRA, **POTION}))


@pytest.mark.parametrize(
    "message",
    ["Brannoc, take my torch.", "Here, Brannoc, take the torch.", "Take the torch from my pack, Brannoc."],
)
def test_what_is_said_to_be_ones_own_is_handed_over(message: str) -> None:
    for agent in ("narrative", "npc_individual"):
        assert intents_of(look(message, agent, **{**MIRA, **POTION})) == ["item.give"]


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "I take the torch from the wall."),
        ("en", "I grab a torch off the wall."),
        ("en", "I take another torch."),
        ("en", "I take three torches."),
        ("en", "I take a couple of torches."),
        ("de", "Ich nehme die torch von der Wand."),
        ("de", "Ich nehme eine weitere torch."),
        ("es", "Tomo otra torch."),
        ("fr", "Je prends une autre torch."),
        ("pt", "Pego outra torch."),
    ],
)
def test_who_carries_a_thing_may_take_one_more(language: str, message: str) -> None:
    [told] = look(message, language=language, **{**MIRA, **POTION}).suggestions
    assert (told.intent, (told.arguments or {})["item_name"]) == ("item.take", "torch")


DRAUGHTS = {"items": {"actor": ["Potion of Healing", "Potion of Greater Healing", "torch"]}}


def uses(message: str, **context: Any) -> list[tuple[Any, Any]]:
    """Return which things are used up on whom, by the hints."""
    found = [one for one in look(message, **{**MIRA, **DRAUGHTS, **context}).suggestions if one.intent == "item.use"]
    assert all(one.tool == "manage_inventory" and (one.arguments or {})["operation"] == "use" for one in found)
    arguments = [one.arguments or {} for one in found]
    return [(each["item_name"], each.get("target_id")) for each in arguments if each["character_id"] == "pc_001"]


@pytest.mark.parametrize(
    ("message", "name", "whom"),
    [
        ("I use my Potion of Healing.", "Potion of Healing", None),
        ("I drink a healing potion.", "Potion of Healing", None),
        ("I quaff one of my healing potions.", "Potion of Healing", None),
        ("Mira drinks the potion of greater healing.", "Potion of Greater Healing", None),
        ("I use my Potion of Healing on Brannoc.", "Potion of Healing", "pc_002"),
    ],
)
def test_a_draught_that_is_carried_is_used_up_by_its_name(message: str, name: str, whom: str | None) -> None:
    assert uses(message) == [(name, whom)]
    # Whether its use heals is not known; that it does not is the less likely.
    assert tools_of(look(message, **{**MIRA, **DRAUGHTS})) == ["manage_inventory", "hp_delta"]


@pytest.mark.parametrize(
    "message",
    [
        "I use my Potion of Superior Healing.",
        "I drink the red potion.",
        "I take a healing potion from the shelf.",
        "I use a healing potion on the guard.",
        "I give my healing potion to Brannoc.",
        "I don't drink my healing potion.",
        "Should I drink my healing potion?",
    ],
)
def test_a_draught_that_is_not_known_or_is_not_drunk_is_not_used_up(message: str) -> None:
    assert uses(message) == []


def test_of_draughts_that_could_be_meant_alike_none_is_used_up() -> None:
    two = {"items": {"actor": ["Potion of Greater Healing", "Potion of Superior Healing"]}}
    assert uses("I drink a healing potion.", **two) == []
    assert uses("Brannoc drinks his healing potion.", speaker="dm") == []


@pytest.mark.parametrize("message", ["I use my Potion of Healing.", "I use my healing potion on Brannoc."])
def test_a_draught_in_a_fight_is_an_action_and_heals_by_nothing_else(message: str) -> None:
    found = look(message, "combat", **{**MIRA, **DRAUGHTS, **FIGHT}).suggestions
    wanted = {"encounter_id": "e1", "action_type": "use_object", "item_name": "Potion of Healing"}
    assert {one.tool: one.arguments for one in found} == {
        "advance_turn": {"encounter_id": "e1"},
        "execute_action": wanted,
    }
    unknown = look(message, "combat", **{**MIRA, **FIGHT}).suggestions
    assert {one.tool for one in unknown} == {"advance_turn", "execute_action", "hp_delta"}


def test_what_is_bought_is_new() -> None:
    assert set(intents_of(look("I buy two torches.", **{**MIRA, **POTION}))) == {"item.take", "money.change"}


@pytest.mark.parametrize(
    ("message", "intent", "name"),
    [
        ("I pick up the bag of torches.", "item.take", "bag of torches"),
        ("I give Drake the ring of keys.", "item.give", "ring of keys"),
        ("I give Drake a handful of torches.", "item.give", "torch"),
    ],
)
def test_what_holds_several_things_is_none_of_them(message: str, intent: str, name: str) -> None:
    things = {"actor": ["silver ring", "torch"], "area": ["iron key"]}
    [told] = look(message, **{**MIRA, "items": things}).suggestions
    assert (told.intent, (told.arguments or {})["item_name"]) == (intent, name)


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("en", "I take the torch."),
        ("en", "I take the torch off."),
        ("en", "I take one of the torches."),
        ("en", "I take two of the torches."),
        ("en", "I take two of my torches."),
        ("en", "I take out two torches."),
        ("en", "I take two torches from my pack."),
        ("en", "I take another torch from my pack."),
        ("en", "I take my torch from the wall."),
        ("de", "Ich nehme die torch aus dem Rucksack."),
    ],
)
def test_who_takes_out_what_it_carries_gets_none(language: str, message: str) -> None:
    assert look(message, language=language, **{**MIRA, **POTION}).suggestions == ()


def test_what_comes_out_of_ones_own_pack_is_not_what_lies_there() -> None:
    both = {"items": {"actor": ["torch"], "area": ["torch"]}}
    assert look("I take the torch from my pack.", **{**MIRA, **both}).suggestions == ()
    for message in ("I take the torch.", "I take the torch from the guard's belt."):
        assert intents_of(look(message, **{**MIRA, **both})) == ["item.take"]


LENA = {"id": "npc_lena", "name": "Lena"}
OWNED = [
    {"name": "silver key", "owner": LENA},
    {"name": "torch", "owner": {"id": "pc_002", "name": "Brannoc"}},
]


def taken_from(message: str, agent: str = "narrative", **context: Any) -> list[tuple[Any, Any]]:
    """Return how things come to whom, and from whom, by the hints."""
    here = {**MIRA, "npcs_present": [LENA], "items": {"actor": ["rope"], "owned": OWNED}, **context}
    found = [one.arguments or {} for one in look(message, agent, **here).suggestions if one.intent.startswith("item.")]
    return [(one["operation"], one["character_id"]) for one in found]


@pytest.mark.parametrize(
    ("language", "message", "whose"),
    [
        ("en", "I take Lena's silver key.", "npc_lena"),
        ("en", "I snatch the key from Lena.", "npc_lena"),
        ("en", "I take two torches from Brannoc.", "pc_002"),
        ("en", "I take the key off old Lena.", "npc_lena"),
        ("en", "I take the key out of Lena's left hand.", "npc_lena"),
        ("de", "Ich nehme den silver key von Lenas Gürtel.", "npc_lena"),
        ("de", "Ich nehme Lenas silver key.", "npc_lena"),
        ("de", "Ich stehle den silver key von Lena.", "npc_lena"),
        ("es", "Robo la silver key de Lena.", "npc_lena"),
        ("fr", "Je vole la silver key de Lena.", "npc_lena"),
        ("pt", "Roubo a silver key da Lena.", "npc_lena"),
    ],
)
def test_what_is_taken_from_somebody_who_has_it_is_handed_over(language: str, message: str, whose: str) -> None:
    assert taken_from(message, language=language) == [("transfer", whose)]


@pytest.mark.parametrize(
    "message",
    [
        "I take the silver key.",
        "I take the iron key from Lena.",
        "I take Lena's lantern.",
        "I take the silver key off Lena's table.",
        "I take the silver key from Lena's sister's belt.",
        "I take the silver key from the man next to Lena.",
    ],
)
def test_a_thing_that_the_words_do_not_say_somebody_has_is_new(message: str) -> None:
    assert taken_from(message) == [("give", "pc_001")]


@pytest.mark.parametrize(
    "owner", ["Lena", "lena", "npc_lena", {"name": "LENA"}, {"id": "npc_lena"}, {"id": "npc_lena", "name": "Lena"}]
)
def test_an_owner_is_known_by_id_or_name(owner: Any) -> None:
    owned = {"owned": [{"name": "silver key", "owner": owner}]}
    lena = {**LENA, "hostile": True}
    assert taken_from("I take the key from Lena.", npcs_present=[lena], items=owned) == [("transfer", "npc_lena")]


def test_a_namesake_of_another_id_is_no_owner() -> None:
    owned = {"owned": [{"name": "silver key", "owner": {"id": "npc_other", "name": "Lena"}}]}
    assert taken_from("I take the key from Lena.", items=owned) == [("give", "pc_001")]


@pytest.mark.parametrize("message", ["Here, take my silver key, Mira.", "She hands you the key."])
def test_what_a_character_hands_over_is_its_own_where_it_has_it(message: str) -> None:
    assert taken_from(message, "npc_individual", speaker="npc") == [("transfer", "npc_lena")]
    assert taken_from(message, "npc_individual", speaker="npc", items={}) == [("give", "pc_001")]


@pytest.mark.parametrize(
    ("language", "message", "name"),
    [
        ("en", "I pay Drake 5 silver.", "Drake"),
        ("en", "I pay 5 silver to Drake.", "Drake"),
        ("en", "I pay 5 silver for a drink for Drake.", None),
        ("en", "I pay Drake's tab with 5 silver.", None),
        ("en", "I pay 5 silver for the room.", None),
        ("en", "I pay 5 silver to old Drake.", "Drake"),
        ("en", "I pay 5 silver to the innkeeper Drake.", "Drake"),
        ("en", "I pay the guard 5 silver to let Drake go.", None),
        ("en", "I give the guard 5 silver to leave Drake alone.", None),
        ("en", "I pay 5 silver to the man next to Drake.", None),
        ("en", "I pay the ferryman 5 silver to take Drake across.", None),
        ("en", "I hand 5 silver to Drake's sister.", None),
        ("en", "I give the beggar 5 silver to Drake's annoyance.", None),
        ("de", "Ich zahle 5 Silber an Drakes Schwester.", None),
        ("de", "Ich zahle Drake 5 Silber.", "Drake"),
        ("es", "Pago 5 monedas de plata a Drake.", "Drake"),
        ("fr", "Je paie 5 pièces d'argent à Drake.", "Drake"),
        ("pt", "Pago 5 moedas de prata a Drake.", "Drake"),
    ],
)
def test_coins_go_to_whoever_is_paid_by_name(language: str, message: str, name: str | None) -> None:
    [told] = [one for one in look(message, language=language, **MIRA).suggestions if one.intent == "money.change"]
    assert (told.operation, (told.arguments or {}).get("to_character_name")) == ("transfer" if name else "take", name)


@pytest.mark.parametrize(
    ("message", "intent"),
    [
        ("I take the silver dagger from Drake.", "item.take"),
        ("I take two silver rings.", "item.take"),
        ("I give Drake a gold ring.", "item.give"),
        ("I take the silver from Drake.", "money.change"),
        ("I give Drake a gold coin.", "money.change"),
        ("I take the 30 gold reward.", "money.change"),
    ],
)
def test_what_a_thing_is_made_of_is_no_money(message: str, intent: str) -> None:
    assert intents_of(look(message, **MIRA)) == [intent]


@pytest.mark.parametrize(
    ("language", "name", "message"),
    [
        ("en", "torch", "I give Brannoc 2 torches."),
        ("en", "Potion of Healing", "I give Brannoc 2 potions of healing."),
        ("es", "antorcha", "Le doy 2 antorchas a Brannoc."),
        ("de", "Fackel", "Ich gebe Brannoc 2 Fackeln."),
        ("fr", "torche", "Je donne 2 torches à Brannoc."),
        ("pt", "tocha", "Dou 2 tochas a Brannoc."),
    ],
)
def test_of_several_things_one_names_the_kind_and_the_number_is_told(language: str, name: str, message: str) -> None:
    [told] = look(message, language=language, **{**MIRA, "items": {"actor": [name]}}).suggestions
    arguments = told.arguments or {}
    assert (arguments["item_name"], arguments["quantity"]) == (name, 2)


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
