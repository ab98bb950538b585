"""Values under keys that a tool does not know: kept where such a key is clearly meant for an absent one.

The hint adds the key that is meant, with the value; of the other one the next hint says that it should not be there.
Source: docs/stages/3-tools.md, "Hints".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import ValidationError

from turnwright.model import hint
from turnwright.model.base import Model
from turnwright.model.nearest import nearest_id, probable
from turnwright.model.reason import CallFailed, Reason
from turnwright.model.schema_path import schema_at, schema_of
from turnwright.model.wording import faults_of
from turnwright.stages.arguments import called_by, keys_at, path_of, said_at, value_at
from turnwright.stages.key_words import Place, key_meant, twin_of
from turnwright.stages.spelling import spelt
from turnwright.tools._base import Args, Legal
from turnwright.world.overlay import World

_MOST_KEYS = 50
"""Of larger objects no key is looked at."""


def require_no_stray(
    model: type[Model],
    path: Sequence[str | int],
    args: Mapping[str, Any],
    legal: Legal,
    where: str,
    world: World | None,
) -> None:
    """Check that a key that is missing or not known is not one that is given by another name.

    Raises:
        CallFailed: `invalid_args`, with the hint that gives its value the right name.
    """
    *above, last = path
    around = value_at(args, above)
    known = keys_at(model, path)
    if not isinstance(around, Mapping) or len(around) > _MOST_KEYS:
        return
    strays = [key for key in around if isinstance(key, str) and key not in known]
    strays = [key for key in strays if above or key not in model.model_fields]
    for key in [last] if last in strays else strays:
        offers = _Offers(model, above, key, args, legal, world)
        name = key_meant(key, offers.place(known, strays))
        if name is None or name in around or twin_of(name) in around or (last not in strays and name != last):
            continue
        field = ".".join([where, *map(str, above), name])
        detail = f"{field}: is given as {key}, which is not known"
        raise CallFailed(Reason.INVALID_ARGS, detail, hint.add(field, offers.under(name)))


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
        """Return what could stand under a known key for the value, best first; empty when it is none of that kind."""
        if self._value is None:
            return []
        path = (*self._above, name)
        if not self._fits(path):
            return said_at(self._model, path, self._value)
        narrowed = self._legal.get(name, ())
        if isinstance(narrowed, Mapping) or not isinstance(self._value, str):
            return [self._value]
        ids = [each for each in narrowed if isinstance(each, str)]
        named = called_by(self._model, path, self._value, self._world)
        if self._value not in ids and any(each in ids for each in named):
            return nearest_id(self._value, ids, named)
        near = nearest_id(self._value, ids, ()) if probable(self._value, ids) else []
        return list(dict.fromkeys([self._value, *near]))

    def _fits(self, path: Sequence[str | int]) -> bool:
        moved = _moved(self._args, self._above, self._key, str(path[-1]))
        try:
            self._model.model_validate(spelt(self._model, moved)[0])
        except CallFailed as failure:
            place = ".".join(["args", *map(str, path)])
            return not f"{failure.hint.get('field')}.".startswith(f"{place}.")
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
