"""Short forms of tools: a line such as `/attack goblin` becomes a call, and only what it leaves out is asked for.

Rulesets declare them. Each call is tried by a dry run first, whose dice are others and are not shown, so that nothing
is recorded which the engine would refuse. Source: docs/agents.md, "Play without a model".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from turnwright.cli._asking import leaves, says_yes
from turnwright.cli._output import echo_table, safe
from turnwright.model.authority import GM, as_player, player_of
from turnwright.model.character import CharacterState
from turnwright.model.fuzzy_match import probable
from turnwright.model.json_types import JsonObject
from turnwright.model.strict_json import JsonError, parse_json
from turnwright.model.wire.record import as_failed_call
from turnwright.protocol.stage0_prepare.prepare import legal_tools
from turnwright.rulesets.fifth_edition.fights.running import fight_now
from turnwright.rulesets.in_use import tables_of
from turnwright.rulesets.play_commands import (
    Line,
    PlayCommand,
    PlayMoment,
    Slot,
    name_of,
    named,
    options_of,
    read_answer,
    read_line,
    read_square,
    unknown_name,
)
from turnwright.rulesets.story import describe_failed_call
from turnwright.rulesets.toolbox import tools_of
from turnwright.toolset.calls import completed_args
from turnwright.toolset.role import Role

if TYPE_CHECKING:
    from turnwright.cli.play.session import Session
    from turnwright.model.json_types import JsonValue
    from turnwright.model.state.overlay import World
    from turnwright.model.wire.shapes import FailedCall, Hint, ReceivedTurn, Reply
    from turnwright.rulesets.play_commands import Options, Typed, Values

_CALL_ID = "call_001"
_TOOLS = "tools"
"""The group of a tool that is called by its own name."""
_OF_ACTOR = "move"
"""The tool that is about the acting character itself."""
_MAX_QUESTIONS = 12
"""How often a call is tried and mended, at the most."""
_MAX_SHOWN = 20
_MAX_WORDS = 160
"""Characters of words that are told back."""
_TOP_LEVEL = re.compile(r"args\.([a-z_]+)(?:(?:\[[0-9]+\]|\.[0-9]+)\.([a-z_]+))?")
_SQUARES = ("target_position", "target_end")
_GIVEN = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)")
_PATH = re.compile(r"^args(?:\.[A-Za-z0-9_]+|\[[0-9]+\])*: ")
"""The path of an argument in a call: the person typed no such path."""
_BACK = "back"


class _Back(Exception):
    """The person wants the question before this one."""


class _Instead(Exception):
    """The person typed another command in place of an answer."""

    def __init__(self, line: str) -> None:
        super().__init__(line)
        self.line = line


class _Gone(Exception):
    """The person leaves, or there are no more lines."""


class Found(NamedTuple):
    """A command that the campaign has.

    Attributes:
        name: the word behind the slash.
        command: what it stands for.
    """

    name: str
    command: PlayCommand

    @property
    def usage(self) -> str:
        """Return how the help shows it."""
        return " ".join([f"/{self.name}", *(slot.usage for slot in self.command.slots)])


class Unknown(NamedTuple):
    """An unknown name for a slot.

    Attributes:
        slot: the slot.
        text: what was typed.
        options: what to choose from: the one that was probably meant, or all.
        why: why it cannot be meant, where there is more to say than that.
    """

    slot: Slot
    text: str
    options: Options
    why: str | None


class ShortForms:
    """The short forms that the person at the keyboard of a session may use.

    Args:
        session: the session.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    def available(self) -> list[Found]:
        """Return the commands whose tools the person at the keyboard may call now, in the order of the rulesets."""
        allowed = self._allowed()
        with self._session.campaign.reading() as world:
            commands = self._commands(world)
            return [Found(name, command) for name, command in commands if _refusal(world, command, allowed) is None]

    def find(self, name: str) -> Found | None:
        """Return the command of a name, or a tool of the campaign that is called so; None where there is none."""
        with self._session.campaign.reading() as world:
            command = tables_of(world.campaign).commands.get(name)
            if command is None and name in tools_of(world.campaign):
                command = PlayCommand(name, _TOOLS, tools_of(world.campaign)[name].summary)
        return None if command is None else Found(name, command)

    def run(self, found: Found, line: str) -> None:
        """Make the call that a line stands for, once everything is known; whatever is wrong is told."""
        with self._session.campaign.reading() as world:
            command = found.command
            why = _refusal(world, command, self._allowed())
            if why is None and command.why_not is not None:
                why = command.why_not(self._moment(world, command))
        if why is not None:
            self._session.screen.warn(why)
            return
        try:
            args = self._whole_args(found, line)
        except _Gone:
            self._session.is_over = True
        except _Instead as instead:
            self._session.screen.note(f"/{found.name} was given up")
            self._session.take(instead.line, None)
        else:
            if args is not None:
                self._session.hand_in(self._turn(found.command.tool, args), self._authority())

    def complete(self, line: str) -> list[str]:
        """Return the lines that a beginning may become: names of commands, then what their next slot can be."""
        name, space, rest = line[1:].partition(" ")
        if not space:
            return sorted(f"/{found.name} " for found in self.available() if found.name.startswith(name.lower()))
        found = self.find(name.lower())
        if found is None or not found.command.slots:
            return []
        with self._session.campaign.reading() as world:
            moment = self._moment(world, found.command)
            return [f"/{name} {option}" for option in _completions(found.command, moment, rest)]

    # what may be called

    def _commands(self, world: World) -> Iterator[tuple[str, PlayCommand]]:
        yield from tables_of(world.campaign).commands.items()

    def _allowed(self) -> Collection[str] | None:
        """Return the tools that the person at the keyboard may call; None where that is every tool."""
        if self._authority() == GM:
            return None
        tools: Collection[str] = self._session.master.settings["players.tools"]
        return tools

    def _authority(self) -> str:
        """Return the door of the person at the keyboard: the game master calls everything."""
        session = self._session
        if session.is_game_master:
            return GM
        return session.seat if player_of(session.seat) is not None else as_player(session.acting_id() or "")

    # the arguments

    def _whole_args(self, found: Found, line: str) -> dict[str, JsonValue] | None:
        """Return the arguments of a call that would be applied; None where it was given up or cannot be made."""
        command = found.command
        extra: dict[str, JsonValue] = {}
        with self._session.campaign.reading() as world:
            moment = self._moment(world, command)
            is_tool = command.group == _TOOLS
            values, rest = Line({}, "") if is_tool else read_line(command, moment, line)
            extra |= typed_args(line) if is_tool else {}
        if rest:
            self._session.screen.warn(
                f"what does {rest[:_MAX_WORDS]!r} mean here? It is typed like this: {found.usage}"
            )
            return None
        asked: list[str] = []
        for _ in range(_MAX_QUESTIONS):
            try:
                if (slot := command.missing(values)) is not None:
                    values[slot.argument] = self._ask_slot(found, slot, values)
                    asked.append(slot.argument)
                    continue
                if (unknown := self._unknown(command, values)) is not None:
                    if unknown.why:
                        self._session.screen.warn(unknown.why)
                        return None
                    self._session.screen.warn(f"which of these is {unknown.text[:_MAX_WORDS]!r}?")
                    slot = unknown.slot
                    values[slot.argument] = self._ask(found, slot, values, unknown.options)
                    asked.append(slot.argument)
                    continue
                if (why := self._objection(command, values)) is not None:
                    self._session.screen.warn(why)
                    return None
                args = self._args(command, values, extra)
                failed = self._failure(command.tool, args)
                if failed is None:
                    return args
                name = self._mended(found, failed, values, extra)
            except _Back:
                if not asked:
                    self._session.screen.note(f"/{found.name} was given up")
                    return None
                for known in (values, extra):
                    known.pop(asked[-1], None)
                asked.pop()
                continue
            if name is None:
                return None
            asked += [name] if name else []
        self._session.screen.warn(f"/{found.name} cannot be made like this")
        return None

    def _unknown(self, command: PlayCommand, values: Values) -> Unknown | None:
        """Return the first slot for which something was typed that it cannot be."""
        with self._session.campaign.reading() as world:
            moment = self._moment(world, command)
            for slot in command.slots:
                if (text := unknown_name(slot, moment, values)) is not None:
                    options = options_of(slot, moment, values)
                    why = slot.why_not(moment, text) if slot.why_not is not None else None
                    return Unknown(slot, text, _likely(options, text), why)
        return None

    def _objection(self, command: PlayCommand, values: Values) -> str | None:
        """Return why what was typed means nothing now; None where it does."""
        if command.objection is None:
            return None
        with self._session.campaign.reading() as world:
            return command.objection(self._moment(world, command), values)

    def _args(self, command: PlayCommand, values: Values, extra: JsonObject) -> dict[str, JsonValue]:
        with self._session.campaign.reading() as world:
            args = {**command.args(self._moment(world, command), values), **extra}
            role = Role(self._authority(), acting_id=self._session.actor_id())
            whole = completed_args(world, command.tool, args, role)
        return dict(whole) if isinstance(whole, Mapping) else args

    def _failure(self, tool: str, args: JsonObject) -> FailedCall | None:
        """Return why the engine would refuse a call; None where it would apply it, with whatever dice fall."""
        reply: Reply = self._session.campaign.process(self._turn(tool, args), authority=self._authority(), dry_run=True)
        if reply["status"] == "refused":
            return as_failed_call({"id": "", "tool": tool, "status": "error", "detail": reply["detail"]})
        for failed in reply["tool_feedback"]["failed_calls"]:
            of_items = (failed.get("hint") or {}).get("items")
            return as_failed_call({**failed, **of_items[0]}) if of_items else failed
        for done in reply["applied_actions"]:
            for item in done["result"].get("results", ()):
                if isinstance(item, Mapping) and item.get("ok") is False:
                    return as_failed_call({"id": "", "tool": tool, **item})
        return None

    def _mended(self, found: Found, failed: FailedCall, values: Typed, extra: dict[str, JsonValue]) -> str | None:
        """Follow the hint of a failed call.

        Returns:
            The argument that a person gave; "" for a repair without a question, and None if nothing can be done.
        """
        hint: Hint = failed.get("hint") or {}
        field = _TOP_LEVEL.fullmatch(str(hint.get("field", "")))
        slots = {slot.argument: slot for slot in found.command.slots}
        slot = next((slots[key] for key in (field.groups() if field else ()) if key in slots), None)
        name = slot.argument if slot is not None else field[1] if field and field[2] is None else None
        if name is None:
            self._tell(failed)
            return None
        if hint.get("remove"):
            values.pop(name, None)
            extra.pop(name, None)
            return ""
        if hint.get("allowed"):
            self._give(slot, name, hint["allowed"][0], values, extra)
            return ""
        if hint.get("choices") == [True] and slot is None:
            self._tell(failed)
            if self._confirmed():
                extra[name] = True
                return name
            return None
        if hint.get("add") is not True:
            self._tell(failed)
            if not all(isinstance(choice, str | int) for choice in _flat(hint.get("choices", [None]))):
                return None
        asked = slot or Slot(name, name.upper(), name.removesuffix("_id").replace("_", " "))
        answer = self._ask(found, asked, values, self._options(hint, asked, found, values))
        before, got = values.get(name), hint.get("got")
        if isinstance(before, str) and isinstance(got, str) and isinstance(answer, str):
            answer = before.replace(got, answer, 1) if got in before else answer  # the rest of a list stays
        self._give(slot, name, answer, values, extra)
        return name

    def _confirmed(self) -> bool:
        """Ask whether what the engine would only do on a word of the person's is to be done."""
        while True:
            text = self._session.line("do it all the same, yes or no > ")
            if text is None or leaves(text):
                raise _Gone
            if text.startswith("/"):
                raise _Instead(text)
            if says_yes(text):
                return True
            if text.casefold() in ("", "n", "no", _BACK):
                return False
            self._session.screen.warn("yes or no, please")

    @staticmethod
    def _give(slot: Slot | None, name: str, value: Any, values: Typed, extra: dict[str, JsonValue]) -> None:
        (values if slot is not None else extra)[name] = value

    def _tell(self, failed: FailedCall) -> None:
        with self._session.campaign.reading() as world:
            knowledge = self._session.shown(world).knowledge(world)
            told = describe_failed_call(failed, knowledge, names_reason=False, has_hints=False)
            self._session.screen.warn(_PATH.sub("", told))

    # asking

    def _options(self, hint: Hint, slot: Slot, found: Found, values: Values) -> Options:
        with self._session.campaign.reading() as world:
            if choices := hint.get("choices"):
                return named(world, _flat(choices))
            return options_of(slot, self._moment(world, found.command), values)

    def _ask_slot(self, found: Found, slot: Slot, values: Values) -> Any:
        with self._session.campaign.reading() as world:
            options = options_of(slot, self._moment(world, found.command), values) if slot.kind == "name" else {}
        return self._ask(found, slot, values, options)

    def _ask(self, found: Found, slot: Slot, values: Values, options: Options) -> Any:
        """Ask until an answer can be read.

        Raises:
            _Back: for an empty line, or `back`.
            _Instead: for a line that is a command.
            _Gone: for words that leave.
        """
        names = list(options)[:_MAX_SHOWN]
        echo_table([[str(number), safe(name)] for number, name in enumerate(names, start=1)], indent="  ")
        if len(options) > len(names):
            self._session.screen.note(f"and {len(options) - len(names)} more, by name")
        how = "a number or a name" if names else "a number" if slot.kind == "number" else "a few words"
        how = "a square, such as 7,3" if _is_square(slot) else how
        self._session.screen.note(f"{how}; an empty line goes back, /quit leaves")
        while True:
            text = self._session.line(f"{slot.question} > ")
            if text is None or leaves(text):
                raise _Gone
            if text.startswith("/"):
                raise _Instead(text)
            if text.casefold() in ("", _BACK):
                raise _Back
            if names and text.isdecimal() and 0 < int(text) <= len(names):
                chosen = options[names[int(text) - 1]]
                return [chosen] if slot.is_list else chosen
            value = self._answer(found, slot, values, text)
            if value is not None:
                return value
            self._session.screen.warn(f"{how}, please")

    def _answer(self, found: Found, slot: Slot, values: Values, text: str) -> Any:
        with self._session.campaign.reading() as world:
            value = read_answer(slot, self._moment(world, found.command), values, text)
        if _is_square(slot):
            return read_square(text)
        return _plain(value) if slot not in found.command.slots else value

    # the moment

    def _moment(self, world: World, command: PlayCommand) -> PlayMoment:
        actor = self._session.actor_id()
        policy = Role(self._authority(), acting_id=actor).policy(world)
        legal = next((legal for _, legal in legal_tools(world, policy, (command.tool,))), {})
        fight = fight_now(world, actor)
        fighter = fight.current.character_id if fight is not None else None
        return PlayMoment(world, fighter or actor, legal)

    def _turn(self, tool: str, args: JsonObject) -> ReceivedTurn:
        turn: ReceivedTurn = {"tool_calls": [{"id": _CALL_ID, "tool": tool, "args": dict(args)}]}
        actor = self._session.actor_id()
        if actor is None or self._authority() != GM:
            return turn
        return {"actor_id": actor if tool == _OF_ACTOR else self._able(actor), **turn}

    def _able(self, actor_id: str) -> str:
        """Return the acting character, or where that one can do nothing any more, a member of the party who can.

        A hero who is down does not keep the game master from acting on others.
        """
        with self._session.campaign.reading() as world:
            some = [world.character(actor_id), *world.party()]
        able = [one.id for one in some if one is not None and one.state in (None, CharacterState.ALIVE)]
        return able[0] if able else actor_id


