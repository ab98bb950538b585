"""What a session of play looks like: told once it is committed, and plain wherever the output is no terminal."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any

import click

from turnwright.cli._interrupt import StopSign
from turnwright.cli._output import safe
from turnwright.cli._scene_view import die, echo_line, echo_wrapped, set_apart
from turnwright.game_master.budget import SessionBudget
from turnwright.game_master.telemetry import Asking
from turnwright.model.dice.draws import Draw

Json = Mapping[str, Any]


def disagreement(fact: str) -> str:
    """Return what marks a text that says otherwise than the books."""
    return f"the books disagree: {fact}"


_FRAMES = "|/-\\"
_PER_WORD, _MAX_TYPING_SECONDS = 0.02, 2.5
"""Seconds: how fast a text is typed out, and how long that may take at most."""
_REDRAWN_EVERY = 0.08
_ERASE = "\r\x1b[K"
_MAX_DICE = 12

ASIDE = " (only you hear this)"
"""What stands behind the name of who whispers."""


class Screen:
    """The terminal that a session is told on.

    Args:
        stop: is put up when the person does not want to wait.
        is_instant: show texts at once.
    """

    def __init__(self, stop: StopSign, *, is_instant: bool = False) -> None:
        self._stop = stop
        self._is_live = sys.stdout.isatty()
        self._is_instant = is_instant or not self._is_live
        self._since = 0.0
        self._characters = 0
        self._frame = 0
        self._drawn_at = 0.0
        self._is_drawn = False
        self._label = ""

    # while a model works

    def think(self, label: str) -> None:
        """Start showing that work is in progress."""
        self._label, self._since, self._characters, self._drawn_at = label, time.monotonic(), 0, 0.0
        self.tick()

    def hear(self, piece: str) -> None:
        """Count what is being written."""
        self._characters += len(piece)
        self.tick()

    def tick(self) -> None:
        """Show that the work goes on."""
        now = time.monotonic()
        if not self._is_live or now - self._drawn_at < _REDRAWN_EVERY:
            return
        self._drawn_at = now
        self._frame += 1
        seconds = int(now - self._since)
        tokens = f", about {-(-self._characters // 4)} tokens" if self._characters else ""
        told = f"{_FRAMES[self._frame % len(_FRAMES)]} {self._label} ({seconds} s{tokens}; Ctrl-C stops)"
        width = max(20, shutil.get_terminal_size((100, 24)).columns - 1)
        sys.stdout.write(_ERASE + safe(told)[:width])
        sys.stdout.flush()
        self._is_drawn = True

    def clear(self) -> None:
        """Take the sign of work away."""
        if self._is_drawn:
            sys.stdout.write(_ERASE)
            sys.stdout.flush()
            self._is_drawn = False

    # what is told

    def title(self, text: str) -> None:
        """Print a headline."""
        self.clear()
        echo_line(click.style(safe(text), bold=True))

    def note(self, text: str) -> None:
        """Print something about the session, not the story."""
        self.clear()
        for line in wrap(safe(text), self.width - 2) or [""]:
            echo_line(click.style(f"  {line}", dim=True))

    def warn(self, text: str) -> None:
        """Print something that the player has to know."""
        self.clear()
        echo_wrapped(text, "! ", "yellow")

    def mark(self, marks: Iterable[str]) -> None:
        """Print what has to be known of the text above."""
        for told in marks:
            self.warn(told)

    def narrate(
        self,
        text: str,
        speaker: str | None = None,
        *,
        private: bool = False,
        marks: Iterable[str] = (),
        is_ours: bool = False,
    ) -> None:
        """Type out a part of the story, with its annotations right below.

        Args:
            text: the text.
            speaker: the speaker; None for the game master's own voice.
            private: whether only one player hears it.
            marks: the annotations.
            is_ours: whether it is the engine's own account. Other texts' lines that look like it are set apart.
        """
        self.clear()
        aside = ASIDE if private else ""
        if speaker and not _begins_with(text, speaker):
            text = f"{speaker}{aside}: {text}"
        elif aside:
            text = f"{aside.strip()} {text}"
        shown = printable(safe_lines(text))
        lines = [part for line in shown.splitlines() for part in (wrap(line, self.width) or [""])]
        lines = lines if is_ours else list(map(set_apart, lines))
        words = sum(len(line.split(" ")) for line in lines)
        pause = 0.0 if self._is_instant else min(_PER_WORD, _MAX_TYPING_SECONDS / max(1, words))
        for line in lines:
            self._type(line, pause)
        self.mark(marks)
        echo_line()

    def _type(self, line: str, pause: float) -> None:
        if not pause or self._stop.is_up:
            echo_line(line)
            return
        for place, word in enumerate(line.split(" ")):
            click.echo(word if place == 0 else f" {word}", nl=False)
            if not self._stop.is_up:
                time.sleep(pause)
        click.echo()

    def dice(self, draws: Sequence[Draw]) -> None:
        """Print what was rolled; `why` says for what, by names."""
        faces = [draw for draw in draws if draw["sides"]]
        for why in dict.fromkeys(draw["why"] for draw in faces):
            thrown = [draw for draw in faces if draw["why"] == why]
            shown = "  ".join(map(_face, thrown[:_MAX_DICE]))
            more = f"  and {len(thrown) - _MAX_DICE} more" if len(thrown) > _MAX_DICE else ""
            self.clear()
            echo_line(click.style(f"  {shown}{more}", fg="cyan") + click.style(f"  {safe(why)}", dim=True))

    def deed(self, text: str) -> None:
        """Print what a call did."""
        self.clear()
        for line in wrap(text, self.width, initial_indent="  ", subsequent_indent="    ") or [""]:
            echo_line(click.style(line, dim=True))

    def spent(self, askings: Sequence[Asking], spending: SessionBudget) -> None:
        """Print what an exchange took, and the session so far."""
        if not askings:
            return
        now = sum(asking.input_tokens + asking.output_tokens for asking in askings)
        cost = f", ${spending.cost:.4f}" if spending.is_cost_known else ""
        seconds = sum(asking.ms for asking in askings) / 1000
        asked = f"{len(askings)} question{'s' if len(askings) > 1 else ''}"
        self.note(f"[{asked}, {seconds:.1f} s, {now:,} tokens; in all {spending.tokens:,} tokens{cost}]")

    @property
    def width(self) -> int:
        """How wide a line of the story may be: a very wide one is hard to read."""
        return min(100, max(40, shutil.get_terminal_size((100, 24)).columns - 1))


def _face(draw: Draw) -> str:
    given = "*" if draw["given"] else ""
    shown = die(int(draw["value"])) if draw["sides"] == 6 else f"d{draw['sides']} {draw['value']}"
    return f"{shown}{given}"


def safe_lines(text: str) -> str:
    """Return text that cannot drive a terminal, with its line breaks."""
    return "\n".join(safe(line) for line in text.splitlines())


def printable(text: str) -> str:
    """Return text with question marks for what the output has no signs for."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


def _begins_with(text: str, name: str) -> bool:
    bare = text.lstrip(" \t*_\"'")
    return bare.casefold().startswith(name.casefold()) and bare[len(name) :].lstrip(" *_").startswith(":")
