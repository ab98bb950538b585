"""manage_party: the members of the party, and their roles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from turnwright.model.base import Id, ListOf, Model, SafeInt, Text, is_none
from turnwright.model.character import Character
from turnwright.model.party import Role
from turnwright.model.state.overlay import World
from turnwright.model.wire import hint
from turnwright.model.wire.reason import CallFailed, Reason
from turnwright.rulesets.core.people import require_character
from turnwright.rulesets.core.places import _members as members
from turnwright.rulesets.core.places.lookup import party_of
from turnwright.rulesets.reference_lookup import other_ids
from turnwright.rulesets.references import CharacterId, Choice, Name
from turnwright.rulesets.tool import Applied, Context
from turnwright.rulesets.toolkit import ToolkitArgs, toolkit

if TYPE_CHECKING:
    from turnwright.rulesets.core.shapes import ShownParty

Operation = Annotated[
    Literal["add", "remove", "list", "get", "set_role", "clear"],
    Choice(
        synonyms={
            "add": ("join", "recruit", "invite"),
            "remove": ("leave", "kick", "dismiss"),
            "list": ("members", "show", "list all"),
            "get": ("view", "member"),
            "set_role": ("role", "assign role", "change role"),
            "clear": ("disband", "empty"),
        }
    ),
]
RoleWord = Annotated[
    Role,
    Choice(
        synonyms={
            "leader": ("lead", "captain", "boss", "face"),
            "scout": ("explorer", "pathfinder", "lookout"),
            "healer": ("heal", "medic", "cleric"),
            "tank": ("defender", "frontliner", "front line"),
            "support": ("buffer", "helper"),
            "damage": ("dps", "striker", "damage dealer"),
            "utility": ("skills", "skill monkey", "jack of all trades"),
            "other": ("none", "misc"),
        }
    ),
]


class ManagePartyArgs(ToolkitArgs):
    """Arguments of `manage_party`."""

    only_for: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "role": ("set_role", "add", "clear"),
        "character_id": ("add", "remove", "get", "set_role", "clear"),
        "character_name": ("add", "remove", "get", "set_role", "clear"),
    }
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {"set_role": ("role",)}

    operation: Operation = Field(description="add, remove, list, get, set_role, or clear (all leave).")
    character_id: CharacterId | None = Field(
        default=None, description="The character, for add, remove, get and set_role."
    )
    character_name: Name | None = Field(default=None, description="The character, by name.")
    role: RoleWord | None = Field(
        default=None, description="Their role in the party; there is at most one leader. For set_role and add."
    )


class MemberResult(Model):
    """A member as they are now; class, level, max_hp and ac are null without a sheet."""

    character_id: Id
    name: Text
    class_: Text | None = Field(alias="class")
    level: SafeInt | None
    role: Text | None
    hp: SafeInt | None
    max_hp: SafeInt | None
    ac: SafeInt | None


class ManagePartyResult(Model):
    """The party as it is now; its parts depend on the operation."""

    members: ListOf[MemberResult] | None = Field(default=None, exclude_if=is_none, description="In the party's order.")
    size: SafeInt | None = Field(default=None, exclude_if=is_none)
    member: MemberResult | None = Field(
        default=None, exclude_if=is_none, description="The member that the call was about."
    )
    previous_role: Text | None = Field(default=None, description="Their former role, for set_role.")
    removed: SafeInt | None = Field(default=None, exclude_if=is_none, description="How many left.")


@toolkit(ManagePartyArgs, ManagePartyResult, example={"operation": "add", "character_id": "lena", "role": "healer"})
def manage_party(world: World, args: ManagePartyArgs, ctx: Context) -> Applied:
    """Manage who belongs to the party and their roles: add, remove, list, get, set_role, clear.

    Members act for the players and travel together with move_party. A member who leaves keeps everything; if it was the
    acting character, there is none until one is chosen. The first member to join becomes the acting character if there
    is none. Gives the members as they are now.
    """
    del ctx
    return _OPERATIONS[args.operation](world, args)


def _add(world: World, args: ManagePartyArgs) -> Applied:
    person = require_character(world, args.character_id, args.character_name, known=_strangers)
    if person.id in members.member_ids(world):
        detail = f"{person.id} is in the party already"
        raise CallFailed(Reason.CONFLICT, detail, _others(world, args, _strangers(world)))
    members.join(world, person)
    warnings = _given_role(world, person, args.role) if args.role is not None else ()
    return Applied({**_listed(world), "member": members.show_member(world, person)}, warnings)


def _remove(world: World, args: ManagePartyArgs) -> Applied:
    member = _require_member(world, args)
    shown = members.show_member(world, member)
    members.leave(world, [member.id])
    return Applied({**_listed(world), "member": shown, "removed": 1})


def _list(world: World, args: ManagePartyArgs) -> Applied:
    del args
    return Applied(_listed(world))


def _get(world: World, args: ManagePartyArgs) -> Applied:
    return Applied({"member": members.show_member(world, _require_member(world, args))})


def _set_role(world: World, args: ManagePartyArgs) -> Applied:
    member = _require_member(world, args)
    before = party_of(world).roles.get(member.id)
    warnings = _given_role(world, member, args.role) if args.role is not None else ()
    return Applied({"member": members.show_member(world, member), "previous_role": before}, warnings)


def _clear(world: World, args: ManagePartyArgs) -> Applied:
    _require_no_name(args)
    gone = members.member_ids(world)
    if gone:
        members.leave(world, gone)
    return Applied({**_listed(world), "removed": len(gone)})


def _given_role(world: World, member: Character, role: Role) -> tuple[str, ...]:
    demoted = members.give_role(world, member.id, role)
    return (f"{demoted} leads the party no more, and has no role now",) if demoted else ()


def _listed(world: World) -> ShownParty:
    shown = [members.show_member(world, member) for member in world.party()]
    return {"members": shown, "size": len(members.member_ids(world))}


def _require_member(world: World, args: ManagePartyArgs) -> Character:
    person = require_character(world, args.character_id, args.character_name, known=members.member_ids)
    if person.id not in members.member_ids(world):
        detail = f"{person.id} is not in the party"
        raise CallFailed(Reason.NOT_FOUND, detail, _others(world, args, members.member_ids(world)))
    return person


def _require_no_name(args: ManagePartyArgs) -> None:
    """Refuse a clear that names a character."""
    for name in ("character_id", "character_name"):
        if getattr(args, name) is not None:
            detail = f"args.{name}: clear lets everybody leave; for one of them to leave, use remove"
            raise CallFailed(Reason.INVALID_ARGS, detail, hint.ask("args.operation", "clear", ["remove"]))
    if args.role is not None:
        raise CallFailed(Reason.INVALID_ARGS, "args.role: goes with add and set_role alone", hint.remove("args.role"))


def _strangers(world: World) -> list[str]:
    return other_ids(world, members.member_ids(world))


def _others(world: World, args: ManagePartyArgs, ids: Sequence[str]) -> hint.Hint:
    """Return the hint that names other characters, by id or name as the call did."""
    if args.character_id is not None:
        return hint.name("args.character_id", args.character_id, ids)
    labels = [person.label for person in map(world.character, ids) if person]
    return hint.name("args.character_name", args.character_name, labels)


_OPERATIONS: Mapping[str, Callable[[World, ManagePartyArgs], Applied]] = {
    "add": _add,
    "remove": _remove,
    "list": _list,
    "get": _get,
    "set_role": _set_role,
    "clear": _clear,
}
