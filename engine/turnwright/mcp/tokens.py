"""Bearer tokens, one for each role that is served over HTTP: made at the start, or kept in a file of their own.

Source: docs/mcp-security.md, "Tokens".
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from turnwright.model.errors import BadRequest

_BYTES = 32
_MIN_LENGTH = 32
_MAX_FILE_BYTES = 1 << 16


class Tokens:
    """The roles of tokens."""

    def __init__(self, by_role: Mapping[str, str]) -> None:
        self._roles = tuple((token.encode(), role) for role, token in by_role.items())

    def role_of(self, token: str) -> str | None:
        """Return the role of a token, or None; the time it takes does not tell how much of a guess is right."""
        given, found = token.encode("utf-8", "surrogateescape"), None
        for known, role in self._roles:
            if hmac.compare_digest(known, given):
                found = role
        return found


def new_tokens(roles: Iterable[str]) -> dict[str, str]:
    """Return a new token for each role."""
    return {role: secrets.token_urlsafe(_BYTES) for role in roles}


def kept_tokens(path: Path, roles: Iterable[str]) -> dict[str, str]:
    """Return the tokens of some roles from a file that only its owner may read, created if missing.

    A line holds a role and its token.

    Raises:
        BadRequest: when others may read the file, or it lacks a role or holds an invalid token.
        OSError: when it cannot be read or created.
    """
    wanted = list(roles)
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        tokens = new_tokens(wanted)
        _write(path, tokens)
        return tokens
    with os.fdopen(descriptor, "rb") as file:
        _require_private(path, os.fstat(descriptor))
        text = file.read(_MAX_FILE_BYTES).decode("utf-8", "replace")
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if not all(len(line) == 2 for line in lines):
        raise BadRequest(f"{path}: each line must hold a role and its token")
    tokens = {line[0]: line[1] for line in lines}
    if missing := [role for role in wanted if role not in tokens]:
        raise BadRequest(f"{path}: there is no token for {missing[0]}")
    chosen = {role: tokens[role] for role in wanted}
    if any(len(token) < _MIN_LENGTH for token in chosen.values()) or len(set(chosen.values())) != len(chosen):
        raise BadRequest(f"{path}: tokens must have {_MIN_LENGTH} characters at least, and differ")
    return chosen


def _require_private(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise BadRequest(f"{path}: is not a regular file")
    if os.name == "posix" and status.st_mode & 0o077:
        raise BadRequest(f"{path}: others may read it; say chmod 600 {path}")


def _write(path: Path, tokens: Mapping[str, str]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.writelines(f"{role} {token}\n" for role, token in tokens.items())
