"""A pack as its author writes it: a folder with `pack.json` and entries, read and checked as a whole.

    pack.json            what the pack is
    <kind>.jsonl         entries, one a line
    <kind>/<id>.json     one entry a file
    *.md, *.txt, LICENSE texts for people

A line whose first character is `#` is a comment. Source: docs/content.md, "Write a pack".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import Field, ValidationError

from turnwright.content.compiled import MAX_ENTRIES, MAX_ENTRY_BYTES, compact, hash_of
from turnwright.content.kinds import KINDS, MODEL_OF
from turnwright.content.kinds.entry import described, listed_as
from turnwright.content.pack import FORMAT, LoadedPack, Manifest
from turnwright.content.references import references_in
from turnwright.model.base import DEVICES, ListOf, Model, Text
from turnwright.model.error_text import faults_of, sentence
from turnwright.model.fuzzy_match import did_you_mean, nearest
from turnwright.model.schema_path import schema_at, schema_of
from turnwright.model.strict_json import JsonError, parse_json

if TYPE_CHECKING:
    from turnwright.content.compiled import Entries

MANIFEST_FILE = "pack.json"
MAX_FILE_BYTES = 1 << 24
"""The most bytes of a file of a pack."""
MAX_PACK_BYTES = 1 << 26
"""The most bytes of a pack."""
MAX_FILES = 20_100
_MAX_DEPTH = 24
_MAX_PROBLEMS = 200
_PACK_ID = re.compile(r"[a-z][a-z0-9]*([._-][a-z0-9]+)*")
_MAX_PACK_ID = 64
_TEXT_FILE = re.compile(r"[A-Za-z0-9][\w. -]*\.(md|txt)|LICENSE|NOTICE", re.ASCII)
_LINES = re.compile(r"(?P<kind>\w+)\.jsonl", re.ASCII)
_ENTRY = re.compile(r"(?P<kind>\w+)/(?P<id>[^/]+)\.json", re.ASCII)
_COMMENT = re.compile(rb"^[ \t]*#.*$", re.MULTILINE)

SourceFiles = Mapping[str, bytes]
"""The contents of the files of a pack, by path below its folder, with forward slashes."""


def is_pack_id(text: str) -> bool:
    """Return whether a text can be the id of a pack: it is the name of a folder, too."""
    return len(text) <= _MAX_PACK_ID and bool(_PACK_ID.fullmatch(text)) and text.partition(".")[0] not in DEVICES


class PackProblem(NamedTuple):
    """One thing that is wrong with a pack.

    Attributes:
        file: where it is, below the folder of the pack.
        line: its line in the file, from 1; 0 where the file holds one entry.
        entry: the entry, as kind and id; "" where it is not about one.
        path: the JSON path in the entry, or in the file.
        message: what is wrong.
    """

    file: str
    line: int
    entry: str
    path: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return "  ".join(part for part in (place, self.entry, self.path, self.message) if part)

    def as_json(self) -> dict[str, Any]:
        """Return it for a program."""
        told = self._asdict()
        return {key: told[key] for key in told if told[key] not in ("", 0)}


class ManifestFile(Model):
    """`pack.json`: the description of a pack."""

    format: int = Field(strict=True, description=f"The format of packs; {FORMAT}.")
    id: Text = Field(description="The id that campaigns use, such as my-monsters.")
    title: Text = Field(min_length=1, max_length=200, description="The display name.")
    version: Text = Field(default="", max_length=64, description="Your version of it.")
    license: Text = Field(default="", max_length=200, description="Under which it may be used, best an SPDX id.")
    attribution: Text = Field(default="", max_length=4000, description="The notice required with every copy.")
    sources: ListOf[Text] = listed_as("Where its content comes from.")
    requires: ListOf[Text] = listed_as("Packs that its entries refer to.")
    description: Text | None = described("For people.")


@dataclass(slots=True)
class PackSource:
    """A pack that was read, and everything that is wrong with it.

    Attributes:
        manifest: the values in `pack.json`; None where it cannot be used.
        entries: the entries that can be used, by kind and id.
        problems: the problems of the rest.
    """

    manifest: Manifest | None = None
    entries: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    problems: list[PackProblem] = field(default_factory=list)
    where: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many entries can be used."""
        return sum(map(len, self.entries.values()))

    def loaded(self) -> LoadedPack:
        """Return the pack, ready for lookups; there must be no problem."""
        assert self.manifest is not None
        return LoadedPack(self.manifest, hash_of(self.manifest, self.entries), self.entries)


def read_pack(files: SourceFiles) -> PackSource:
    """Read a pack and check every entry by itself. `check_references` checks the references between them."""
    source = PackSource()
    source.manifest = _manifest(files, source)
    for path in sorted(files):
        if len(source.problems) > _MAX_PROBLEMS:
            source.problems[_MAX_PROBLEMS:] = [PackProblem("", 0, "", "", "there are more problems")]
            break
        _read_file(path, files[path], source)
    if source.count > MAX_ENTRIES:
        source.problems.append(PackProblem("", 0, "", "", f"has {source.count} entries, of at most {MAX_ENTRIES}"))
    return source


def check_references(source: PackSource, others: Sequence[Entries]) -> None:
    """Add a problem for each reference of an entry to one that neither the pack nor the packs it requires have.

    Args:
        source: the pack.
        others: the ids of the required packs' entries, by kind.
    """
    known = {kind: {*source.entries.get(kind, ())} for kind in KINDS}
    for other in others:
        for kind in KINDS:
            known[kind].update(other.get(kind, ()))
    for kind, entries in source.entries.items():
        for entry_id, value in entries.items():
            for path, kinds, meant in references_in(kind, value):
                if not any(meant in known[each] for each in kinds):
                    file, line = source.where[kind, entry_id]
                    guess = did_you_mean(meant, [name for each in kinds for name in known[each]])
                    told = f"{meant} is in neither this pack nor the packs that it requires{guess}"
                    source.problems.append(PackProblem(file, line, f"{kind}/{entry_id}", path, told))


