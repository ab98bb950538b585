"""The campaign of `tests/golden/worlds/hall`, and calls in one line: what tests of the toolkit begin with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tests.builders import Json, log_file, spelt

from turnwright import Campaign
from turnwright.model.strict_json import copied
from turnwright.rulesets.toolbox import TOOLS

WORLD = Path(__file__).parents[1] / "golden" / "worlds" / "hall"


def hall_documents() -> dict[str, Json]:
    """Return the documents of the hall by path; it allows quests and content, too."""
    found: dict[str, Json] = json.loads(_hall())
    found["campaign.json"]["allowlist"] += ["manage_quest", "lookup_content", "cast_spell"]
    return found


@cache
def _hall() -> str:
    """Return the files of the hall, by path, as one text: to parse that is cheaper than to copy what it says."""
    return spelt({path.relative_to(WORLD).as_posix(): json.loads(path.read_bytes()) for path in WORLD.rglob("*.json")})


def changed(character_id: str, **fields: Any) -> dict[str, Json]:
    """Return a character of the hall with other fields, by its path."""
    path = f"characters/{character_id}.json"
    return {path: hall_documents()[path] | fields}


def sheeted(character_id: str, sheet: Mapping[str, Any], **fields: Any) -> dict[str, Json]:
    """Return a character of the hall with something else on its sheet, and with other fields, by its path."""
    own = hall_documents()[f"characters/{character_id}.json"]["sheet"]
    return changed(character_id, sheet={**own, **sheet}, **fields)


class Hall:
    """A campaign, and what became of single calls."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self._last: Json = {}
        self._log_size = -1
        self._documents: dict[str, Json] = {}
        """What was looked at since the log had this size: each look into a campaign finds out who else wrote there."""

    def reply(self, tool: str, args: Mapping[str, Any], dice: Sequence[int] = (), manual: Sequence[int] = ()) -> Json:
        """Hand in a turn of one call; just these faces must be drawn, and those be taken that the call gives."""
        call = {"id": "call_001", "tool": tool, "args": dict(args)}
        reply: Json = self.campaign.process({"tool_calls": [call]}, dice=list(dice))
        assert sorted(draw["value"] for draw in self.draws()) == sorted([*dice, *manual]), self.draws()
        return reply

    def draws(self) -> list[Json]:
        """Return the draws of the last record."""
        draws: list[Json] = self.last_record()["draws"]
        return draws

    def last_record(self) -> Json:
        """Return what the log says of the last turn."""
        *_, line = log_file(self.campaign).read_bytes().splitlines()
        self._last = json.loads(line)
        return self._last

    def action(self, tool: str, dice: Sequence[int] = (), manual: Sequence[int] = (), /, **args: Any) -> Json:
        """Return the action of a call that must be applied; its result fits the model that the tool declares."""
        reply = self.reply(tool, args, dice, manual)
        assert reply["status"] == "applied", reply["tool_feedback"]
        action: Json = reply["applied_actions"][0]
        if "batch" not in args:
            TOOLS[action["tool"]].result.model_validate(action["result"])
        return action

    def do(self, tool: str, dice: Sequence[int] = (), manual: Sequence[int] = (), /, **args: Any) -> Json:
        """Return the result of a call that must be applied."""
        result: Json = self.action(tool, dice, manual, **args)["result"]
        return result

    def fail(self, tool: str, /, **args: Any) -> Json:
        """Return the feedback to a call that must fail, and change and draw nothing."""
        reply = self.reply(tool, args)
        assert reply["status"] == "failed", reply["applied_actions"]
        assert self._last["changes"] == {}
        feedback: Json = reply["tool_feedback"]["failed_calls"][0]
        return feedback

    def why(self, tool: str, /, **args: Any) -> str:
        """Return the reason of a call that must fail, and change and draw nothing."""
        return str(self.fail(tool, **args)["reason"])

    def person(self, character_id: str) -> Json:
        """Return the document of a character."""
        return self._document(f"characters/{character_id}.json")

    def encounter(self, encounter_id: str = "encounter-1") -> Json:
        """Return the document of a fight."""
        return self._document(f"encounters/{encounter_id}.json")

    def _document(self, path: str) -> Json:
        size = log_file(self.campaign).stat().st_size
        if size != self._log_size:
            self._log_size, self._documents = size, {}
        if path not in self._documents:
            with self.campaign.reading() as world:
                document = world.get(path)
                assert document is not None
                self._documents[path] = document.value()
        return copied(self._documents[path])


def linked(character_id: str, x: int, y: int, /, **fields: Any) -> Json:
    """Return a participant who is a character."""
    return _participant(character_id, x, y) | {"character_id": character_id} | fields


def ephemeral(participant_id: str, x: int, y: int, /, hp: int = 10, character_type: str = "enemy", **body: Any) -> Json:
    """Return a participant who exists in the fight alone, an enemy unless its type is another."""
    person = {"id": participant_id, "name": participant_id.title(), "character_type": character_type}
    whole = person | {"hp": hp, "max_hp": hp, "sheet": {}} | body
    return _participant(participant_id, x, y) | {"body": whole, "is_enemy": character_type == "enemy"}


def _participant(participant_id: str, x: int, y: int) -> Json:
    place = {"x": x, "y": y, "z": 0}
    name = participant_id.title()
    return {"id": participant_id, "name": name, "position": place, "initiative": 10, "natural": 10}


def fight(*participants: Json, encounter_id: str = "encounter-1", **fields: Any) -> dict[str, Json]:
    """Return a running fight by its path."""
    return {f"encounters/{encounter_id}.json": {"id": encounter_id, "participants": list(participants)} | fields}
