"""The words of the terminal: lines that begin with a slash and are not said to anybody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from turnwright.cli._output import COLOURS, echo_error, echo_reply, echo_table, safe, word
from turnwright.cli._play_seats import TABLE, authority_of, eyes_of, player_of, shown_draws
from turnwright.cli._scene_view import echo_game, echo_line, echo_wrapped
from turnwright.dm.exchange import Said
from turnwright.model.errors import CampaignError
from turnwright.model.nearest import nearest
from turnwright.stages.publish import project
from turnwright.stages.settings import GM

if TYPE_CHECKING:
    from turnwright.cli._play_session import Session

_BAR = 12


class Word(NamedTuple):
    """One word: what it does, and how it is explained."""

    run: Callable[[Session, str], None]
    usage: str
    told: str


def run_word(session: Session, line: str) -> None:
    """Do what a line with a slash says; whatever is wrong with it is told, and the session goes on."""
    name, _, rest = line[1:].partition(" ")
    found = WORDS.get(name.lower())
    if found is None:
        guess = nearest(name.lower(), WORDS, 1)[0]
        session.screen.warn(f"there is no /{name}; did you mean /{guess}? Two slashes say a line that begins with one")
        return
    try:
        found.run(session, rest.strip())
    except CampaignError as error:
        echo_error(error, as_json=False)
    except click.ClickException as error:
        session.screen.warn(error.format_message())


def _help(session: Session, _: str) -> None:
    echo_table([[f"{found.usage}", found.told] for found in WORDS.values()], indent="  ")
    session.screen.note(
        "@NAME before your words speaks to somebody; an empty line goes on; a \\ at the end adds a line"
    )


def _quit(session: Session, _: str) -> None:
    session.is_over = True


def _map(session: Session, encounter: str) -> None:
    from turnwright.cli._views import map_of_player
    from turnwright.cli.map_command import command, echo_map

    fight = encounter or _fight(session)
    if fight is None and (player := player_of(_reader(session))) is not None:
        with session.campaign.reading() as world:
            view = map_of_player(world, player)
        echo_map(view)
        return
    assert command.callback is not None
    focus = {"svg": None, "full": False, "focus": None, "reach": False, "auras": False, "ascii": False}
    command.callback(session.path, fight, **focus)


def _fight(session: Session) -> str | None:
    """Return the fight that runs; then that is what a map is wanted of."""
    from turnwright.world.fights import fight_now

    with session.campaign.reading() as world:
        fight = fight_now(world, world.campaign.selected.active_actor_id)
    return fight.id if fight else None


def _state(session: Session, _: str) -> None:
    from turnwright.cli.show_command import command

    assert command.callback is not None
    command.callback(session.path, None, _reader(session), False)


def _reader(session: Session) -> str:
    """Return whose view is shown: the seat's; at a table where nobody acts, a member's; without a party, all of it."""
    if session.seat != TABLE:
        return session.seat
    with session.campaign.reading() as world:
        party = world.party()
    return eyes_of(TABLE, session.acting_id() or party[0].id) if party else GM


def _bars(session: Session, _: str) -> None:
    from turnwright.cli._views import game_view
    from turnwright.rules.effective import counted_hp

    with session.campaign.moment() as (world, last_turn):
        game = game_view(world, session.eyes(), last_turn)
        party = [(one.label, *counted_hp(one), one.state) for one in world.party()]
    if game is not None:
        echo_game(game)
        return
    echo_table([[safe(name), word(str(state or "unknown")), *_gauge(hp, most)] for name, hp, most, state in party])


def _gauge(hp: int | None, most: int | None) -> tuple[str, str]:
    if hp is None or not most:
        return "-" if hp is None else str(hp), ""
    full = max(0, min(_BAR, -(-hp * _BAR // most)))
    colour = COLOURS["alive"] if hp * 2 > most else COLOURS["dying"]
    return f"{hp}/{most}", f"[{click.style('#' * full, fg=colour)}{'-' * (_BAR - full)}]"


def _dice(session: Session, _: str) -> None:
    from turnwright.cli._views import game_view

    with session.campaign.moment() as (world, last_turn):
        game = game_view(world, session.eyes(), last_turn)
    if game is not None:
        session.screen.dice([_as_draw(face) for face in game["dice_pool"]])
        if not game["dice_pool"]:
            session.screen.note("no dice are left")
        return
    draws = [draw for turn in session.master.last_exchange() for draw in shown_draws(turn, session.seat)]
    session.screen.dice(draws)
    if not draws:
        session.screen.note("no dice were thrown for the last message")


def _as_draw(face: int) -> dict[str, Any]:
    return {"sides": 6, "value": face, "why": "the pool", "given": False}


def _why(session: Session, _: str) -> None:
    """Tell what became of everything that was asked of the engine in the last exchange."""
    last = session.last
    if last is None:
        session.screen.note("nothing was asked in this session yet")
        return
    is_player = player_of(session.seat) is not None
    for reply in last.replies:
        if not is_player:
            echo_reply(reply)
        elif (own := _own(session, reply)) is not None:
            echo_reply(own)
    for call in last.barred if not is_player else ():
        echo_line(f"  {word(call['status'])}  {safe(call['tool'])}  {safe(call['reason'])}: {safe(call['detail'])}")
    for asking in last.askings:
        failed = f", {asking.failure}" if asking.failure else ""
        tokens = f"{asking.input_tokens} + {asking.output_tokens} tokens"
        session.screen.note(f"{asking.agent} on {asking.model}: {asking.ms / 1000:.1f} s, {tokens}{failed}")
    if last.detail and not is_player:
        echo_wrapped(last.detail, "  ")


def _own(session: Session, reply: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what a player may see of what became of a turn of their own; None for a turn of anybody else."""
    record = session.master.chronicle.record(reply["seq"])
    if record is None or record["authority"] != session.seat:
        return None
    return {"findings": [], **project(record, session.seat)}


