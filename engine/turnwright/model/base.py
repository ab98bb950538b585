"""What all models share: frozen, closed to unknown keys, one JSON spelling."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import compress
from math import isfinite
from operator import is_not, itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    JsonValue,
    SerializerFunctionWrapHandler,
    Strict,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapSerializer,
    WrapValidator,
)
from pydantic_core import CoreSchema, PydanticCustomError

from turnwright.model.json_types import JsonObject
from turnwright.model.strict_json import MAX_INT, copied, sha256, sorted_json

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue

T = TypeVar("T")

SafeInt = Annotated[int, Strict(), Field(ge=-MAX_INT, le=MAX_INT)]
"""An integer that every JSON reader holds exactly; no booleans, no floats, no strings."""
Count = Annotated[int, Strict(), Field(ge=0, le=MAX_INT)]
"""A non-negative integer."""
Flag = Annotated[bool, Strict()]
"""A boolean; no 0, no "true"."""
Text = Annotated[str, Strict()]
"""A string."""
MAX_ID_LENGTH = 200
Id = Annotated[str, Strict(), Field(min_length=1, max_length=MAX_ID_LENGTH)]
"""The id of a character, an area or another document."""

ONE_LINE: dict[str, JsonValue] = {"not": {"pattern": r"\n"}}
"""For the schema of a text with a pattern: some readers take `$` for the place before a last line feed, too."""


def whole(value: Any) -> Any:
    """Return an integer as it is: `Literal` compares with ==, for which 1, 1.0 and true are the same."""
    if type(value) is not int:
        raise PydanticCustomError("int_type", "wants an integer")
    return value


def _frozen(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    # Only these models create such values, so one that comes back in `having` needs no second validation.
    return value if type(value) is MappingProxyType else MappingProxyType(dict(sorted(handler(value).items())))


def _thaw(value: JsonObject, handler: SerializerFunctionWrapHandler) -> Any:
    return handler(dict(value))


FrozenMap = Annotated[Mapping[str, T], WrapValidator(_frozen), WrapSerializer(_thaw)]
"""A read-only object with free keys, kept in the order of its keys."""


def _free_json(value: JsonObject) -> JsonObject:
    return MappingProxyType({str(key): sorted_json(item) for key, item in sorted(value.items())})


FreeMap = Annotated[Mapping[str, Any], AfterValidator(_free_json), WrapSerializer(_thaw)]
"""A read-only object whose values may be any JSON."""


def _not_kept(value: object) -> tuple[()]:
    del value
    return ()


NOT_KEPT = AfterValidator(_not_kept)
"""Marks a list that is read and checked but not kept: it follows from the rest, and is derived again when written."""


def listed(value: Any) -> Any:
    """Return a list as it is; anything else is refused."""
    # Lax tuples would also take sets and generators, whose order is undefined.
    if not isinstance(value, (list, tuple)):
        raise PydanticCustomError("list_type", "wants a list")
    return value


ListOf = Annotated[tuple[T, ...], BeforeValidator(listed)]
"""A JSON array, held as a tuple."""
SomeOf = Annotated[tuple[T, ...], Field(min_length=1), BeforeValidator(listed)]
"""A JSON array that is not empty, held as a tuple."""


def _finite(value: Any) -> Any:
    if type(value) not in (int, float) or not isfinite(value) or abs(value) > MAX_INT:
        raise PydanticCustomError("number_type", "wants a number")
    return value


Number = Annotated[
    int | float, BeforeValidator(_finite), WithJsonSchema({"type": "number", "minimum": -MAX_INT, "maximum": MAX_INT})
]
"""A finite number, whole or not."""


def is_empty(value: Any) -> bool:
    """Return whether an optional part of a document is absent and so not written."""
    return value is None or value is False or value == () or value == {} or (type(value) is int and value == 0)


def is_none(value: Any) -> bool:
    """Return whether an optional part that may well be 0 or false is absent and so not written."""
    return value is None


ABSENT: Any = Field(default=None, exclude_if=is_none)
"""An optional part that is not written when it is not there."""


def _written_part(value: Any) -> Any:
    if type(value) is tuple:
        return [dict(item) if type(item) is MappingProxyType else item.as_written for item in value]
    return value.as_written


def count_items(schema: "JsonSchemaValue") -> None:
    """Name the bounds of lists in an object as the dialect does; ours hide from pydantic that they are lists."""
    for node in schema.get("properties", {}).values():
        for branch in (node, *node.get("anyOf", ())):
            if branch.get("type") == "array":
                for bound, items in (("minLength", "minItems"), ("maxLength", "maxItems")):
                    if bound in branch:
                        branch[items] = branch.pop(bound)


class Model(BaseModel):
    """A frozen value that refuses unknown keys."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", ser_json_inf_nan="strings", hide_input_in_errors=True, defer_build=True
    )
    shared: ClassVar[frozenset[str]] = frozenset()
    """Optional parts that are models or lists of models, and large: their plain JSON is made once and shared."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> "JsonSchemaValue":
        schema = handler(core_schema)
        count_items(handler.resolve_ref_schema(schema))
        return schema

    def replace(self, **changes: Any) -> Self:
        """Return the value with these fields changed, revalidated."""
        fields = self.__dict__
        given = {name: fields[name] for name in self.__pydantic_fields_set__}
        value = type(self).model_validate(given | changes)
        before = fields if "_as_written" in fields else fields.get("_before")
        if before is not None:
            value.__dict__["_before"] = before
        return value

    @property
    def as_written(self) -> dict[str, Any]:
        """The value as plain JSON, in the order in which it is written; shared, and so not to be changed."""
        kept: dict[str, Any] | None = self.__dict__.get("_as_written")
        if kept is None:
            kept = self._written_as_before() or self._written()
            self.__dict__["_as_written"] = kept
        return kept

    def once(self, key: str, make: Callable[[Self], T]) -> T:
        """Return what `make` makes of the value, made once: it never changes."""
        name = "_" + key
        if name not in self.__dict__:
            self.__dict__[name] = make(self)
        kept: T = self.__dict__[name]
        return kept

    def _written_as_before(self) -> dict[str, Any] | None:
        """Dump what differs from the value that this one was made from; None unless the same keys are written."""
        before: dict[str, Any] | None = self.__dict__.pop("_before", None)
        if before is None:
            return None
        fields, now, written = type(self).model_fields, self.__dict__, before["_as_written"]
        values = _values_of(type(self))
        names = set(compress(fields, map(is_not, values(now), values(before))))
        fresh = self.model_dump(mode="json", by_alias=True, include=names - self.shared)
        fresh |= self._parts(names & self.shared)
        keys = {fields[name].alias or name for name in names}
        return {**written, **fresh} if keys & written.keys() == fresh.keys() else None

    def _written(self) -> dict[str, Any]:
        """Dump the value; parts named in `shared` are taken from what they keep themselves."""
        if not self.shared:
            return self.model_dump(mode="json", by_alias=True)
        written = self.model_dump(mode="json", by_alias=True, exclude=set(self.shared))
        parts = self._parts(self.shared)
        order = type(self).model_fields
        return {
            name: parts[name] if name in parts else written[name] for name in order if name in parts or name in written
        }

    def _parts(self, names: Iterable[str]) -> dict[str, Any]:
        """Return those of the parts named in `shared` that are written."""
        return {name: _written_part(value) for name in names if (value := getattr(self, name))}


@cache
def _values_of(model: type[Model]) -> Callable[[JsonObject], Sequence[Any]]:
    """Return what takes the values of a model's fields in their order, and one more: a getter of one gives no tuple."""
    return itemgetter(*model.model_fields, next(iter(model.model_fields)))


