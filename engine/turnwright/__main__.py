"""`python -m turnwright`, and what the command `turnwright` begins with."""

from __future__ import annotations

import sys


def main() -> None:
    """Run a command and leave with its exit code.

    Everything else is imported in here, so that Ctrl-C at the very start ends like Ctrl-C later on.
    """
    try:
        from turnwright.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
