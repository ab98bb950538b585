"""The labelled narrations, and the scenes they play in: `rows()` reads them, `play()` plays one and gives the reply."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

from tests import builders
from tests.directory_snapshot import KeptDirectory

from turnwright import Campaign

Json = Any
Half = Literal["tune", "unseen"]
Label = Literal["honest", "lie"]

NARRATIONS = Path(__file__).parent / "narrations"
_ALL: tuple[Half, ...] = ("tune", "unseen")
HALVES: tuple[Half, ...] = tuple(half for half in _ALL if (NARRATIONS / f"{half}.jsonl").is_file())
"""The halves that there are: texts that words are made on, and those that nobody has read who made words."""


class Call(NamedTuple):
    """One call of a row's turn, and how it ends: `applied`, or the reason it fails for."""

    tool: str
    args: Mapping[str, Any]
    expect_status: str


class Row(NamedTuple):
    """One narration, the turn it is told in, and what a strict referee says of it."""

    id: str
    half: Half
    scene: str
    calls: tuple[Call, ...]
    dice: tuple[int, ...]
    """Faces that fall, in the order of drawing: all of them, and no other."""
    text: str
    label: Label
    kind: str
    """Of a lie, what it is about; of an honest text, what it speaks of or nearly does."""

    @property
    def turn(self) -> Json:
        """The turn without its text."""
        calls = [{"id": f"call_{at:03}", "tool": one.tool, "args": one.args} for at, one in enumerate(self.calls, 1)]
        return {"user_input": "I do it.", "tool_calls": calls}


def rows(*halves: Half) -> tuple[Row, ...]:
    """Return the rows of these halves, or of all that there are, in the order of the files."""
    return tuple(row for half in halves or HALVES for row in _rows_of(half))


def play(row: Row, directory: Path, text: str | None = None) -> Mapping[str, Any]:
    """Play a row's turn in its scene, and return the reply.

    Args:
        row: what is played.
        directory: where the scene is laid down; must not be there.
        text: what is told in place of the row's own text.
    """
    with open_scene(row.scene, directory) as campaign:
        told = row.text if text is None else text
        return campaign.process(row.turn | {"assistant_text": told}, dice=row.dice)


def open_scene(name: str, directory: Path) -> Campaign:
    """Lay down a scene in a directory, which must not be there, and open it."""
    _kept(name).lay_down(directory)
    return Campaign.open(directory, builders.clock)