def _refusal(world: World, command: PlayCommand, allowed: Collection[str] | None) -> str | None:
    """Return why a command cannot be used; None where it can.

    Args:
        world: the campaign.
        command: the command.
        allowed: the tools that the person at the keyboard may call; None for every tool.
    """
    if command.tool not in world.campaign.allowlist:
        return f"this game does without that: its campaign does not allow {command.tool}"
    if allowed is None or command.tool in allowed:
        return None
    return "the game master does that: say what you want to do, or type /as gm"


def whose_turn(world: World, actor_id: str | None) -> str | None:
    """Return the name of whose turn it is in the fight that counts; without a fight, of the acting character."""
    fight = fight_now(world, actor_id)
    if fight is not None:
        return fight.current.name
    return name_of(world, actor_id) if actor_id else None


def typed_args(line: str) -> dict[str, JsonValue]:
    """Return arguments as they are typed for a tool by its own name: `key=value`, or one JSON object."""
    with suppress(JsonError):
        whole = parse_json(line)
        if isinstance(whole, dict):
            return whole
    args: dict[str, JsonValue] = {}
    key = None
    for word in line.split():
        if (found := _GIVEN.fullmatch(word)) is not None:
            key = found[1]
            args[key] = found[2]
        elif key is not None:
            args[key] = f"{args[key]} {word}"
    return {key: _plain(value) for key, value in args.items()}


