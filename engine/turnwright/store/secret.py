"""The dice secret: the one thing below `.turnwright/` that cannot be made again.

Source: docs/stages/5-commit.md, "Dice".
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import Any

from turnwright.model.errors import CampaignInvalid
from turnwright.model.strict_json import JsonError, parse_json, pretty
from turnwright.model.wire.reason import Problem
from turnwright.store import disk, platform
from turnwright.store.files import ENGINE_FOLDER, Files

SECRET_PATH = f"{ENGINE_FOLDER}/secret.json"
_BRING_BACK = "bring it back from a copy"


def write_secrets(files: Files, secrets: list[bytes]) -> None:
    """Keep the secrets, oldest first; durable before anything is drawn from them."""
    files.make_folder(ENGINE_FOLDER)
    files.replace(SECRET_PATH, pretty({"secrets": [secret.hex() for secret in secrets]}), is_private=True)
    files.make_durable(SECRET_PATH)


def is_open_to_others(files: Files) -> bool:
    """Return whether users other than its owner can read the secret, and so predict the dice."""
    seen = files.look(SECRET_PATH)
    return seen is not None and seen.is_file and platform.is_open_to_others(seen.mode)


def close_to_others(files: Files) -> None:
    """Make a secret accessible only to its owner; a no-op for other users, who may not change its mode."""
    with suppress(OSError):
        if is_open_to_others(files):
            with files.opened(SECRET_PATH, disk.READ) as descriptor:
                files.disk.restrict(descriptor)


def read_secrets(files: Files) -> list[bytes]:
    """Return all secrets, oldest first; a fork brings those of its parents along.

    Raises:
        CampaignInvalid: when the file is missing or not what was written.
    """
    seen = files.look(SECRET_PATH)
    if seen is not None and not seen.is_file:
        message = f"is not an ordinary file, so no dice can be drawn; {_BRING_BACK}"
        raise CampaignInvalid([Problem(SECRET_PATH, "$", "secret", message)])
    try:
        value: Any = parse_json(files.read(SECRET_PATH))
        return [bytes.fromhex(text) for text in value["secrets"]]
    except FileNotFoundError:
        message = f"the dice secret is missing; without it no dice can be drawn; {_BRING_BACK}"
    except PermissionError as error:
        why = f"{error.strerror}: only its owner may read the dice secret, and so take turns"
        raise PermissionError(error.errno, why, error.filename) from error
    except (JsonError, KeyError, TypeError, ValueError):
        message = f"the dice secret cannot be read; {_BRING_BACK}"
    raise CampaignInvalid([Problem(SECRET_PATH, "$", "secret", message)])


def secret_with_hash(files: Files, digest: str) -> bytes:
    """Return the secret that the log speaks of by its SHA-256."""
    for secret in read_secrets(files):
        if hashlib.sha256(secret).hexdigest() == digest:
            return secret
    message = f"is not the secret this campaign was begun with; {_BRING_BACK}"
    raise CampaignInvalid([Problem(SECRET_PATH, "$", "secret", message)])


class Secrets:
    """The dice secrets of one campaign directory; the one in use is read once."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._last: tuple[str, bytes] | None = None

    def get(self, digest: str) -> bytes:
        """Return the secret with this hash; empty where nothing is thrown yet but in a dry run."""
        if not digest:
            return b""
        if self._last is None or self._last[0] != digest:
            self._last = (digest, secret_with_hash(self._files, digest))
        return self._last[1]