@cache
def _rows_of(half: Half) -> tuple[Row, ...]:
    lines = (NARRATIONS / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(_parse_row(half, json.loads(line)) for line in lines)


def _parse_row(half: Half, value: Json) -> Row:
    calls = tuple(Call(**call) for call in value.pop("calls"))
    return Row(half=half, calls=calls, dice=tuple(value.pop("dice")), **value)


@cache
def _kept(name: str) -> KeptDirectory:
    """Return a scene's campaign, made once."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        SCENES[name](path).close()
        return KeptDirectory(path)


def _toolkit(setup: Iterable[tuple[str, Json]]) -> Callable[[Path], Campaign]:
    """Return what makes a campaign of the toolkit in which these calls were applied, each in a turn.

    It uses no content: the texts were written for people who are no more than the calls say.
    """

    def make(path: Path) -> Campaign:
        with TemporaryDirectory() as folder, Campaign.new(Path(folder) / "new", template="toolkit") as new:
            documents = dict(new.state)
        documents["campaign.json"] = {**documents["campaign.json"], "id": path.name, "content": []}
        campaign = builders.begin(path, documents, "narrations")
        for tool, args in setup:
            reply = campaign.process({"tool_calls": [{"id": "call_001", "tool": tool, "args": args}]})
            assert reply["status"] == "applied", (tool, args, reply["tool_feedback"])
        return campaign

    return make


def _core(*people: Json) -> Callable[[Path], Campaign]:
    """Return what makes a campaign of the core tools alone, in the marsh, without sheets."""
    return lambda path: builders.begin(path, builders.documents(people, MARSH, party=("ione", "pell"), active="ione"))


def _person(name: str, character_class: str, max_hp: int, ac: int, **stats: int) -> tuple[str, Json]:
    sheet = {"class": character_class, "level": 3, "max_hp": max_hp, "ac": ac, "stats": stats, "character_type": "pc"}
    return "create_character", {"name": name, **sheet}


def _owns(name: str, item: str, quantity: int = 1, **more: Any) -> tuple[str, Json]:
    entry = {"name": item, "quantity": quantity, **more}
    return "manage_inventory", {"operation": "give", "character_name": name, "item": entry}


def _place(name: str) -> tuple[str, Json]:
    return "manage_location", {"operation": "create", "name": name}


def _way(start: str, end: str, **more: Any) -> tuple[str, Json]:
    return "manage_location", {"operation": "link", "from_location_id": start, "to_location_id": end, **more}


def _hp(name: str, hp: int) -> tuple[str, Json]:
    return "update_character", {"character_name": name, "hp": hp}


def _fight(*foes: Json, first: str) -> tuple[str, Json]:
    """Begin a fight of the three against foes, in which somebody of them acts first."""
    ours: Iterator[Json] = (
        {"character_name": name, "position": {"x": 1, "y": at}, "initiative_bonus": 500 if name == first else 100 - at}
        for at, name in enumerate(("Brakka", "Nim", "Sella"), 1)
    )
    return "create_encounter", {"participants": [*ours, *foes]}


def _foe(foe_id: str, name: str, hp: int, max_hp: int, ac: int, y: int) -> Json:
    place = {"position": {"x": 2, "y": y}, "initiative_bonus": -100, "is_enemy": True}
    return {"id": foe_id, "name": name, "hp": hp, "max_hp": max_hp, "ac": ac, **place}


MARSH = (
    {"id": "jetty", "name": "Reed Jetty", "parent_area_id": None, "reachable_area_ids": ["causeway"]},
    {"id": "causeway", "name": "Causeway", "parent_area_id": None, "reachable_area_ids": ["jetty", "house"]},
    {"id": "house", "name": "Lantern House", "parent_area_id": None, "reachable_area_ids": ["causeway", "chapel"]},
    {"id": "chapel", "name": "Sunken Chapel", "parent_area_id": None, "reachable_area_ids": ["house"]},
)
IONE = builders.person("ione", name="Ione", position="causeway", hp=10)
PELL = builders.person("pell", name="Pell", position="causeway", hp=6)
HOB = builders.person("hob", name="Old Hob", position="causeway", hp=5, character_type="npc")
HAG = builders.person("hag", name="Marsh Hag", position="causeway", hp=9, character_type="enemy")

TOWN = (
    _person("Brakka", "Fighter", 28, 16, str=16, dex=12, con=14, int=10, wis=10, cha=10),
    _person("Sella", "Cleric", 20, 14, str=10, dex=10, con=12, int=12, wis=16, cha=12),
    _person("Nim", "Rogue", 18, 14, str=10, dex=16, con=10, int=14, wis=12, cha=14),
    ("create_character", {"name": "Odo", "max_hp": 14, "character_type": "npc"}),
    ("create_character", {"name": "Tansy", "max_hp": 8, "character_type": "npc"}),
    *(("manage_party", {"operation": "add", "character_name": name}) for name in ("Brakka", "Sella", "Nim")),
    *(_place(name) for name in ("Market Square", "Gilded Eel", "Smithy", "Old Crypt", "Watchtower")),
    _way("Market Square", "Gilded Eel"),
    _way("Market Square", "Smithy"),
    _way("Market Square", "Old Crypt", connection_type="door", locked=True, lock_dc=15),
    ("move_party", {"to_location_name": "Market Square", "force": True}),
    _owns("Brakka", "gold pieces", 60, type="currency"),
    _owns("Brakka", "torch", 3),
    _owns("Brakka", "hempen rope"),
    _owns("Sella", "potion of healing", 2, type="consumable", effect="Heal 2d4+2"),
    _owns("Nim", "gold pieces", 25, type="currency"),
    _owns("Nim", "silver key"),
    _owns("Odo", "iron sword", type="weapon"),
    _owns("Odo", "gold pieces", 100, type="currency"),
    _owns("Tansy", "gold pieces", 40, type="currency"),
    _owns("Tansy", "brass lantern"),
)
HURT = (*TOWN, _hp("Brakka", 9), _hp("Sella", 12))
WOLF, GRELL, OGRE = (
    _foe("wolf", "Wolf", 11, 11, 12, 1),
    _foe("grell", "Grell", 12, 12, 13, 2),
    _foe("ogre", "Ogre", 40, 40, 11, 3),
)
SPENT = ("manage_spell_slots", {"operation": "expend", "character_name": "Sella", "slot_level": 1, "count": 3})

SCENES: Mapping[str, Callable[[Path], Campaign]] = {
    "town": _toolkit(TOWN),
    "inn": _toolkit((*TOWN, ("move_party", {"to_location_name": "Gilded Eel", "force": True}))),
    "hurt": _toolkit(HURT),
    "spent": _toolkit((*HURT, SPENT)),
    "dying": _toolkit((*TOWN, _hp("Nim", 0))),
    "fight": _toolkit((*TOWN, _fight(WOLF, GRELL, first="Brakka"))),
    "bloody": _toolkit((*TOWN, _hp("Nim", 5), _fight({**WOLF, "hp": 4}, GRELL, first="Brakka"))),
    "ogre": _toolkit((*TOWN, _fight(OGRE, WOLF, first="Sella"))),
    "ambush": _toolkit((*TOWN, _hp("Nim", 5), _fight({**WOLF, "initiative_bonus": 900}, GRELL, first="Nim"))),
    "marsh": _core(IONE, PELL, HOB, HAG),
    "marsh_hurt": _core({**IONE, "hp": 4}, {**PELL, "hp": 2}, HOB, {**HAG, "hp": 3}),
    "marsh_down": _core({**IONE, "hp": 0, "character_state": "dying"}, PELL, HOB, HAG),
}
"""How each scene is made, by its name; README.md beside the rows tells what they are."""
