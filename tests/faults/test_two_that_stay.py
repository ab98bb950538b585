"""Two programs that stay, both far behind the log, and people at their files: nothing is lost, nothing doubled."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from tests import builders
from tests.builders import Json
from tests.faults.crash import room

from turnwright import Campaign
from turnwright.audit.verify import verify
from turnwright.model.errors import BadRequest
from turnwright.rulesets.registry import BUILT_IN
from turnwright.store import platform
from turnwright.store.documents import document_from

PEOPLE = ("pc_001", "pc_002", "npc_001")
LONG = 3600.0
STEPS = 40


class Play:
    """A campaign, two programs that have it open, and whatever chance lets them and people do.

    Attributes:
        done: what was done so far, for whoever looks for what went wrong.
        told: the replies that anybody was told.
    """

    def __init__(self, place: Path, seed: int) -> None:
        self.chance = Random(seed)
        self.place = place
        self.done: list[tuple[str, int, str]] = []
        self.told: list[Json] = []
        self._before: dict[str, bytes] = {}
        self._notes = 0
        builders.begin(place, builders.documents(builders.person(who, extra={"notes": []}) for who in PEOPLE)).close()
        self.programs = [self._opened(), self._opened()]

    def _opened(self) -> Campaign:
        return Campaign.open(self.place, builders.clock, lag=LONG)

    def close(self) -> None:
        """Let both programs end as they should."""
        for program in self.programs:
            program.close()

    def step(self) -> None:
        """Let something happen."""
        what, program, who = self.chance.choice(DEEDS), self.chance.randrange(2), self.chance.choice(PEOPLE)
        self.done.append((what.__name__, program, who))
        what(self, program, who)

    # what programs do

    def turn(self, program: int, who: str) -> None:
        self.told.append(self.programs[program].process(builders.turn(builders.hp_delta(1, who))))

    def drop(self, program: int, who: str) -> None:
        turns: tuple[Json, ...] = (
            builders.turn(builders.hp_delta(-1, who)),
            {"dragons": 1},
            builders.turn(builders.call("map_generate", parent_area_id="area_003")),
        )
        for number in range(self.chance.randint(1, 4)):
            file = self.place / f"turns/{number}.json"
            file.write_text(json.dumps(self.chance.choice(turns)), encoding="utf-8")
        self.told += [reply for _, reply in self.programs[program].process_drop()]

    def undo(self, program: int, _: str) -> None:
        with suppress(BadRequest):  # there may be no turn to undo
            self.programs[program].undo()

    def change_settings(self, program: int, _: str) -> None:
        self.programs[program].set({"results.keep": self.chance.choice([1, 3, 500])})

    def flush(self, program: int, _: str) -> None:
        self.programs[program].flush()

    def look(self, program: int, _: str) -> None:
        assert self.programs[program].state

    def open_again(self, program: int, _: str) -> None:
        self.programs[program].close()
        self.programs[program] = self._opened()

    # what people do

    def file_of(self, who: str) -> Path:
        return self.place / f"characters/{who}.json"

    def edit(self, _: int, who: str) -> None:
        """Add a note that nobody else adds."""
        file = self.file_of(who)
        if file.exists():
            self._notes += 1
            self._before[who] = file.read_bytes()
            value = json.loads(self._before[who])
            value["extra"]["notes"].append(f"note {self._notes}")
            file.write_text(json.dumps(value | {"name": f"Name {self._notes}"}, indent=3), encoding="utf-8")

    def put_back(self, _: int, who: str) -> None:
        """Go back to what the file held before the last edit."""
        if who in self._before:
            self.file_of(who).write_bytes(self._before[who])

    def delete(self, _: int, who: str) -> None:
        self.file_of(who).unlink(missing_ok=True)

    def delete_checkpoint(self, _: int, __: str) -> None:
        for file in (self.place / ".turnwright").glob("checkpoint*"):
            file.unlink()

    # what must come of it

    def faults(self) -> Iterator[str]:
        """Yield what is wrong when all is done and written."""
        with Campaign.open(self.place, builders.clock) as last:
            last.process({})
            state = last.state
        found = verify(self.place)
        yield from map(str, (*found.problems, *found.notes))
        for path, value in builders.on_disk(self.place).items():
            document, _ = document_from(path, value, BUILT_IN.documents)
            if document is None or document.value() != state[path]:
                yield f"{path} is not what the log says"
            notes = value.get("extra", {}).get("notes", [])
            if len(set(notes)) < len(notes):
                yield f"{path} holds a note twice: {notes}"
        records = builders.log_of(self.place)
        for reply in self.told:
            if reply["seq"] is not None and records[reply["seq"]].get("turn_id") != reply["turn_id"]:
                yield f"{reply['turn_id']} was told, and record {reply['seq']} is another one"


Deed = Callable[[Play, int, str], None]
DEEDS: tuple[Deed, ...] = (
    *[Play.turn] * 6,
    *[Play.edit] * 4,
    *[Play.drop] * 2,
    *(Play.undo, Play.change_settings, Play.flush, Play.look, Play.open_again),
    *(Play.put_back, Play.delete, Play.delete_checkpoint),
)


@pytest.mark.parametrize(
    "seeds", [pytest.param(range(8), id="8"), pytest.param(range(8, 500), id="500", marks=pytest.mark.slow)]
)
def test_whatever_two_programs_and_people_do_nothing_is_lost_or_doubled(
    seeds: range, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "sync_file", lambda _: None)
    monkeypatch.setattr(platform, "sync_folder", lambda _: None)
    for seed in seeds:
        with room() as name:
            play = Play(Path(name) / "campaign", seed)
            try:
                for _ in range(STEPS):
                    play.step()
            finally:
                play.close()
            assert list(play.faults()) == [], f"seed {seed}: {play.done}"
