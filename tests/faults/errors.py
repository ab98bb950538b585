"""Every operation of the scenario, and every error with which the machine may refuse it."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import count, cycle
from re import fullmatch

import pytest
from tests.faults import scenario
from tests.faults.crash import undisturbed
from tests.faults.disk import Operation, TellingDisk, tell_of_checkpoints
from tests.faults.machine import ALL_IS_LOST
from tests.faults.outcome import lost_files, lost_replies
from tests.faults.recovery import Recovery, dropped_before, went_on
from tests.faults.scenario import STEPS, Process

from turnwright.model.errors import CampaignBusy, CampaignError
from turnwright.store.log import LOG_PATH

CODES = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EMFILE, errno.EINTR, errno.EROFS)
"""`EINTR` too: Python itself goes on after a signal, so a call that gives it to us has failed like any other."""
UNFAILING = {"checkpoint.close"}
"""What tells nobody of errors: there is nothing more to be done with the file."""
DROPPED = r"turns/[^/]*\.json"
"""Files that may not be read or moved are passed over, and the next ones taken first: no error of the machine."""


@dataclass(frozen=True)
class ErrorPoint:
    """One operation and how it is refused.

    Attributes:
        number: among all error points.
        operation: which one of its step, from 1.
        about: what it does.
        lasts: whether everything that changes the disk is refused from then on, as on a full disk.
        is_stubborn: whether the process tries again with what it has opened, instead of ending.
        taken: how many bytes of a write are taken first.
    """

    number: int
    step: int
    operation: int
    about: str
    code: int
    lasts: bool
    is_stubborn: bool
    taken: int

    def __str__(self) -> str:
        how = f"{errno.errorcode[self.code]}{' from then on' if self.lasts else ''} after {self.taken} bytes"
        ending = "tried again" if self.is_stubborn else "ended"
        return f"point {self.number}: step {self.step} ({STEPS[self.step].title}), {self.about}: {how}, {ending}"


@dataclass
class Refusing:
    """Refuses one operation, and perhaps all that come after it, as an error point says."""

    point: ErrorPoint | None = None
    operations: list[Operation] = field(default_factory=list)
    has_refused: bool = False
    _is_short: bool = False

    def meet(self, operation: Operation) -> int | None:
        """Take note of an operation, or refuse it."""
        if operation.name in UNFAILING:
            return None
        self.operations.append(operation)
        point = self.point
        if point is None:
            return None
        number = len(self.operations)
        if number == point.operation and point.taken:
            self._is_short = True
            return point.taken
        is_due = number == point.operation or self._is_short or (self.has_refused and point.lasts and operation.changes)
        if is_due:
            self._is_short, self.has_refused = False, True
            raise OSError(point.code, os.strerror(point.code), operation.path)
        return None


@cache
def operations() -> list[list[Operation]]:
    """Return what is done in each step, looks and all."""
    found = []
    with pytest.MonkeyPatch.context() as monkeypatch:
        tell_of_checkpoints(monkeypatch)
        recovery = Recovery(monkeypatch)
        for step in range(len(STEPS)):
            refusing = Refusing()
            disk, process = at_the_beginning(recovery, step)
            disk.meet = refusing.meet
            STEPS[step].act(process)
            shutil.rmtree(process.place)
            found.append(refusing.operations)
        recovery.close()
    return found


def at_the_beginning(recovery: Recovery, step: int) -> tuple[TellingDisk, Process]:
    """Lay out the campaign as it is before a step; return its disk and the process that is to take the step."""
    seen = undisturbed()
    disk = recovery.laid_out(seen.before[step].clone(), seen.checkpoints[step])
    return disk, Process(disk.root, scenario.moment(step))


def error_points() -> Iterator[ErrorPoint]:
    """Yield every error point: each operation under each kind of fault, with all errors in turn."""
    numbers, codes = count(), cycle(CODES)
    for step, done in enumerate(operations()):
        for number, operation in enumerate(done, 1):
            about = f"operation {number} ({operation.name} {operation.path})".replace(" )", ")")
            for lasts, is_stubborn in ((False, False), (False, True), (True, False)):
                if lasts and not operation.changes:
                    continue
                if is_stubborn and operation.name == "close":
                    continue  # who tries again has not closed anything yet
                for taken in {0, len(operation.data) // 2}:
                    code = next(codes)
                    is_of_one_file = operation.name in ("open", "rename") and fullmatch(DROPPED, operation.path)
                    if code == errno.EACCES and is_of_one_file:
                        code = next(codes)
                    yield ErrorPoint(next(numbers), step, number, about, code, lasts, is_stubborn, taken)


def faults_of(recovery: Recovery, point: ErrorPoint) -> Iterator[str]:
    """Yield what is wrong when the machine refuses something, and after it does so no more."""
    disk, process = at_the_beginning(recovery, point.step)
    process.is_stubborn = point.is_stubborn
    refusing = Refusing(point)
    disk.meet = refusing.meet
    try:
        try:
            STEPS[point.step].act(process)
        except CampaignError as error:
            process.complaints.append(error)
        except OSError as error:
            yield f"an error of the machine gets out: {error!r}"
        disk.meet = lambda _: None
        if point.lasts:  # a disk that is well again after all writes what it could not write before
            disk.machine.unwritable.clear()
        if not refusing.has_refused:
            yield "nothing was refused"
        for complaint in process.complaints:
            if os.strerror(point.code) not in str(complaint) and not isinstance(complaint, CampaignBusy):
                yield f"does not say what failed: {type(complaint).__name__}: {complaint}"
        durable = disk.machine.after_power_cut(ALL_IS_LOST).files()[LOG_PATH].data
        yield from lost_replies(process.told, durable)
        files = {path: content.data for path, content in disk.machine.files().items()}
        yield from lost_files(dropped_before(point.step), files)
        process.is_stubborn = False
        yield from went_on(point.step, process, disk.machine)
    except CampaignError as error:
        yield f"with the fault gone, the next process says: {error}"
    finally:
        shutil.rmtree(process.place)
