"""Slash commands of the terminal: lines that begin with a slash and are not messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from turnwright.cli._asking import says_yes
from turnwright.cli._output import COLOURS, echo_error, echo_reply, echo_table, finding_in_words, safe, state_word, word
from turnwright.cli._scene_view import echo_game, echo_line, echo_wrapped
from turnwright.cli._story_view import Telling
from turnwright.cli.play.account import deeds_of, dice_of, is_withheld
from turnwright.cli.play.looking import inventory, look, notes, quests, recap, sheet, spells
from turnwright.cli.play.seats import TABLE, authority_of
from turnwright.game_master.exchange import Said
from turnwright.model.authority import GM, as_player, player_of
from turnwright.model.dice.draws import Draw
from turnwright.model.errors import CampaignError
from turnwright.model.fuzzy_match import did_you_mean
from turnwright.model.viewer import Viewer
from turnwright.model.wire.record import as_record, as_reply
from turnwright.protocol.stage6_publish.publish import redact_failure
from turnwright.render.finding import marked
from turnwright.rulesets.beginning import OPENING_TURN
from turnwright.rulesets.play_commands import find_option, named
from turnwright.rulesets.story import describe_action, describe_failed_call

if TYPE_CHECKING:
    from turnwright.cli.play.session import Session
    from turnwright.model.state.overlay import World
    from turnwright.model.wire.shapes import Record, Reply, UndoneRecord
    from turnwright.render.finding import Reading

Json = Mapping[str, Any]
_BAR = 12
_MAX_TOLD = 160
"""Characters of what is taken back."""
_GROUP = 12
"""Columns of the help for the name of a group."""
_USAGE = 24
"""Columns of the help for how a command is typed."""


APPROVE = "agents.approve"
_APPROVALS = {
    "auto": "the model is the game master, and the engine alone checks what it wants",
    "review": "you see what the model wants before it is recorded, and say yes, no, or otherwise",
    "assist": "you are the game master, and the model proposes the calls that your words need",
    "human": "you are the game master, and no model is asked",
}


class SlashCommand(NamedTuple):
    """One word.

    Attributes:
        run: what it does.
        usage: how the help shows it.
        told: what it is for.
        group: the heading under which the help lists it.
        changes: whether it may change the campaign or begin a turn, which waits while another question is open.
    """

    run: Callable[[Session, str], None]
    usage: str
    told: str
    group: str
    changes: bool = False


def run(session: Session, line: str, *, between: bool = False) -> None:
    """Do what a line with a slash says; whatever is wrong with it is told, and the session goes on.

    Args:
        session: the session.
        line: the line.
        between: whether another question is open, so that only commands that change nothing are carried out.
    """
    name, _, rest = line[1:].partition(" ")
    found, form = WORDS.get(name.lower()), session.forms.find(name.lower())
    if found is None and form is None:
        known = [f"/{each}" for each in (*WORDS, *(form.name for form in session.forms.available()))]
        guess = did_you_mean(f"/{name.lower()}", known) or "; /help lists what there is."
        session.screen.warn(
            f"there is no /{name[:_MAX_TOLD]}{guess} Type two slashes to say a line that begins with one"
        )
        return
    if between and (found is None or found.changes):
        session.screen.warn(f"/{name} has to wait until this is answered; /quit leaves")
        return
    if found is not None and rest.strip() and " " not in found.usage:
        session.screen.warn(f"what does {rest.strip()[:_MAX_TOLD]!r} mean here? It is typed like this: {found.usage}")
        return
    try:
        if found is not None:
            found.run(session, rest.strip())
        elif form is not None:
            session.forms.run(form, rest.strip())
    except CampaignError as error:
        echo_error(error)
    except click.ClickException as error:
        session.screen.warn(error.format_message())


def _help(session: Session, topic: str) -> None:
    """List the commands in groups, or tell more of one group or of one command."""
    rows = [HelpRow(name, word.group, word.usage, word.told) for name, word in WORDS.items()]
    rows += [
        HelpRow(form.name, form.command.group, form.usage, form.command.summary) for form in session.forms.available()
    ]
    groups = list(dict.fromkeys(row.group for row in rows))
    wanted = topic.casefold().removeprefix("/")
    if wanted:
        chosen = [row for row in rows if wanted in (row.group, row.name)]
        if not chosen:
            guess = did_you_mean(wanted, [*groups, *(row.name for row in rows)])
            session.screen.warn(f"/help knows {', '.join(groups)}, and each command{guess}")
        for row in chosen:
            _echo_help(row)
        return
    for group in groups:
        names = " ".join(f"/{row.name}" for row in rows if row.group == group)
        echo_wrapped(names, f"{group:<{_GROUP}}")
    session.screen.note("/help fight, /help attack: more about a group, or about one command")
    if session.is_own_master:
        session.screen.note("you are the game master: whatever else you type is told; an unfinished command asks on")
        return
    session.screen.note(
        "begin with @NAME to speak to one character; an empty line lets the game go on; "
        "a \\ at the end of a line adds another"
    )


class HelpRow(NamedTuple):
    """A command as the help shows it."""

    name: str
    group: str
    usage: str
    told: str


def _echo_help(row: HelpRow) -> None:
    if len(row.usage) > _USAGE:
        echo_line(f"  {row.usage}")
    echo_wrapped(row.told, f"  {row.usage if len(row.usage) <= _USAGE else '':<{_USAGE}}  ")


def _quit(session: Session, _: str) -> None:
    session.is_over = True


def _map(session: Session, encounter: str) -> None:
    from turnwright.cli.map_command import echo_fight, echo_map
    from turnwright.rulesets.fifth_edition.fights.battlefield_rows import around_people
    from turnwright.rulesets.fifth_edition.fights.running import fight_now
    from turnwright.views.fight import fight_known_now, fight_of_players, fight_view
    from turnwright.views.state import map_of_player, map_view, require_member

    reader = session.reader()
    player = player_of(reader)
    with session.campaign.reading() as world:
        require_member(world, reader)
        actor = player or world.campaign.selected.active_actor_id
        running = fight_now(world, actor) if player is None else fight_known_now(world, actor)
        if wanted := encounter or (running.id if running else None):
            view = fight_view(world, wanted) if player is None else fight_of_players(world, wanted)
            echo_fight(replace(view, field=around_people(view.field)))
        else:
            echo_map(map_view(world) if player is None else map_of_player(world, player))


def _fight(session: Session, _: str) -> None:
    with session.campaign.reading() as world:
        running = session.fight_in(world)
    if running is None:
        session.screen.note("nobody fights now")
        return
    _map(session, running.id)


def _state(session: Session, _: str) -> None:
    from turnwright.cli.show_command import echo_state

    echo_state(session.path, None, session.reader(), shows_ids=session.seat == GM)


def _bars(session: Session, _: str) -> None:
    from turnwright.rulesets.fifth_edition.sheets.derived_stats import counted_hp
    from turnwright.views.state import game_view, unnamed

    with session.campaign.moment() as (world, last_turn):
        game = game_view(world, session.eyes(), last_turn)
        named = ((one.label if one.label != one.id else unnamed(one.id), one) for one in world.party())
        party = [(name, *counted_hp(one), one.state) for name, one in named]
    if game is not None:
        echo_game(game)
        return
    echo_table([[safe(name), word(state_word(state)), *_gauge(hp, most)] for name, hp, most, state in party])


def _gauge(hp: int | None, most: int | None) -> tuple[str, str]:
    if hp is None or not most:
        return "-" if hp is None else str(hp), ""
    full = max(0, min(_BAR, -(-hp * _BAR // most)))
    color = COLOURS["alive"] if hp * 2 > most else COLOURS["dying"]
    return f"{hp}/{most}", f"[{click.style('#' * full, fg=color)}{'-' * (_BAR - full)}]"


def _dice(session: Session, _: str) -> None:
    from turnwright.views.state import game_view

    with session.campaign.moment() as (world, last_turn):
        game = game_view(world, session.eyes(), last_turn)
    if game is not None:
        session.screen.dice([_as_draw(face) for face in game["dice_pool"]])
        if not game["dice_pool"]:
            session.screen.note("no dice are left")
        return
    exchange = session.last_turns if session.is_own_master else session.master.last_exchange()
    if not exchange:
        session.screen.note("nothing was said yet, so no dice were rolled")
        return
    draws = [draw for turn in exchange for draw in dice_of(session, turn) if draw["sides"]]
    session.screen.dice(draws)
    if player_of(session.seat) is not None:
        own = "these are the dice of your own character" if draws else "no dice of your own character were rolled"
        session.screen.note(f"{own} for the last message; /as table shows those of everyone in the open")
    elif not draws:
        where = "" if session.seat == GM else " in the open"
        session.screen.note(f"no dice were rolled{where} for the last message")


def _as_draw(face: int) -> Draw:
    return {"part": 0, "draw": 0, "sides": 6, "value": face, "why": "the pool", "given": False}


def _why(session: Session, _: str) -> None:
    """Tell the results of everything that was asked of the engine in the last exchange."""
    last = session.last
    if session.is_own_master or last is None:
        for turn in session.last_turns:
            _echo_shown(session, as_reply(turn))
        if not session.last_turns:
            session.screen.note("nothing was asked in this session yet")
        return
    is_player = player_of(session.seat) is not None
    told = {turn["seq"]: turn for turn in session.last_turns}
    told |= {reply["seq"]: session.attempts[reply["seq"]] for reply in last.replies if reply["seq"] in session.attempts}
    heard = {turn["seq"] for turn in session.heard(told.values())}
    unheard = told.keys() - heard
    if is_player and last.replies and session.speaker == session.seat:
        seen = session.campaign.project(last.replies[0], Viewer.of(session.seat), own=True)
        with session.campaign.reading() as world:
            telling = Telling(session.shown(world).knowledge(world), is_plain=True)
            echo_reply({"findings": [], **seen}, None, telling)
    for reply in last.replies:
        if reply["seq"] in unheard:
            continue
        if not is_player:
            _echo_shown(session, reply)
        elif reply["seq"] is not None:
            _echo_own(session, reply)
    if unheard:
        return  # what was asked for a whisper, and of which model, tells of it
    with session.campaign.reading() as world:
        shown = session.shown(world)
        knowledge = shown.knowledge(world)
        for call in (call for call in last.barred if shown.is_open(call["tool"])):
            told_of = call if knowledge.is_game_master else redact_failure(call)
            why = describe_failed_call(told_of, knowledge, names_reason=False)
            echo_line(f"  {word(call['status'])}  {safe(call['tool'])}  {safe(why)}")
    for asking in last.askings:
        failed = f", {asking.failure}" if asking.failure else ""
        tokens = f"{asking.input_tokens} + {asking.output_tokens} tokens"
        session.screen.note(f"{asking.agent} on {asking.model}: {asking.ms / 1000:.1f} s, {tokens}{failed}")
    if last.detail and not is_player:
        echo_wrapped(last.detail, "  ")


def _echo_shown(session: Session, reply: Reply) -> None:
    """Print a reply as the seat is shown it: by what could be seen when its turn was done."""
    record = next((turn for turn in session.last_turns if turn["seq"] == reply["seq"]), None)
    turn = record if record is not None or reply["seq"] is None else as_record(reply)
    with session.campaign.reading() as world:
        shown = session.shown(world, turn)
        reading = _reading(session, world, turn) if turn is not None else None
        echo_reply(shown.reply(reply, record), None, Telling(shown.knowledge(world), record, reading, is_plain=True))


def _echo_own(session: Session, reply: Reply) -> None:
    """Print to a player what happened to their character in a turn, and what was told otherwise in it."""
    record = next((turn for turn in session.last_turns if turn["seq"] == reply["seq"]), as_record(reply))
    with session.campaign.reading() as world:
        reading = _reading(session, world, record)
        shown = session.shown(world, record)
        for action in shown.own_actions(record):
            echo_line(f"  {word('applied')}  {safe(describe_action(action, shown.knowledge(world), record))}")
        for finding in marked(reply["findings"]):
            echo_line(f"  {finding_in_words(finding, reading, is_plain=True)}")


def _reading(session: Session, world: World, turn: Record) -> Reading:
    """Return how the seat reads the findings of a turn: the text of one that is no attempt was told, or withheld."""
    has_read = turn.get("kind") == "turn" and not is_withheld(turn)
    return session.reading(world, turn, is_now=session.is_last(turn), has_read=has_read)


def _say(session: Session, text: str) -> None:
    if not text:
        session.screen.warn("/say needs words: what your character says")
    elif session.is_own_master:
        session.hand_in(session.said(text).turn(), authority_of(session.seat))
        session.screen.note(f"{session.who_speaks()} says it")
    else:
        session.say(text, None)


def _hero(session: Session, name: str) -> None:
    with session.campaign.reading() as world:
        party = named(world, [member.id for member in world.party()])
    if not session.is_game_master:
        session.screen.warn("type /as NAME: who plays a character chooses no other")
    elif (found := find_option(party, name)) is None:
        session.screen.warn(f"/hero needs a name: {', '.join(party) or 'nobody is in the party'}")
    else:
        session.hero = found
        turn = session.who()
        name = session.name_of(found)
        session.screen.note(
            f"{name} acts" if turn == name else f"{name} acts after the fight; it is the turn of {turn}"
        )


def _approve(session: Session, mode: str) -> None:
    from turnwright.model.settings import REGISTRY

    modes = REGISTRY[APPROVE].choices
    if not mode:
        session.screen.note(f"{session.approval}: {_APPROVALS[session.approval]}")
    elif mode not in modes:
        session.screen.warn(f"/approve takes one of {', '.join(modes)}")
    elif session.is_scene_game and mode in ("assist", "human"):
        session.screen.warn("a scene game needs a model as its game master; auto and review are possible")
    elif not session.has_model and mode != "human":
        session.screen.warn("no model is there to decide about: begin again with --model NAME")
    else:
        session.master.choose(APPROVE, mode)
        session.screen.note(f"from now on {_APPROVALS[mode]}")


def _safety(session: Session, _: str) -> None:
    avoided: Sequence[str] = session.master.settings["agents.avoid"]
    told = ", ".join(avoided) or "nothing was named"
    session.screen.note(f"what must not occur: {told}; `turnwright set` changes agents.avoid")


def _cost(session: Session, _: str) -> None:
    if not session.has_model:
        session.screen.note("no model is asked, so nothing is used up")
        return
    spending, settings = session.master.spending, session.master.settings
    askings = session.last.askings if session.last is not None else []
    if askings:
        last = askings[-1]
        took = f"{last.input_tokens:,} tokens, and {last.output_tokens:,} for the answer"
        session.screen.note(f"the last question to {last.model}: {took}")
    used = f"this session: {spending.questions} questions, {spending.input_tokens:,} tokens read and "
    cost = f", ${spending.cost:.4f}" if spending.is_cost_known else ""
    most = spending.bound(settings)
    bound = f" of {most:,} (agents.session_tokens)" if most else ""
    session.screen.note(f"{used}{spending.output_tokens:,} written, {spending.tokens:,} in all{bound}{cost}")
    size = session.master.question_size()
    session.screen.note(
        f"the next question takes about {size.tokens:,} tokens, {size.of_tools:,} of them for {size.tools} tools; "
        "fewer with --set agents.profile=core or tiny"
    )


def _undo(session: Session, mark: str) -> None:
    if player_of(session.seat) is not None:
        session.screen.warn("only the table or gm can undo; type /as table")
        return
    since = [] if session.is_own_master else session.master.last_exchange()
    wanted = mark or (f"#{since[0]['seq']}" if since else None)
    planned = [each for each in session.campaign.undo(wanted, dry_run=True)["undone"] if each["kind"] != "undo"]
    if not mark and [entry["turn_id"] for entry in planned] == [OPENING_TURN]:
        session.screen.warn("nothing was done yet; `/undo opening` takes back even how it began")
        return
    told = [_as_told(session, entry) for entry in planned]
    if len(planned) > 1 and not since:
        for line in told:
            echo_wrapped(line, "  takes back ")
        answer = session.line("take all this back, yes or no > ") or ""
        if not says_yes(answer):
            session.screen.note("nothing was taken back")
            if answer.startswith("/"):
                session.take(answer)
            return
    session.campaign.undo(wanted)
    session.screen.note(f"taken back: {'; '.join(told) if since or len(told) == 1 else f'{len(told)} records'}")
    session.note_undone()
    session.ask_anew()
    if since and (said := since[0].get("user_input")) and not mark and session.heard(since[:1]):
        session.screen.note(f"it began with: {said[:200]}")
    session.screen.note("/redo brings it back")


def _as_told(session: Session, entry: UndoneRecord) -> str:
    """Return what a record did, in words, or where it did nothing that can be told, what was said in it."""
    record = session.master.chronicle.record(entry["seq"])
    name = entry["turn_id"] or f"record {entry['seq']}"
    if record is None or not session.heard([record]):
        return name
    deeds = "; ".join(deeds_of(session, record))
    words = deeds or record.get("assistant_text", "") or record.get("user_input", "")
    return f"{name}: {words[:_MAX_TOLD]}{'...' if len(words) > _MAX_TOLD else ''}" if words else name


def _redo(session: Session, _: str) -> None:
    if player_of(session.seat) is not None:
        session.screen.warn("only the table or gm can undo; type /as table")
        return
    session.campaign.undo(last="undo")
    session.screen.note("what was taken back is there again")
    session.note_undone()
    session.ask_anew()


def _again(session: Session, _: str) -> None:
    if session.is_own_master:
        session.screen.note("no model is asked: you are the game master")
    elif session.master.is_due():
        session.exchange(Said())
    else:
        session.screen.note("nothing waits for the game master")


def _as(session: Session, name: str) -> None:
    with session.campaign.reading() as world:
        party = {one.id: one.label for one in world.party()}
    wanted = player_of(name) or name
    found = next((one for one, label in party.items() if wanted.lower() in (one.lower(), label.lower())), None)
    if wanted in (GM, TABLE) and found is None:
        _hand_on(session, wanted, "you all play" if wanted == TABLE else "you see what the game master sees")
    elif not wanted:
        session.screen.warn("/as needs a name: of a member of the party, `table`, or `gm`")
    elif found is None:
        guess = did_you_mean(wanted, [*party, *party.values()])
        session.screen.warn(f"{wanted} is not in the party{guess}")
    else:
        _hand_on(session, as_player(found), f"you are {party[found]}")


def _hand_on(session: Session, seat: str, told: str) -> None:
    """Change the seat; who has read everything is told in one line where things stand."""
    has_news = session.change_seat(seat)
    where = "" if has_news else session.where()
    session.screen.note(f"{told}; {where}" if where else told)


def _whisper(session: Session, rest: str) -> None:
    from turnwright.game_master.agents import find_addressee
    from turnwright.game_master.loop import NO_WHISPERS

    if session.is_scene_game:
        session.screen.warn(NO_WHISPERS)
        return
    text = rest if rest.startswith("@") else f"@{rest}"
    with session.campaign.reading() as world:
        addressee = find_addressee(world, text, player_of(session.seat))
    if addressee is None:
        session.screen.warn("no one else by that name is here; type /whisper NAME and what you say")
        return
    session.exchange(session.said(text, addressees=(addressee,), private=True))


def _resume(session: Session, _: str) -> None:
    session.campaign.resume()
    session.ask_anew()


WORDS: Mapping[str, SlashCommand] = {
    "look": SlashCommand(look, "/look", "where you are, who is here, where you can go", "look"),
    "map": SlashCommand(_map, "/map [FIGHT]", "the map, or the fight that runs", "look"),
    "fight": SlashCommand(_fight, "/fight", "the fight that runs, and whose turn it is", "look"),
    "sheet": SlashCommand(sheet, "/sheet [NAME]", "a character's values", "look"),
    "inventory": SlashCommand(inventory, "/inventory [NAME]", "what a character carries", "look"),
    "spells": SlashCommand(spells, "/spells [NAME]", "what a character can cast", "look"),
    "quests": SlashCommand(quests, "/quests", "what there is to do", "look"),
    "notes": SlashCommand(notes, "/notes", "what was noted for the game master", "look"),
    "recap": SlashCommand(recap, "/recap", "what was said and told last", "look"),
    "state": SlashCommand(_state, "/state", "where the campaign stands", "look"),
    "bars": SlashCommand(_bars, "/bars", "how the party is", "look"),
    "dice": SlashCommand(_dice, "/dice", "the dice thrown last, or the pool", "look"),
    "why": SlashCommand(_why, "/why", "the results of everything in the last exchange", "look"),
    "say": SlashCommand(_say, "/say ...", "what the acting character says, also without a model", "speak", True),
    "whisper": SlashCommand(
        _whisper, "/whisper NAME ...", "say something that only one character hears", "speak", True
    ),
    "as": SlashCommand(
        _as, "/as NAME", "hand the keyboard to a member of the party, to the table, or to gm", "speak", True
    ),
    "hero": SlashCommand(_hero, "/hero NAME", "as the game master: who of the party acts", "speak", True),
    "undo": SlashCommand(
        _undo, "/undo [TURN]", "take back the last exchange, or everything since a turn", "session", True
    ),
    "retcon": SlashCommand(_undo, "/retcon [TURN]", "the same", "session", True),
    "redo": SlashCommand(_redo, "/redo", "bring back what was taken back last", "session", True),
    "again": SlashCommand(_again, "/again", "let the game master try once more", "session", True),
    "approve": SlashCommand(_approve, "/approve [MODE]", "who decides: auto, review, assist or human", "session", True),
    "safety": SlashCommand(_safety, "/safety", "what must not occur in the story", "session"),
    "cost": SlashCommand(_cost, "/cost", "the tokens of the last question, and of the session", "session"),
    "resume": SlashCommand(_resume, "/resume", "go on with a scene game that was ended", "session", True),
    "help": SlashCommand(_help, "/help [WORD]", "all commands, or more about a group or a command", "session"),
    "quit": SlashCommand(_quit, "/quit", "leave; everything is kept", "session"),
}
"""Every word, in the order of the help."""
