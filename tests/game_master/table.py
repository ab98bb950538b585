"""A game of the toolkit to prompt about, as plain documents, and the records of what was said in it.

What no character may know of says `HIDDEN`; what nobody but the two who spoke may know of says `PRIVATE`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tests.builders import Json, person
from tests.game_master.city import world_of

from turnwright.game_master.knowledge.visibility import Line, Reader, visible
from turnwright.game_master.prompts.request_builder import AgentRequest, build_request
from turnwright.rulesets.fifth_edition.template import TOOLKIT_GROUPS
from turnwright.rulesets.in_use import settings_in
from turnwright.rulesets.toolbox import TOOLS

HIDDEN, PRIVATE = "HIDDEN", "PRIVATE"
ALLOWLIST = [name for name, folder in TOOLS.groups.items() if folder in TOOLKIT_GROUPS | {"core", "quests"}]
PARTY = ("mira", "brom")


def sheet(**fields: Any) -> Json:
    return {"race": "Human", "class": "Wizard", "level": 3} | fields


def values(
    *,
    party: Sequence[str] = PARTY,
    allowlist: Sequence[str] = ALLOWLIST,
    settings: Json | None = None,
    fight: Json | None = None,
    documents: Mapping[str, Json] | None = None,
) -> dict[str, Json]:
    """Return the table: two players at a mill, a miller, a guard and a wolf."""
    selected = {"party_character_ids": list(party), "active_actor_id": party[0] if party else None}
    spells = {"cantrips": ["Light"], "prepared_spells": ["Shield"], "spell_slots": {"1": {"current": 2, "max": 4}}}
    base: dict[str, Json] = {
        "campaign.json": {
            "format": 2,
            "id": "table",
            "title": "The mill",
            "allowlist": list(allowlist),
            "content": ["srd-5.1"],
            "selected": selected,
            "settings": settings or {},
            "goal": {"text": "Find the miller's brother.", "status": "active"},
            "milestone": {"summary": "They came over the ford."},
        },
        "maps/root.json": {
            "parent_area_id": None,
            "areas": {
                "mill": {
                    "id": "mill",
                    "name": "The mill",
                    "parent_area_id": None,
                    "reachable_area_ids": ["ford"],
                    "description": "Wet wheels.\nFlour on the beams.",
                },
                "ford": {"id": "ford", "name": "The ford", "parent_area_id": None, "reachable_area_ids": ["mill"]},
                "location-2": {"id": "location-2", "name": "Granary", "parent_area_id": None, "reachable_area_ids": []},
                "location-3": {
                    "id": "location-3",
                    "name": f"{HIDDEN} cellar",
                    "parent_area_id": None,
                    "reachable_area_ids": [],
                },
                "location-4": {"id": "location-4", "name": "Harbour", "parent_area_id": None, "reachable_area_ids": []},
            },
        },
        "characters/mira.json": person(
            "mira",
            name="Mira",
            position="mill",
            max_hp=12,
            sheet=sheet(**spells),
            inventory=[{"id": "item-1", "name": "Rope"}, {"id": "item-2", "name": "Silver piece", "quantity": 9}],
            conditions=[{"condition": "poisoned"}],
        ),
        "characters/brom.json": person("brom", name="Brom", position="mill", hp=20, max_hp=20),
        "characters/marrow.json": person(
            "marrow",
            name="Old Marrow",
            character_type="npc",
            position="mill",
            hp=7,
            max_hp=9,
            disposition="suspicious",
            voice_notes="slowly, in halves of sentences",
            wants=[{"description": "his brother back", "urgency": "high"}],
            inventory=[{"id": "item-3", "name": "Loaf of bread"}],
        ),
        "characters/guard.json": person("guard", name="A guard", character_type="npc", position="mill"),
        "characters/wolf.json": person("wolf", name="Grey wolf", character_type="enemy", position="mill", max_hp=11),
        "characters/far.json": person("far", name="Joss", character_type="npc", position="ford"),
        "party.json": {"location_id": "location-1", "moves": 1, "roles": {"mira": "scout"}},
        "locations/location-1.json": {
            "id": "location-1",
            "name": "Mill",
            "area_id": "mill",
            "edges": [
                {"id": "edge-1", "to_location_id": "location-2", "locked": True},
                {"id": "edge-2", "to_location_id": "location-3", "hidden": True},
            ],
        },
        "locations/location-2.json": {"id": "location-2", "name": "Granary", "area_id": "location-2"},
        "locations/location-3.json": {
            "id": "location-3",
            "name": f"{HIDDEN} cellar",
            "discovered": False,
            "area_id": "location-3",
        },
        "locations/location-4.json": {"id": "location-4", "name": "Harbour", "area_id": "location-4"},
        "notes/note-1.json": {
            "id": "note-1",
            "content": f"{HIDDEN} The wolf is the brother.",
            "importance": "critical",
        },
        "notes/note-2.json": {"id": "note-2", "content": "Mira lent me a knife.", "tags": ["marrow"]},
        "quests/quest-1.json": {
            "id": "quest-1",
            "title": "The brother",
            "giver_id": "marrow",
            "status": "active",
            "objectives": [{"id": "objective-1", "text": "Look under the wheel", "done": False}],
        },
    }
    if fight is not None:
        base["encounters/encounter-1.json"] = fight
    return {**base, **(documents or {})}


def fighter(identifier: str, **fields: Any) -> Json:
    here = {"position": {"x": 2, "y": 3}, "initiative": 12, "natural": 10}
    return {"id": identifier, "name": identifier.title(), "character_id": identifier, **here, **fields}


def fight(*people: Json, turn_index: int = 0) -> Json:
    """Return a running fight."""
    return {
        "id": "encounter-1",
        "status": "running",
        "round": 2,
        "turn_index": turn_index,
        "participants": list(people) or [fighter("mira"), fighter("wolf", is_enemy=True)],
    }


class Log:
    """Records as the engine writes them, as far as they decide who sees what."""

    def __init__(self) -> None:
        self.records: list[Json] = [{"seq": 0, "kind": "new", "changes": {}}]

    def turn(self, *, party: Iterable[str] = PARTY, changes: Json | None = None, **keys: Any) -> int:
        seq = len(self.records)
        summary = {"positions_child": dict.fromkeys(sorted(party))}
        record = {"seq": seq, "kind": "turn", "turn_id": f"turn_{seq:04d}", "actor_id": "mira", "findings": []}
        record |= {"applied_actions": [], "draws": []}
        self.records.append({**record, **keys, "state_summary": summary, "changes": changes or {}})
        return seq

    def talk(self, npc: str, said: str, answer: str, *, player: str = "mira", **keys: Any) -> int:
        """Let a player speak with somebody who is played."""
        agent = {"agent": keys.pop("agent", "npc_individual"), "speaker_id": npc, "addressees": [player]}
        asked: Json = {"private": True} if keys.get("private") else {}
        party: Json = {"party": keys["party"]} if "party" in keys else {}
        here: Json = {"present_ids": keys["present_ids"]} if "present_ids" in keys else {}
        self.turn(user_input=said, actor_id=player, addressees=[npc], **asked, **party, **here)
        return self.turn(assistant_text=answer, actor_id=player, **agent, **keys)

    def undo(self, start: int) -> int:
        seq = len(self.records)
        undone = [one["seq"] for one in reversed(self.records[start:])]
        self.records.append({"seq": seq, "kind": "undo", "undone_from": start, "undone": undone, "changes": {}})
        return seq


NAMES = {"mira": "Mira", "brom": "Brom", "marrow": "Old Marrow", "guard": "A guard", "wolf": "Grey wolf"}


def seen(log: Log, agent: Any, npc_id: str | None = None, **keys: Any) -> list[str]:
    """Return the texts that a reader sees."""
    return [line.text for line in lines(log, agent, npc_id, **keys)]


def lines(
    log: Log, agent: Any, npc_id: str | None = None, *, fight: str | None = None, **keys: Any
) -> tuple[Line, ...]:
    return visible(log.records, Reader(agent, npc_id, fight), name_of=lambda one: NAMES.get(one, one), **keys)


def briefed(
    documents: dict[str, Json], message: str | None = "I look around.", log: Log | None = None, **keys: Any
) -> AgentRequest:
    """Return the briefing of plain documents."""
    world = world_of(documents)
    records = log.records if log else []
    return build_request(world, records, settings_in(world.campaign), message, **keys)
