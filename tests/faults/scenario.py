"""Forty turns of a small campaign, through every door, with all that people do in between.

Each step is the work of one process, and safe to do again: a turn with an id is handed in again, a dropped file lies
where it lies, and what has no id is done again only when the log does not have it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from tests import builders
from tests.builders import Json, call, hp_delta, move, turn

from turnwright import Campaign
from turnwright.campaign.inbox_watcher import Watcher
from turnwright.model.errors import CampaignError

Clock = Callable[[], datetime]
T = TypeVar("T")

PC = "characters/pc_001.json"
HEAL, HIT = hp_delta(1), hp_delta(-1)
INTO_THE_WOODS, BACK = move("area_002"), move("area_001", "area_002")
NOWHERE = move("nowhere")
NO_SUCH_TOOL = call("summon_dragon", "call_002", size="large")
LIE = "Mira takes 5 damage."
LONG = 3600.0
"""So many seconds behind the log documents and results may be that they are written only at the end."""


def grown(parent: str) -> Json:
    """Return a call that makes new areas inside one."""
    return call("map_generate", "call_009", parent_area_id=parent)


def moment(number: int) -> Clock:
    """Return the clock of a step: one step a minute."""
    return lambda: builders.NOW + timedelta(minutes=number)


@dataclass
class Process:
    """One process at work in a campaign directory.

    Attributes:
        clock: by which it works.
        told: the replies that somebody was told.
        is_stubborn: whether it tries again, once and with what it has opened, when the campaign's storage fails.
        complaints: what it was told instead.
    """

    place: Path
    clock: Clock
    told: list[Json] = field(default_factory=list)
    is_stubborn: bool = False
    complaints: list[CampaignError] = field(default_factory=list)

    def does(self, work: Callable[[], T]) -> T:
        """Do some work, and tell of what comes out of it."""
        try:
            return work()
        except CampaignError as error:
            self.complaints.append(error)
            if not self.is_stubborn:
                raise
            return work()

    def open(self, lag: float = 0.0) -> Campaign:
        """Open the campaign."""
        return self.does(lambda: Campaign.open(self.place, self.clock, lag=lag))

    def hand_in(self, campaign: Campaign, one: Json) -> None:
        """Hand in a turn."""
        self.told.append(self.does(lambda: campaign.process(json.dumps(one).encode())))

    def take_dropped(self, campaign: Campaign) -> None:
        """Take the drop folder's files, as `turnwright process` does."""

        def taken() -> None:
            for _, reply in campaign.process_drop():
                self.told.append(reply)

        self.does(taken)

    def sweep(self) -> None:
        """Take the drop folder's files, as `turnwright watch` does."""
        clock, told = self.clock, self.told
        failures: list[Exception] = []
        watcher = Watcher(
            self.place, lambda *heard: told.append(heard[2]), lambda _, error: failures.append(error), clock=clock
        )

        def swept() -> None:
            watcher.sweep()
            if failures:
                raise failures.pop()

        try:
            self.does(swept)
        finally:
            watcher.close()

    def has_record(self, campaign: Campaign) -> bool:
        """Return whether this step has its record: no other has its time."""
        return any(record["timestamp"] == campaign.now() for record in campaign.records())


@dataclass(frozen=True)
class Step:
    """One process, and what people do before it.

    Attributes:
        act: what the process does.
        people: files that people put there, by path, each made from what lay there before.
    """

    title: str
    act: Callable[[Process], None]
    people: Mapping[str, Callable[[bytes], bytes]] = field(default_factory=dict)


def played(*turns: Json, lag: float = 0.0) -> Step:
    """Hand in some turns with ids, one after the other, as a process that stays does."""

    def act(process: Process) -> None:
        with process.open(lag) as campaign:
            for one in turns:
                process.hand_in(campaign, one)

    return Step(f"played {', '.join(str(one['turn_id']) for one in turns)}", act)


def played_once(one: Json) -> Step:
    """Hand in a turn that means something else when it is handed in twice."""

    def act(process: Process) -> None:
        with process.open() as campaign:
            if not process.does(lambda: process.has_record(campaign)):
                process.hand_in(campaign, one)

    return Step(f"played {one['turn_id']} once", act)


def watched(**turns: bytes | Json) -> Step:
    """Let a watcher find some dropped files."""
    return Step(f"watched {', '.join(turns)}", Process.sweep, _dropped(turns))


def processed(**turns: bytes | Json) -> Step:
    """Drop some files and have them taken."""

    def act(process: Process) -> None:
        with process.open() as campaign:
            process.take_dropped(campaign)

    return Step(f"processed {', '.join(turns)}", act, _dropped(turns))