def _undo(session: Session, mark: str) -> None:
    if player_of(session.seat) is not None:
        session.screen.warn("nobody takes back for all; /as table may")
        return
    since = session.master.last_exchange()
    done = session.campaign.undo(mark or (f"#{since[0]['seq']}" if since else None))
    ids = [entry["turn_id"] or f"record {entry['seq']}" for entry in done["undone"]]
    session.screen.note(f"taken back: {', '.join(ids)}")
    if since and (said := since[0].get("user_input")) and not mark:
        session.screen.note(f"it began with: {said[:200]}")
    session.ask_anew()


def _again(session: Session, _: str) -> None:
    if session.master.is_due():
        session.exchange(Said())
    else:
        session.screen.note("nothing waits for the game master")


def _as(session: Session, name: str) -> None:
    with session.campaign.reading() as world:
        party = {one.id: one.label for one in world.party()}
    wanted = name.removeprefix("player:")
    found = next((one for one, label in party.items() if wanted.lower() in (one.lower(), label.lower())), None)
    if wanted in (GM, TABLE) and found is None:
        session.change_seat(wanted)
        session.screen.note("you all play" if wanted == TABLE else "you see what the game master sees")
    elif found is None:
        guess = nearest(wanted, [*party, *party.values()], 1)
        session.screen.warn(f"{wanted or 'nobody'} is not in the party{f'; did you mean {guess[0]}?' if guess else ''}")
    else:
        session.change_seat(f"player:{found}")
        session.screen.note(f"you are {party[found]}")


def _whisper(session: Session, rest: str) -> None:
    from turnwright.dm.agents import choose_agent

    text = rest if rest.startswith("@") else f"@{rest}"
    actor = player_of(session.seat)
    with session.campaign.reading() as world:
        addressees = choose_agent(world, text, actor_id=actor, private=True).addressees
    if not addressees:
        session.screen.warn("nobody of that name is here; /whisper NAME what you say")
        return
    session.exchange(Said(text, authority=authority_of(session.seat), addressees=addressees[:1], private=True))


def _resume(session: Session, _: str) -> None:
    session.campaign.resume()
    session.ask_anew()


WORDS: Mapping[str, Word] = {
    "help": Word(_help, "/help", "this list"),
    "map": Word(_map, "/map [FIGHT]", "the map, or the fight that runs"),
    "state": Word(_state, "/state", "where the campaign stands"),
    "bars": Word(_bars, "/bars", "how the party is"),
    "dice": Word(_dice, "/dice", "the dice thrown last, or the pool"),
    "why": Word(_why, "/why", "what became of everything in the last exchange"),
    "undo": Word(_undo, "/undo [TURN]", "take back the last exchange, or everything since a turn"),
    "again": Word(_again, "/again", "let the game master try once more"),
    "as": Word(_as, "/as NAME", "hand the keyboard to somebody of the party, to the table, or to gm"),
    "whisper": Word(_whisper, "/whisper NAME ...", "say something that only they hear"),
    "resume": Word(_resume, "/resume", "go on with a scene game that was ended"),
    "quit": Word(_quit, "/quit", "leave; everything is kept"),
}
"""Every word, in the order of the help."""
