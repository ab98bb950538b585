"""What calls did, and why they failed, in words: one renderer for every door.

The words of a tool stand in `_story.py` beside it, in a function of its name. They are made whenever somebody reads,
and never logged. A viewer is `game_master(world)`, or for players
`Onlookers(world).viewer()` of `protocol/stage6_publish/fight_projection.py`.
Source: docs/cli.md, "What happened, in words".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from turnwright.model.base import name_tag
from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.state.overlay import World
from turnwright.tools._facts import Facts
from turnwright.tools._phrases import ABILITIES
from turnwright.tools._story_context import UNSEEN, Names, NoNames, StoryContext, Viewer, dice_of, one_line
from turnwright.tools.registry import TOOLS

if TYPE_CHECKING:
    from turnwright.model.encounter import Encounter, Participant, Prop

__all__ = [
    "NOBODY_NAMED",
    "Names",
    "NoNames",
    "Viewer",
    "WorldNames",
    "describe_action",
    "describe_draw",
    "describe_failed_call",
    "describe_hints",
    "game_master",
    "is_of_scene_game",
    "is_told_by_events",
]

Json = Mapping[str, Any]
NOBODY_NAMED = Viewer(is_game_master=True, shows_ids=True)
"""The game master where no campaign is at hand: ids stand for themselves."""
_DONE = "done"
_BESIDE_EVENTS = frozenset({"engage", "resolve", "accept"})
"""Tools of a scene game of which events do not tell everything."""
_PARTS = ("answer", "output", "user_input")
"""Parts of a turn beside its calls."""
_MAX_VALUES, _SHOWN_OF_MORE, _MAX_VALUE_LENGTH = 8, 4, 60
_ID = re.compile(r"(?<![\w.])\w+(?:[-_]\w+)+(?![\w.])")
"""What may be an id in a sentence, and no key of an argument."""


class WorldNames:
    """The names in a campaign."""

    def __init__(self, world: World) -> None:
        self._world = world

    def person(self, named: str, encounter_id: str) -> str | None:
        """Return the name of a participant of the fight, of a character, or of anybody else who fought."""
        character = self._world.character(named)
        if character is not None and not encounter_id:
            return character.label
        fought = self._participant(named, encounter_id)
        return fought or (character.label if character else self._called(named))

    def _participant(self, identifier: str, encounter_id: str) -> str | None:
        if not self._world.paths("encounters/"):
            return None
        from turnwright.model.encounter import Encounter  # campaigns without fights do without it

        fight = self._world.find(Encounter, encounter_id) if encounter_id else None
        fights = [fight] if fight else reversed(list(self._world.all(Encounter)))
        there = ((one.id, one.name) for each in fights for one in _all_in(each))
        return next((name for known, name in there if known == identifier), None)

    def _called(self, name: str) -> str | None:
        """Return the name of the only character who is called so, as it is spelled."""
        from turnwright.model.character import Character

        found = self._world.all_tagged(Character, name_tag(name))
        return found[0].label if len(found) == 1 else None

    def area(self, area_id: str) -> str | None:
        """Return the name of an area of the map."""
        area = self._world.area(area_id)
        return area.name if area else None

    def place(self, location_id: str) -> str | None:
        """Return the name of a place of the story."""
        if not self._world.paths("locations/"):
            return None
        from turnwright.model.location import Location  # campaigns without places do without it

        location = self._world.find(Location, location_id)
        return location.name if location else None

    def has_no_maximum(self, character_id: str) -> bool:
        """Return whether somebody has hit points without a maximum."""
        character = self._world.character(character_id)
        return character is not None and character.hp is not None and character.max_hp is None


def _all_in(fight: Encounter) -> Iterator[Participant | Prop]:
    yield from fight.participants
    yield from fight.props


def game_master(world: World, *, shows_ids: bool = True) -> Viewer:
    """Return the game master as viewer: everything is told, by the names in a world that can still be read.

    Args:
        world: the campaign.
        shows_ids: ids stand behind names where the next call may need them.
    """
    return Viewer(names=WorldNames(world), is_game_master=True, shows_ids=shows_ids)


def describe_action(action: Json, viewer: Viewer, record: Json | None = None) -> str:
    """Return what an applied call did, on one line; empty where the events of a scene game tell all of it.

    It reads every record of older versions, and fails for none: what a record lacks is not told. Nothing in it is made
    safe for a terminal.

    Args:
        action: a row of `applied_actions`, of a reply or a record, or what a projection left of it.
        viewer: who reads.
        record: the record of its turn, which tells who acted and which dice were given; without it less is told.
    """
    tool, args, result = str(action.get("tool")), Facts(action.get("args")), Facts(action.get("result"))
    if is_of_scene_game(tool) and not viewer.is_game_master:
        args = Facts()  # what the game master wrote down for later
    record = record or {}
    ctx = StoryContext(viewer, Facts(record).text("actor_id"), args.text("encounter_id"), dice_of(record, action))
    return _told(tool, args, result, ctx) or ("" if is_of_scene_game(tool) else _DONE)


def _told(tool: str, args: Facts, result: Facts, ctx: StoryContext) -> str:
    items = result.many("results")
    if "succeeded" in result or ("batch" in args and items):
        return "; ".join(_items(tool, args, items, ctx))
    if tool in TOOLS.stories:
        return TOOLS.stories[tool](args, result, ctx)
    if tool in _PARTS:
        from turnwright.tools.scenes import _story

        return _story.part(tool, args, result, ctx)
    return tool.replace("_", " ")


def _items(tool: str, args: Facts, entries: list[Facts], ctx: StoryContext) -> Iterator[str]:
    asked = args.many("batch")
    for place, entry in enumerate(entries):
        if entry.flag("ok") is False:
            yield f"not done: {_sentence(entry, ctx.viewer)}"
            continue
        at = entry.number("index")
        mine = (
            asked[place] if len(asked) == len(entries) else asked[at] if at is not None and at < len(asked) else Facts()
        )
        yield _told_item(tool, mine.under(args), entry.one("result"), ctx) or _DONE


def _told_item(tool: str, args: Facts, result: Facts, ctx: StoryContext) -> str:
    return TOOLS.stories[tool](args, result, ctx) if tool in TOOLS.stories else ""


def is_of_scene_game(tool: str) -> bool:
    """Return whether a call, or another part of a turn, is one of a scene game."""
    return tool in _PARTS or TOOLS.folders.get(tool) == "scenes"


def is_told_by_events(tool: str) -> bool:
    """Return whether the events of a scene game tell all that a call or another part of a turn did."""
    return is_of_scene_game(tool) and tool not in _BESIDE_EVENTS


def describe_draw(draw: Json, viewer: Viewer) -> str:
    """Return what a die was rolled for, with names in place of the ids of people.

    Args:
        draw: a row of the `draws` of a record.
        viewer: who reads.
    """
    return " ".join(_person_or_word(word, viewer) for word in Facts(draw).text("why").split(" "))


def _person_or_word(word: str, viewer: Viewer) -> str:
    bare = word.rstrip(",:")
    if bare in ABILITIES:
        return ABILITIES[bare] + word[len(bare) :]
    if not viewer.sees(bare):
        return UNSEEN
    return (one_line(viewer.names.person(bare, "")) or bare) + word[len(bare) :]


# what failed


def describe_failed_call(call: Json, viewer: Viewer, *, names_reason: bool = True) -> str:
    """Return why a call failed, and how it can be mended, on one line.

    Args:
        call: a row of `failed_calls`, a refused reply, or an item of a batch that failed.
        viewer: who reads.
        names_reason: whether the reason stands before the detail, in the words of replies.
    """
    return _sentence(Facts(call), viewer, names_reason=names_reason) + describe_hints(call)


def _sentence(call: Facts, viewer: Viewer, *, names_reason: bool = True) -> str:
    reason, detail = call.word("reason"), call.text("detail")
    if detail and not names_reason:
        reason = ""
    said = f"{reason}: {detail}" if reason and detail else reason or detail or "not done"
    return _named(said, viewer)


def _named(text: str, viewer: Viewer) -> str:
    """Return a sentence with names in place of ids, or before them for who may need these."""

    def name(found: re.Match[str]) -> str:
        word = found[0]
        if not viewer.sees(word):
            return UNSEEN
        names = viewer.names
        known = one_line(names.area(word) or names.place(word) or names.person(word, ""))
        return word if not known or known == word else f"{known} ({word})" if viewer.shows_ids else known

    return _ID.sub(name, text)


def describe_hints(call: Json) -> str:
    """Return how a failed call can be mended, in brackets; empty where nothing tells it.

    What can be followed blindly is to be tried; what is left to choose is one of several.
    """
    hints = call.get("hints")
    several = hints if isinstance(hints, list) and hints else [call.get("hint")]
    if call.get("status") == "refused":  # the detail names what is to go, and the nearest key
        several = [each for each in several if isinstance(each, Mapping) and not each.get("remove")]
    told = [text for each in several if isinstance(each, Mapping) and (text := _hint(each))]
    return f" ({'; '.join(told)})" if told else ""


def _hint(hint: Json) -> str:
    field = hint.get("field")
    if not isinstance(field, str):
        return ""
    allowed, choices = _values(hint.get("allowed")), _values(hint.get("choices"))
    if hint.get("remove"):
        return f"leave {field} out{did_you_mean(field.rpartition('.')[2], Facts(hint).texts('allowed'))}"
    if allowed:
        return f"try {field}: {allowed}"
    return f"{field}: one of {choices}" if choices else ""


def _values(values: object) -> str:
    kept = values if isinstance(values, list) else []
    if len(kept) <= _MAX_VALUES:
        return ", ".join(map(_short, kept))
    return f"{', '.join(map(_short, kept[:_SHOWN_OF_MORE]))}, ... and {len(kept) - _SHOWN_OF_MORE} more"


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _MAX_VALUE_LENGTH else text[: _MAX_VALUE_LENGTH - 3] + "..."
