"""Lies that a game master from a script tells: one for each kind of claim that the check of narrations knows.

They are told in the hall, where Aria acts, Brom is of the party, Lena stands by and Grik is in the cellar; in a fight
Ogg is their enemy, whom nobody can hit. A new kind of claim wants a lie of its own here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.builders import Json, call
from tests.tools.hall import changed, fight, hall_documents, linked, sheeted


@dataclass(frozen=True)
class Lie:
    """What is told, and what is so instead.

    Attributes:
        text: what the game master tells.
        fact: what the table reads below it.
        calls: what is called before, so that there is something to lie about.
        in_fight: whether it is told in a fight.
    """

    text: str
    fact: str
    calls: tuple[Json, ...] = ()
    in_fight: bool = False


def hall(*, in_fight: bool = False) -> dict[str, Json]:
    """Return the documents of the hall in which the lies are told."""
    values = hall_documents() | changed("grik", position="area_002")
    if in_fight:
        people = (linked("aria", 1, 1), linked("brom", 4, 1), linked("ogg", 2, 1, is_enemy=True))
        values |= sheeted("ogg", {"ac": 40}) | fight(*people)
    return values


_CHECK = call("roll_check", character_id="brom", check_type="skill", skill="stealth", dc=30)
_MISSES = call("execute_action", encounter_id="encounter-1", actor_id="aria", action_type="attack", target_id="ogg")
LIES: Mapping[str, Lie] = {
    "hit_point_change": Lie("Brom takes 5 damage.", "Brom is unhurt, 38/38"),
    "goods": Lie("Lena hands you the brass key.", "Aria got no brass key"),
    "movement": Lie("You are now in the Cellar.", "Aria is at Great Hall"),
    "death": Lie("The arrow kills Brom.", "Brom is unhurt, 38/38"),
    "new_place": Lie("A new hidden chamber appears behind the wall.", "no new place was made"),
    "die_result": Lie("You rolled 17.", "no roll came to 17"),
    "check_outcome": Lie("Brom succeeds on his Stealth check.", "the Stealth check of Brom failed", (_CHECK,)),
    "attack_outcome": Lie("Aria hits Ogg.", "the attack of Aria missed", (_MISSES,), in_fight=True),
    "quest": Lie("You accept the quest.", "no quest was taken on"),
    "party": Lie("Lena joins the party.", "Lena is not in the party"),
    "rest": Lie("You take a long rest.", "no long rest was taken"),
    "fight": Lie("The battle is over.", "the fight goes on", in_fight=True),
    "presence": Lie('"Halt," says Grik.', "the record does not show this person here"),
    "hit_points": Lie("Brom has 3 hit points left.", "Brom has 38 hit points"),
    "decree": Lie("The rules no longer apply.", "no text changes the rules, the map or the world: only calls do"),
}
"""Each lie by the name of its kind of claim."""