def _likely(options: Options, text: str) -> Options:
    """Return the options that a name could be part of, else the one that it resembles, else all."""
    of_it = {name: value for name, value in options.items() if text.casefold() in name.casefold()}
    meant = probable(text, options)
    return of_it or ({meant: options[meant]} if meant else options)


def _flat(choices: Iterable[Any]) -> list[Any]:
    """Return choices of lists of one as that one."""
    return [choice[0] if isinstance(choice, list) and len(choice) == 1 else choice for choice in choices]


def _is_square(slot: Slot) -> bool:
    """Return whether a slot asks for a square of the grid."""
    return slot.argument in _SQUARES


def _plain(value: Any) -> Any:
    """Return a text as the JSON value that it is, such as a number; other words stay."""
    if not isinstance(value, str):
        return value
    with suppress(JsonError):
        return parse_json(value)
    return value


def _completions(command: PlayCommand, moment: PlayMoment, rest: str) -> list[str]:
    """Return the rests of a line with the name completed that it ends in."""
    found = []
    values: Typed = {}
    for slot in command.slots:
        for option in options_of(slot, moment, values) if slot.kind == "name" else ():
            for cut in range(len(rest), -1, -1):
                before, begun = rest[:cut], rest[cut:]
                if (not before or before.endswith(" ")) and begun and option.casefold().startswith(begun.casefold()):
                    found.append(f"{before}{option}")
                    break
            else:
                if not rest:
                    found.append(option)
    return list(dict.fromkeys(found))
