"""The campaigns in which spoiled calls are handed in: each is made once, and laid down as often as it is wanted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from tests import builders
from tests.directory_snapshot import KeptDirectory
from tests.golden.case import WORLDS as FOLDERS
from tests.golden.harness import begin_log

from turnwright import Campaign
from turnwright.rulesets.toolbox import TOOLS

_NOW = datetime(2026, 1, 14, 16, 5, 31, tzinfo=UTC)
_SEED = "spoiled"
_SAMPLES = Path(__file__).parents[2] / "campaigns"
Turn = Mapping[str, Any]


def _clock() -> datetime:
    return _NOW


class Worlds:
    """Campaigns laid down below a temporary folder, which is removed in the end."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._root = Path(self._stack.enter_context(TemporaryDirectory(prefix="spoiled-")))
        self._open: dict[str, Campaign] = {}
        self._laid = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def shared(self, name: str) -> Campaign:
        """Return the campaign in which everybody may rehearse a turn, and nobody takes one."""
        if name not in self._open:
            self._open[name] = self.fresh(name)
        return self._open[name]

    def fresh(self, name: str) -> Campaign:
        """Return a campaign that nothing was done to yet."""
        self._laid += 1
        place = self._root / str(self._laid) / name
        _made(name).lay_down(place)
        return self._stack.enter_context(Campaign.open(place, _clock))


@cache
def _made(name: str) -> KeptDirectory:
    """Return such a campaign, made once.

    Raises:
        ValueError: when a turn that prepares it is not applied as a whole.
    """
    with TemporaryDirectory() as folder:
        place = Path(folder) / name
        begin, turns = WORLDS[name]
        begin(place)
        with Campaign.open(place, _clock) as campaign:
            for keys in turns:
                dice = keys.get("dice", ())
                reply = campaign.process({key: keys[key] for key in keys if key != "dice"}, dice=dice)
                if reply["status"] != "applied":
                    raise ValueError(f"{name}: {reply['tool_feedback']}")
        return KeptDirectory(place)


# how they begin


def _from_folder(name: str, place: Path) -> None:
    """Begin with a world of the golden cases."""
    shutil.copytree(FOLDERS / name, place)
    begin_log(place, _NOW, _SEED)


def _from_template(name: str, place: Path) -> None:
    """Begin with a sample campaign."""
    Campaign.new(place, template=name, seed=_SEED, clock=_clock, with_turns=False).close()


def _inn(place: Path) -> None:
    """Begin where people have names in parts, names that are nearly another's, and one name twice."""
    names = {
        "pc_mira": "Mira Vale",
        "pc_bran": "Bran Holt",
        "npc_scout": "Scout Nela",
        "npc_elder": "Old Oda",
        "npc_cook": "Barnaby the Cook",
        "npc_left": "Tessa",
        "npc_right": "Tesla",
        "npc_first": "Wulf",
        "npc_second": "Wulf",
    }
    sheet = {"class": "Fighter", "level": 3, "stats": dict.fromkeys(("str", "dex", "con", "int", "wis", "cha"), 12)}
    people = [
        builders.person(each, name=name, hp=14, max_hp=14, character_type=each.partition("_")[0], sheet=sheet)
        for each, name in names.items()
    ]
    tools = [name for name, tool in TOOLS.items() if tool.family != "scenes"]
    documents = builders.documents(people, party=("pc_mira", "pc_bran"), active="pc_mira", allowlist=tools)
    builders.begin(place, documents, _SEED).close()


def _turn_of(sample: str, name: str) -> Turn:
    """Return a turn of a sample campaign."""
    turn: Turn = json.loads((_SAMPLES / sample / "turns" / name).read_text(encoding="utf-8"))
    return turn


def _fighter(fighter_id: str, x: int, y: int, **more: Any) -> builders.Json:
    return {"id": fighter_id, "position": {"x": x, "y": y}, **more}


_FIGHT = builders.turn(
    builders.call(
        "create_encounter",
        participants=[
            *({"character_id": who, **_fighter(who, x, y)} for who, x, y in (("aria", 1, 1), ("brom", 1, 3))),
            *({"character_id": who, **_fighter(who, x, y)} for who, x, y in (("cyra", 0, 5), ("grik", 2, 1))),
            _fighter("wolf", 8, 4, name="Gray Wolf", hp=11, max_hp=11, is_enemy=True, ac=13),
            _fighter("bear", 9, 8, name="Cave Bear", hp=34, max_hp=34, is_enemy=True, ac=11, size="large"),
        ],
    ),
    builders.call(
        "place_prop",
        "call_002",
        encounter_id="encounter-1",
        name="Oak Chest",
        type="chest",
        position={"x": 5, "y": 5},
    ),
    builders.call(
        "manage_effect",
        "call_003",
        operation="add",
        target_id="brom",
        effect={"name": "Shield of Faith", "ac_bonus": 2, "duration": 10},
    ),
    dice=[20, 15, 12, 10, 8, 3],
)
_QUESTS = builders.turn(
    builders.call(
        "manage_quest",
        operation="offer",
        title="The Dry Well",
        giver_id="npc_cook",
        objectives=["Look into the well", "Ask Old Oda about it"],
    ),
    builders.call("manage_notes", "call_002", operation="add", content="The well has been dry since spring."),
    builders.call(
        "manage_inventory", "call_003", operation="give", character_id="pc_mira", item={"name": "Rope", "quantity": 3}
    ),
    builders.call("manage_location", "call_004", operation="create", name="Wine Cellar", location_type="indoor"),
    builders.call("manage_location", "call_005", operation="create", name="Stable Yard", location_type="outdoor"),
    builders.call("manage_quest", "call_006", operation="start", quest_id="quest-1"),
)

WORLDS: Mapping[str, tuple[Callable[[Path], None], Sequence[Turn]]] = {
    "yard": (partial(_from_folder, "yard"), ()),
    "delve": (partial(_from_template, "delve"), ()),
    "hall": (partial(_from_folder, "hall"), ()),
    "fight": (partial(_from_folder, "hall"), (_FIGHT,)),
    "barrow": (
        partial(_from_template, "barrow"),
        [_turn_of("barrow", f"{name}.json") for name in ("0001-the-road", "0002-a-fourth-friend")],
    ),
    "inn": (_inn, (_QUESTS,)),
    "rooftop": (partial(_from_folder, "rooftop"), ()),
}
"""How each begins, and the turns that were taken then; `dice` of a turn are given faces."""
