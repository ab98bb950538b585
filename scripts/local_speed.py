"""How fast the small model of this machine reads and writes, with one thread and with two.

    python scripts/local_speed.py

Reading is the time until the first piece of text, writing the time from there on. Each line is one answer of a model
that was just loaded and has answered one other question. Source: docs/agents.md, "A model on this machine".
"""

from __future__ import annotations

import time

from turnwright.llm.catalog import THREADS, open_model
from turnwright.llm.port import LanguageModel, Limits, Message, ModelRequest

WRITTEN = 96
"""How many tokens each answer may have."""
SENTENCE = "The rails end at a black hole in the rock, and somebody lies beside it and breathes. "


def main() -> None:
    """Print a line for each number of threads and length of prompt."""
    print("threads  read   tokens/s  written  tokens/s")
    for threads in ("1", "2"):
        for sentences in (4, 140):
            model = open_model("local", env={THREADS: threads})
            ask(model, "Good evening.")
            read, reading, written, writing = ask(model, "Tell what happens next. " + SENTENCE * sentences)
            print(f"{threads:>7}  {read:>5}  {read / reading:>8.0f}  {written:>7}  {written / writing:>8.0f}")


def ask(model: LanguageModel, text: str) -> tuple[int, float, int, float]:
    """Return the tokens that were read and the seconds that took, and the same for writing."""
    heard: list[float] = []
    request = ModelRequest("", (Message("player", text),), (), None, Limits(0.7, WRITTEN, 600, seed=1))
    began = time.monotonic()
    answer = model.answer(request, lambda _: heard.append(time.monotonic()))
    ended = time.monotonic()
    return answer.usage.input_tokens, heard[0] - began, answer.usage.output_tokens - 1, ended - heard[0]


if __name__ == "__main__":
    main()
