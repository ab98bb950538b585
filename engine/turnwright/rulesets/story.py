"""Render calls and failures in words: one renderer for every interface.

The words for a tool are in `_story.py` beside it, in a function of its name. They are made when a record is read, and
never logged. The reader's knowledge is a `WorldKnowledge` of `protocol/stage6_publish/knowledge.py`.
Source: docs/cli.md, "What happened, in words".
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.json_types import JsonObject
from turnwright.model.knowledge import Knowledge
from turnwright.model.viewer import GAME_MASTER
from turnwright.rulesets.facts import Facts
from turnwright.rulesets.phrases import ABILITIES
from turnwright.rulesets.registry import tables
from turnwright.rulesets.story_context import UNSEEN, StoryContext, dice_of, one_line
from turnwright.rulesets.toolbox import PARTS, TOOLS, Story

if TYPE_CHECKING:
    from turnwright.model.dice.draws import Draw, Wanted
    from turnwright.model.wire.shapes import AppliedAction, BatchItem, FailedCall, Hint, QueryAnswer, Record, Reply

    Failure = FailedCall | BatchItem | QueryAnswer | Reply | JsonObject
    """What failed: a call or an item of a batch, a query or a turn, or an older version's record of one."""

__all__ = [
    "NOBODY_NAMED",
    "describe_action",
    "describe_draw",
    "describe_failed_call",
    "describe_hints",
    "is_of_scene_game",
    "is_told_by_events",
]

NOBODY_NAMED = Knowledge(GAME_MASTER, shows_ids=True)
"""The game master without a campaign at hand: ids are shown as they are."""
_DONE = "done"
_BESIDE_EVENTS = frozenset({"engage", "resolve", "accept"})
"""Tools of a scene game whose events do not report everything."""
_MAX_VALUES, _SHOWN_OF_MORE, _MAX_VALUE_LENGTH = 8, 4, 60
_ID = re.compile(r"(?<![\w.])\w+(?:[-_]\w+)+(?![\w.])")
"""What may be an id in a sentence, and not the name of an argument."""


def describe_action(action: AppliedAction, reader: Knowledge, record: Record | None = None) -> str:
    """Return what an applied call did, on one line; empty if the events of a scene game report all of it.

    It reads records of all older versions without failing: what a record lacks is left out. The text is not escaped for
    a terminal.

    Args:
        action: a row of `applied_actions`, of a reply or a record, or its projection.
        reader: what the reader knows.
        record: the record of its turn, which holds the acting character and the given dice; without it the text says
            less.
    """
    tool, args, result = str(action.get("tool")), Facts(action.get("args")), Facts(action.get("result"))
    if is_of_scene_game(tool) and not reader.is_game_master:
        args = Facts()  # the game master's note for later
    dice = dice_of(record, action) if record else []
    ctx = StoryContext(reader, Facts(record or {}).text("actor_id"), args.text("encounter_id"), dice)
    told = _told(tool, args, result, ctx) or ("" if is_of_scene_game(tool) else _DONE)
    warnings = [str(each) for each in action.get("warnings", ())] if reader.is_game_master else []
    return "; ".join([told, *(f"note: {each}" for each in warnings)]) if told else told


def _told(tool: str, args: Facts, result: Facts, ctx: StoryContext) -> str:
    items = result.many("results")
    if "succeeded" in result or ("batch" in args and items):
        return "; ".join(_items(tool, args, items, ctx))
    told = _told_item(tool, args, result, ctx)
    if told is not None:
        return told
    if tool in PARTS:
        from turnwright.rulesets.scenes.tools import _story

        return _story.part(tool, args, result, ctx)
    return tool.replace("_", " ")


