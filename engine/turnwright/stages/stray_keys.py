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
from turnwright.model.nearest import misspelt
from turnwright.model.schema_path import schema_at, schema_of
from turnwright.model.wording import faults_of
from turnwright.stages.arguments import called_by, keys_at
from turnwright.stages.key_words import Place, key_meant, twin_of
from turnwright.stages.plain_words import enemy_by, tells_side
from turnwright.stages.same_value import NOTHING, path_of, same_at, value_at
from turnwright.stages.spelling import read_spelling, snake
from turnwright.tools._base import Args, CoreArgs, Legal
from turnwright.world.overlay import World

_MOST_KEYS = 50
"""Of larger objects no key is looked at."""


class Renamed(NamedTuple):
    """A value that stands under a key that is not known, and where it belongs.

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
    args: Mapping[str, Any],
    above: tuple[str | int, ...],
    legal: Legal,
    world: World | None,
    missing: Collection[tuple[str | int, ...]],
) -> Iterator[Renamed]:
    """Yield the keys of one object that are not known and clearly mean one that is absent.

    Where unknown keys are ignored, only what is missing is looked for.
    """
    around = value_at(args, above)
    known = keys_at(model, (*above, ""))
    if not isinstance(around, Mapping) or len(around) > _MOST_KEYS:
        return
    strays = [key for key in around if isinstance(key, str) and key not in known]
    strays = [key for key in strays if above or key not in model.model_fields]
    taken: set[str] = set()
    for key in strays:
        offers = _Offers(model, above, key, args, legal, world)
        name = (
            "is_enemy"
            if "is_enemy" in known and tells_side(snake(key))
            else key_meant(key, offers.place(known, strays))
        )
        if name is None or name in around or twin_of(name) in around or name in taken:
            continue
        if issubclass(model, CoreArgs) and not above and (*above, name) not in missing:
            continue
        value = enemy_by(snake(key), around[key]) if name == "is_enemy" else next(iter(offers.under(name)), None)
        if value is not None:
            taken.add(name)
            yield Renamed(above, key, name, value)


def may_be_meant(key: str, value: Any, known: Sequence[str], around: Any) -> bool:
    """Return whether a key that is not known may say something that matters: then nobody may just leave it out.

    Whose side somebody is on does, and what makes a roll another one; so does what resembles a known key, unless that
    one says the same already.
    """
    name = snake(key)
    given = around if isinstance(around, Mapping) else {}
    if "is_enemy" in known and tells_side(name):
        return given.get("is_enemy") is None or given["is_enemy"] != enemy_by(name, value)
    if _ODDS & set(name.split("_")):
        return True
    meant = misspelt(key, known)
    return meant is not None and given.get(meant) != value


_ODDS = frozenset(
    {"advantage", "bonus", "critical", "crit", "disadvantage", "halved", "inspiration", "modifier", "penalty", "reroll"}
)
"""Words of keys that change what is rolled, or what comes of it."""


class _Offers:
    """What the value of a key that is not known would be under the known ones."""

    def __init__(
        self,
        model: type[Model],
        above: Sequence[str | int],
        key: str,
        args: Mapping[str, Any],
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
        return Place(known, required, others, lambda name: bool(self.under(name)), self._is_id)

    def _required(self, around: Mapping[str, Any]) -> Collection[str]:
        required: Collection[str] = schema_at(schema_of(self._model), self._above).get("required", ())
        if self._above or not issubclass(self._model, Args):
            return required
        operation = around.get(self._model.operation_key)
        return {*required, *self._model.needs.get(operation, ())} if isinstance(operation, str) else required

    def _is_id(self, name: str) -> bool:
        known = self._legal.get(name, ())
        if self._world is not None and isinstance(self._value, str) and self._world.character(self._value):
            return True
        return not isinstance(known, Mapping) and self._value in known

    def _under(self, name: str) -> list[Any]:
        """Return what would stand under a known key for the value; empty when it is none of that kind."""
        if self._value is None:
            return []
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
