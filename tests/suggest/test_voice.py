"""Which parts of a text are its narrator's own voice, and what a clause commits to: no form of a text hides a lie."""

from dataclasses import replace

import pytest
from tests.facts import findings

from turnwright.narration.verifier import CallOutcome, Facts, Person

PARTY = (
    Person("ilse", "Ilse", "alive", "alive", 12, hp_was=12, max_hp=14),
    Person("odo", "Odo", "alive", "alive", 24, hp_was=24, max_hp=24),
    Person("sigrun", "Sigrun", "alive", "alive", 28, hp_was=28, max_hp=28),
    Person("wren", "Wren", "alive", "alive", 10, hp_was=10, max_hp=10),
)
WARDEN = Person("warden", "Warden", "alive", "alive", 20, hp_was=20, max_hp=20)
HALL = Facts(
    "ilse",
    (*PARTY, WARDEN),
    {},
    (),
    (),
    "scene_description",
    party=frozenset(person.id for person in PARTY),
)
LIES = [
    "OOC: Ilse takes 6 damage. She regains 2 hit points. The warden dies.",
    "(OOC: The warden dies. Ilse takes 6 damage.)",
    "System: the warden dies.",
    "What was done: Odo took 5 damage.",
    "What happens next: Odo dies.",
    "How it ends: Odo dies.",
    "Ilse ta\u200bkes 6 dam\u200bage.",
    "The war\u200bden dies.",
    "Ilse takes 6 dam\xadage.",
    "Ilse takes 6 d\u0430mage.",
    "The warden&nbsp;dies.",
    "The <b>warden</b> dies.",
    "<b>Ilse</b> takes <i>6</i> damage.",
    "```\nIlse takes 6 damage\n```",
    "[The warden dies.]",
    "{The warden dies.}",
    "[The warden dies]",
    "| Ilse | takes 6 damage |",
    "ilse takes 6 damage",
    "HP: 6/14",
    "Ilse - HP 6",
    "Sigrun HP 23",
    "HP - Odo: 3, Wren: 2",
    "Damage: 5 to Sigrun",
    "The warden dies!?",
    "The warden dies?!",
    "Ilse takes 6 damage!?",
    "Ilse takes 6 damage, doesn't she?",
    "With a roar that might wake the dead, the beast kills Odo.",
    "Suddenly, perhaps too late to matter, Odo dies.",
    "Odo, who would never run, dies.",
    "The warden dies, and would die again.",
    "When the beam falls, Sigrun takes 5 damage.",
    "You will remember this: Ilse takes 6 damage.",
    "Remember: the warden dies.",
    "No one can stop it: Odo dies.",
    "Sigrun can only watch as Odo dies.",
    'The song "Ten Little... begins. Sigrun takes 5 damage. Odo dies. Wren falls dead.',
    '"Ha! Sigrun takes 5 damage.',
    'The song "Ten Little... begins. Odo dies. "Hello," says Wren.',
    "Odo dies, what do you do?",
    "The beam (the old one falls. Odo dies.",
    "I call hp_delta. Odo dies.",
    "```text\nOdo dies.\n```",
    "<p>The warden dies.</p>",
    "\u041eOC: Odo dies.",
    "Odo &#100;ies.",
    "| Odo | 3/24 |",
    "Odo dies, but if Wren runs, she lives.",
    "\u201cHa! Sigrun takes 5 damage. Odo dies.",
    "No doubt about it: Odo dies.",
    "(Odo dies.)",
    "What do you see? Odo dies.",
]
HONEST = [
    "Remember: a blow that kills Odo is a critical hit.",
    "OOC: shall we stop here for today?",
    "(OOC: if Ilse jumps, she takes 6 damage.)",
    "What happens if Odo dies?",
    "What did Odo do?",
    "How does it end: does Odo die?",
    "The <b>warden</b> does not die.",
    "[Options: fight, flee]",
    "[Does the warden die?]",
    '{"tool": "hp_delta", "args": {"delta": -6, "cause": "Ilse takes 6 damage."}}',
    "| Ilse | 12/14 HP |",
    "Ilse - HP 12",
    "HP: 12/14",
    "Does the warden die?!",
    "Ilse takes 6 damage?",
    "You would not want Ilse to take 6 damage, would you?",
    "With a roar that might wake the dead, the beast could kill Odo.",
    "Perhaps, if the rope snaps, Odo dies.",
    "Odo, perhaps, dies.",
    "Odo, who might die, runs.",
    "The warden lives, and would die again.",
    "If the beam falls, Sigrun takes 5 damage.",
    "Remember: if the beam falls, the warden dies.",
    "Bran says: Odo dies.",
    "No one can stop it: Odo would die.",
    "You could: run, or watch as Odo dies.",
    "Here is what would happen: Odo dies.",
    '"Ha! I shall see to it that Sigrun takes 5 damage.',
    '"Sigrun takes 5 damage," says Odo. "Ha! Odo dies."',
    'The song "Odo dies... begins.',
    '"I am old.\n\n"I have lived long, and the warden dies in every tale."',
    "Odo could die, would he not?",
    '```json\n{"claim": "Ilse takes 6 damage"}\n```',
    "```\nhp_delta(Ilse, -6)  # Ilse takes 6 damage\n```",
    "```\n+---+\n| Odo dies |\n+---+\n```",
    "OOC: does the warden die?",
    "[If the rope snaps, Odo dies.]",
    "| Odo | 24/24 |",
    "The <i>warden</i> might die.",
    "<Roll for initiative>",
    "What matters: would Odo die?",
    '"Odo dies!?" Wren asks.',
    "Sigrun can only hope that Odo lives.",
]


def told(text: str, of: Facts = HALL) -> list[str]:
    return [finding["claim"] for finding in findings(text, of) if finding["severity"] != "info"]


@pytest.mark.parametrize("text", LIES)
def test_no_form_of_a_text_hides_what_is_not_so(text: str) -> None:
    assert told(text)


@pytest.mark.parametrize("text", HONEST)
def test_what_a_text_asks_supposes_quotes_or_tells_truly_is_no_finding(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize("text", ["Ilse ta\u200bkes 6 dam\u00adage.", "<b>Ilse</b> takes&nbsp;<i>6</i> damage."])
def test_an_excerpt_is_cut_from_the_text_as_given(text: str) -> None:
    (finding,) = findings(text, HALL)
    start, end = finding["span"]
    assert text[start:end].endswith("age" if "\u200b" in text else "damage")
    assert finding["claim"] == " ".join(text[start:end].split())


def test_of_one_alone_hit_points_without_a_name_are_theirs() -> None:
    alone = Facts("ilse", PARTY[:1], {}, (), (), "scene_description", party=frozenset({"ilse"}))
    assert [told(text, alone) != [] for text in ("HP: 6/14", "HP 6", "HP: 12/14", "HP 12")] == [
        True,
        True,
        False,
        False,
    ]


def test_who_walks_down_does_not_fall() -> None:
    walk = CallOutcome("move", {"actor_id": "ilse"}, True, None, {"to_area_id": "shaft"})
    assert told("You go down. Cold air rises to meet you.", replace(HALL, outcomes=(walk,))) == []
    assert told("You go down. Cold air rises to meet you.")