def _manifest(files: SourceFiles, source: PackSource) -> Manifest | None:
    if MANIFEST_FILE not in files:
        source.problems.append(PackProblem(MANIFEST_FILE, 0, "", "", "is missing; `turnwright content new` makes one"))
        return None
    before = len(source.problems)
    value = _parsed(MANIFEST_FILE, 0, files[MANIFEST_FILE], source)
    if len(source.problems) > before:
        return None
    try:
        told = ManifestFile.model_validate(value)
    except ValidationError as error:
        source.problems += _faults(MANIFEST_FILE, 0, "", ManifestFile, value, error)
        return None
    if told.format != FORMAT:
        why = f"must be {FORMAT} (got {told.format}); a newer turnwright may read it"
        source.problems.append(PackProblem(MANIFEST_FILE, 0, "", "$.format", why))
        return None
    for place, name in (("$.id", told.id), *((f"$.requires[{at}]", name) for at, name in enumerate(told.requires))):
        if not is_pack_id(name):
            why = f"must be words of lower-case letters and digits, joined by -, _ or . (got {name!r})"
            source.problems.append(PackProblem(MANIFEST_FILE, 0, "", place, why))
            return None
    return Manifest(
        told.id, told.title, told.version, told.license, told.attribution, tuple(told.sources), tuple(told.requires)
    )


def _read_file(path: str, data: bytes, source: PackSource) -> None:
    if path == MANIFEST_FILE or _TEXT_FILE.fullmatch(path):
        return
    whole, single = _LINES.fullmatch(path), _ENTRY.fullmatch(path)
    match = whole or single
    if match is None or match["kind"] not in KINDS:
        known = [f"{kind}.jsonl" for kind in KINDS]
        guess = did_you_mean(path, [*known, MANIFEST_FILE]) or f"; entries are in {known[0]}, {KINDS[0]}/ and so on"
        source.problems.append(PackProblem(path, 0, "", "", f"is no file of a pack{guess}"))
        return
    kind = match["kind"]
    if single:
        _read_entry(kind, path, 0, data, source, due=single["id"])
        return
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip() and not line.lstrip().startswith(b"#"):
            _read_entry(kind, path, number, line, source)


def _read_entry(kind: str, file: str, line: int, data: bytes, source: PackSource, due: str | None = None) -> None:
    before = len(source.problems)
    value = _parsed(file, line, data, source)
    if len(source.problems) > before:
        return
    entry_id = value.get("id") if isinstance(value, dict) else None
    label = f"{kind}/{entry_id}" if isinstance(entry_id, str) else ""
    model = MODEL_OF[kind]
    try:
        entry = model.model_validate(value)
    except ValidationError as error:
        source.problems += _faults(file, line, label, model, value, error)
        return
    if due is not None and entry.id != due:
        source.problems.append(PackProblem(file, line, label, "$.id", f"must be the name of the file, {due}"))
    elif entry.id in source.entries.get(kind, {}):
        other, number = source.where[kind, entry.id]
        place = f"{other}:{number}" if number else other
        source.problems.append(PackProblem(file, line, label, "$.id", f"is also the id of an entry in {place}"))
    elif len(compact(entry.as_written)) > MAX_ENTRY_BYTES:
        source.problems.append(PackProblem(file, line, label, "$", f"is longer than {MAX_ENTRY_BYTES} bytes"))
    else:
        source.entries.setdefault(kind, {})[entry.id] = entry.as_written
        source.where[kind, entry.id] = (file, line)


def _parsed(file: str, line: int, data: bytes, source: PackSource) -> Any:
    """Return the JSON of an entry or of the manifest, without comments; None and a problem where it is none."""
    try:
        return parse_json(_COMMENT.sub(b"", data), max_bytes=MAX_FILE_BYTES, max_depth=_MAX_DEPTH)
    except JsonError as error:
        source.problems.append(PackProblem(file, line, "", "$", f"is no JSON: {error}"))
        return None


def _faults(
    file: str, line: int, label: str, model: type[Model], value: Any, error: ValidationError
) -> Iterator[PackProblem]:
    """Yield the problems of an entry, one for each place."""
    told: dict[str, dict[str, None]] = {}
    for fault in faults_of(error):
        loc = _real_path(value, fault["loc"], is_missing=fault["type"] == "missing")
        message = sentence(fault)
        if fault["type"] == "extra_forbidden":
            known = nearest(loc[-1], schema_at(schema_of(model), loc[:-1]).get("properties", {}), 1)
            message = "is no known key" + (f"; the nearest one is {known[0]}" if known else "")
        told.setdefault(_json_path(loc), {})[message] = None
    for path, messages in told.items():
        yield PackProblem(file, line, label, path, ", or ".join(messages))


def _real_path(value: Any, loc: Sequence[str | int], *, is_missing: bool) -> tuple[str | int, ...]:
    """Return a path without the steps that only say which branch of a union was tried."""
    path: list[str | int] = []
    for place, step in enumerate(loc):
        if (isinstance(value, dict) and step in value) or (isinstance(value, list) and isinstance(step, int)):
            path.append(step)
            value = value[step]  # type: ignore[index]
        elif is_missing and place == len(loc) - 1:
            path.append(step)
    return tuple(path)


def _json_path(loc: Sequence[str | int]) -> str:
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in loc)
