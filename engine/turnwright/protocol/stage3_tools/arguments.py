"""Arguments against a tool's schema, and the hints that repair what is wrong with them or ask for it.

All faults are reported at once, each by its place in the call as received. Source: docs/stages/3-tools.md, "Hints".
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pydantic import ValidationError

from turnwright.model.base import Model
from turnwright.model.error_text import Fault, faults_of, sentence
from turnwright.model.json_types import JsonObject
from turnwright.model.schema_path import schema_at, schema_of
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason, together
from turnwright.protocol.stage3_tools.repair.same_value import (
    NOTHING,
    holds_nothing,
    is_absent_allowed,
    name_in,
    path_of,
    same_at,
    types_of,
    value_at,
)
from turnwright.rulesets.tool import CoreArgs, Legal

if TYPE_CHECKING:
    from turnwright.protocol.stage3_tools.repair.misnamed_keys import Renamed

A = TypeVar("A", bound=Model)
Path = tuple[str | int, ...]
_FOLLOWS = frozenset({"actor_id", "from_area_id"})
"""Arguments of core tools with only one possible value: the actor, and the actor's location."""
WRAPPERS = frozenset({"args", "arguments", "input", "parameters", "params", "kwargs", "tool_input", "properties"})
"""Keys that the APIs of models have for arguments."""
_STRUCTURE = frozenset({"model_type", "dict_type", "list_type", "tuple_type", "mapping_type"})


def parse_args(
    model: type[A],
    args: JsonObject,
    legal: Callable[[], Legal | None],
    where: str = "args",
    world: World | None = None,
    before: Sequence[CallFailed] = (),
) -> A:
    """Return the typed arguments of a call.

    Args:
        model: their model.
        args: the arguments as received.
        legal: the legal values, for hints.
        where: their name in error messages.
        world: the campaign, in which hints look up names.
        before: faults already known; their places are not checked again.

    Raises:
        CallFailed: `invalid_args` or the reason of the first known fault, with all faults: forbidden arguments come
        first, then the known faults, then the others in schema order.
    """
    found: list[CallFailed] = []
    parsed: A | None = None
    before = [*before, *_names_as_json(args, (where,))]
    try:
        parsed = model.model_validate(dict(args))
    except ValidationError as error:
        faults = _faults(error, args)
        found = list(_FaultReporter(model, args, legal() or {}, where, world).of(faults))
    if parsed is not None and not before:
        return parsed
    known = {failure.hint.get("field") for failure in before}
    raise together([*before, *(one for one in found if one.hint.get("field") not in known)])


def require_unwrapped(model: type[Model], args: JsonObject, where: str, tool: str) -> None:
    """Check that the arguments are not in a wrapper of their own.

    Raises:
        CallFailed: `invalid_args`, with the arguments as they should stand.
    """
    if tool in args or not WRAPPERS.isdisjoint(args):
        from turnwright.protocol.stage3_tools.repair.wrapped_args import refuse_wrapped  # only what fails needs it

        refuse_wrapped(model, args, where, tool)


def _names_as_json(value: Any, path: Path) -> Iterator[CallFailed]:
    """Yield the faults of texts of JSON in the place of names and ids, which any text would do for."""
    entries = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in entries:
        if not isinstance(inner, str):
            yield from _names_as_json(inner, (*path, step))
        elif inner.lstrip()[:1] in ("{", "[") and str(step).endswith(("name", "Name", "title", "id", "Id")):
            from turnwright.protocol.stage3_tools.repair.loose_json import read_loosely

            if isinstance(read := read_loosely(inner).value, (Mapping, list)):
                field = ".".join(map(str, (*path, step)))
                only = name_in(read, str(step))
                told = hint.ask(field, inner) if only is None else hint.repair(field, inner, only)
                yield CallFailed(Reason.INVALID_ARGS, f"{field}: wants a name, not the text of JSON", told)


def _faults(error: ValidationError, args: JsonObject) -> list[Fault]:
    """Return one fault per place; for a value that allows several types, those of the first type.

    Forbidden keys come first: no other repair removes them.
    """
    every = [_at_tag(fault) for fault in faults_of(error)]
    every.sort(key=lambda fault: fault["type"] != "extra_forbidden")
    branches: dict[Path, str | int] = {}
    found: dict[Path, Fault] = {}
    for fault in every:
        if any(branches.setdefault(at, name) != name for at, name in types_of(fault, args).items()):
            continue
        found.setdefault(path_of(fault, args), fault)
    # Validation reports a list with invalid items as too short as well.
    within = {path[:end] for path in found for end in range(len(path))}
    return [fault for path, fault in found.items() if fault["type"] != "too_short" or path not in within]


def _at_tag(fault: Fault) -> Fault:
    """Return a fault of one of several kinds of object as one of the key that says which kind it is."""
    told = fault.get("ctx", {})
    if fault["type"] == "union_tag_not_found":
        return {**fault, "type": "missing", "loc": (*fault["loc"], told["discriminator"].strip("'"))}
    if fault["type"] == "union_tag_invalid":
        place = (*fault["loc"], told["discriminator"].strip("'"))
        return {"type": "literal_error", "loc": place, "ctx": {"expected": told["expected_tags"]}}
    return fault


