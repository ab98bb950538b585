"""The process that a test started, where `warm_python.py` forked the one that works; it imports little, to be fast."""

from __future__ import annotations

import marshal
import os
import signal
import socket
import sys

PASSED_ON = {signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGWINCH}


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
        for stream in (0, 1, 2):  # whoever reads or writes at the other end meets the forked process alone
            os.dup2(nothing, stream)
        for number in PASSED_ON:
            signal.signal(number, lambda number, _: os.kill(pid, number))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, PASSED_ON)
        status = int.from_bytes(server.recv(4), "big")
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


main()
