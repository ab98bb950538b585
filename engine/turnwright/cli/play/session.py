"""A session of play: turn typed lines into exchanges, and print the results.

Source: docs/agents.md, "A session".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwright.campaign.campaign import Campaign
from turnwright.cli._asking import Left, ask, leaves, says_yes
from turnwright.cli._dice_view import ask_faces
from turnwright.cli._interrupt import StopSign
from turnwright.cli._keyboard import Keyboard
from turnwright.cli._output import echo_error, safe
from turnwright.cli._request_view import echo_question, value_of
from turnwright.cli._scene_view import echo_line
from turnwright.cli.play.account import account_of, deeds_of
from turnwright.cli.play.event_printer import EventPrinter
from turnwright.cli.play.hidden_log import Sight
from turnwright.cli.play.opening import (
    Text,
    echo_banner,
    echo_recap,
    echo_text,
    is_scene_game,
    texts,
    whereabouts,
    who_plays,
)
from turnwright.cli.play.review import review
from turnwright.cli.play.screen import Screen
from turnwright.cli.play.seats import TABLE, Shown, authority_of, eyes_of, listeners_of
from turnwright.cli.play.short_forms import ShortForms, whose_turn
from turnwright.game_master.exchange import REVIEWED, Exchange, Proposal, Said, TurnCommitted
from turnwright.game_master.loop import GameMaster
from turnwright.model.authority import GM, NOBODY, as_player, player_of
from turnwright.model.call_shapes import labelled, understood_calls
from turnwright.model.campaign import CREW_PATH
from turnwright.model.dice.draws import DiceRequest, Wanted
from turnwright.model.errors import CampaignError
from turnwright.model.json_types import JsonObject
from turnwright.model.state.overlay import World
from turnwright.model.viewer import PARTY, Viewer, request_to
from turnwright.model.wire.agent import AgentKind
from turnwright.model.wire.record import as_received
from turnwright.protocol.stage6_publish.knowledge import WorldKnowledge
from turnwright.protocol.stage6_publish.onlookers import Onlookers
from turnwright.protocol.stage6_publish.texts import hears
from turnwright.protocol.table_dice import seq_of
from turnwright.render.finding import Reading, describe_facts, marked
from turnwright.rulesets.fifth_edition.fights.running import fight_now
from turnwright.rulesets.scenes.events import EVENTS
from turnwright.rulesets.story import describe_draw

if TYPE_CHECKING:
    from turnwright.model.encounter import Encounter
    from turnwright.model.json_types import JsonObject
    from turnwright.model.wire.shapes import ConversationRequest, Finding, ReceivedTurn, Record

Json = Mapping[str, Any]
CHECKED = (
    "from now on, a text that contradicts what was applied is not shown but written again, and a text with a lesser "
    "fault is shown with a line under it that says what is so: narration.check = retry is recorded, and "
    "`turnwright set` ends it"
)
_FIRST_FORMS, _FIRST_FORMS_IN_A_FIGHT = ("move", "travel", "check"), ("attack", "cast", "next", "endfight")
_FIRST_FORMS_WITHOUT_PARTY = ("npc", "join")
"""Suggestions for a person who does not know what to type."""
MAX_MARKS = 3
"""How many lines stand under a text that is false, at most."""


class Session:
    """One person, or several in turn, at one terminal.

    Attributes:
        seat: the seat at the keyboard: `table`, `gm`, or `player:<character id>`.
        last: the result of the last exchange.
        last_turns: the records of its turns; if it had none, that of the message before it.
        speaker: the authority with which a player spoke or answered in it, if any.
        is_scene_game: whether the campaign has a scene game.
        has_model: whether a model is available.
        forms: the short forms of tools.
        hero: the actor outside fights, if the person chose a character other than the acting one.
        whispers: the numbers of turns whispered by the whole table, and of their answers.
        attempts: submitted turns that must be resubmitted, by the number of their record.
        sight: the creatures hidden from the party in each turn.
    """

    def __init__(
        self,
        campaign: Campaign,
        path: Path,
        master: GameMaster,
        screen: Screen,
        keyboard: Keyboard,
        stop: StopSign,
        seat: str,
        *,
        has_model: bool = True,
    ) -> None:
        self.campaign = campaign
        self.has_model = has_model
        self.path = path
        self.master = master
        self.screen = screen
        self.seat = seat
        self.last: Exchange | None = None
        self.last_turns: list[Record] = []
        self.speaker: str | None = None
        self.whispers: set[int] = set()
        self.attempts: dict[int, Record] = {}
        self.sight = Sight(campaign)
        self.is_over = False
        self._keyboard = keyboard
        self._stop = stop
        self._asked: str | None = None
        self._seen: dict[str, set[int]] = {}
        self._made: set[int] = set()
        self._undone = 0
        self._begun_at = -1
        self._interrupted = False
        self._has_narrated = False
        self.is_scene_game = is_scene_game(campaign)
        self.forms = ShortForms(self)
        self.hero: str | None = None
        self._telling = EventPrinter(self)
        master.throw = self.throw
        master.review = partial(review, self)
        keyboard.complete = self._complete

    # the course of a session

    def run(self, models: str, warnings: Iterable[str] = ()) -> None:
        """Play until the person leaves or there are no more lines.

        Args:
            models: who the game master is, as people are told.
            warnings: what has to be known before anything is asked, a note each.
        """
        echo_banner(self.campaign, self.screen, self.reader(), models, self.shown)
        for warning in warnings:
            self.screen.note(warning)
        turns = self.master.chronicle.turns()
        told = echo_recap(self.story(turns), self.screen)
        self._tell_fight()
        if len(turns) <= 1 and not self.is_scene_game:
            self._open(has_place=not told)
        self._telling.say_if_unread([text.text for text in told if not text.is_players])
        self._begun_at = turns[-1]["seq"] if turns else -1
        self.note_undone()
        self.tell_end()
        if not self.is_own_master and self.campaign.waiting_for_dice() is None and self.master.is_due():
            self.screen.note("going on where play stopped")
            self.exchange(Said())
        while not self.is_over:
            self._step()
        used = f"{self.master.spending.tokens:,} tokens in this session; " if self.has_model else ""
        self.screen.note(f"{used}everything is in the log")

    def _open(self, *, has_place: bool) -> None:
        """Tell where a story that has not begun begins, and what one can do.

        Args:
            has_place: whether the place is told, which an opening scene has told already.
        """
        from turnwright.cli.play.looking import look

        with self.campaign.reading() as world:
            has_party = bool(world.campaign.selected.party_character_ids)
        if has_party and has_place:
            look(self)
        self.suggest_lines()
        echo_line()

    def suggest_lines(self) -> None:
        """Say what could be typed now."""
        with self.campaign.reading() as world:
            has_party = bool(world.campaign.selected.party_character_ids)
            is_fight = self.fight_in(world) is not None
        first = _FIRST_FORMS_IN_A_FIGHT if is_fight else _FIRST_FORMS if has_party else _FIRST_FORMS_WITHOUT_PARTY
        usages = {found.name: found.usage for found in self.forms.available()}
        forms = [usages[name] for name in first if name in usages]
        commands = ", ".join(["/look", *forms] if has_party else forms)
        if self.is_own_master:
            what = "type what happens"
        else:
            what = f"type what {self.who()} does or says" if has_party else "say what you want to play"
        self.screen.note(f"{what}{f', or {commands}' if commands else ''}; /help lists the rest")

    def fight_in(self, world: World) -> Encounter | None:
        """Return the running fight that counts for the character who acts, as far as the seat knows of one."""
        from turnwright.views.fight import fight_known_now

        actor = player_of(self.seat) or self.hero or world.campaign.selected.active_actor_id
        return fight_now(world, actor) if self.seat == GM else fight_known_now(world, actor)

    def _step(self) -> None:
        if (wanted := self.campaign.waiting_for_dice()) is not None:
            self._go_on_with_dice(wanted)
            return
        request = self._request()
        if request is not None and request["kind"] == "creation":
            self._create(request)
            return
        self.tell_news()
        try:
            line = self._keyboard.line(self._prompt(request))
        except KeyboardInterrupt:
            echo_line()
            self.is_over = self._interrupted
            self._interrupted = True
            if not self.is_over:
                self.screen.note("Ctrl-C once more, or /quit, leaves")
            return
        self._interrupted = False
        if line is None:
            self.is_over = True
            return
        self.take(line, request)

    def throw(self, request: DiceRequest) -> list[int] | str | None:
        """Ask for the faces of dice that are thrown at the table; None when the person leaves instead."""
        self.screen.clear()
        attempt = next(self.campaign.records(after=seq_of(request) - 1))
        try:
            return ask_faces(request, partial(self._purpose, attempt), self._run_between)
        except (Left, click.Abort):
            self.is_over = True
            self.screen.note(f"{request['request_id']} waits on; the next session, or `turnwright answer`, asks again")
            return None

    def _run_between(self, line: str) -> bool:
        """Carry out a command that is typed in place of an answer; return whether the person leaves by it.

        What would begin another turn has to wait until the answer is given.
        """
        from turnwright.cli.play.slash_commands import run

        run(self, line, between=True)
        return self.is_over

    def _purpose(self, attempt: Record, die: Wanted) -> str:
        """Return what a die of an attempt is thrown for, as far as the seat may know it."""
        calls = understood_calls(attempt.get("tool_calls", ()))
        tool = labelled(calls[die["part"] - 1])["tool"] if 0 < die["part"] <= len(calls) else ""
        with self.campaign.reading() as world:
            shown = self.shown(world)
            if tool and not shown.names_purpose(tool, attempt):
                return "the game master rolls"
            return describe_draw(die, shown.knowledge(world))

    def _go_on_with_dice(self, request: DiceRequest) -> None:
        """Ask for the dice that a turn waits for, hand them in, and let the game master go on."""
        value = self.throw(request)
        if value is None:
            return
        try:
            reply = self.campaign.process({"answer": {"request_id": request["request_id"], "value": value}})
        except CampaignError as error:
            echo_error(error)
            return
        if reply["status"] == "refused":
            self.screen.warn(reply["detail"])
        elif reply["status"] != "waiting":
            self._made.add(reply["seq"] or 0)
            self._telling.on_event(TurnCommitted({}, reply, reply["seq"] or 0))
            self.last_turns = [turn for turn in self.master.chronicle.turns() if turn["seq"] == reply["seq"]]
            if not self.is_own_master and self.master.is_due():
                self.exchange(Said())

    def take(self, line: str, request: ConversationRequest | None = None) -> None:
        """Do what a line says."""
        from turnwright.cli.play.slash_commands import WORDS, run

        text = line.strip()
        looking = WORDS.get(text.casefold())
        if leaves(text):
            self.is_over = True
        elif text.startswith("/") and not text.startswith("//"):
            run(self, text)
        elif self.is_own_master and looking is not None and not looking.changes:
            self.screen.note(f"/{text.casefold()} is meant; a sentence with more words is told")
            run(self, f"/{text.casefold()}")
        elif self.is_own_master and text.isdecimal():
            self.screen.warn(f"nothing was asked that {text} could answer")
        elif not text:
            if not self.is_own_master and self.master.is_due():
                self.exchange(Said())
            else:
                self.suggest_lines()
        elif self.is_own_master and player_of(self.seat) is None:
            self.narrate(text.removeprefix("/") if text.startswith("//") else text)
        else:
            self.say(text.removeprefix("/") if text.startswith("//") else text, request)

    def say(self, text: str, request: ConversationRequest | None) -> None:
        """Hand in what a player says, or what they answer to the open request; nothing once a scene game is over."""
        if self.tell_end() or self._speaks_to_nobody(text):
            return
        if self.is_own_master:
            self.hand_in(self.said(text).turn(), authority_of(self.seat))
            return
        if request is None or request["kind"] == "text":
            self.exchange(self.said(text))
            return
        value = value_of(request["kind"], text)
        self.exchange(Said(answer=_answer(request, value), authority=authority_of(self.seat)))

    def narrate(self, text: str) -> None:
        """Record what the person tells as the game master's own words.

        Under `assist` the model is asked before which calls it needs, and the person decides about those.
        """
        if self._speaks_to_nobody(text):
            return
        if self.has_model and self.approval == "assist" and not self._assisted(text):
            return
        if not self._has_narrated:
            self.screen.note("the story tells it from now on; a command such as /move or /attack makes it so")
            self._has_narrated = True
        self.hand_in({"assistant_text": text})

    def _assisted(self, text: str) -> bool:
        """Have the model propose calls for a text, and hand in those that the person takes; False where they leave."""
        with self._stop.watched():
            try:
                calls, asked = self.master.propose_calls(text, self._telling.on_event)
            except CampaignError as error:
                self.screen.clear()
                echo_error(error)
                return True
            finally:
                self.screen.clear()
        self._telling.conclude(asked)
        turn = self.turn_of(calls)
        while turn.get("tool_calls"):
            reply = self.campaign.process(turn, dry_run=True, by_model=True)
            decided = review(self, Proposal(turn, reply))
            if decided is None:
                return not self.is_over
            if decided == turn:
                self.hand_in(as_received({**turn, REVIEWED: "approved"}))
                return True
            turn = decided.copy()
        return True

    def turn_of(self, calls: Sequence[Any]) -> ReceivedTurn:
        """Return the turn of calls that a model proposed to the person who is the game master."""
        actor = self.actor_id()
        turn: ReceivedTurn = {"agent": AgentKind.NARRATIVE.value, "tool_calls": list(calls)}
        return turn if actor is None else {"actor_id": actor, **turn}

    def hand_in(self, turn: ReceivedTurn, authority: str = GM) -> None:
        """Hand in a turn that the person made, and tell what came of it, and of turns of others before."""
        self.tell_news()
        try:
            reply = self.master.hand_in(turn, self._telling.on_event, authority=authority)
        except CampaignError as error:
            echo_error(error)
            return
        self._made.add(reply["seq"] or -1)
        self._telling.tell_own(turn, reply)
        turns = self.master.chronicle.turns()
        self.last_turns = [record for record in turns if record["seq"] == reply["seq"]]
        self._mark_seen()

    def line(self, prompt: str) -> str | None:
        """Return the next line that the person types, stripped; None where there is none."""
        try:
            text = self._keyboard.line(prompt)
        except KeyboardInterrupt:
            echo_line()
            return ""
        return None if text is None else text.strip()

    def _complete(self, line: str) -> list[str]:
        if not line.startswith("/"):
            return []
        from turnwright.cli.play.slash_commands import WORDS

        words = [f"/{word} " for word in WORDS if f"/{word}".startswith(line.lower())]
        return [*words, *self.forms.complete(line)]

    def _speaks_to_nobody(self, text: str) -> bool:
        """If a line begins with `@` and an unknown name, print the names of those present; return whether it does."""
        if self.is_scene_game or not text.startswith("@"):
            return False
        from turnwright.game_master.agents import find_addressee, people_here

        with self.campaign.reading() as world:
            actor = self.actor_id()
            speaker = world.character(actor) if actor else None
            if find_addressee(world, text, actor) is not None:
                return False
            shown = self.shown(world)
            others = [one.label for one in people_here(world, speaker) if one is not speaker and shown.is_seen(one.id)]
        here = f"here is {', '.join(others)}" if others else "nobody else is here"
        self.screen.warn(f"nobody called {text.split()[0]} is here; {here}. It was not said")
        return True

    def said(self, text: str, **how: Any) -> Said:
        """Return words of the person at the keyboard; at the table those of whose name the prompt shows."""
        actor_id = self.actor_id() if player_of(self.seat) is None else None
        return Said(text, authority=authority_of(self.seat), actor_id=actor_id, **how)

    def _create(self, request: ConversationRequest) -> None:
        try:
            value = ask(request, self._run_between)
        except (Left, click.Abort):
            self.is_over = True
            return
        self.exchange(Said(answer=_answer(request, value), authority=authority_of(self.seat)))

    def _prompt(self, request: ConversationRequest | None) -> str:
        if request is not None and request["kind"] != "text":
            return "which die > " if request["kind"] == "dice" else "which one > "
        return f"{safe(self.who())} > "

    def tell_end(self) -> bool:
        """Say how it goes on when the session of a scene game is over; return whether it is."""
        if not self.is_scene_game:
            return False
        from turnwright.rulesets.scenes.session import ended, is_for_good

        with self.campaign.reading() as world:
            end = ended(world)
        if end is not None:
            advice = "`turnwright new` begins another game" if is_for_good(end) else "/resume goes on with it"
            self.screen.note(f"the session is over ({end.reason}); {advice}")
        return end is not None

    # what is asked

    def _request(self) -> ConversationRequest | None:
        """Return the open request when it is for the person at the keyboard; each is shown once."""
        if not self.is_scene_game:
            return None
        with self.campaign.reading() as world:
            crew = world.get(CREW_PATH)
            request: ConversationRequest | None = crew.as_written["request"] if crew else None
        if not request:
            return None
        is_news, self._asked = self._asked != request["id"], request["id"]
        player = player_of(self.seat)
        if player is not None and request_to(request, player) is None:
            if is_news:
                self.screen.note(f"{self.name_of(request['to'])} is asked; /as {request['to']} answers")
            return None
        if is_news:
            echo_question(request)
        return request

    def ask_anew(self) -> None:
        """Show the open request once more before the next line."""
        self._asked = None

    # exchanges

    def exchange(self, said: Said) -> None:
        """Let the game master answer, and tell what happens as it is committed, and what others do at a terminal."""
        self.tell_news()
        with self._stop.watched():
            try:
                if self.master.begin_to_check():
                    self.screen.note(CHECKED)
                self.last = self.master.exchange(said, self._telling.on_event)
                records = (
                    self.master.chronicle.record(seq)
                    for reply in self.last.replies
                    if (seq := reply["seq"]) is not None
                )
                turns = [record for record in records if record is not None]
                self._made |= {record["seq"] for record in turns}
                self.last_turns = list(turns or self.master.last_exchange()[:1])
                self.speaker = None if said.text is None and said.answer is None else said.authority
            except CampaignError as error:
                self.screen.clear()
                echo_error(error)
                return
            finally:
                self.screen.clear()
            self._telling.conclude(self.last)
        self.tell_news(self.last.turn_ids)
        if self.last.outcome == "capped" and self._grants_more():
            self.exchange(Said())

    def _grants_more(self) -> bool:
        """Ask whether the session may use its bound of tokens once more; return whether it may and something waits."""
        spending, settings = self.master.spending, self.master.settings
        most: int = settings["agents.session_tokens"]
        if not most or (settings["agents.session_cost"] and spending.cost >= settings["agents.session_cost"]):
            return False
        if not says_yes(self.line(f"use up to {most:,} tokens more, yes or no > ")):
            return False
        spending.granted += 1
        return self.master.is_due()

    # who is who

    @property
    def is_own_master(self) -> bool:
        """Whether the person at the terminal is the game master, and no model is asked."""
        return not self.has_model or self.approval in ("human", "assist")

    @property
    def approval(self) -> str:
        """Who decides about what a model wants, as `agents.approve` has it."""
        mode: str = self.master.settings["agents.approve"]
        return mode

    @property
    def is_game_master(self) -> bool:
        """Whether the person at the keyboard may call every tool."""
        return self.seat == GM or (self.is_own_master and player_of(self.seat) is None)

    def actor_id(self) -> str | None:
        """Return on whose behalf a short form is.

        That is a player's character. For the game master it is whose turn it is in a fight, if that is a character;
        else the chosen hero, or the acting character.
        """
        own = player_of(self.seat) or self.hero or self.acting_id()
        if not self.is_game_master:
            return own
        with self.campaign.reading() as world:
            fight = fight_now(world, own)
            return own if fight is None else fight.current.character_id or own

    def who(self) -> str:
        """Return the name of the next line's speaker."""
        actor = self.actor_id()
        if self.is_game_master:
            with self.campaign.reading() as world:
                return whose_turn(world, actor) or "you"
        return self.name_of(actor) if actor else "you"

    def who_speaks(self) -> str:
        """Return the name of whose words `/say` records."""
        actor = self.actor_id()
        return self.name_of(actor) if actor else "nobody in particular"

    def eyes(self) -> str:
        """Return the reader whose projection of a scene game is shown now."""
        return eyes_of(self.seat, self.acting_id())

    def viewer(self) -> Viewer:
        """Return the viewer at the seat."""
        return PARTY if self.seat == TABLE else Viewer.of(self.seat)

    def reader(self) -> str:
        """Return the viewer for everything else shown now: the seat's.

        At a table without an acting party member it is a member's; without a party it is a player's without a
        character.
        """
        if self.seat != TABLE:
            return self.seat
        with self.campaign.reading() as world:
            party = [member.id for member in world.party()]
        acting = self.acting_id()
        if not party:
            return NOBODY
        return as_player(acting if acting in party else party[0])

    def shown(self, world: World, turn: Record | None = None) -> Shown:
        """Return what the seat is shown of turns, as things stand; of one turn, as they stood then.

        Args:
            world: the campaign.
            turn: the record of a turn, or the reply to one that changed nothing.
        """
        if self.seat == GM:
            return Shown(self.seat, None)
        return Shown(self.seat, Onlookers(world, None if turn is None else self.sight.unseen(turn)))

    def reading(self, world: World, turn: Record, *, is_now: bool, has_read: bool = False) -> Reading:
        """Return how the seat reads the findings of a turn.

        Args:
            world: the campaign.
            turn: the record of the turn, or the reply to one that changed nothing.
            is_now: whether nothing changed since.
            has_read: whether the seat reads the text itself.
        """
        viewer = self.viewer()
        unseen = None if viewer.is_game_master else self.sight.unseen(turn)
        return Reading.of(turn, WorldKnowledge(world, viewer, unseen=unseen), is_now=is_now, has_read=has_read)

    def is_last(self, turn: Record) -> bool:
        """Return whether nothing was done since a turn, or since one that changed nothing."""
        return bool(turn["seq"] >= self.master.chronicle.last())

    def facts(self, turn: Record) -> list[str]:
        """Return what is so where the text of a turn says otherwise, as far as the seat may know it.

        It describes the campaign as the turn left it, so that it reads the same whenever it is told.

        Args:
            turn: its record, or the reply to it.
        """
        findings = [finding for finding in turn["findings"] if is_seen(finding)]
        if not marked(findings):
            return []
        with self._as_left(turn) as world:
            return describe_facts(findings, self.reading(world, turn, is_now=True, has_read=True), MAX_MARKS)

    def _as_left(self, turn: Record) -> AbstractContextManager[World]:
        return self.campaign.reading() if self.is_last(turn) else self.campaign.reading(at=f"#{turn['seq']}")

    def heard(self, turns: Iterable[Record]) -> list[Record]:
        """Return those of some turns whose words the seat heard."""
        with self.campaign.reading() as world:
            listeners = listeners_of(self.seat, world)
        whispers = self.whispers if self.seat == TABLE else ()
        return [turn for turn in turns if hears(turn, listeners) or turn.get("seq") in whispers]

    def acting_id(self) -> str | None:
        """Return the actor if no particular character speaks."""
        with self.campaign.reading() as world:
            return world.campaign.selected.active_actor_id

    def name_of(self, character_id: str) -> str:
        """Return a character's name, or the id of a deleted one."""
        with self.campaign.reading() as world:
            person = world.character(character_id)
        return person.label if person else character_id

    def change_seat(self, seat: str) -> bool:
        """Pass the keyboard to another seat, and print its unread texts; return whether there were any.

        Texts read by the whole table count as read by each member and by the game master.
        """
        self._mark_seen()
        self.seat = seat
        self._asked = None
        return self.tell_news()

    def tell_news(self, known: Collection[str] = ()) -> bool:
        """Tell the person at the keyboard what they have not read yet; return whether there was any.

        Args:
            known: ids of turns that they have read already.
        """
        self._tell_undone()
        news = [turn for turn in self._unseen() if turn["turn_id"] not in known]
        told = []
        for turn in news:
            for text in self.texts([turn]):
                echo_text(text)
                told.append(text)
            if turn["seq"] not in self._made and not self.is_scene_game:
                self._telling.show_deeds(turn)
        self._telling.say_if_unread([text.text for text in told if not text.is_players])
        self._mark_seen()
        return bool(told)

    def _tell_undone(self) -> None:
        """Print the turns that others undid or restored since the last report."""
        undone = self.master.chronicle.undone()
        for record in undone[self._undone :]:
            if record["seq"] > self._begun_at:
                self.screen.note(f"somebody took back what was done since record {record['undone_from']}")
        self._undone = len(undone)

    def note_undone(self) -> None:
        """Note that the person at the keyboard knows of everything that was taken back."""
        self._undone = len(self.master.chronicle.undone())

    def where(self) -> str:
        """Return in one line where the character of the seat is and who is with it; empty for who is nowhere."""
        with self.campaign.reading() as world:
            person = who_plays(world, self.reader())
            place = whereabouts(world, person, self.shown(world)) if person is not None else ""
        return f"{person.label} is {place}" if person is not None and place else ""

    def _unseen(self) -> list[Record]:
        """Return the turns of this session that the seat has not read."""
        seen = self._seen.get(self.seat, ())
        return [one for one in self.master.chronicle.turns() if one["seq"] > self._begun_at and one["seq"] not in seen]

    def texts(self, turns: Iterable[Record]) -> Iterator[Text]:
        """Yield what was said and told in some turns, as the seat heard it."""
        return texts(self.heard(turns), self.eyes(), self.name_of, self.facts, self._account_of)

    def story(self, turns: Iterable[Record]) -> Iterator[Text]:
        """Yield what was said and told in some turns, and where a person is the game master, what was done as well."""
        for turn in turns:
            told = [*self.texts([turn])]
            yield from told
            is_silent = not told and self.is_own_master and not self.is_scene_game and self.heard([turn])
            deeds = "; ".join(deeds_of(self, turn)) if is_silent else ""
            if deeds:
                yield Text(turn["seq"], None, deeds, False, turn.get("private") is True, is_ours=True)

    def _tell_fight(self) -> None:
        """Say which fight is running when the session begins."""
        with self.campaign.reading() as world:
            fight = self.fight_in(world)
            turn = whose_turn(world, self.actor_id()) if fight is not None and self.is_game_master else None
        if fight is not None:
            whose = f", and it is the turn of {turn}" if turn else ""
            self.screen.note(f"a fight goes on: round {fight.round}{whose}; /fight shows it")

    def _account_of(self, record: Record) -> str:
        return account_of(self, record["seq"])

    def _mark_seen(self) -> None:
        """Note that the seat has read all there is, and with the table everyone who sits at it."""
        unseen = self._unseen()
        self._seen.setdefault(self.seat, set()).update(turn["seq"] for turn in unseen)
        if self.seat != TABLE:
            return
        with self.campaign.reading() as world:
            seats = [GM, *(as_player(member.id) for member in world.party())]
        for seat in seats:
            self._seen.setdefault(seat, set()).update(turn["seq"] for turn in self.heard(unseen))


def is_seen(finding: Finding) -> bool:
    """Return whether the text that a finding is about is told in a session: what goes to the log alone is not."""
    event = EVENTS.get(finding.get("event", ""))
    return event is None or event.audience != "log"


def _answer(request: ConversationRequest, value: Any) -> JsonObject:
    return {"request_id": request["id"], "kind": request["kind"], "value": value}
