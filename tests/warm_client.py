"""The process that a test started, where `warm_python.py` forked the one that works; it imports little, to be fast."""

from __future__ import annotations

import marshal
import os
import signal
import socket
import sys
from contextlib import suppress

PASSED_ON = {number: number for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGWINCH)}
PASSED_ON[signal.SIGUSR2] = signal.SIGKILL  # by which `warm_python.kill` asks for it: nobody can pass that one on


def pass_on(pid: int, number: int) -> None:
    """Pass a signal on, unless the process has ended."""
    with suppress(ProcessLookupError):
        os.kill(pid, PASSED_ON[signal.Signals(number)])


def main() -> None:
    """Hand everything on, wait for the end, and end in the same way."""
    signal.pthread_sigmask(signal.SIG_BLOCK, PASSED_ON)
    umask = os.umask(0o77)
    request = marshal.dumps((sys.argv[2:], os.getcwd(), umask, dict(os.environb)))  # noqa: PTH109
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(sys.argv[1])
        socket.send_fds(server, [len(request).to_bytes(4, "big")], [0, 1, 2])
        server.sendall(request)
        pid = int.from_bytes(server.recv(4), "big")
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):  # the other ends of the streams then belong to the forked process alone
            os.dup2(nothing, stream)
        for number in PASSED_ON:
            signal.signal(number, lambda number, _: pass_on(pid, number))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
        status = int.from_bytes(server.recv(4), "big")
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


main()
