"""Commands of play: short forms of tools for a person at a terminal, such as `/attack goblin`.

A ruleset declares them by name in `Ruleset.commands`. Each parses a line of words into the arguments of one tool; the
player is asked for missing values, and the engine checks the call like any other. Source: docs/rulesets.md, "Commands".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from turnwright.model.base import name_tag
from turnwright.model.coin import denomination
from turnwright.model.encounter import RUNNING_TAG, Encounter
from turnwright.model.json_types import JsonObject, JsonValue
from turnwright.model.state.overlay import World
from turnwright.rulesets.reference_lookup import character_ids
from turnwright.rulesets.tool import Legal

Choice: TypeAlias = str | int | float | bool | None
"""A value that can be chosen."""
Values = Mapping[str, Choice | list[Choice]]
"""The typed values, by the argument of the slot: one value, or those of a list."""
Typed = dict[str, Choice | list[Choice]]
"""Values that are still added to."""
Options = Mapping[str, Choice]
"""The available choices: the value by the name that people read and type."""
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_SQUARE = re.compile(r"\(?(?P<x>[0-9]{1,4}) ?, ?(?P<y>[0-9]{1,4})\)?")
_MAX_NAME = 20
"""The most words of a name."""
_BETWEEN = re.compile(r",| and ")
"""Separates the names in a list."""


class PlayMoment(NamedTuple):
    """The state in which a command is typed.

    Attributes:
        world: the campaign as the player may know it.
        acting_id: the acting character; in a fight whose turn it is.
        legal: the values that are legal now, by argument of the tool.
    """

    world: World
    acting_id: str | None
    legal: Legal


class Slot(NamedTuple):
    """One value that a command needs.

    Attributes:
        argument: its name among the values; the argument of the tool where both say the same.
        label: how the help shows it, in capitals.
        question: the question that asks for it, without a question mark.
        options: the choices; None for whatever is legal for the argument.
        kind: `name` is one of the options, `number` a whole number, `text` any words up to the ones that mark the next
            slot, `words` all the rest of the line.
        after: words before it that separate it from the previous slot, such as `to`.
        may_follow: optional words before it without further meaning, such as `dc` before a difficulty.
        is_optional: whether it may be left out without being asked for.
        is_open: whether values other than the options are allowed; the engine decides.
        is_list: whether several can be named, with commas or `and` between; the value is then always a list.
        counts: the argument that a number before the name fills, as in `/drop 2 candles`; empty for none.
        why_not: returns why an unknown name is not allowed, if there is a specific reason.
    """

    argument: str
    label: str
    question: str
    options: Callable[[PlayMoment, Values], Options] | None = None
    kind: Literal["name", "number", "text", "words"] = "name"
    after: tuple[str, ...] = ()
    may_follow: tuple[str, ...] = ()
    is_optional: bool = False
    is_open: bool = False
    is_list: bool = False
    counts: str = ""
    why_not: Callable[[PlayMoment, str], str | None] | None = None

    @property
    def usage(self) -> str:
        """Return how the help shows it."""
        shown = f"{self.after[0]} {self.label}" if self.after else self.label
        return f"[{shown}]" if self.is_optional else shown


class PlayCommand(NamedTuple):
    """A short form of one tool.

    Attributes:
        tool: the tool that it calls.
        group: the heading under which the help lists it.
        summary: what it does, in a few words.
        slots: the values that it needs, in the order in which they are typed.
        build: returns the arguments of the call; default: the values as they are.
        why_not: returns why the command does not apply now, and what to type instead; None if it applies.
        objection: returns why the complete input is not valid; None if it is.
    """

    tool: str
    group: str
    summary: str
    slots: tuple[Slot, ...] = ()
    build: Callable[[PlayMoment, Values], JsonObject] | None = None
    why_not: Callable[[PlayMoment], str | None] | None = None
    objection: Callable[[PlayMoment, Values], str | None] | None = None

    def args(self, moment: PlayMoment, values: Values) -> dict[str, JsonValue]:
        """Return the arguments of the call that some values make."""
        return dict(values if self.build is None else self.build(moment, values))

    def missing(self, values: Values) -> Slot | None:
        """Return the first slot that must be asked for."""
        return next((slot for slot in self.slots if not slot.is_optional and slot.argument not in values), None)


# reading a line


class Line(NamedTuple):
    """A parsed line.

    Attributes:
        values: by the argument of the slot; an unknown name is kept as typed.
        rest: the words that no slot takes.
    """

    values: Typed
    rest: str


def read_line(command: PlayCommand, moment: PlayMoment, line: str) -> Line:
    """Parse a line into the slots of a command, and the words that belong to none of them."""
    values, rest = _read_slots(command.slots, moment, {}, line.split())
    return Line(values, " ".join(rest))


def _read_slots(
    slots: Sequence[Slot], moment: PlayMoment, values: Typed, words: Sequence[str]
) -> tuple[Typed, Sequence[str]]:
    """Return the values of slots, added to those of the slots before, and the words that are left."""
    if not slots or not words:
        return values, words
    slot, later = slots[0], slots[1:]
    if words[0].casefold() in (*slot.after, *slot.may_follow):
        words = words[1:]
    elif slot.after and slot.is_optional:
        without = _read_slots(later, moment, values, words)
        if not without[1] or slot.kind != "name":
            return without
        return _first_whole(slot, later, moment, values, words, len(words)) or without
    if slot.counts and len(words) > 1 and _NUMBER.fullmatch(words[0]):
        values, words = values | {slot.counts: int(words[0])}, words[1:]
    end = len(words) if slot.kind == "words" else _end_of(later, words)
    if (named := _first_whole(slot, later, moment, values, words, end)) is not None:
        return named
    value, used = _read(slot, words[: _end_before_number(later, words[:end])])
    return _read_slots(later, moment, values | ({slot.argument: value} if used else {}), words[used:])


def _first_whole(
    slot: Slot, later: Sequence[Slot], moment: PlayMoment, values: Typed, words: Sequence[str], end: int
) -> tuple[Typed, Sequence[str]] | None:
    """Parse a line in which some words before `end` name an option and later slots take all the others."""
    for value, used in _names(slot, moment, values, words[:end]):
        found = _read_slots(later, moment, values | {slot.argument: value}, words[used:])
        if not found[1]:
            return found
    return None


def read_answer(slot: Slot, moment: PlayMoment, values: Values, text: str) -> Any:
    """Return the answer to the question for a slot; None if a number is needed and it is not one."""
    if slot.kind == "number":
        return int(text) if _NUMBER.fullmatch(text) else None
    if slot.kind != "name":
        return text
    options = options_of(slot, moment, values)
    return _several(options, text) if slot.is_list else find_option(options, text, text)


def read_square(text: str) -> JsonObject | None:
    """Return the square of the grid that a text such as `7,3` names; None for other texts."""
    found = _SQUARE.fullmatch(text)
    return None if found is None else {"x": int(found["x"]), "y": int(found["y"])}


def unknown_name(slot: Slot, moment: PlayMoment, values: Values) -> str | None:
    """Return the unknown name that was typed for a slot; None if all names are among its options."""
    if slot.kind != "name" or slot.is_open or slot.argument not in values:
        return None
    options = options_of(slot, moment, values)
    given = values[slot.argument]
    named = given if isinstance(given, list) else [given]
    return next((str(each) for each in named if options and each not in options.values()), None)


def options_of(slot: Slot, moment: PlayMoment, values: Values) -> Options:
    """Return the choices for a slot."""
    if slot.options is not None:
        return slot.options(moment, values)
    legal = moment.legal.get(slot.argument, ())
    return named(moment.world, legal) if isinstance(legal, list) else {}


def _end_of(later: Sequence[Slot], words: Sequence[str]) -> int:
    """Return where the words of later slots begin, as far as marking words show."""
    marks = {word for slot in later for word in slot.after}
    return next((place for place, word in enumerate(words[1:], start=1) if word.casefold() in marks), len(words))


def _end_before_number(later: Sequence[Slot], words: Sequence[str]) -> int:
    """Return where the number of the next slot begins, if no word marks that slot."""
    if not later or later[0].kind != "number" or later[0].after:
        return len(words)
    return next((place for place, word in enumerate(words[1:], start=1) if _NUMBER.fullmatch(word)), len(words))


def _read(slot: Slot, words: Sequence[str]) -> tuple[Any, int]:
    """Return the value at the start of some words, and how many words it takes; a name is kept as typed."""
    if slot.kind == "number":
        return (int(words[0]), 1) if words and _NUMBER.fullmatch(words[0]) else (None, 0)
    text = " ".join(words)
    return [text] if slot.is_list else text, len(words)


def _names(slot: Slot, moment: PlayMoment, values: Values, words: Sequence[str]) -> Iterator[tuple[Any, int]]:
    """Yield the options that words begin with, and how many they are: the longest names first."""
    if slot.kind != "name":
        return
    options = options_of(slot, moment, values)
    if slot.is_list and words:
        several = _several(options, " ".join(words))
        if all(each in options.values() for each in several) or len(several) > 1:
            yield several, len(words)
    for length in range(min(len(words), _MAX_NAME), 0, -1):
        found = find_option(options, " ".join(words[:length]))
        if found is not None:
            yield [found] if slot.is_list else found, length


def _several(options: Options, text: str) -> list[Choice]:
    """Return the options that a list of names means; an unknown name is kept as typed."""
    whole = find_option(options, text)
    parts = [text] if whole is not None else [part for each in _BETWEEN.split(text) if (part := each.strip())]
    return [find_option(options, part, part) for part in parts or [text]]


def find_option(options: Options, text: str, default: Any = None) -> Any:
    """Return the value of the option that a text names.

    It names it by its name or its value, in the plural too, by a part that only one has, or as a coin: `gp`.
    """
    wanted = name_tag(text.replace("_", " "))
    for name, value in options.items():
        if wanted in (name_tag(name), name_tag(str(value).replace("_", " "))):
            return value
    begins = [value for name, value in options.items() if name_tag(name).startswith(wanted)]
    within = [value for name, value in options.items() if wanted in map(name_tag, name.split())]
    single = [value for name, value in options.items() if name_tag(name) == wanted.removesuffix("s")]
    coin = denomination(text)
    coins = [value for name, value in options.items() if coin is not None and denomination(name) == coin]
    return next((found[0] for found in (begins, within, single, coins) if len(found) == 1), default)


# options


def named(world: World, ids: Iterable[Choice]) -> dict[str, Choice]:
    """Return ids by the names of what they mean: characters, combatants, areas; other ids by themselves."""
    options: dict[str, Choice] = {}
    for identifier in ids:
        name = name_of(world, identifier) if isinstance(identifier, str) else str(identifier)
        options[f"{name} ({identifier})" if name in options else name] = identifier
    return options


def name_of(world: World, identifier: str) -> str:
    """Return the display name of an id: a character, combatant or area; for others the id in words."""
    if (person := world.character(identifier)) is not None:
        return person.label
    for fight in world.all_tagged(Encounter, RUNNING_TAG):
        for fighter in fight.participants:
            if fighter.id == identifier:
                return fighter.name
    area = world.area(identifier)
    return area.name if area is not None else identifier.replace("_", " ")


def words(*choices: str) -> Callable[[PlayMoment, Values], Options]:
    """Return options that are always the same words."""
    options = {choice.replace("_", " "): choice for choice in choices}
    return lambda _moment, _values: options


def people(moment: PlayMoment, _: JsonObject) -> Options:
    """Return all characters: those with the acting character, then the acting character, then those elsewhere."""
    acting = moment.world.character(moment.acting_id) if moment.acting_id else None
    here = acting.position if acting is not None else None
    known = (moment.world.character(identifier) for identifier in character_ids(moment.world))
    some = [one for one in known if one is not None]
    some.sort(key=lambda one: (one.position not in (None, here), one.id == moment.acting_id))
    return named(moment.world, [one.id for one in some])


def someone(question: str = "who", argument: str = "character_id", **options: Any) -> Slot:
    """Return a slot for a character."""
    return Slot(argument, "WHO", question, people, **options)
