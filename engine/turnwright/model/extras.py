"""The command that installs an extra's packages into the running Python, wherever turnwright was installed from."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from shlex import join


def install_command(extra: str) -> str:
    """Return a command that installs what an extra needs.

    It names the packages and not turnwright, which no index need have, and the Python that runs, which may be that of
    pipx or of a folder that no shell knows.
    """
    try:
        listed = requires("turnwright") or []
    except PackageNotFoundError:
        listed = []
    parts = (line.replace('"', "'").partition(";") for line in listed)
    needed = [package.strip() for package, _, marker in parts if marker.strip() == f"extra == '{extra}'"]
    installer = [sys.executable, "-m", "pip", "install"]
    if find_spec("pip") is None:  # environments of uv have none
        installer = ["uv", "pip", "install", "--python", sys.executable]
    return join([*installer, *(needed or [f".[{extra}]"])])
