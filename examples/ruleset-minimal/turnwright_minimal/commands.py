"""What a person types in `turnwright play` in place of a call."""

from __future__ import annotations

from turnwright.rulesets.api import PlayCommand, Slot, someone

COMMANDS = {
    "pool": PlayCommand(
        "pool_roll",
        "dice",
        "roll a pool of dice",
        (someone("who rolls"), Slot("dice", "N", "how many dice", kind="number")),
    ),
}
