"""What comes after a crash: the next process opens the campaign, and the scenario goes on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.faults import scenario
from tests.faults.crash import CrashPoint, let_people_work, room, undisturbed
from tests.faults.disk import TellingDisk, use
from tests.faults.machine import ALL_IS_LOST, Machine
from tests.faults.outcome import Left, differences, faults_in, lost_files, lost_replies, records_of
from tests.faults.scenario import STEPS, Process

from turnwright import Campaign
from turnwright.model.errors import CampaignError
from turnwright.model.state.fold import fold
from turnwright.store.log import LOG_PATH

Json = Any
TORN = ".turnwright/torn/"


class Recovery:
    """Goes on from crash points, in a room of its own, and tells what was wrong.

    Attributes:
        directories: the different directories that crashes left behind.
        room: where campaigns are laid out.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.directories: set[int] = set()
        self._monkeypatch = monkeypatch
        self._rented: TemporaryDirectory[str] = room()
        self.room = Path(self._rented.name)

    def close(self) -> None:
        """Take the room away."""
        self._rented.cleanup()

    def faults(self, point: CrashPoint, *, to_the_end: bool = False) -> Iterator[str]:
        """Yield what is wrong after a crash.

        Args:
            point: where it happened.
            to_the_end: play not only the step again but all that come after it. There is no need to do so each time:
                where everything is as it would have been without the crash, everything later is too.
        """
        machine = point.machine()
        files = {path: content.data for path, content in machine.files().items()}
        told = [*point.instant.told, *point.instant.shown()]
        yield from lost_replies(told, files[LOG_PATH])
        yield from lost_files(dropped_before(point.instant.step), files)
        directory = hash((point.instant.step, *files.items(), *point.checkpoint.items()))
        if directory in self.directories and not to_the_end:
            return
        self.directories.add(directory)
        yield from self._after(point, machine, to_the_end)

    def _after(self, point: CrashPoint, machine: Machine, to_the_end: bool) -> Iterator[str]:
        step = point.instant.step
        place = self.laid_out(machine, point.checkpoint).root
        process = Process(place, scenario.moment(step), list(point.instant.told))
        torn = machine.files()[LOG_PATH].data.rpartition(b"\n")[2]
        try:
            yield from misread(machine, place)
            yield from went_on(step, process, machine)
            if torn and torn not in [file.data for path, file in machine.files().items() if path.startswith(TORN)]:
                yield "the torn end of the log was not kept"
            if to_the_end:
                yield from played_to_the_end(step, machine, place)
        except CampaignError as error:
            yield f"the next process says: {error}"
        finally:
            shutil.rmtree(place)

    def laid_out(self, machine: Machine, checkpoint: Mapping[str, bytes]) -> TellingDisk:
        """Make a directory with the files of a machine and those of a checkpoint; return the disk it is on."""
        place = self.room / "campaign"
        machine.lay_out(place)
        for path, data in checkpoint.items():
            (place / path).write_bytes(data)
        disk = TellingDisk(place, machine)
        use(self._monkeypatch, disk)
        return disk


def dropped_before(step: int) -> list[str]:
    """Return the paths of all turn files that were dropped up to a step."""
    return [path for one in STEPS[: step + 1] for path in one.people if path.startswith("turns/")]


def misread(machine: Machine, place: Path) -> Iterator[str]:
    """Yield in what a reader, before any writer came, is wrong about the log."""
    with Campaign.open(place) as campaign:
        if campaign.state != fold(records_of(machine.files()[LOG_PATH].data)):
            yield "a reader sees something else than the log says"


def went_on(step: int, process: Process, machine: Machine) -> Iterator[str]:
    """Do a step again and yield in what its outcome is not as if nothing had happened.

    The power may fail right afterwards: what somebody was told stays true.
    """
    STEPS[step].act(process)
    # Whoever writes next makes up for what was left undone, and puts turn files away.
    scenario.processed().act(process)
    left = Left.of(machine.files())
    yield from differences(left, undisturbed().after[step])
    yield from faults_in(left, process.place)
    durable = machine.after_power_cut(ALL_IS_LOST).files()[LOG_PATH].data
    yield from (f"after a power cut later on, {fault}" for fault in lost_replies(process.told, durable))


def played_to_the_end(step: int, machine: Machine, place: Path) -> Iterator[str]:
    """Play the steps after one, and yield in what the end is not as if nothing had happened."""
    for number in range(step + 1, len(STEPS)):
        let_people_work(place, machine, number)
        STEPS[number].act(Process(place, scenario.moment(number)))
    left = Left.of(machine.files())
    yield from (f"at the end, {fault}" for fault in differences(left, undisturbed().after[-1]))
    yield from (f"at the end, {fault}" for fault in faults_in(left, place))
