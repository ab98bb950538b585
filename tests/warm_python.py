"""Processes in which turnwright is imported when they begin, for tests of what a process of their own does.

To import the program takes most of the time of a command. So one process imports it once for each worker of a test run,
and forks for whatever a test starts: `[*warm_python.command(), "-m", "turnwright", "show", ...]` stands for
`[sys.executable, "-m", "turnwright", "show", ...]`, and `-c` works, too. What a test starts then is `warm_client.py`,
which begins fast: it hands on its arguments, folder, umask, environment and streams, passes on each signal, and ends as
the forked process ends, by the same code or signal.

Who kills such a process says `warm_python.kill(process)`: the forked one is dead when its client is. A test starts
Python itself where it is about the start: what is imported, what the environment says to Python, streams that are
closed.
"""

from __future__ import annotations

import atexit
import gc
import marshal
import os
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
import types
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, NamedTuple, NoReturn

CLIENT = Path(__file__).with_name("warm_client.py")
_OF_THE_START = ("LANG", "LC_", "PYTHON")
"""How the names of variables begin that Python reads once, when it starts."""
_FREE_TO_DIFFER = {"PYTHONPATH"}


@cache
def command() -> list[str]:
    """Return what stands for `sys.executable` in a command line; where nothing forks, it is that."""
    if sys.platform == "win32":
        return [sys.executable]
    folder = Path(mkdtemp())
    address = folder / "socket"
    with socket.socket(socket.AF_UNIX) as listener, (folder / "errors").open("wb") as errors:
        listener.bind(str(address))
        listener.listen()
        server = subprocess.Popen(
            [sys.executable, "-P", __file__, str(listener.fileno()), str(folder)],
            pass_fds=[listener.fileno()],
            stdin=subprocess.PIPE,
            stdout=errors,
            stderr=errors,
            start_new_session=True,
        )
    atexit.register(_end, server, folder)
    return [sys.executable, "-IS", str(CLIENT), str(address)]


def kill(process: subprocess.Popen[Any]) -> None:
    """Kill the process that a command line with `command()` started, as `kill -9` does."""
    if sys.platform == "win32":
        process.kill()
    else:
        process.send_signal(signal.SIGUSR2)


def _end(server: subprocess.Popen[bytes], folder: Path) -> None:
    server.communicate()
    complaints = (folder / "errors").read_text(errors="replace")
    shutil.rmtree(folder)
    if complaints:
        print(complaints, file=sys.stderr)


class Request(NamedTuple):
    """What a process is to be."""

    arguments: list[str]
    folder: str
    umask: int
    environment: dict[bytes, bytes]
    streams: list[int]


def _serve(listener: socket.socket, folder: Path) -> Request:
    """Fork for each client, until standard input ends; return in a forked process alone, with what it is to be."""
    sources: list[Any] = [listener, 0]
    while True:
        if 0 in select.select(sources, [], [])[0]:
            sys.exit()
        connection, _ = listener.accept()
        _import_what_was_needed(folder)
        gc.freeze()  # a forked process need not search for garbage in what it got
        if os.fork() == 0:
            listener.close()
            with connection:
                return _supervise(connection)
        connection.close()
        while _has_ended():
            pass


def _has_ended() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG) != (0, 0)
    except ChildProcessError:
        return False


def _supervise(connection: socket.socket) -> Request:
    """Fork the process of a client, and tell the client how it ends; without the client, it is killed."""
    header, streams, _, _ = socket.recv_fds(connection, 4, 3)
    with connection.makefile("rb") as sent:
        arguments, folder, umask, environment = marshal.loads(sent.read(int.from_bytes(header, "big")))
    request = Request(arguments, folder, umask, environment, streams)
    running, runs = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(running)  # the other end stays open for as long as this process runs
        return request
    for descriptor in (runs, *streams):
        os.close(descriptor)
    connection.sendall(pid.to_bytes(4, "big"))
    sources: list[Any] = [running, connection]
    if connection in select.select(sources, [], [])[0]:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    with suppress(BrokenPipeError):
        connection.sendall(status.to_bytes(4, "big"))
    os._exit(0)


def _become(request: Request, folder: Path) -> None:
    """Be the process that a client asked for."""
    wanted = {os.fsdecode(name): os.fsdecode(value) for name, value in request.environment.items()}
    for number, descriptor in enumerate(request.streams):
        os.dup2(descriptor, number)
        os.close(descriptor)
    for name in {*wanted, *os.environ} - _FREE_TO_DIFFER:
        if name.startswith(_OF_THE_START) and wanted.get(name) != os.environ.get(name):
            _refuse(f"{name} is read when Python starts: start {sys.executable}")
    atexit.register(_tell_what_was_needed, folder, frozenset(sys.modules))
    os.environ.clear()
    os.environ.update(wanted)
    time.tzset()
    os.umask(request.umask)
    os.chdir(request.folder)
    sys.path[:0] = [path for path in wanted.get("PYTHONPATH", "").split(os.pathsep) if path and path not in sys.path]
    encoding, errors = sys.stdout.encoding, sys.stdout.errors
    sys.stdin = open(0, encoding=encoding, errors=errors)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding=encoding, errors=errors)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding=encoding, errors="backslashreplace")  # noqa: SIM115
    for name in ("stdin", "stdout", "stderr"):
        setattr(sys, f"__{name}__", getattr(sys, name))  # the program asks whether they were replaced
    match request.arguments:
        case ["-m", module, *arguments]:
            sys.argv = [module, *arguments]
            sys.path.insert(0, request.folder)
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case ["-c", program, *arguments]:
            sys.argv = ["-c", *arguments]
            sys.path.insert(0, "")
            sys.modules["__main__"] = main = types.ModuleType("__main__")
            exec(compile(program, "<string>", "exec"), main.__dict__)  # noqa: S102
        case arguments:
            _refuse(f"neither -m nor -c: {arguments}")


def _refuse(why: str) -> NoReturn:
    os.write(2, f"{Path(__file__).name}: {why}\n".encode())
    os._exit(99)


def _tell_what_was_needed(folder: Path, known: frozenset[str]) -> None:
    """Leave word of what this process imported, so that the next one has it."""
    if needed := [name for name in list(sys.modules) if name not in known]:
        words = folder / f"{os.getpid()}.tmp"
        with suppress(OSError):  # a process of another user may not write there
            words.write_text("\n".join(needed), encoding="utf-8")
            words.rename(words.with_suffix(".needed"))


def _import_what_was_needed(folder: Path) -> None:
    for words in folder.glob("*.needed"):
        for name in words.read_text(encoding="utf-8").splitlines():
            if name not in sys.modules:
                with suppress(ImportError):  # of what a program made itself
                    import_module(name)
        words.unlink()


if __name__ == "__main__":
    import turnwright.cli.main  # noqa: F401

    place = Path(sys.argv[2])
    with socket.socket(fileno=int(sys.argv[1])) as listening:
        asked = _serve(listening, place)
    _become(asked, place)