def _dropped(turns: Mapping[str, bytes | Json]) -> dict[str, Callable[[bytes], bytes]]:
    return {f"turns/{name}.json": _text(one) for name, one in turns.items()}


def _text(one: bytes | Json) -> Callable[[bytes], bytes]:
    return lambda _: one if isinstance(one, bytes) else json.dumps(one).encode()


def edited(path: str, one: Json, change: Callable[[Json], Json]) -> Step:
    """Take a turn after somebody edited a document, in a spelling of their own."""
    step = played(one)
    by_hand = {path: lambda data: json.dumps(change(json.loads(data)), indent=4).encode()}
    return Step(f"edited {path}, {step.title}", step.act, by_hand)


def renamed(layer: Json) -> Json:
    """Return the layer with another name for its first area."""
    layer["areas"]["area_001"]["name"] = "The Ferry"
    return layer


def changed_settings(changes: Mapping[str, Any]) -> Step:
    """Change settings; what is so already makes no record."""

    def act(process: Process) -> None:
        with process.open() as campaign:
            process.does(lambda: campaign.set(changes))

    return Step(f"changed {', '.join(changes)}", act)


def undone(mark: str) -> Step:
    """Take a turn back, and all that came after it."""

    def act(process: Process) -> None:
        with process.open() as campaign:
            if not process.does(lambda: process.has_record(campaign)):
                process.does(lambda: None if process.has_record(campaign) else campaign.undo(mark))

    return Step(f"undid {mark}", act)


def named(turn_id: str, *calls: Any, **keys: Any) -> Json:
    """Return a turn with an id."""
    return turn(*calls, turn_id=turn_id, **keys)


STEPS = (
    played(named("cli-1", HEAL)),
    played(named("cli-2", INTO_THE_WOODS, user_input="Into the woods!")),
    watched(a=turn(HEAL), b=turn(NOWHERE, HEAL), c=turn(grown("area_003"))),
    played(named("cli-3", grown("area_002"), NO_SUCH_TOOL)),
    processed(d=turn(BACK, assistant_text="Rain drums on the roof."), e=b'{"tool_calls": [', f=turn(HIT)),
    changed_settings({"narration.check": "retry", "results.keep": 12}),
    watched(g=named("lied", HEAL, assistant_text=LIE), h=turn(HEAL)),
    watched(i=named("came-right", HEAL, assistant_text=LIE)),
    played(named("came-right", HIT, assistant_text="Mira takes 1 damage.")),
    played_once(named("lied-again", HEAL, assistant_text=LIE)),
    played(named("lied-again", HEAL, assistant_text="Mira feels better.")),
    edited(PC, named("cli-4", HEAL), lambda mira: mira | {"hp": 7, "name": "Mira Ash"}),
    played(*(named(f"stays-{number}", HEAL if number % 2 else HIT) for number in range(5))),
    processed(j=turn(grown("area_001")), k=turn(), l=named("cli-1", HEAL), m=named("cli-1", HIT)),
    undone("cli-4"),
    played(named("cli-5", move("area_003"), NOWHERE)),
    changed_settings({"results.keep": 5, "narration.check": "log"}),
    watched(n=turn(hp_delta(-2, "pc_002")), o=turn(hp_delta(-2, "pc_002")), p=turn(hp_delta(-20, "pc_002"))),
    edited("maps/root.json", named("cli-6", HEAL, atomic=True), renamed),
    played(named("cli-7", HEAL, NOWHERE, atomic=True)),
    watched(q=turn(HEAL), r=b"[]", s=turn(HIT)),
    watched(s=turn(HEAL)),
    played(named("cli-8", grown("area_004")), named("cli-9", HEAL)),
    processed(t=turn(HEAL), u=turn(HIT), v=turn(hp_delta(1, "npc_001")), w=turn(grown("area_002"))),
    edited(
        "characters/pc_002.json", named("cli-10", HEAL), lambda tomas: tomas | {"hp": 3, "character_state": "alive"}
    ),
    played(named("cli-11", call("move_options"), HIT)),
    watched(x=turn(HEAL), y=turn(HIT)),
    edited("maps/root.json", named("cli-12", HEAL), lambda layer: layer),
    played(*(named(f"fast-{number}", HEAL, grown("area_003")) for number in range(3)), lag=LONG),
    played(named("cli-13", HIT)),
)


def begin(place: Path) -> None:
    """Begin the campaign in a directory."""
    builders.begin(place).close()
