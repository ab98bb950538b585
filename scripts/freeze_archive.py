"""Freeze campaigns as the present version makes them, so that later versions can be tested against old logs.

python -m scripts.freeze_archive tests/archive/<year>-<month>

Run it before a change of the log's content, never over an existing folder: what is frozen stays as it is.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from turnwright import Campaign
from turnwright.game_master.exchange import Said
from turnwright.game_master.loop import GameMaster
from turnwright.llm.script import ScriptModel
from turnwright.store.package_files import campaigns_folder

Turn = dict[str, Any]
START = datetime(2026, 1, 14, 16, 5, 31, tzinfo=UTC)
NOT_KEPT = ("lock", "now", "checkpoint.sqlite3")
"""Files of the engine that can be deleted at any time; the checkpoint is kept for `WITH_CHECKPOINT`."""
WITH_CHECKPOINT = ("crossing", "edited")


class Ticking:
    """A clock that goes one minute on with each look."""

    def __init__(self) -> None:
        self._now = START

    def __call__(self) -> datetime:
        """Return the time, one minute after the last one."""
        self._now += timedelta(minutes=1)
        return self._now


def freeze(target: Path) -> None:
    """Make every campaign of the archive below `target`, which must not be there."""
    target.mkdir(parents=True)
    with TemporaryDirectory() as work:
        for name, make in CAMPAIGNS.items():
            made = Path(work) / name
            make(made)
            _keep(made, target / name)


def _keep(made: Path, kept: Path) -> None:
    ignored = NOT_KEPT[:2] if made.name in WITH_CHECKPOINT else NOT_KEPT
    shutil.copytree(made, kept, ignore=shutil.ignore_patterns(*ignored))


def _sample_turns(sample: str) -> list[Path]:
    return sorted((campaigns_folder() / sample / "turns").glob("*.json"))


def _begin(path: Path, sample: str, **how: Any) -> Campaign:
    return Campaign.new(path, template=sample, seed=sample, clock=Ticking(), **how)


def _whole(sample: str) -> Callable[[Path], None]:
    """Return what plays a sample from its drop folder to its end."""

    def make(path: Path) -> None:
        with _begin(path, sample) as campaign:
            for _ in campaign.process_drop():
                pass

    return make


def _beginning(sample: str, last: str) -> Callable[[Path], None]:
    """Return what plays a sample up to the turn file whose name begins with `last`."""

    def make(path: Path) -> None:
        with _begin(path, sample, with_turns=False) as campaign:
            for file in _sample_turns(sample):
                if file.name > f"{last}~":
                    break
                campaign.process(_parsed(file))

    return make


def _parsed(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes())
    except ValueError:  # a sample shows what happens to a file that is no JSON
        return file.read_text(encoding="utf-8", errors="replace")


def _hurt(delta: int, cause: str, target: str = "pc_001") -> Turn:
    args = {"target_character_id": target, "delta": delta, "cause": cause}
    return {"tool_calls": [{"id": "blow", "tool": "hp_delta", "args": args}]}


def _undone(path: Path) -> None:
    """Two undos, a turn, the redo of the second undo, and a turn after it."""
    with _begin(path, "crossing", with_turns=False) as campaign:
        for delta in (-1, -2, 3):
            campaign.process(_hurt(delta, f"a blow of {delta}"))
        campaign.undo()
        campaign.undo()
        campaign.process(_hurt(-1, "a splinter"))
        campaign.undo("#5")
        campaign.process(_hurt(-3, "cold water"))


def _forked(path: Path) -> None:
    origin = path.with_name("origin")
    with _begin(origin, "delve", with_turns=False) as campaign:
        for file in _sample_turns("delve")[:6]:
            campaign.process(_parsed(file))
        campaign.fork(path, "#4", seed="another")
    with Campaign.open(path, Ticking()) as fork:
        fork.process(_step("ilse"))
        fork.set({"narration.check": "note", "goal.text": "Get out of the mine alive."})


def _step(actor: str) -> Turn:
    return {"actor_id": actor, "tool_calls": [{"id": "look", "tool": "move_options", "args": {}}]}


def _retried(path: Path) -> None:
    """One turn that was told wrong and then right, one closed in conflict, and one that is still open."""
    with _begin(path, "crossing", with_turns=False) as campaign:
        campaign.set({"narration.check": "retry"})
        lie, truth = "Mira takes 5 damage from the splinter.", "Mira takes 1 damage from the splinter."
        campaign.process({**_hurt(-1, "a splinter"), "turn_id": "told", "assistant_text": lie})
        campaign.process({**_hurt(-1, "a splinter"), "turn_id": "told", "assistant_text": truth})
        for _ in range(3):
            campaign.process({**_hurt(-1, "a stone"), "turn_id": "stubborn", "assistant_text": lie})
        campaign.process({**_hurt(-1, "an oar"), "turn_id": "open", "assistant_text": lie})


def _edited(path: Path) -> None:
    """Documents edited by hand between turns, and one edit that waits to be taken over."""
    with _begin(path, "crossing", with_turns=False) as campaign:
        campaign.process(_hurt(-1, "a splinter"))
    _edit(path / "characters/pc_001.json", lambda one: {**one, "name": "Mira of the Ford", "hp": 8})
    with Campaign.open(path, Ticking()) as campaign:
        campaign.process(_hurt(-2, "an oar"))
    _edit(path / "characters/enemy_001.json", lambda one: {**one, "hp": 9})


def _edit(file: Path, change: Callable[[Turn], Turn]) -> None:
    changed = change(json.loads(file.read_bytes()))
    file.write_text(json.dumps(changed, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _imported(name: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        file = campaigns_folder() / "legacy" / f"{name}.json"
        with Campaign.new(path, from_file=file, seed=name, clock=Ticking()) as campaign:
            campaign.process({"user_input": "I look around.", "assistant_text": "All is quiet."})

    return make


def _created(path: Path) -> None:
    """A scene game whose player is still being made."""
    with Campaign.new(path, template="scenes", seed="scenes", clock=Ticking()) as campaign:
        campaign.process({"user_input": "I am somebody who opens doors."})


def _played(path: Path) -> None:
    """A session with a scripted game master: talk, calls, a failed call, a text that lies, a whisper."""
    answers: Iterable[Mapping[str, Any]] = (
        {"text": "", "tool_calls": [{"id": "a", "tool": "move", "args": {"to_area_id": "shaft_head"}}]},
        {"text": "You climb down to the shaft head. It smells of wet stone."},
        {"text": "", "tool_calls": [{"id": "b", "tool": "move", "args": {"to_area_id": "nowhere"}}]},
        {"text": "The tunnel is blocked."},
        {"text": "A stone falls and Ilse takes 4 damage."},
        {"text": "Tomas says nothing; he is breathing."},
    )
    settings = {"agents.default_model": "any"}
    ticks = iter(range(10**9))
    model = ScriptModel(answers)
    with _begin(path, "delve", with_turns=False) as campaign:
        master = GameMaster(campaign, path, lambda _: model, overrides=settings, clock_ms=lambda: float(next(ticks)))
        for text in ("I go down to the shaft head.", "I go on.", "I wait and listen."):
            master.exchange(Said(text), lambda _: None)
        master.exchange(Said("Are you awake?", addressees=("tomas",), private=True), lambda _: None)


def _busy_table(path: Path) -> None:
    """The toolkit without a fight: a party with sheets, places, belongings, quests, notes, given and drawn dice."""
    with Campaign.new(path, template="toolkit", seed="toolkit", clock=Ticking()) as campaign:
        for number, (tool, args) in enumerate(BUSY_CALLS):
            campaign.process({"tool_calls": [{"id": f"call_{number}", "tool": tool, "args": args}]})


BUSY_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("create_character", {"name": "Ada", "class": "Fighter", "max_hp": 20, "character_type": "pc"}),
    ("create_character", {"name": "Brother Tam", "class": "Cleric", "level": 3, "character_type": "pc"}),
    ("manage_party", {"operation": "add", "character_id": "character-1"}),
    ("manage_party", {"operation": "add", "character_id": "character-2"}),
    ("manage_location", {"operation": "create", "name": "Square"}),
    ("manage_location", {"operation": "create", "name": "Old Crypt", "discovered": False}),
    (
        "manage_location",
        {
            "operation": "link",
            "from_location_id": "location-1",
            "to_location_id": "location-2",
            "locked": True,
        },
    ),
    ("move_party", {"to_location_id": "location-1"}),
    ("manage_inventory", {"operation": "give", "character_name": "Ada", "item": {"name": "Rope", "quantity": 2}}),
    ("roll_check", {"character_name": "Ada", "check_type": "skill", "skill": "stealth", "dc": 12}),
    ("roll_check", {"character_name": "Ada", "check_type": "save", "ability": "dex", "dc": 12, "manual_roll": 17}),
    ("roll_dice", {"batch": [{"expression": "2d6+1", "reason": "rubble"}, {"expression": "4d6kh3"}]}),
    ("update_character", {"batch": [{"character_name": "Ada", "hp": "-5"}, {"character_name": "Nobody", "hp": 3}]}),
    ("manage_condition", {"target_name": "Ada", "operation": "add", "condition": "prone"}),
    ("manage_quest", {"operation": "offer", "title": "The Sealed Crypt", "giver_name": "Brother Tam"}),
    ("manage_notes", {"operation": "add", "content": "The key is under the altar.", "tags": ["crypt"]}),
    ("take_rest", {"character_name": "Ada", "rest_type": "long"}),
    ("delete_character", {"character_name": "Nobody At All"}),
)

CAMPAIGNS: Mapping[str, Callable[[Path], None]] = {
    "barrow": _whole("barrow"),
    "barrow_mid_fight": _beginning("barrow", "0013"),
    "created": _created,
    "crossing": _whole("crossing"),
    "delve": _whole("delve"),
    "edited": _edited,
    "forked": _forked,
    "heist": _whole("heist"),
    "heist_choice": _beginning("heist", "0037"),
    "heist_dice": _beginning("heist", "0020"),
    "imported": _imported("old-campaign"),
    "imported_later": _imported("later"),
    "played": _played,
    "retried": _retried,
    "toolkit": _busy_table,
    "undone": _undone,
}


def main() -> None:
    """Freeze into the folder that is named on the command line."""
    parser = argparse.ArgumentParser(description="Freeze campaigns as this version makes them.")
    parser.add_argument("target", type=Path)
    freeze(parser.parse_args().target)


if __name__ == "__main__":
    main()
