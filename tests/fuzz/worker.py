"""One target under the fuzzer, in a process of its own: libFuzzer ends the process when it is done.

python -m tests.fuzz.worker TARGET LIBFUZZER-ARGUMENT...
"""

from __future__ import annotations

import sys
from importlib import import_module
from random import Random


def main(target: str, arguments: list[str]) -> None:
    """Fuzz one target; the process ends here."""
    atheris = import_module("atheris")  # only on Linux, and nowhere needed but here
    with atheris.instrument_imports(include=["turnwright"]):
        targets = import_module("tests.fuzz.targets")
        mutation = import_module("tests.fuzz.mutation")

    def mutate(data: bytes, max_size: int, seed: int) -> bytes:
        randomness = Random(seed)
        changed = mutation.mutated(target, data, randomness) if randomness.random() < 0.5 else None
        kept: bytes = changed if changed is not None and len(changed) <= max_size else atheris.Mutate(data, max_size)
        return kept

    options = {"custom_mutator": mutate} if target in mutation.JSON_TARGETS else {}
    atheris.Setup([f"tests.fuzz {target}", *arguments], targets.TARGETS[target], **options)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
