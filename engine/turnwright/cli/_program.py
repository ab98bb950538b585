"""How a person at this shell starts turnwright again, for lines that can be pasted."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from shlex import join

_NAME = "turnwright"


def command_line(*words: object) -> str:
    """Return a line that runs turnwright with these words: what a shell would take apart stands in quotes."""
    return join([program(), *map(str, words)])


def program() -> str:
    """Return the program's name, or the path that it was started by where its name would start nothing, or another."""
    started = Path(sys.argv[0])
    if started.stem != _NAME or not started.is_file():
        return _NAME
    found = shutil.which(_NAME)
    return _NAME if found is not None and started.samefile(found) else sys.argv[0]
