"""Trace the modules of the package that an applied `move` enters, from `Campaign.process` to its reply.

    python -m scripts.trace_move [--calls]

Prints the modules in the order in which they are first entered, how many there are, and how often the turn goes back
into one that it had left. The store is counted as one module: it is a room of its own behind one face. `--calls` prints
each entry with the function that was called.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import NamedTuple, TypeVar

import turnwright
from turnwright import Campaign

Result = TypeVar("Result")
PACKAGE = Path(turnwright.__file__).parent
STORE = "store"
ARGS = {"actor_id": "pc_001", "from_area_id": "area_001", "to_area_id": "area_002"}
TURN = {"tool_calls": [{"id": "m", "tool": "move", "args": ARGS}]}


class Entry(NamedTuple):
    """One call from a module of the package into another one.

    Attributes:
        module: the dotted name below `turnwright`, or `store` for all of the store.
        function: the qualified name of what was called.
    """

    module: str
    function: str


def trace(work: Callable[[], Result]) -> tuple[Result, list[Entry]]:
    """Return what some work returns, and every call from one module into another while it was done, in order."""
    stack: list[str] = []
    entries: list[Entry] = []

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event not in {"call", "return"}:
            return
        module = _module_of(frame)
        if module is None:
            return
        if event == "call":
            if not stack or stack[-1] != module:
                entries.append(Entry(module, frame.f_code.co_qualname))
            stack.append(module)
        elif stack:
            stack.pop()

    sys.setprofile(watch)
    try:
        result = work()
    finally:
        sys.setprofile(None)
    return result, entries


def _module_of(frame: FrameType) -> str | None:
    path = Path(frame.f_code.co_filename)
    if not path.is_relative_to(PACKAGE):
        return None
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return STORE if parts[0] == STORE else ".".join(part for part in parts if part != "__init__")


def returns_to_a_left_module(entries: Iterable[Entry]) -> int:
    """Return how many entries are into a module that had been entered before."""
    seen: set[str] = set()
    count = 0
    for entry in entries:
        count += entry.module in seen
        seen.add(entry.module)
    return count


def trace_a_move(directory: Path) -> list[Entry]:
    """Return the entries of an applied `move`; one in another campaign was applied before, so nothing is imported.

    Raises:
        RuntimeError: when a move was not applied.
    """
    entries: list[Entry] = []
    for name in ("first", "second"):
        with _begin(directory / name) as campaign:
            reply, entries = trace(partial(campaign.process, TURN))
        if reply["status"] != "applied":
            raise RuntimeError(f"the move was not applied: {reply}")
    return entries


def _begin(path: Path) -> Campaign:
    return Campaign.new(path, template="stage3", seed="trace")


def main() -> None:
    """Print the trace."""
    parser = argparse.ArgumentParser(prog="trace_move", description="Trace the modules an applied move enters.")
    parser.add_argument("--calls", action="store_true", help="print each entry with its function")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        entries = [entry for entry in trace_a_move(Path(directory)) if entry.module != STORE]
    if options.calls:
        print("\n".join(f"{entry.module}: {entry.function}" for entry in entries))
    else:
        print("\n".join(dict.fromkeys(entry.module for entry in entries)))
    print(f"{len({entry.module for entry in entries})} modules, {returns_to_a_left_module(entries)} returns")


if __name__ == "__main__":
    main()
