"""manage_notes: notes that the game master keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from turnwright.model.base import Count, Id, ListOf, Model, Text, is_none
from turnwright.model.json_types import JsonObject
from turnwright.model.note import Importance, Note, Tag
from turnwright.model.numbered import number_of
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import not_found
from turnwright.rulesets.references import Choice, NewLabel, NoteId
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

Operation = Annotated[
    Literal["add", "search", "get", "delete", "list"],
    Choice(
        synonyms={
            "add": ("create", "new", "write", "save", "take"),
            "search": ("find", "query", "filter"),
            "get": ("read", "show", "view"),
            "delete": ("remove", "erase"),
            "list": ("list all", "all"),
        }
    ),
]
ImportanceWord = Annotated[
    Importance,
    Choice(
        synonyms={
            "low": ("minor", "trivial"),
            "medium": ("normal", "default", "standard"),
            "high": ("important", "major"),
            "critical": ("urgent", "crucial", "vital"),
        }
    ),
]


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("says nothing")
    return text


class ManageNotesArgs(ToolkitArgs):
    """Arguments of `manage_notes`."""

    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "content": ("add",),
        "tags": ("add",),
        "importance": ("add",),
        "note_id": ("get", "delete"),
        "query": ("search",),
        "tag_filter": ("search",),
        "limit": ("list", "search"),
    }
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {"add": ("content",), "get": ("note_id",), "delete": ("note_id",)}

    operation: Operation = Field(description="add, search, get, delete or list notes.")
    content: Annotated[Text, Field(min_length=1, max_length=20_000), AfterValidator(_not_blank)] | None = Field(
        default=None, description="What to remember, for add.", json_schema_extra={"pattern": r"\S"}
    )
    tags: ListOf[NewLabel] | None = Field(default=None, description="Words to find it by, for add.")
    importance: ImportanceWord = Field(default="medium", description="How much it matters, for add.")
    note_id: NoteId | None = Field(default=None, description="Which note, for get and delete.")
    query: Text | None = Field(default=None, max_length=1000, description="For search: a text the note contains.")
    tag_filter: ListOf[Tag] | None = Field(default=None, description="For search: tags the note has, all of them.")
    limit: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] | None = Field(
        default=None, description="For list and search: the maximum number, newest first."
    )


class NoteResult(Model):
    """A note."""

    note_id: Id
    content: Text
    tags: ListOf[Text]
    importance: Importance
    turn: Count | None = Field(description="Number of the record in which it was taken.")


class ManageNotesResult(Model):
    """The note, or the notes found; its parts depend on the operation."""

    note: NoteResult | None = Field(default=None, exclude_if=is_none)
    notes: ListOf[NoteResult] | None = Field(default=None, exclude_if=is_none, description="The newest first.")
    count: Count | None = Field(
        default=None, exclude_if=is_none, description="How many fit, whether or not all are listed."
    )
    total: Count = Field(description="How many notes there are now.")


@toolkit(
    ManageNotesArgs,
    ManageNotesResult,
    example={"operation": "add", "content": "The innkeeper owes Aria a favor.", "tags": ["inn"], "importance": "high"},
    batch=True,
)
def manage_notes(world: World, args: ManageNotesArgs, ctx: Context) -> Applied:
    """Keep notes for later sessions: add, search, get, delete or list them.

    Note promises, discoveries and open threads; numbers that other tools keep need no note. Search looks for a text and
    for tags, in any case; both must fit. Take several notes at once with `batch`. Gives the note, or those found, the
    newest first.
    """
    return _OPERATIONS[args.operation](world, args, ctx)


def _add(world: World, args: ManageNotesArgs, ctx: Context) -> Applied:
    note = Note(
        id=world.new_id("note", Note),
        content=args.content or "",
        tags=args.tags or (),
        importance=args.importance,
        turn=ctx.seq,
    )
    world.put(note)
    return Applied({"note": show_note(note), "total": _total(world)})


def _search(world: World, args: ManageNotesArgs, ctx: Context) -> Applied:
    del ctx
    wanted = {tag.strip().casefold() for tag in args.tag_filter or ()}
    text = (args.query or "").casefold()
    found = [
        note
        for note in newest_first(world.all(Note))
        if text in note.content.casefold() and wanted <= {tag.strip().casefold() for tag in note.tags}
    ]
    return Applied({**_found(found, args), "total": _total(world)})


def _get(world: World, args: ManageNotesArgs, ctx: Context) -> Applied:
    del ctx
    return Applied({"note": show_note(_require_note(world, args)), "total": _total(world)})


def _delete(world: World, args: ManageNotesArgs, ctx: Context) -> Applied:
    del ctx
    note = _require_note(world, args)
    world.remove(note.path)
    return Applied({"note": show_note(note), "total": _total(world)})


def _list(world: World, args: ManageNotesArgs, ctx: Context) -> Applied:
    del ctx
    return Applied({**_found(newest_first(world.all(Note)), args), "total": _total(world)})


def newest_first(notes: Iterable[Note]) -> list[Note]:
    """Return notes, the newest first."""
    return sorted(notes, key=lambda note: number_of(note.id), reverse=True)


def show_note(note: Note) -> JsonObject:
    """Return a note as results show it."""
    return {
        "note_id": note.id,
        "content": note.content,
        "tags": list(note.tags),
        "importance": note.importance,
        "turn": note.turn,
    }


def _found(notes: list[Note], args: ManageNotesArgs) -> JsonObject:
    return {"notes": [show_note(note) for note in notes[: args.limit]], "count": len(notes)}


def _require_note(world: World, args: ManageNotesArgs) -> Note:
    wanted = args.note_id
    if wanted is None:
        raise CallFailed(Reason.INVALID_ARGS, "args.note_id: is required", hint.ask_for("args.note_id", ()))
    note = world.find(Note, wanted)
    if note is None:
        raise not_found(world, "note", "args.note_id", wanted)
    return note


def _total(world: World) -> int:
    return len(world.paths(Note.collection))


_OPERATIONS: Mapping[str, Callable[[World, ManageNotesArgs, Context], Applied]] = {
    "add": _add,
    "search": _search,
    "get": _get,
    "delete": _delete,
    "list": _list,
}
