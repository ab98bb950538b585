"""Values under keys that a tool does not know: kept where such a key is clearly meant for an absent one.

One hint adds the key that is meant, with the value; another takes the unknown one away.
Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from pydantic import ValidationError

from turnwright.model.base import Model
from turnwright.model.error_text import faults_of
from turnwright.model.fuzzy_match import misspelt, number_alone
from turnwright.model.json_types import JsonObject
from turnwright.model.schema_path import schema_at, schema_of
from turnwright.model.state.overlay import World
from turnwright.protocol.stage3_tools.arguments import called_by, keys_at
from turnwright.protocol.stage3_tools.normalize import read_spelling, snake
from turnwright.protocol.stage3_tools.repair.coercion import enemy_by, tells_side, units_of
from turnwright.protocol.stage3_tools.repair.key_matcher import Place, match_key, twin_of
from turnwright.protocol.stage3_tools.repair.same_value import NOTHING, holds_nothing, path_of, same_at, value_at
from turnwright.rulesets.tool import Args, CoreArgs, Legal

_MAX_KEYS = 50
"""Of larger objects no key is looked at."""


class Renamed(NamedTuple):
    """A value under an unknown key, and where it belongs.

    Attributes:
        above: the place of the object that holds it.
        key: the key it stands under.
        name: the key that is meant.
        value: what would stand there.
    """

    above: tuple[str | int, ...]
    key: str
    name: str
    value: Any


def renamed(
    model: type[Model],
    args: JsonObject,
    above: tuple[str | int, ...],
    legal: Legal,
    world: World | None,
    missing: Collection[tuple[str | int, ...]],
) -> Iterator[Renamed]:
    """Yield the unknown keys of one object that clearly mean an absent one.

    If unknown keys are ignored, only missing keys are searched for.
    """
    around = value_at(args, above)
    known = keys_at(model, (*above, ""))
    if not isinstance(around, Mapping) or len(around) > _MAX_KEYS:
        return
    strays = [key for key in around if isinstance(key, str) and key not in known]
    strays = [key for key in strays if above or key not in model.model_fields]
    found: dict[str, list[Renamed]] = {}
    for key in strays:
        if (one := _renamed(model, args, above, key, legal, world, known, strays)) is not None:
            found.setdefault(one.name, []).append(one)
    for name, several in found.items():
        if name in around or twin_of(name) in around or any(one.value != several[0].value for one in several):
            continue
        if not issubclass(model, CoreArgs) or above or (*above, name) in missing:
            yield from several


def _renamed(
    model: type[Model],
    args: JsonObject,
    above: tuple[str | int, ...],
    key: str,
    legal: Legal,
    world: World | None,
    known: Sequence[str],
    strays: Sequence[str],
) -> Renamed | None:
    given = value_at(args, above)[key]
    if "is_enemy" in known and tells_side(snake(key), given):
        told = enemy_by(snake(key), given)
        return None if told is None else Renamed(above, key, "is_enemy", told)
    offers = _Offers(model, above, key, args, legal, world)
    unused = () if above or not issubclass(model, Args) else model.unused(args)
    name = match_key(key, offers.place([each for each in known if each not in unused], strays))
    return None if name is None else Renamed(above, key, name, offers.under(name)[0])


def may_be_meant(key: str, value: Any, known: Sequence[str], around: Any) -> bool:
    """Return whether an unknown key may carry meaning for the action, so that a repair must not drop it.

    An empty value carries no meaning. Neither does a remark, information about the call itself, or a value that the
    call repeats elsewhere.
    """
    given = around if isinstance(around, Mapping) else {}
    if "is_enemy" in known and tells_side(snake(key), value):
        return given.get("is_enemy") is None or given["is_enemy"] is not enemy_by(snake(key), value)
    if holds_nothing(value) or value is False:
        return False
    if (meant := misspelt(key, known)) is not None and given.get(meant) == value:
        return False
    if _ASIDE & set(snake(key).split("_")):
        return False
    return not any(other in known and each == value and isinstance(value, str) for other, each in given.items())


_ASIDE = frozenset(
    {
        *("call", "comment", "comments", "confidence", "debug", "explanation", "format", "justification", "lang"),
        *("language", "locale", "metadata", "rationale", "reason", "reasoning", "remark", "remarks", "request"),
        *("session", "thinking", "thought", "thoughts", "timestamp", "trace", "verbose"),
    }
)
"""Words of keys that speak of the call and not of what is to be done."""


class _Offers:
    """The value of an unknown key as converted for each known key."""

    def __init__(
        self,
        model: type[Model],
        above: Sequence[str | int],
        key: str,
        args: JsonObject,
        legal: Legal,
        world: World | None,
    ) -> None:
        self._model, self._above, self._key, self._args, self._world = model, above, key, args, world
        self._legal = {} if above else legal
        self._value = value_at(args, [*above, key])
        self.under = cache(self._under)

    def place(self, known: Sequence[str], strays: Sequence[str]) -> Place:
        """Return what else is to be known of where the key stands."""
        around = value_at(self._args, self._above)
        others = [other for other in strays if around[other] != self._value]
        required = [name for name in known if name in self._required(around)]
        return Place(known, required, others, lambda name: bool(self.under(name)), self._takes_as_it_is, self._is_id)

    def _required(self, around: JsonObject) -> Collection[str]:
        required: Collection[str] = schema_at(schema_of(self._model), self._above).get("required", ())
        if self._above or not issubclass(self._model, Args):
            return required
        needed = self._model.needed(around)
        return {*required, *needed, *(self._model.instead[name] for name in needed if name in self._model.instead)}

    def _is_id(self, name: str) -> bool:
        known = self._legal.get(name, ())
        if self._world is not None and isinstance(self._value, str) and self._world.character(self._value):
            return True
        return not isinstance(known, Mapping) and self._value in known

    def _under(self, name: str) -> list[Any]:
        """Return the value as converted for a known key; empty if it does not fit."""
        if self._value is None or (name == "delta" and not self._has_sign()):
            return []
        if name == "from_area_id" and self._value not in self._legal.get(name, ()):
            return []  # it can only be where the actor stands
        path = (*self._above, name)
        moved = _moved(self._args, self._above, self._key, name)
        if not self._fits(path):
            same = same_at(self._model, moved, path)
            return [] if same is NOTHING else [same]
        narrowed = self._legal.get(name, ())
        if isinstance(narrowed, Mapping) or not isinstance(self._value, str) or self._value in narrowed:
            return [self._value]
        named = called_by(self._model, path, self._value, self._world)
        meant = [each for each in narrowed if each in named]
        return meant[:1] if meant and len(set(named.values())) == 1 else [self._value]

    def _takes_as_it_is(self, name: str) -> bool:
        return self._fits((*self._above, name))

    def _has_sign(self) -> bool:
        """Return whether a value tells by itself, or its key does, whether it is a gain or a loss."""
        number = number_alone(self._value, units_of("delta"))
        is_change = bool({"delta", "change"} & set(snake(self._key).split("_")))
        return is_change or (number is not None and number < 0) or str(self._value).lstrip().startswith("+")

    def _fits(self, path: Sequence[str | int]) -> bool:
        moved = _moved(self._args, self._above, self._key, str(path[-1]))
        read = read_spelling(self._model, moved)
        place = ".".join(["args", *map(str, path)])
        if any(f"{fault.hint.get('field')}.".startswith(f"{place}.") for fault in read.faults):
            return False
        try:
            self._model.model_validate(read.args)
        except ValidationError as error:
            return all(path_of(fault, moved)[: len(path)] != tuple(path) for fault in faults_of(error))
        return True


def _moved(value: Any, above: Sequence[str | int], key: str, name: str) -> Any:
    """Return a value with what stands under a key of one of its objects under another one."""
    if not above:
        return {**{each: value[each] for each in value if each != key}, name: value[key]}
    step, *rest = above
    copy: Any = list(value) if isinstance(value, list) else dict(value)
    copy[step] = _moved(copy[step], rest, key, name)
    return copy
