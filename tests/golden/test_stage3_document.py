"""The Stage 3 document's own examples, as data, are what the golden logs hold, key for key.

The engine adds `id` to an action, and `detail` and `hint` to a failed call; nothing else.
"""

from __future__ import annotations

import json
from typing import Any

from tests.golden.case import HERE

from turnwright.model.campaign import DEFAULT_ALLOWLIST

Json = Any
CALL: Json = json.loads("""
{
  "id": "call_001",
  "tool": "move",
  "args": {
    "actor_id": "pc_001",
    "from_area_id": "area_001",
    "to_area_id": "area_002"
  },
  "reason": "Move to the next room"
}
""")
ALLOWLIST: list[str] = json.loads('["move", "hp_delta", "map_generate"]')
MOVED: Json = json.loads("""
{
  "tool": "move",
  "args": {
    "actor_id": "pc_001",
    "from_area_id": "area_001",
    "to_area_id": "area_002"
  },
  "result": { "to_area_id": "area_002" },
  "timestamp": "2026-01-14T16:05:31+00:00"
}
""")
GENERATED: Json = json.loads("""
{
  "tool": "map_generate",
  "args": {
    "parent_area_id": "area_001",
    "theme": "Cave",
    "constraints": { "size": 6, "seed": "alpha" }
  },
  "result": {
    "created_area_ids": ["area_003", "area_004"],
    "created_connections": 3,
    "root_parent_area_id": "area_001",
    "warnings": []
  },
  "timestamp": "2026-01-14T16:05:31+00:00"
}
""")
FEEDBACK: Json = json.loads("""
{
  "failed_calls": [
    {
      "id": "call_002",
      "tool": "hp_delta",
      "status": "rejected",
      "reason": "actor_state_restricted"
    }
  ]
}
""")


def log(case: str) -> list[Json]:
    """Return the records of a golden log."""
    text = (HERE / "stage3" / case / "expect" / "log.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def without(entry: Json, *keys: str) -> Json:
    return {key: value for key, value in entry.items() if key not in keys}


def test_the_call_is_logged_as_it_stands_in_the_document() -> None:
    assert log("move")[-1]["tool_calls"] == [CALL]


def test_the_default_allowlist_is_the_documents() -> None:
    campaign = log("move")[0]["changes"]["campaign.json"][0]["value"]
    assert list(DEFAULT_ALLOWLIST) == campaign["allowlist"] == ALLOWLIST


def test_the_applied_move_has_the_documents_keys_and_an_id() -> None:
    (action,) = log("move")[-1]["applied_actions"]
    assert without(action, "id") == MOVED
    assert action["id"] == "call_001"
    assert [key for key in action if key != "id"] == list(MOVED)


def test_the_generated_map_has_the_shape_of_the_documents_illustration() -> None:
    # The document names two of six areas and three of their links, so ids and numbers are compared as far as they go.
    (action,) = log("map-generate")[-1]["applied_actions"]
    assert without(action, "id", "result") == without(GENERATED, "result")
    result, wanted = action["result"], GENERATED["result"]
    assert list(result) == list(wanted)
    assert result["created_area_ids"][:2] == wanted["created_area_ids"]
    assert len(result["created_area_ids"]) == GENERATED["args"]["constraints"]["size"]
    same = ("root_parent_area_id", "warnings")
    assert [result[key] for key in same] == [wanted[key] for key in same]
    assert isinstance(result["created_connections"], int)


def test_created_connections_counts_the_links_that_the_map_gained() -> None:
    first, *_, last = log("map-generate")
    before = len(first["changes"]["maps/root.json"][0]["value"]["connections"])
    folder = HERE / "stage3" / "map-generate" / "expect" / "maps"
    after = sum(len(json.loads(path.read_text(encoding="utf-8"))["connections"]) for path in folder.iterdir())
    assert last["applied_actions"][0]["result"]["created_connections"] == after - before


def test_the_failed_call_has_the_documents_keys_and_detail_and_hint() -> None:
    feedback = log("hp-delta-rejected")[-1]["tool_feedback"]
    assert list(feedback) == list(FEEDBACK)
    (call,), (wanted,) = feedback["failed_calls"], FEEDBACK["failed_calls"]
    assert without(call, "detail", "hint") == wanted
    assert list(call) == [*wanted, "detail", "hint"]
