"""The transcript of a session over MCP, with what each step costs in tokens: played anew, by the client of the SDK."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import mcp_types as types
from mcp.types import TextContent

from mcp import Client
from turnwright import Campaign
from turnwright.mcp.door import Door
from turnwright.mcp.server import make_server
from turnwright.store.files import Files
from turnwright.toolset.offered import PROFILES, Profile

NOW = datetime(2026, 1, 14, 16, tzinfo=UTC)
SEED = "transcript"
Call = tuple[str, dict[str, Any]]
AT_FORD = {"encounter_id": "encounter-1"}
CALLS: Sequence[Call] = (
    ("create_character", {"name": "Aria", "class": "fighter", "level": 2}),
    ("manage_party", {"operation": "add", "character_name": "Aria"}),
    ("manage_location", {"operation": "create", "name": "Reed Ford", "location_type": "wilderness"}),
    ("move_party", {"to_location_id": "Reed Ford"}),
    ("manage_location", {"operation": "link", "from_location_id": "area_001", "to_location_id": "Reed Ford"}),
    ("move_party", {"to_location_id": "Reed Ford"}),
    (
        "submit_turn",
        {
            "user_input": "I wade to the far bank.",
            "narration": "Cold water takes your knees. Something stirs in the reeds.",
        },
    ),
    ("roll_check", {"character_name": "Aria", "check_type": "skill", "skill": "perception", "dc": 12}),
    (
        "create_encounter",
        {"participants": [{"character_name": "Aria"}], "monsters": [{"monster": "goblin", "count": 2}]},
    ),
    ("execute_action", {**AT_FORD, "actor_id": "character-1", "action_type": "attack", "target_id": "goblin"}),
    ("execute_action", {**AT_FORD, "actor_id": "character-1", "action_type": "attack", "target_id": "goblin-1"}),
    (
        "execute_action",
        {**AT_FORD, "actor_id": "character-1", "action_type": "dash", "move_to": {"x": 5, "y": 0}},
    ),
    ("advance_turn", AT_FORD),
    ("hp_delta", {"target_character_id": "Aria", "delta": -3, "cause": "a thrown spear"}),
    ("hp_delta", {"target_character_id": "character-1", "delta": -3, "cause": "a thrown spear"}),
    ("submit_turn", {"narration": "The spear drops Aria to the mud; she is dead."}),
    ("recall", {"query": "reeds"}),
)
"""What the model of the transcript calls, mistakes included."""


class Step(NamedTuple):
    """A call, its result, and their sizes in tokens."""

    name: str
    args: Mapping[str, Any]
    text: str
    asked: int
    told: int
    data: int


def _tokens(text: str) -> int:
    return -(-len(text) // 4)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Session(NamedTuple):
    """What was measured: the lists by profile, the prompt that begins, and the steps."""

    lists: Mapping[Profile, int]
    prompt: int
    steps: Sequence[Step]


def play() -> Session:
    """Play the session in a new campaign with a fixed seed and clock."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "ford"
        with Campaign.new(home, "toolkit", seed=SEED, clock=lambda: NOW) as campaign:
            return anyio.run(_play, campaign, home)


async def _play(campaign: Campaign, home: Path) -> Session:
    files = Files(home.absolute())
    async with Client(make_server(Door(campaign, "gm"), files)) as client:
        (message,) = (await client.get_prompt("start_session")).messages
        assert isinstance(message.content, TextContent)
        steps = [_step(name, args, await client.call_tool(name, args)) for name, args in CALLS]
    lists = {}
    for profile in PROFILES:
        async with Client(make_server(Door(campaign, "gm", profile=profile), files)) as client:
            lists[profile] = sum(map(_tokens_of_tool, (await client.list_tools()).tools))
    return Session(lists, _tokens(message.content.text), steps)


def _tokens_of_tool(tool: types.Tool) -> int:
    shown = {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
    return _tokens(_compact(shown))


def _step(name: str, args: Mapping[str, Any], result: types.CallToolResult) -> Step:
    (content,) = result.content
    assert isinstance(content, TextContent)
    asked = _tokens(_compact({"name": name, "arguments": args}))
    return Step(name, args, content.text, asked, _tokens(content.text), _tokens(_compact(result.structured_content)))


def transcript() -> str:
    """Return the session as Markdown."""
    return "\n".join([*_lines(play()), ""])


def _lines(session: Session) -> Iterator[str]:
    for place, step in enumerate(session.steps, start=1):
        yield f"**{place}.** `{step.name}` `{_compact(step.args)}`"
        yield ""
        yield "```text"
        yield from step.text.splitlines()
        yield "```"
        yield ""
        yield f"{step.asked} tokens asked, {step.told} told; {step.data} as data"
        yield ""
    asked, told, data = (sum(getattr(step, key) for step in session.steps) for key in ("asked", "told", "data"))
    yield "| what | tokens |"
    yield "|---|---|"
    for profile, tokens in session.lists.items():
        yield f"| the list of tools in this fight, `--profile {profile}` | {tokens:,} |"
    yield f"| the prompt *Start the session* | {session.prompt:,} |"
    yield f"| the {len(session.steps)} calls | {asked:,} |"
    yield f"| their results as text | {told:,} |"
    yield f"| their results as data (`structuredContent`) | {data:,} |"
