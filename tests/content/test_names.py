"""Which entry a name means."""

from __future__ import annotations

import pytest
from tests.content.packs import RAT

from turnwright.content.library import AmbiguousEntry, Filters, Library, UnknownEntry
from turnwright.content.names import key_of, keys_of
from turnwright.content.pack import LoadedPack, Manifest
from turnwright.content.registry import built_in

SRD = Library([built_in("srd-5.1")])

MEANT = [
    ("goblin", "monsters/goblin", "name"),
    ("  GOBLIN ", "monsters/goblin", "name"),
    ("Goblins", "monsters/goblin", "plural"),
    ("giant rats", "monsters/giant-rat", "plural"),
    ("wolves", "monsters/wolf", "plural"),
    ("swarms of rats", "monsters/swarm-of-rats", "plural"),
    ("Will-o'-Wisp", "monsters/will-o-wisp", "name"),
    ("will o wisps", "monsters/will-o-wisp", "plural"),
    ("succubus", "monsters/succubus-incubus", "name"),
    ("harpies", "monsters/harpy", "plural"),
    ("bandit captains", "monsters/bandit-captain", "plural"),
    ("werewolf", "monsters/werewolf-hybrid", "name"),
    ("vampire bat form", "monsters/vampire-bat", "name"),
    ("goblim", "monsters/goblin", "spelling"),
    ("adult black dragn", "monsters/adult-black-dragon", "spelling"),
    ("fireball", "spells/fireball", "name"),
    ("fire ball", "spells/fireball", "name"),
    ("healing potion", "magic_items/potion-of-healing-common", "name"),
    ("greater healing potions", "magic_items/potion-of-healing-greater", "name"),
    ("wulves", "monsters/wolf", "spelling"),
    ("magic missiles", "spells/magic-missile", "plural"),
    ("Hunter\u2019s Mark", "spells/hunters-mark", "name"),
    ("blindness", "spells/blindness-deafness", "name"),
    ("light crossbow", "weapons/crossbow-light", "name"),
    ("hempen rope", "gear/rope-hempen-50-feet", "name"),
    ("holy water", "gear/holy-water-flask", "name"),
    ("thieves' tools", "gear/thieves-tools", "name"),
    ("torches", "gear/torch", "plural"),
    ("+1 armor", "magic_items/armor-1", "name"),
    ("potion of healing", "magic_items/potion-of-healing-common", "name"),
    ("half-orcs", "races/half-orc", "plural"),
    ("wizards", "classes/wizard", "plural"),
    ("armor/shield", "armor/shield", "name"),
    ("monsters/druid", "monsters/druid", "name"),
]
AMBIGUOUS = {
    "shield": {"spells/shield", "armor/shield"},
    "druid": {"monsters/druid", "classes/druid"},
    "mules": {"monsters/mule", "gear/mule"},
}
UNKNOWN = ["", "   ", "!!!", "zzz", "goblin king", "a", "spells/goblin", "gobgobgobgob", "x" * 100_000]


def test_names_mean_entries() -> None:
    matches = [(name, SRD.look_up(name)) for name, _, _ in MEANT]
    found = [(name, match.found.reference, match.how) for name, match in matches]
    assert found == MEANT


def test_a_name_of_several_entries_means_none_of_them() -> None:
    for name, choices in AMBIGUOUS.items():
        with pytest.raises(AmbiguousEntry) as raised:
            SRD.look_up(name)
        assert {each.reference for each in raised.value.choices} == choices
        for choice in choices:
            assert SRD.look_up(name, choice.partition("/")[0]).found.reference == choice


def test_what_is_no_name_means_nothing() -> None:
    for name in UNKNOWN:
        with pytest.raises(UnknownEntry) as raised:
            SRD.look_up(name)
        assert len(raised.value.choices) <= 20


def test_every_entry_is_found_by_its_reference_and_by_its_name_among_its_kind() -> None:
    rows = SRD.rows()
    names = [(row.kind, key_of(row.name)) for row in rows]
    for row in rows:
        assert SRD.look_up(row.reference).found.id == row.id
        if names.count((row.kind, key_of(row.name))) == 1:
            assert SRD.look_up(row.name.upper(), row.kind).found.id == row.id


def test_keys_of_a_name() -> None:
    entry = {"id": "rope-hempen-50-feet", "name": "Rope, hempen (50 feet)", "aliases": ["Thieves' rope"]}
    assert keys_of(entry) == ["rope-hempen-50-feet", "rope-hempen", "hempen-rope", "thieves-rope"]


def pack(pack_id: str, **entries: dict[str, object]) -> LoadedPack:
    return LoadedPack(Manifest(pack_id, pack_id), "0" * 64, {"monsters": {str(e["id"]): e for e in entries.values()}})


def test_a_later_pack_overrides_by_id_whatever_the_name() -> None:
    first = pack("first", rat=RAT)
    second = pack("second", rat={**RAT, "name": "Great Mill Rat", "xp": 0})
    library = Library([first, second])
    assert library.look_up("mill rat").found.pack == "second"
    assert library.look_up("great mill rats").found.pack == "second"
    assert [row.name for row in library.rows()] == ["Great Mill Rat"]
    assert Library([second, first]).look_up("mill-rat").found.pack == "first"


def test_searches_filter() -> None:
    def found(text: str, **filters: object) -> list[str]:
        return [row.id for row in SRD.search(text, Filters(**filters))]  # type: ignore[arg-type]

    dragons = found("dragon", kind="monsters", cr=(13, 13))
    assert dragons == ["adult-brass-dragon", "adult-white-dragon"]
    assert found("", kind="spells", level=(9, 9), of_class="bard") == [
        "foresight",
        "power-word-kill",
        "true-polymorph",
    ]
    assert found("", type="ooze") == ["black-pudding", "gelatinous-cube", "gray-ooze", "ochre-jelly"]
    assert found("black dragon adult") == ["adult-black-dragon"]
    assert found("", kind="races", tier="partly") == ["dragonborn"]
    assert found("nothing at all") == []