class _FaultReporter(NamedTuple):
    """Turns each schema fault of a call's arguments into a `CallFailed` with its hint."""

    model: type[Model]
    args: Mapping[str, Any]
    legal: Legal
    where: str
    world: World | None

    def of(self, faults: Iterable[Fault]) -> Iterator[CallFailed]:
        """Yield each fault with its repair; a misnamed key is reported once, together with the key it stands for."""
        from turnwright.protocol.stage3_tools.repair.misnamed_keys import renamed  # only what fails needs it

        every = list(faults)
        places = [(path_of(fault, self.args), fault) for fault in every]
        missing = {path for path, fault in places if fault["type"] == "missing"}
        parents = dict.fromkeys(path[:-1] for path, fault in places if fault["type"] in ("extra_forbidden", "missing"))
        known = self.legal, self.world, missing
        meant = [each for above in parents for each in renamed(self.model, self.args, above, *known)]
        unknown = {path for path, fault in places if fault["type"] == "extra_forbidden"}
        strays = {(*one.above, one.key): one for one in meant}
        supplied = {(*one.above, one.name): one for one in meant}
        for path, fault in places:
            if path in unknown and path in strays:
                yield self._moved(strays[path], is_ignored=False)
            elif fault["type"] == "missing" and path in supplied:
                stray = supplied[path]
                if (*stray.above, stray.key) not in unknown:  # else told with that one
                    yield self._moved(stray, is_ignored=True)
            else:
                yield self._wrong(path, fault)

    def _field(self, path: Path) -> str:
        return ".".join([self.where, *map(str, path)])

    def _moved(self, stray: "Renamed", *, is_ignored: bool) -> CallFailed:
        """Return the failure of a value under another key: it belongs under the known one, the other goes."""
        field = self._field((*stray.above, stray.name))
        detail = f"{field}: is given as {stray.key}, which is not known"
        more = () if is_ignored else (hint.remove(self._field((*stray.above, stray.key))),)
        return CallFailed(Reason.INVALID_ARGS, detail, hint.supply(field, stray.value), more)

    def _wrong(self, path: Path, fault: Fault) -> CallFailed:
        field, told = self._field(path), sentence(fault)
        if fault["type"] in _STRUCTURE and isinstance(got := value_at(self.args, path), str):
            told += _why_no_json(got)
        if fault["type"] == "extra_forbidden":
            from turnwright.model.fuzzy_match import misspelt

            meant = misspelt(path[-1], (name for name in keys_at(self.model, path) if name != path[-1]))
            told += f"; did you mean {meant}?" if meant else ""
        if fault["type"] == "missing" and (amounts := self._amounts(path)):
            told += f"; give it instead of {' and '.join(amounts)}: negative for damage, positive for healing"
        repair = self._hint(path, field, fault)
        if fault["type"] == "dice" and repair.get("allowed"):
            told += self._why_less(path)
        return CallFailed(Reason.INVALID_ARGS, f"{field}: {told}", repair)

    def _why_less(self, path: Path) -> str:
        """Return which kinds of damage the repair of dice leaves out, as nothing beside them tells any."""
        from turnwright.protocol.stage3_tools.repair.coercion import Dice

        kinds = Dice(value_at(self.args, path)).kinds - {"?"}
        is_kept = "damage_type" in (value_at(self.args, path[:-1]) or {})
        return (
            f" The dice keep no kind of damage; left out: {', '.join(sorted(kinds))}." if kinds and not is_kept else ""
        )

    def _hint(self, path: Path, field: str, fault: Fault) -> "hint.Hint":
        got = value_at(self.args, path)
        if fault["type"] == "extra_forbidden":
            return self._unknown(path, field, got)
        if fault["type"] == "missing":
            return self._absent(path, field)
        if holds_nothing(got):
            if (only := self._following(path)) is not None:
                return hint.repair(field, got, only)
            may_go = is_absent_allowed(self.model, self.args, path)
            return hint.remove(field) if may_go else hint.ask(field, got, self._choices(path, got))
        if meant := fault.get("ctx", {}).get("meant"):
            return hint.repair(field, got, meant)
        same = same_at(self.model, self.args, path)
        if same is not NOTHING and not self._is_unknown_id(path, self._as_ids(path, same)):
            return hint.repair(field, got, self._as_ids(path, same))
        return hint.ask(field, got, self._choices(path, got))

    def _unknown(self, path: Path, field: str, got: Any) -> "hint.Hint":
        """Return the hint for an unknown key: a question if it resembles known keys, else its removal."""
        from turnwright.protocol.stage3_tools.repair.misnamed_keys import may_be_meant

        if len(path) == 1 and path[-1] in self.model.model_fields:
            return hint.remove(field)  # the protocol in force has no such argument, whatever it says
        known = keys_at(self.model, path)
        around = value_at(self.args, path[:-1])
        return hint.ask(field, got) if may_be_meant(str(path[-1]), got, known, around) else hint.remove(field)

    def _absent(self, path: Path, field: str) -> "hint.Hint":
        """Return the hint for a missing required argument: the value implied by the others, or a question."""
        wanted = schema_at(schema_of(self.model), path)
        beside = value_at(self.args, path[:-1])
        if "const" in wanted:
            return hint.supply(field, wanted["const"])
        if (only := self._following(path)) is not None:
            return hint.supply(field, only)
        if path[-1] == "hp" and isinstance(beside, Mapping) and type(beside.get("max_hp")) is int:
            return hint.supply(field, beside["max_hp"])
        amounts = [change for changes in self._amounts(path).values() for change in changes]
        return hint.ask_for(field, amounts or self._choices(path, None))

    def _amounts(self, path: Path) -> dict[str, list[int]]:
        """Return the amounts under other keys that an absent change may be, by key, where nothing tells their sign."""
        from turnwright.protocol.stage3_tools.normalize import snake
        from turnwright.protocol.stage3_tools.repair.coercion import signs_meant

        beside = value_at(self.args, path[:-1])
        if path[-1] != "delta" or not isinstance(beside, Mapping):
            return {}
        known = keys_at(self.model, path)
        strays = ((key, value) for key, value in beside.items() if isinstance(key, str) and key not in known)
        found = {key: signs_meant(snake(key).split("_"), value) for key, value in strays}
        return {key: changes for key, changes in found.items() if changes}

    def _following(self, path: Path) -> Any:
        """Return what an argument can only be, by who acts and where they stand; else None."""
        known = self.legal.get(str(path[0]), ())
        is_such = issubclass(self.model, CoreArgs) and len(path) == 1 and path[0] in _FOLLOWS
        return known[0] if is_such and isinstance(known, list) and len(known) == 1 else None

    def _as_ids(self, path: Path, value: Any) -> Any:
        """Return a value with names in the place of ids as the ids that they name."""
        known = self._known(path)
        if isinstance(value, list) and known:
            return [self._as_id(path, each, known) for each in value]
        return self._as_id(path, value, known)

    def _as_id(self, path: Path, value: Any, known: Sequence[str]) -> Any:
        if not isinstance(value, str) or not known or self.world is None:
            return value
        from turnwright.rulesets.reference_lookup import id_meant, kind_of

        return id_meant(self.world, kind_of(self.model, str(path[0])), value, known)

    def _is_unknown_id(self, path: Path, value: Any) -> bool:
        """Return whether a number given as an id matches no known id."""
        got = value_at(self.args, path)
        return isinstance(got, (int, float)) and bool(known := self._known(path)) and value not in known

    def _known(self, path: Path) -> Sequence[str]:
        """Return the ids that may stand at a place, or in the list there."""
        narrowed = self.legal.get(str(path[0]), ()) if path else ()
        if isinstance(narrowed, Mapping):
            wanted = schema_at(narrowed, path[1:])
            ids = wanted.get("enum") or wanted.get("items", {}).get("enum") or ()
        else:
            ids = narrowed if len(path) == 1 else ()
        return [each for each in ids if isinstance(each, str)]

    def _likely(self, path: Path) -> list[Any]:
        """Return the values that a tool ranks itself, the likeliest first, whatever was given."""
        narrowed = self.legal.get(str(path[0]), ()) if path else ()
        return [*schema_at(narrowed, path[1:]).get("examples", ())] if isinstance(narrowed, Mapping) else []

    def _choices(self, path: Path, got: Any) -> list[Any]:
        """Return the choices at a place."""
        from turnwright.model.fuzzy_match import nearest

        if likely := self._likely(path):
            return likely
        wanted = schema_at(schema_of(self.model), path)
        known = self._known(path)
        is_list = wanted.get("type") == "array"
        words = wanted.get("items", {}) if is_list else wanted
        if not known and is_list:
            words = schema_at(schema_of(self.model), [*path, 0])
        some: list[Any] = list(known) or [*words.get("enum", ())]
        if got is not None:
            some = [*nearest(got, filter(_is_text, some)), *(each for each in some if not _is_text(each))]
        return [[each] for each in some] if is_list else some


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _why_no_json(got: str) -> str:
    """Return where the JSON of a text breaks, where it was meant for some."""
    from turnwright.protocol.stage3_tools.repair.loose_json import read_loosely

    if not got.lstrip().startswith(("{", "[", "```")):
        return ""
    why = read_loosely(got).why
    return f", not a text; {why}" if why else ", not a text of it"


def called_by(model: type[Model], path: Sequence[str | int], got: Any, world: World | None) -> hint.Bearers:
    """Return the ids of what has the given text for a name, where an argument holds ids."""
    from turnwright.rulesets.reference_lookup import called, kind_of  # only what fails needs it

    return called(world, kind_of(model, str(path[0])), got) if world else {}


def choices_for(model: type[Model], name: str, legal: Legal) -> list[Any]:
    """Return what there is to choose from for an argument that is absent."""
    return _FaultReporter(model, {}, legal, "", None)._choices((name,), None)


def keys_at(model: type[Model], path: Sequence[str | int]) -> list[str]:
    """Return the keys that are known where an unknown one stands."""
    return list(schema_at(schema_of(model), path[:-1]).get("properties", {}))
