"""turnwright answer."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from turnwright.cli._exit_codes import USAGE, code_of
from turnwright.cli._options import (
    campaign_argument,
    clock_of,
    json_option,
    now_option,
    require_authority,
    wait_option,
)
from turnwright.cli._output import echo_json, echo_reply
from turnwright.cli._story_view import RecentTurns
from turnwright.model.authority import GM, player_of
from turnwright.model.errors import BadRequest, CampaignError
from turnwright.model.viewer import Viewer

if TYPE_CHECKING:
    from turnwright.campaign.campaign import Campaign
    from turnwright.cli._dice_view import Describe
    from turnwright.model.dice.draws import DiceRequest, Wanted
    from turnwright.model.wire.shapes import AppliedAction, ConversationRequest, Reply


@click.command()
@campaign_argument
@click.argument("value", required=False)
@click.option("--as", "reader", default=GM, show_default=True, help="`gm`, or `player:ID` to answer as that player.")
@now_option
@wait_option
@json_option
def command(campaign: Path, value: str | None, reader: str, now: datetime | None, wait: float, as_json: bool) -> int:
    """Answer a turn that waits for dice, or else the open request of a scene game, with VALUE; without it, ask.

    For dice that people throw (`dice.source` = `table`): the faces in the order of the request, such as "14 3 5", or
    `cancel`, which gives up the turn. In a scene game: a die by its index; an option by its index or key; a text as it
    is, or the number of a suggestion; a new character as a JSON object, or `cancel`. `quit`, `exit` and `q` send
    nothing. Exit codes are those of `process`, and 64 when there is no VALUE and no terminal to ask at.
    """
    from turnwright.campaign.campaign import Campaign
    from turnwright.views.state import require_member

    require_authority(reader)
    with Campaign.open(campaign, clock_of(now), wait=wait) as opened:
        with opened.reading() as world:
            require_member(world, reader)
        # An answer for another player goes to the engine, whose reply says that it is not permitted.
        asked = opened.open_request(viewer=Viewer.of(reader if value is None else GM))
        if asked is None or (asked.is_table_dice and reader != GM):
            raise _not_asked(opened, reader)
        if asked.is_table_dice:
            return _throw(opened, campaign, cast("DiceRequest", asked.request), value, as_json=as_json)
        request = cast("ConversationRequest", asked.request)
        if value is None:
            if as_json:
                echo_json(request)
                return USAGE
            _show(request, campaign, reader)
            if not sys.stdin.isatty():
                return USAGE
        given, is_given = _asked(request) if value is None else _written(request["kind"], value)
        if not is_given:
            click.echo("nothing was sent", err=True)
            return 0
        answer = {"request_id": request["id"], "kind": request["kind"], "value": given}
        reply = opened.process({"answer": answer}, authority=reader)
        _tell(opened, reply, reader, as_json=as_json)
    return code_of(reply)


def _throw(campaign: Campaign, path: Path, request: DiceRequest, value: str | None, *, as_json: bool) -> int:
    """Hand in the dice that a turn waits for; a person at a terminal is asked for as many rounds as it takes."""
    from turnwright.cli._asking import Left
    from turnwright.cli._dice_view import ask_faces, echo_dice, read_faces
    from turnwright.cli._request_view import answer_command

    recent = RecentTurns(campaign)
    is_asked = value is None and not as_json and sys.stdin.isatty()
    if value is None and not is_asked:
        if as_json:
            echo_json(request)
        else:
            echo_dice(request, how=answer_command(path, GM))
        return USAGE
    while True:
        try:
            faces = ask_faces(request, _purpose_in(campaign)) if value is None else read_faces(value)
        except Left:
            click.echo("nothing was sent", err=True)
            return 0
        reply = campaign.process({"answer": {"request_id": request["request_id"], "value": faces}})
        if not (is_asked and reply["status"] == "waiting"):
            break
        request = reply["request"]
    if as_json:
        echo_json(reply)
    else:
        with recent.told(reply) as telling:
            echo_reply(reply, None, telling)
    return code_of(reply)


def _purpose_in(campaign: Campaign) -> Describe:
    """Return a function that says, with names, what a die is thrown for."""
    from turnwright.cli._dice_view import describe_for
    from turnwright.model.viewer import GAME_MASTER
    from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge

    def describe(die: Wanted) -> str:
        with campaign.reading() as world:
            return describe_for(WorldKnowledge(world, GAME_MASTER, shows_ids=True))(die)

    return describe


def _not_asked(campaign: Campaign, reader: str) -> BadRequest:
    """Return what to tell a reader who is asked nothing."""
    from turnwright.model.viewer import GAME_MASTER
    from turnwright.views.state import game_view

    other = campaign.open_request(viewer=GAME_MASTER)
    if other is not None and not other.is_table_dice:
        return BadRequest(f"nothing is asked of {player_of(reader)} now; {other.request['to']} is asked")
    with campaign.moment() as (world, last_turn):
        game = game_view(world, GM, last_turn)
    if game is None:
        return BadRequest("no turn waits for dice, and there is no scene game in this campaign: nothing is asked")
    from turnwright.cli._scene_view import awaited

    return BadRequest(f"nothing is asked of a player now; awaited is {awaited(game['awaiting'])}")


def _show(request: ConversationRequest, campaign: Path, reader: str) -> None:
    from turnwright.cli._request_view import answer_command, echo_how, echo_question, echo_request

    if sys.stdin.isatty():
        echo_question(request)
    else:
        echo_request(request)
        echo_how(request, answer_command(campaign, reader))


def _asked(request: ConversationRequest) -> tuple[Any, bool]:
    """Return what a person at the terminal answers, and whether they do."""
    from turnwright.cli._asking import Left, ask

    try:
        return ask(request), True
    except Left:
        return None, False


def _written(kind: str, text: str) -> tuple[Any, bool]:
    """Return what was written on the command line, and whether it is an answer: words of the terminal are none.

    Raises:
        BadRequest: when it begins like the object that a new character is, and is no JSON.
    """
    from turnwright.cli._asking import leaves
    from turnwright.cli._request_view import value_of
    from turnwright.model.strict_json import JsonError, parse_json

    if kind == "creation" and text.lstrip().startswith("{"):
        try:
            parse_json(text)
        except JsonError as error:
            raise BadRequest(f"the new character is no JSON: {error}") from None
    value = value_of(kind, text)
    return value, not (isinstance(value, str) and leaves(value))


def _tell(campaign: Campaign, reply: Reply, reader: str, *, as_json: bool) -> None:
    from turnwright.cli._scene_view import echo_happened
    from turnwright.protocol.stage6_publish.publish import project

    viewer = Viewer.of(reader)
    try:
        seen = campaign.project(reply, viewer, own=True)
    except CampaignError:  # the answer is committed: what cannot be read now costs its hints, and not the reply
        seen = project(reply, viewer, own=True)
    if as_json:
        echo_json(seen)
        return
    # What it brought is told by the events, in better words than those of a result.
    bare: list[AppliedAction] = [{**action, "result": {}} for action in seen.get("applied_actions", ())]
    echo_reply({"findings": [], **seen, "applied_actions": bare})
    if told := [event for event in seen.get("events", ()) if event["audience"] != "log"]:
        with campaign.reading() as world:
            echo_happened(told, world)
