"""Files that are broken, or made to do harm: a sentence that says where and why, and nothing is changed."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.builders import clock
from tests.imports.shapes import actor, beyond, beyond_item, effect, modifier, weapon

from turnwright import Campaign
from turnwright.model.errors import BadRequest
from turnwright.render.sheet_page import sheet_page
from turnwright.rulesets.imports import MAX_FILE_BYTES

Json = Any


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    place = tmp_path_factory.mktemp("hostile") / "game"
    with Campaign.new(place, template="toolkit", seed="1", clock=clock) as opened:
        yield opened


def refusal_of(campaign: Campaign, data: bytes, name: str) -> str:
    """Return why a file is refused; nothing is changed by it."""
    before, count = campaign.state, len(list(campaign.records()))
    with pytest.raises(BadRequest) as refused:
        campaign.import_characters(data, name)
    assert (campaign.state, len(list(campaign.records()))) == (before, count)
    return str(refused.value)


def foundry(change: Callable[[Json], object]) -> bytes:
    """Return an actor with one thing changed."""
    value = actor("Mira", (10,) * 6, "Fighter", race="Human", goods=[weapon("Sword", "1d8", "slashing")], die="d10")
    change(value)
    return json.dumps(value).encode()


def d_and_d_beyond(change: Callable[[Json], object]) -> bytes:
    """Return a character of D&D Beyond with one thing changed."""
    value = beyond("Mira", (10,) * 6, "Fighter", inventory=[beyond_item("Plate", filterType="Armor", armorTypeId=3)])
    change(value["data"])
    return json.dumps(value).encode()


def put(*path: Any) -> Callable[[Json], object]:
    """Return a change that puts the last of these at the place that the others lead to."""
    *steps, last, value = path

    def change(target: Json) -> None:
        for step in steps:
            target = target[step]
        target[last] = value

    return change


def zipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("hero.json", "{}")
    return stream.getvalue()


FILES = [
    ("x.json", b"", "is empty"),
    ("x.json", b"   \n", "is empty"),
    ("x.zip", zipped(), "is a ZIP archive; only plain files of text are read"),
    ("x.json", gzip.compress(b"{}"), "is a gzip archive"),
    ("x.pdf", b"%PDF-1.7", "is a PDF"),
    ("x.txt", b"Mira, Fighter", "is of no known format"),
    ("x.json", b"{", "not JSON: "),
    ("x.json", b"[]", "is JSON, but neither a sheet"),
    ("x.json", b"null", "is JSON, but neither a sheet"),
    ("x.json", b'{"a": 1, "a": 2}', 'the key "a" stands twice'),
    ("x.json", b'{"a": NaN}', "NaN is not JSON"),
    ("x.json", b'{"a": 1e999}', "is too large"),
    ("x.json", b'{"system": {"x": 9007199254740993}, "type": "x"}', "$.system.x: an integer lies beyond 2^53"),
    ("x.json", b'"\\ud800"', "lone surrogate"),
    ("x.json", b"\xff\xfe{\x00}\x00", "not UTF-8 (byte 0)"),
    ("x.json", b'{"a":' * 40 + b"1" + b"}" * 40, "nested more than 32 deep"),
    ("x.json", b"[" * 100_000, "nested more than 32 deep"),
    ("x.json", b"x" * (MAX_FILE_BYTES + 1), "is longer than 8388608 bytes"),
    ("x.json", b'{"turnwright_character": 2, "character": {}}', "wants a whole number from 1 to 1 (got 2)"),
    ("x.json", b'{"turnwright_character": 1}', "$.character: wants an object"),
    ("x.json", b'{"turnwright_character": 1, "character": {}, "x": 1}', "$.x: may not be given"),
    ("x.json", b'{"turnwright_character": 1, "character": {"id": "a", "hpp": 1}}', "$.character.hpp: may not be given"),
    ("x.json", b'{"turnwright_character": 1, "character": {"id": "a", "hp": "1"}}', "$.character.hp: wants an integer"),
    (
        "x.json",
        b'{"turnwright_character": 1, "character": {"id": "a", "hp": 1, "max_hp": 1, "equipped": {"mainhand": "no"}}}',
        "mainhand",
    ),
    ("x.yaml", b"a: &x 1\nb: *x\n", "anchors and aliases are not read (line 1)"),
    ("x.yaml", b"name: !!python/object/apply:os.system [id]\n", "tags are not read (line 1)"),
    ("x.yaml", b"<<: {name: x}\n", "merge keys are not read (line 1)"),
    ("x.yaml", b"name: x\n---\nname: y\n", "holds more than one document (line 2)"),
    ("x.yaml", b"name: x\nname: y\n", "not YAML: found duplicate key"),
    ("x.yaml", b"name: 'x\n", "not YAML: found unexpected end of stream"),
    ("x.yaml", b"name: 2020-01-01\n", "$.name: a date is not JSON; put quotes around it"),
    ("x.yaml", b"hp: .nan\nname: x\n", "$.hp: NaN and Infinity are not JSON"),
    ("x.yaml", b"slots: {1: 2, '1': 3}\n", "the key '1' stands twice in one map"),
    ("x.yaml", b"[" * 60, "nested more than 32 deep"),
    ("x.yaml", b"name: " + b"1" * 5000 + b"\n", "digits"),
    ("x.yaml", b"- 1\n", "wants a map of fields"),
    ("x.yaml", b"[]\n", "wants a map of fields"),
    ("x.yaml", b"class: Fighter\n", "$.name: wants a name"),
    ("x.yaml", b"name: x\n", "$.class: wants a class"),
    ("x.yaml", b"{name: x, class: Fighter, level: 21}\n", "$.level: wants a whole number from 1 to 20"),
    ("x.yaml", b"{name: x, class: Fighter 3 / Wizard}\n", "wants a level for each class"),
    ("x.yaml", b"{name: x, class: Fighter 15 / Wizard 15}\n", "wants 1 to 20 levels"),
    ("x.yaml", b"{name: x, class: Fighter 3, level: 2}\n", "has 3 levels, and level says 2"),
    ("x.yaml", b"{name: x, class: Fighter, str: 99}\n", "$.str: wants a whole number from 1 to 30 (got 99)"),
    ("x.yaml", b"{name: x, class: Fighter, str: 9, strength: 8}\n", "$.strength: is str, which stands there twice"),
    ("x.yaml", b"{name: x, class: Fighter, skills: [flying]}\n", "'flying' is no skill"),
    ("x.yaml", b"{name: x, class: Fighter, slots: {10: 1}}\n", "wants a spell level from 1 to 9"),
    ("x.yaml", b"{name: x, class: Fighter, items: [{name: x, id: y, nme: z}]}\n", "$.items[0].nme: may not be given"),
    ("x.yaml", b"{name: x, class: Fighter, items: [rope], equipped: [sword]}\n", "'sword' is none of the items"),
    ("x.yaml", b"x: y\n" * 60_000, "is longer than 262144 bytes"),
    ("x.csv", b"name,class\n", "has no row below its head"),
    ("x.csv", b"name,name\nx,y\n", "has the column 'name' twice"),
    ("x.csv", b"name,class\nx,y,z\n", "row 2 has 3 cells, and the head 2"),
    ("x.csv", b'name,class\n"x,y\n', "not CSV: "),
    ("x.csv", b"name,class\nx\0,y\n", "holds zero bytes"),
    ("x.csv", b"name,class\nx,\xff\n", "not UTF-8"),
    ("x.csv", b"name,class\n" + b"x,y\n" * 21, "holds 21 characters; 20 are the most"),
    ("x.csv", b",".join(b"%d" % n for n in range(300)) + b"\nx\n", "has 300 columns"),
    ("x.csv", b"name,class,attacks\nx,Fighter,hits hard\n", "row 2.attacks: wants attacks as in Longsword +5"),
    ("x.json", foundry(put("type", "npc")), "only actors of the type character are read"),
    ("x.json", foundry(put("_stats", "systemId", "pf2e")), "is an actor of another system"),
    ("x.json", foundry(put("_stats", {})), "$._stats.systemVersion: is not there"),
    ("x.json", foundry(put("_stats", "systemVersion", "9.0")), "versions 4 and 5 of dnd5e are read"),
    ("x.json", foundry(put("_stats", "systemVersion", "latest")), "wants a version such as 4.3.9"),
    ("x.json", foundry(put("name", "")), "$.name: wants a name"),
    ("x.json", foundry(put("name", "x" * 300)), "$.name: wants at most 200 characters"),
    ("x.json", foundry(put("name", {"a": 1})), "$.name: wants a text"),
    ("x.json", foundry(put("items", {"a": 1})), "$.items.a: wants an object"),
    ("x.json", foundry(put("items", [])), "$.items: has no class"),
    (
        "x.json",
        foundry(put("system", "abilities", "str", "value", "strong")),
        "abilities.str.value: wants a whole number",
    ),
    ("x.json", foundry(put("system", "abilities", "str", "value", 31)), "wants a whole number from 1 to 30 (got 31)"),
    ("x.json", foundry(put("system", "abilities", {})), "$.system.abilities.str.value: wants an ability score"),
    ("x.json", foundry(put("items", 0, "system", "levels", 40)), "levels: wants a whole number from 1 to 20"),
    ("x.json", foundry(put("items", 0, "system", "hitDice", "d100")), "wants a hit die from d4 to d12"),
    ("x.json", foundry(put("items", -1, "system", "quantity", -1)), "quantity: wants a whole number from 0 to 1000000"),
    ("x.json", foundry(put("items", -1, "system", "damage", "base", "number", 10**9)), "from 0 to 100"),
    ("x.json", foundry(put("effects", "all")), "$.effects: wants a list or an object"),
    ("x.json", d_and_d_beyond(put("name", None)), "$.data.name: wants a name"),
    ("x.json", d_and_d_beyond(put("classes", [])), "$.data.classes: wants a class"),
    ("x.json", d_and_d_beyond(put("stats", [])), "wants a value with the id 1 (strength)"),
    ("x.json", d_and_d_beyond(put("inventory", 0, "definition", "armorClass", 1000)), "from 0 to 100"),
    ("x.json", d_and_d_beyond(put("modifiers", {"race": "all"})), "$.data.modifiers.race: wants a list or an object"),
]


@pytest.mark.parametrize(("name", "data", "why"), FILES, ids=[f"{n}-{why[:40]}" for n, _, why in FILES])
def test_a_file_is_refused_in_a_sentence(campaign: Campaign, name: str, data: bytes, why: str) -> None:
    told = refusal_of(campaign, data, name)

    assert why in told
    assert told.startswith(f"{name}")
    assert len(told) < 500
    assert "\n" not in told


def test_all_entries_of_a_large_list_are_counted(campaign: Campaign) -> None:
    many = [{"_id": str(n), "name": f"Thing {n}", "type": "loot", "system": {}} for n in range(1001)]

    told = refusal_of(campaign, foundry(lambda value: value["items"].extend(many)), "x.json")

    assert told == "x.json: holds 1003 items; a character carries at most 1000"


def test_nothing_of_a_file_becomes_a_path(campaign: Campaign) -> None:
    answer = campaign.import_characters(foundry(put("name", "../../etc/passwd")), "../x.json", as_id="../../evil")

    (action,) = answer["reply"]["applied_actions"]
    assert action["result"]["character_id"] == "../../evil"
    assert all(".." not in path for path in campaign.state)
    assert campaign.import_characters(foundry(put("name", "../../etc/passwd")), "x.json")["imported"][0][
        "character_id"
    ] == ("etc-passwd")


def test_a_page_holds_no_markup_script_or_address_of_a_file(campaign: Campaign) -> None:
    evil = '<img src="https://evil.example/x" onerror=alert(1)><script>alert(1)</script>'
    value = actor(
        evil,
        (10,) * 6,
        "Fighter",
        race=evil[:100],
        goods=[weapon(evil, "1d8", "slashing")],
        feats=[("</h2><script>", [effect("<b>", "system.attributes.ac.bonus", "1")])],
        spells=[("javascript:alert(1)", 1, True)],
        die="d10",
    )
    campaign.import_characters(json.dumps(value).encode(), "x.json", as_id="evil")

    html = sheet_page(campaign.character_page("evil"))

    assert "<img" not in html
    assert "<script" not in html
    assert "<b>" not in html
    assert "&lt;script&gt;" in html
    assert "default-src 'none'" in html
    assert "Creative Commons Attribution 4.0" in html
    assert "\n<p>Changes: " in html  # a paragraph of its own, not a sign for a line break
    assert not [part for part in html.split("<")[1:] if part.startswith(("a ", "link", "iframe", "svg", "object"))]


def test_unknown_modifiers_are_dropped_and_told(campaign: Campaign) -> None:
    value = beyond(
        "Odd",
        (10,) * 6,
        "Fighter",
        modifiers={
            "race": [modifier("bonus", "strength-score", 2, restriction="While angry"), modifier("eldritch", "x")]
        },
    )

    (report,) = campaign.import_characters(json.dumps(value).encode(), "x.json")["imported"]

    told = {field["path"]: (field["how"], field.get("why", "")) for field in report["fields"]}
    assert told["$.data.modifiers.race[0]"] == ("dropped", "holds under a condition")
    assert told["$.data.modifiers.race[1]"] == ("dropped", "")


def test_a_file_name_is_only_a_name(campaign: Campaign, tmp_path: Path) -> None:
    long = "n" * 1000 + ".yaml"

    answer = campaign.import_characters(b"{name: Long, class: Bard}", long, as_id="long")

    call = list(campaign.records())[-1]["tool_calls"][0]
    assert len(call["args"]["file"]) == 255
    assert answer["reply"]["status"] == "applied"
