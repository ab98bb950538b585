"""Play a turn, follow the hints of the calls that failed, and ask where a hint leaves a choice.

    python examples/play_turn.py my-campaign

The calls are what a model might answer: the first misspells an id, the second names no character for certain.
"""

import sys

from turnwright import Campaign

calls = [
    {
        "id": "board",
        "tool": "move",
        "args": {"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_2"},
    },
    {
        "id": "throw",
        "tool": "hp_delta",
        "args": {"target_character_id": "the beast", "delta": -2, "cause": "a stone"},
    },
]


def follow(call, hint):
    """Change a failed call as its hint says; return whether it is worth handing in again."""
    *path, key = hint.get("field", "").split(".")
    target = call["args"] if path == ["args"] else call
    if hint.get("remove"):
        del target[key]
    elif "allowed" in hint:  # the same call in the right form
        target[key] = hint["allowed"][0]
    elif "choices" in hint:  # another call, perhaps: a person decides, or the model is asked
        target[key] = hint["choices"][int(input(f"{hint['got']!r} is one of {hint['choices']}; which? ")) - 1]
    else:
        return False
    return True


with Campaign.new(sys.argv[1], template="crossing", seed="example", with_turns=False) as campaign:
    for _ in range(3):
        reply = campaign.process({"tool_calls": calls})
        for action in reply["applied_actions"]:
            print("applied", action["id"], action["result"])
        failed = {call["id"]: call for call in reply["tool_feedback"]["failed_calls"]}
        for call_id, failure in failed.items():
            print("failed ", call_id, failure["reason"], failure["detail"])
        calls = [call for call in calls if call["id"] in failed and follow(call, failed[call["id"]].get("hint", {}))]
        if not calls:
            break
    print("Mira is at", campaign.state["characters/pc_001.json"]["position"])
