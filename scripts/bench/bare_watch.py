"""The floor of P8: watchfiles, and the append of one line for each file that is dropped.

    python -m scripts.bench.bare_watch FOLDER LINE LOG

Writes one byte to standard output when it watches, and one for each file whose line is durable.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from watchfiles import Change, watch

from turnwright.store import platform

_STEP_MS = 1
"""The shortest there is."""


def main(folder: Path, line: bytes, log: Path) -> None:
    """Watch a folder until we are ended."""
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    changes = watch(folder, watch_filter=None, step=_STEP_MS, rust_timeout=200, yield_on_timeout=True, recursive=False)
    next(changes)  # the first yield, on timeout, says that the folder is watched
    os.write(1, b".")
    for batch in changes:
        for change, path in batch:
            if change is Change.added and path.endswith(".json"):
                json.loads(Path(path).read_bytes())
                os.write(descriptor, line)
                platform.sync_file(descriptor)
                os.write(1, b".")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]).read_bytes(), Path(sys.argv[3]))
