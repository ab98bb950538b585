"""From the bytes of a document's file to its value, with everything that is wrong on the way.

Source: docs/stages/README.md, "Files".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from turnwright.model.base import Document
from turnwright.model.campaign import CAMPAIGN_PATH, FORMAT
from turnwright.model.error_text import Fault, faults_of, sentence
from turnwright.model.fuzzy_match import nearest
from turnwright.model.schema_path import schema_at, schema_of
from turnwright.model.strict_json import MAX_DEPTH, JsonError, parse_json, pretty
from turnwright.model.wire.reason import Problem
from turnwright.store.document_table import NO_DOCUMENTS, DocumentTable
from turnwright.store.files import Files, Seen


def find_documents(files: Files, kinds: DocumentTable) -> dict[str, Seen]:
    """Return how every file looks that lies where a document would, by path."""
    found = {path: seen for path in _single_documents(files, kinds) if (seen := files.look(path))}
    for folder in folders_of_documents(files, kinds):
        if "/" in folder[:-1] and not _is_folder(files, folder.partition("/")[0]):
            continue
        for name, seen in files.listing(folder).items():
            if name.endswith(".json") and not name.startswith("."):
                found[folder + name] = seen
    return found


def _is_folder(files: Files, name: str) -> bool:
    """Return whether a campaign has this folder, in which others lie; a link is none, and `linked_folders` tells it."""
    seen = files.look(name)
    return seen is not None and seen.is_folder


def _single_documents(files: Files, kinds: DocumentTable) -> Iterable[str]:
    """Return the paths of single documents; of a ruleset that is not installed, each file that may be one."""
    if kinds.is_complete:
        return kinds.single
    return dict.fromkeys([*kinds.single, *(name for name in files.listing("") if kinds.model_of(name) is not None)])


def folders_of_documents(files: Files, kinds: DocumentTable) -> Iterable[str]:
    """Return the folders in which documents lie; of a ruleset that is not installed, every folder that may be one."""
    if kinds.is_complete:
        return kinds.collections
    names = (name for name, seen in files.listing("").items() if seen.is_folder and not name.startswith("."))
    return dict.fromkeys([*kinds.collections, *(f"{name}/" for name in names if f"{name}/" not in NO_DOCUMENTS)])


def read_document(files: Files, path: str, seen: Seen) -> tuple[bytes, list[Problem]]:
    """Return the bytes of a document's file; a file that is not regular is a problem."""
    if not seen.is_file:
        return b"", [Problem(path, "$", "file", "is not an ordinary file (a link, a folder or a device)")]
    try:
        return files.read(path), []
    except OSError as error:
        return b"", [Problem(path, "$", "file", f"cannot be read: {error.strerror}")]


def read_documents(files: Files, kinds: DocumentTable) -> tuple[dict[str, Document], list[Problem]]:
    """Return every document of a directory, by path, and all that is wrong with files where one would be."""
    documents: dict[str, Document] = {}
    problems: list[Problem] = []
    for path, seen in find_documents(files, kinds).items():
        data, faults = read_document(files, path, seen)
        document, faults = (None, faults) if faults else parse_document(path, data, kinds)
        problems += faults
        if document is not None:
            documents[path] = document
    return documents, problems


def parse_document(path: str, data: bytes, kinds: DocumentTable) -> tuple[Document | None, list[Problem]]:
    """Return the document in a file's bytes, or what is wrong with it."""
    try:
        value = parse_json(data, max_depth=MAX_DEPTH)
    except JsonError as error:
        return None, [Problem(path, "$", "json", str(error))]
    return document_from(path, value, kinds)


def holds_a_beginning(data: bytes, document: Document) -> bool:
    """Return whether a file holds only the beginning of a document, or nothing, as after a power cut."""
    return not data.strip(b"\0") or (data != (whole := pretty(document.as_written)) and whole.startswith(data))


def document_from(path: str, value: Any, kinds: DocumentTable) -> tuple[Document | None, list[Problem]]:
    """Return the document with this value, or what is wrong with it."""
    model = kinds.model_of(path)
    if model is None:
        return None, [Problem(path, "$", "unknown_file", "is no document that this version knows")]
    return validate_document(model, path, value)


def validate_document(model: type[Document], path: str, value: Any) -> tuple[Document | None, list[Problem]]:
    """Return the document of this model with this value, or what is wrong with it."""
    if path == CAMPAIGN_PATH and isinstance(value, Mapping) and _is_newer(value.get("format")):
        message = f"is of format {value['format']}; this version reads up to {FORMAT}, a newer turnwright is needed"
        return None, [Problem(path, "$.format", "format", message)]
    try:
        document, due = model.read_from(path, value)
    except ValidationError as error:
        return None, [_problem(path, model, fault) for fault in faults_of(error)]
    return (document, []) if due == path else (None, [misnamed(path, due)])


def misnamed(path: str, due: str) -> Problem:
    """Return what is wrong with a file that holds a document whose place is another."""
    message = f"holds a document whose file would be {due}"
    stem = due.rpartition("/")[2].removesuffix(".json")
    if re.search(rf"(?<![^\W_]){re.escape(stem)}(?![^\W_])", path.rpartition("/")[2]):
        message += "; it looks like a copy of that: move it out of the folder, or give it an id of its own"
    return Problem(path, "$", "file_name", message)


def _is_newer(number: Any) -> bool:
    return type(number) is int and number > FORMAT


def _problem(path: str, model: type[BaseModel], fault: Fault) -> Problem:
    loc = fault["loc"]
    message = sentence(fault)
    if fault["type"] == "extra_forbidden":
        known = nearest(loc[-1], schema_at(schema_of(model), loc[:-1]).get("properties", {}), 1)
        message = f"is no key that is known here; the nearest one is {known[0]}" if known else "is no known key"
    return Problem(path, json_path(loc), str(fault["type"]), message)


def json_path(loc: Any) -> str:
    """Return the JSON path of a place in a document."""
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in loc)
