"""A game master in 40 lines: a model behind an OpenAI-compatible API tells the story, and the engine decides.

    OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_API_KEY=none python examples/game_master_openai.py CAMPAIGN MODEL

Needs `pip install openai`. Type what your character does; an empty line ends the session.
"""

import sys

from openai import OpenAI

from turnwright import Campaign, Viewer

GAME_MASTER = Viewer.of("gm")
ROLES = {"player": "user", "game_master": "assistant", "tool": "user"}


def answer(campaign, client, model, said):
    """Hand in the model's calls turn by turn, with their results in its next question; return what it tells."""
    prompt = campaign.prompt(said, viewer=GAME_MASTER)
    messages = [{"role": "system", "content": prompt["system"]}]
    messages += [{"role": ROLES[one["role"]], "content": one["text"]} for one in prompt["messages"]]
    turn = {"agent": prompt["agent"], "actor_id": prompt["actor"], "user_input": said}
    for _ in range(8):
        tools = campaign.tools("openai", viewer=GAME_MASTER)  # they change with what happens
        told = client.chat.completions.create(model=model, messages=messages, tools=tools).choices[0].message
        calls = [call.model_dump(include={"id", "type", "function"}) for call in told.tool_calls or ()]
        text = {"assistant_text": told.content} if told.content and not calls else {}
        reply = campaign.process({**turn, **text, "tool_calls": calls}, reply_as="openai")
        if not calls:
            return told.content or ""
        turn.pop("user_input", None)
        messages += [{"role": "assistant", "content": told.content, "tool_calls": calls}, *reply["tool_messages"]]
    return "(The game master falls silent.)"


with Campaign.open(sys.argv[1]) as campaign:
    client = OpenAI()
    while said := input("> "):
        print(answer(campaign, client, sys.argv[2], said))
