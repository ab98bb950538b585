"""Every language that has a pack: what is understood in it, and what is not taken for a deed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.growth import growth
from tests.suggest.looking import intents_of, look

from turnwright.language.detect import language_of
from turnwright.language.message import ClauseType
from turnwright.language.message_reader import Reader
from turnwright.language.verbs import Verbs
from turnwright.model.data import parsed
from turnwright.rulesets.suggesting import BUILT_IN, PACKS
from turnwright.suggestions.pack import Pack
from turnwright.suggestions.pack_files import RECOGNIZED

TABLE: dict[str, Any] = parsed((Path(__file__).parent / "language_examples.yaml").read_text(encoding="utf-8"))
FULL = ("es", "fr", "de", "pt")
MINIMAL = ("ru", "zh", "ja")
PLACES = {
    "es": ("Mercado", "Molino Viejo"),
    "pt": ("Mercado", "Moinho Velho"),
    "fr": ("Marché", "Vieux Moulin"),
    "de": ("Marktplatz", "Alte Mühle"),
    "ru": ("рынок", "мельница"),
    "zh": ("市场", "老磨坊"),
    "ja": ("市場", "古い水車小屋"),
}
THINGS = {
    "es": ("poción de curación", "espada de hierro"),
    "pt": ("poção de cura", "espada de ferro"),
    "fr": ("potion de soin", "épée de fer"),
    "de": ("Heiltrank", "Eisenschwert"),
}
ENEMY = {"de": "Goblin", "fr": "gobelin", "ru": "гоблин", "zh": "哥布林", "ja": "ゴブリン"}


class Example(NamedTuple):
    """A message in a state, with the intents that are suggested for it."""

    language: str
    kind: str
    state: str
    message: str
    intents: tuple[str, ...]


def examples() -> Iterator[Example]:
    for language, kinds in TABLE.items():
        for kind, states in kinds.items():
            for state, rows in states.items():
                for message, intents in rows.items():
                    yield Example(language, kind, state, message, tuple((intents or "").split()))


def context_of(language: str, state: str) -> dict[str, Any]:
    """Return an inn and its surroundings, with a person to talk to, or a fight against somebody."""
    reachable, known = PLACES[language]
    own, here = THINGS.get(language, ((), ()))
    context: dict[str, Any] = {
        "language": language,
        "encounter": False,
        "areas": {
            "current": {"name": "Taverna", "id": "a0"},
            "reachable": [{"name": reachable, "id": "a1"}],
            "known": [{"name": known, "id": "a2"}],
        },
        "items": {"actor": [own] if own else [], "area": [here] if here else [], "npcs": []},
        "party": [{"name": "Mira", "id": "mira"}],
        "actor": {"name": "Mira", "id": "mira"},
        "npcs_present": [{"name": "Bran", "id": "npc-bran"}],
    }
    if state == "fight":
        context["encounter"] = {"active": True, "id": "e1", "enemies_alive": 2}
        context["npcs_present"] = [{"name": ENEMY.get(language, "goblin"), "id": "g1", "hostile": True}]
    if state in ("quest", "thing"):
        context["pending_offer"] = {"kind": "quest" if state == "quest" else "item", "id": "quest-7", "item": "ring"}
    return context


def pack(language: str) -> Pack:
    found = PACKS.of(language)
    assert found is not None
    return found


def assent_words(language: str, rule: str = "r01_quest_accept") -> list[str]:
    return sorted(pack(language).rules[rule].lists["yes"])


@pytest.mark.parametrize(("language", "kind"), [(language, kind) for language in TABLE for kind in TABLE[language]])
def test_a_message_is_understood_as_in_the_table(language: str, kind: str) -> None:
    wanted = [example for example in examples() if (example.language, example.kind) == (language, kind)]
    assert wanted
    assert [(example.message, understood(example)) for example in wanted] == [
        (example.message, sorted(example.intents)) for example in wanted
    ]


def understood(example: Example) -> list[str]:
    """Return the intents that are suggested for a message."""
    agent = "combat" if example.state == "fight" else "narrative"
    found = look(example.message, agent, **context_of(example.language, example.state))
    assert found.errors == ()
    return sorted(intents_of(found))


@pytest.mark.parametrize("language", [*FULL, *MINIMAL])
def test_the_table_has_what_every_language_needs(language: str) -> None:
    needed = {"assent", "negated", "question", "hypothetical", "past", "attack", "going", "rest", "end of turn"}
    kinds = set(TABLE[language])
    assert needed - kinds == set()


@pytest.mark.parametrize("language", RECOGNIZED)
def test_a_bare_yes_is_nothing_while_nothing_is_offered(language: str) -> None:
    said = {word: look(word, language=language, encounter=False) for word in assent_words(language)}
    assert said
    assert {word: intents_of(found) for word, found in said.items() if found.suggestions or found.errors} == {}


@pytest.mark.parametrize("agent", ["narrative", "npc_individual", "npc_puppeteer"])
@pytest.mark.parametrize("language", RECOGNIZED)
def test_a_bare_yes_takes_on_the_quest_that_is_offered(language: str, agent: str) -> None:
    offer = {"kind": "quest", "id": "quest-7"}
    for word in assent_words(language):
        found = look(word, agent, language=language, encounter=False, pending_offer=offer)
        assert [(one.intent, (one.arguments or {}).get("quest_id")) for one in found.suggestions] == [
            ("quest.accept", "quest-7")
        ], word


@pytest.mark.parametrize("language", RECOGNIZED)
def test_a_bare_yes_takes_the_thing_that_is_offered_and_no_quest(language: str) -> None:
    rule = "r01_quest_accept" if language in MINIMAL else "r05_item_offer_accept"
    for word in assent_words(language, rule):
        offer = {"kind": "item", "id": "offer-1", "item": "ring"}
        found = look(word, language=language, encounter=False, pending_offer=offer)
        assert intents_of(found) == ["item.take"], word


@pytest.mark.parametrize("language", RECOGNIZED)
def test_thumbs_up_is_a_yes_in_every_language(language: str) -> None:
    found = look("👍", language=language, encounter=False, pending_offer={"kind": "quest", "id": "quest-7"})
    assert intents_of(found) == ["quest.accept"]


@pytest.mark.parametrize("language", FULL)
def test_a_full_pack_has_words_for_every_rule_that_reads_text(language: str) -> None:
    assert {rule.id for rule in BUILT_IN.rules if rule.reads_text} == set(pack(language).rules)


@pytest.mark.parametrize("language", MINIMAL)
def test_a_minimal_pack_has_words_for_what_comes_up_most(language: str) -> None:
    needed = {
        "r01_quest_accept",
        "r05_item_offer_accept",
        "r08_attack",
        "r10_turn_end",
        "r13_combat_start",
        "r14_travel",
        "r15_rest_short",
        "r16_rest_long",
    }
    assert needed <= set(pack(language).rules)


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("I take the torch and go to the market", "en"),
        ("take a nap", "en"),
        ("do as you like", "en"),
        ("go north", "en"),
        ("termino mi turno", "es"),
        ("vamos al mercado", "es"),
        ("¿atacamos?", "es"),
        ("sí", "es"),
        ("gracias", "es"),
        ("d'accord, on accepte la mission", "fr"),
        ("j'attaque le gobelin", "fr"),
        ("oui", "fr"),
        ("merci", "fr"),
        ("nous allons au marché", "fr"),
        ("ich beende meinen Zug", "de"),
        ("wir schlafen bis zum Morgen", "de"),
        ("ja", "de"),
        ("nein danke", "de"),
        ("eu ataco o goblin com a espada", "pt"),
        ("não, obrigado", "pt"),
        ("sim", "pt"),
        ("fazemos um descanso curto", "pt"),
        ("идём на рынок", "ru"),
        ("да", "ru"),
        ("我攻击哥布林", "zh"),
        ("好的", "zh"),
        ("ゴブリンを攻撃する", "ja"),
        ("攻撃する", "ja"),
        ("はい", "ja"),
    ],
)
def test_the_language_of_a_message_is_found_out(message: str, language: str) -> None:
    assert language_of(message) == language


def test_the_language_is_found_out_where_the_snapshot_does_not_say_it() -> None:
    found = look("je termine mon tour", "combat", language=None, encounter={"active": True, "enemies_alive": 1})
    assert found.language == "fr"
    assert intents_of(found) == ["turn.advance"]


def test_most_messages_of_the_full_packs_are_told_apart() -> None:
    told = [
        (one.language, language_of(one.message)) for one in examples() if one.language in FULL and " " in one.message
    ]
    assert sum(language == found for language, found in told) / len(told) > 0.9


def test_a_stem_is_spelt_with_each_ending_of_its_conjugation() -> None:
    verbs = Verbs.of(
        {"take": "tom+ar pon+ar_en"}, {}, "", inflects=False, words=frozenset(), conjugations={"ar": "o amos - ~é"}
    )
    assert verbs.groups["take"] == {"tomo", "tomamos", "tom", "tomé", "pono en", "ponamos en", "pon en", "poné en"}
    assert verbs.past == {"tomé", "poné"}
    assert "tomé" not in verbs.base


def test_a_conjugation_that_there_is_not_is_a_fault() -> None:
    with pytest.raises(ValueError, match="there is none named er"):
        Verbs.of({"take": "com+er"}, {}, "", inflects=False, words=frozenset(), conjugations={"ar": "o"})


def test_a_slip_is_mended_only_where_the_ending_stays() -> None:
    grammar = pack("es").grammar
    assert grammar.correction("atcaco") == "ataco"
    assert grammar.correction("atacas") is None
    assert grammar.correction("atacaba") is None


@pytest.mark.parametrize(
    ("language", "message", "kinds"),
    [
        ("es", "No ataco al goblin, voy al mercado", ["negated", "commit"]),
        ("es", "Vale, ¿atacamos?", ["commit", "question"]),
        ("es", "la cojo", ["commit"]),
        ("fr", "j'attaque pas", ["negated"]),
        ("fr", "je fais un pas en arrière", ["commit"]),
        ("fr", "j'ai déjà pris la clé", ["past"]),
        ("de", "ich greife den Ork nicht an", ["negated"]),
        ("de", "Dann greife ich den Ork an", ["commit"]),
        ("de", "Greife ich den Ork an?", ["question"]),
        ("de", "Ich habe den Ork angegriffen", ["past"]),
        ("pt", "eu não ataco", ["negated"]),
        ("pt", "se eu atacar, ele foge", ["hypothetical", "hypothetical"]),
        ("ru", "я не атакую", ["negated"]),
        ("zh", "我们去市场吗？", ["question"]),
        ("zh", "我不去。我攻击他。", ["negated", "commit"]),
        ("ja", "「市場へ行く」とブランは言った", ["quoted", "commit"]),
        ("ja", "攻撃しない", ["negated"]),
    ],
)
def test_clauses_are_typed_in_every_language(language: str, message: str, kinds: list[str]) -> None:
    reading = Reader(pack(language).grammar).read(message)
    assert [clause.type.value for clause in reading.clauses] == kinds


def test_a_verb_behind_its_object_has_the_object_as_its_own() -> None:
    reading = Reader(pack("de").grammar).read("Mit meinem Schwert greife ich den Ork an")
    assert [clause.text for clause in reading.clauses] == ["ich greife den ork an mit meinem schwert"]
    assert reading.clauses[0].type is ClauseType.COMMIT


@pytest.mark.parametrize("language", [*FULL, *MINIMAL])
def test_a_long_message_takes_no_longer_than_its_share(language: str) -> None:
    rows = [one.message for one in examples() if one.language == language]

    def looked_at(times: int) -> Callable[[], object]:
        return lambda: look(". ".join(rows) * times, language=language, encounter=False)

    assert growth(looked_at, 5, 20, 2) < 2
