"""A game master with pydantic-ai: its agent runs the loop, and each call of a tool is a turn of the engine.

    python examples/game_master_pydantic_ai.py CAMPAIGN openai:gpt-5-mini

Needs `pip install "pydantic-ai-slim[openai]"`. Type what your character does; an empty line ends the session.
"""

import asyncio
import json
import sys

from pydantic_ai import Agent, Tool

from turnwright import AsyncCampaign, Viewer

GAME_MASTER = Viewer.of("gm")


def tool_of(campaign, offered, turn):
    """Return a tool of the agent that hands in each of its calls as a turn."""

    async def call(**args):
        calls = [{"id": "call_001", "tool": offered["name"], "args": args}]
        reply = await campaign.process({**turn, "tool_calls": calls}, reply_as="anthropic")
        turn.pop("user_input", None)  # it was said once
        return json.loads(reply["tool_messages"][0]["content"][0]["content"])

    return Tool.from_schema(call, offered["name"], offered["description"], offered["input_schema"])


async def answer(campaign, model, said):
    """Let an agent answer a player; return what it tells."""
    prompt = await campaign.prompt(said, viewer=GAME_MASTER)
    turn = {"agent": prompt["agent"], "actor_id": prompt["actor"], "user_input": said}
    offered = await campaign.tools("anthropic", viewer=GAME_MASTER)
    agent = Agent(model, instructions=prompt["system"], tools=[tool_of(campaign, one, turn) for one in offered])
    told = (await agent.run("\n\n".join(one["text"] for one in prompt["messages"]))).output
    await campaign.process({**turn, "assistant_text": told})
    return told


async def play(path, model):
    """Answer line after line."""
    async with AsyncCampaign.open(path) as campaign:
        while said := await asyncio.to_thread(input, "> "):
            print(await answer(campaign, model, said))


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:]))