class Document(Model):
    """One JSON file of state."""

    collection: ClassVar[str] = ""
    """The folder of its files, with a trailing slash; empty for a single file."""
    single: ClassVar[str] = ""
    """The path of the one file of its kind; empty for those of a collection."""
    key: ClassVar[str] = "id"
    """The key that names the file in its collection."""

    extra: FreeMap = Field(default_factory=dict, exclude_if=is_empty, description="Kept verbatim, never read.")

    @classmethod
    def read_from(cls, path: str, value: Any) -> tuple[Self, str]:
        """Return the document that the JSON of a file holds, and the path where it belongs.

        Raises:
            ValidationError: when it holds none of this kind.
        """
        document = cls.model_validate(value, context=path)
        return document, document.path

    @property
    def path(self) -> str:
        """The file's path inside the campaign directory, with forward slashes."""
        return self.single or path_in(self.collection, getattr(self, self.key))

    @property
    def lookup(self) -> Collection[str]:
        """Tags for looking up the document besides its id; many documents may share a tag."""
        return ()

    def value(self) -> dict[str, Any]:
        """Return the document as plain JSON of the caller's own, in the order in which it is written."""
        value: dict[str, Any] = copied(self.as_written)
        return value

    def _written(self) -> dict[str, Any]:
        value = super()._written()
        if "extra" in value:
            value["extra"] = value.pop("extra")  # inherited, but least important to readers
        return value


class Entry(Document):
    """One document of a collection, in the file of its id."""

    id: Id

    @classmethod
    def path_of(cls, identifier: str) -> str:
        """Return the path of the document with this id."""
        return path_in(cls.collection, identifier)


NAME_TAG = "name:"
"""Prefix of tags that are names."""


def name_tag(name: str) -> str:
    """Return the tag by which a document with a name is found, whatever case and blanks the name is written with."""
    return NAME_TAG + " ".join(name.split()).casefold()


_PLAIN_NAME = r"[a-z0-9_-]{1,64}"
DEVICES = frozenset({"con", "prn", "aux", "nul"} | {f"{port}{digit}" for port in ("com", "lpt") for digit in range(10)})
"""Names that Windows keeps for itself, with any ending."""
_TAKEN = DEVICES | {"root"}


def path_in(collection: str, key: str | None) -> str:
    """Return the path of the document of a collection that has this key; `root.json` for the one without."""
    return f"{collection}{'root' if key is None else file_stem(key)}.json"


@lru_cache(maxsize=4096)
def file_stem(identifier: str) -> str:
    """Return the file name, without ending, of the document with this id.

    The id itself where every file system takes it; else `~` and the first 16 hex digits of its SHA-256, so that
    no id ever becomes a path. Source: docs/stages/README.md, "Files".
    """
    if re.fullmatch(_PLAIN_NAME, identifier) and identifier not in _TAKEN:
        return identifier
    return "~" + sha256(identifier)[:16]
