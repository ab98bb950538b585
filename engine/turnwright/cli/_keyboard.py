"""Lines that a person types, with what they typed in earlier sessions at hand; or lines from a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from turnwright.cli._output import safe
from turnwright.cli._scene_view import echo_line
from turnwright.model.errors import CampaignError
from turnwright.store.files import ENGINE_FOLDER

HISTORY_PATH = f"{ENGINE_FOLDER}/play_history"
MAX_LINE_LENGTH = 1 << 20
"""Maximum number of characters in one input; a turn could hold no more."""
_MAX_LINES = 1000


class Keyboard:
    """The source of input lines.

    Args:
        campaign: the campaign's directory, which also stores the input history, outside its state.

    Attributes:
        is_terminal: whether a person types them.
        complete: returns the completions of the beginning of a line, for the Tab key; None for none.
    """

    def __init__(self, campaign: Path) -> None:
        self.is_terminal = sys.stdin.isatty()
        self.complete: Callable[[str], list[str]] | None = None
        self._path = campaign / HISTORY_PATH
        self._found: list[str] = []
        self._readline = _readline() if self.is_terminal else None

    def __enter__(self) -> Keyboard:
        if self._readline is not None:
            self._readline.set_history_length(_MAX_LINES)
            self._readline.set_completer_delims("")  # names have blanks in them: a line is completed as a whole
            self._readline.set_completer(self._completion)
            self._readline.parse_and_bind("tab: complete")
            with suppress(OSError, ValueError):
                if self._is_ours():
                    self._readline.read_history_file(str(self._path))
        return self

    def __exit__(self, *exc: object) -> None:
        if self._readline is not None:
            with suppress(OSError):
                self._keep()

    def line(self, prompt: str) -> str | None:
        """Return the next line without its end; None when there is none any more.

        A line that ends in a backslash goes on in the next one.

        Raises:
            KeyboardInterrupt: when the person pressed Ctrl-C instead.
        """
        while (text := self._whole(prompt)) is not None and len(text) > MAX_LINE_LENGTH:
            click.echo(f"what you say has at most {MAX_LINE_LENGTH} characters; it was left out", err=True)
        return text

    def _whole(self, prompt: str) -> str | None:
        """Return a line with those it goes on in; of what is too long, enough to tell."""
        line = text = self._one(prompt)
        while text is not None and line is not None and line.endswith("\\"):
            line = self._one("... ")
            text = (text.removesuffix("\\") + "\n" + (line or ""))[: MAX_LINE_LENGTH + 1]
        return text

    def _one(self, prompt: str) -> str | None:
        if self.is_terminal:
            try:
                return _decoded(input(prompt))
            except EOFError:
                click.echo()
                return None
        line = rest = sys.stdin.readline(MAX_LINE_LENGTH + 2)
        if not line:
            return None
        while rest and not rest.endswith("\n"):
            rest = sys.stdin.readline(MAX_LINE_LENGTH)
        text = _decoded(line.rstrip("\r\n"))
        if len(text) <= MAX_LINE_LENGTH:
            echo_line(f"{prompt}{safe(text)}")
        return text

    def _completion(self, text: str, place: int) -> str | None:
        """Return the completion of a line at a place among them; None where there are no more."""
        if place == 0:
            self._found = self._completions(text)
        return self._found[place] if place < len(self._found) else None

    def _completions(self, text: str) -> list[str]:
        if self.complete is None:
            return []
        try:
            return self.complete(text)
        except CampaignError:
            return []  # the line itself will tell what is wrong

    def _is_ours(self) -> bool:
        return self._path.is_file() and not self._path.is_symlink()

    def _keep(self) -> None:
        """Write down what was typed; only its owner can read it, and no link is followed."""
        assert self._readline is not None
        if self._path.exists() and not self._is_ours():
            return
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        os.close(os.open(self._path, flags, 0o600))
        self._readline.write_history_file(str(self._path))


def _decoded(text: str) -> str:
    """Return a line without the lone surrogates that undecodable bytes become: no turn can hold them."""
    return text.encode("utf-8", "replace").decode()


def _readline() -> Any:
    """Return the line editor of the machine; None where there is none."""
    try:
        import readline
    except ImportError:
        return None
    return readline
