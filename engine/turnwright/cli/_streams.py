"""Standard streams that never end in a traceback: closed ones, narrow encodings, readers who leave, full disks."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

import click

from turnwright.cli._exit_codes import IO_ERROR, READER_LEFT


class OutputFailed(Exception):
    """What a command prints could not be written. No `OSError`: else it would pass for one of the campaign's files."""

    def __init__(self, descriptor: int, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.descriptor = descriptor
        self.has_reader = not isinstance(error, BrokenPipeError)


class _Output(io.FileIO):
    """A descriptor to print to, whose errors can be told from all others."""

    def write(self, data: Any, /) -> int:
        """Write some of the data; return how many bytes."""
        try:
            return super().write(data)
        except OSError as error:
            raise OutputFailed(self.fileno(), error) from error


def prepare_streams() -> None:
    """Put an empty stream where one was closed, and make the others take every character and tell their own errors."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # and no file of a campaign shall take its place
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - open until we leave
        elif mode == "w" and isinstance(stream, io.TextIOWrapper) and type(_raw(stream)) is io.FileIO:
            setattr(sys, name, _mended(stream))


def _raw(stream: io.TextIOWrapper) -> object:
    return getattr(stream.buffer, "raw", stream.buffer)  # without buffering, there is no other layer


def _mended(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    stream.flush()
    is_utf8 = stream.encoding.lower().replace("-", "") == "utf8"
    output = _Output(stream.fileno(), "wb", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(output) if hasattr(stream.buffer, "raw") else output,
        encoding=stream.encoding,
        errors="replace" if stream.errors == "strict" and not is_utf8 else stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def end_output(failure: OutputFailed) -> int:
    """Say that the output could not be written, unless its reader has just left; return the exit code."""
    _give_up(failure)
    if not failure.has_reader:
        return READER_LEFT
    try:
        click.echo(f"{click.style('error', fg='red')}  cannot write the output: {failure}", err=True)
    except OutputFailed as other:
        _give_up(other)
    return IO_ERROR


def _give_up(failure: OutputFailed) -> None:
    """Let what is left for a stream go nowhere: Python would complain of it once more while shutting down."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, failure.descriptor)
    os.close(nowhere)