def _items(tool: str, args: Facts, entries: list[Facts], ctx: StoryContext) -> Iterator[str]:
    asked = args.many("batch")
    for place, entry in enumerate(entries):
        if entry.flag("ok") is False:
            yield f"not done: {_sentence(entry, ctx.reader)}"
            continue
        at = entry.number("index")
        mine = (
            asked[place] if len(asked) == len(entries) else asked[at] if at is not None and at < len(asked) else Facts()
        )
        yield _told_item(tool, mine.under(args), entry.one("result"), ctx) or _DONE


def _told_item(tool: str, args: Facts, result: Facts, ctx: StoryContext) -> str | None:
    """Return what a call or an item of a batch did; None if the tool has no words."""
    stories: Mapping[str, Story] = tables(ctx.reader.rulesets).toolbox.stories
    if tool not in stories:
        return None
    if tool in TOOLS:
        return stories[tool](args, result, ctx)
    try:
        return str(stories[tool](args, result, ctx))
    except Exception:  # the code of an installed ruleset cannot make a log unreadable
        return tool.replace("_", " ")


def is_of_scene_game(tool: str) -> bool:
    """Return whether a call, or another part of a turn, is one of a scene game."""
    return tool in PARTS or TOOLS.groups.get(tool) == "scenes"


def is_told_by_events(tool: str) -> bool:
    """Return whether the events of a scene game report everything that a call or another part of a turn did."""
    return is_of_scene_game(tool) and tool not in _BESIDE_EVENTS


def describe_draw(draw: Draw | Wanted | JsonObject, reader: Knowledge) -> str:
    """Return the purpose of a die roll, with names in place of character ids.

    Args:
        draw: a row of the `draws` of a record.
        reader: what the reader knows.
    """
    return " ".join(_person_or_word(word, reader) for word in Facts(draw).text("why").split(" "))


def _person_or_word(word: str, reader: Knowledge) -> str:
    bare = word.rstrip(",:")
    if bare in ABILITIES:
        return ABILITIES[bare] + word[len(bare) :]
    if not reader.sees(bare):
        return UNSEEN
    return (one_line(reader.called(bare)) or bare) + word[len(bare) :]


# failures


def describe_failed_call(call: Failure, reader: Knowledge, *, names_reason: bool = True, has_hints: bool = True) -> str:
    """Return why a call failed, and how to fix it, on one line.

    Args:
        call: a row of `failed_calls`, a refused reply, or an item of a batch that failed.
        reader: what the reader knows.
        names_reason: whether to put the reason before the detail, in the words of replies.
        has_hints: whether to say how to fix it.
    """
    return _sentence(Facts(call), reader, names_reason=names_reason) + (describe_hints(call) if has_hints else "")


def _sentence(call: Facts, reader: Knowledge, *, names_reason: bool = True) -> str:
    reason, detail = call.word("reason"), call.text("detail")
    if detail and not names_reason:
        reason = ""
    said = f"{reason}: {detail}" if reason and detail else reason or detail or "not done"
    return _named(said, reader)


def _named(text: str, reader: Knowledge) -> str:
    """Return a sentence with names in place of ids, or before them for a reader who needs the ids."""

    def name(found: re.Match[str]) -> str:
        word = found[0]
        if not reader.sees(word):
            return UNSEEN
        known = one_line(reader.area_called(word) or reader.place_called(word) or reader.called(word))
        return word if not known or known == word else f"{known} ({word})" if reader.shows_ids else known

    return _ID.sub(name, text)


def describe_hints(call: Failure) -> str:
    """Return how to fix a failed call, in brackets; empty if it has no hints.

    A single certain correction is worded as something to try; several choices are worded as "one of".
    """
    hints = call.get("hints")
    several = hints if isinstance(hints, list) and hints else [call.get("hint")]
    if call.get("status") == "refused":  # the detail names the key to remove, and the nearest key
        several = [each for each in several if isinstance(each, Mapping) and not each.get("remove")]
    told = [text for each in several if isinstance(each, Mapping) and (text := _hint(each))]
    return f" ({'; '.join(told)})" if told else ""


def _hint(hint: Hint | JsonObject) -> str:
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
