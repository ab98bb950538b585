"""Check names of language models by the name alone: invalid names, and names that must not be stored.

Source: docs/agents.md, "Names of models".
"""

import re
from urllib.parse import urlsplit

KEY = "TURNWRIGHT_API_KEY"
"""The variable with the key of a server that is named by its URL."""
_AT = re.compile(r"openai:(?P<name>.+?)@(?P<url>https?://.+)")
_OLLAMA = re.compile(r"ollama:(?P<name>[^@\s]+)(?:@(?P<url>https?://.+))?")
OLLAMA_URL = "http://127.0.0.1:11434"
"""Ollama's default address."""
_OF_FILES = ("script", "local")
_COMPLETE = ("none", "echo", "local")
OWN_NAMES = frozenset({*_COMPLETE, "script", "openai", "ollama", "default", "larger", "solution"})
"""Names that mean something where a model is named, so that no model adapter can be called so."""


def endpoint(spec: str) -> tuple[str, str] | None:
    """Return the model and the URL of a server that is named by its URL; None where a name means another model."""
    at = _AT.fullmatch(spec)
    return (at["name"], at["url"]) if at else None


def ollama_endpoint(spec: str) -> tuple[str, str] | None:
    """Return the model and the URL of an Ollama server; None where a name means another model."""
    at = _OLLAMA.fullmatch(spec)
    return (at["name"], at["url"] or OLLAMA_URL) if at else None


def name_fault(spec: str) -> str | None:
    """Return why a name may neither be used nor kept; it does not repeat the name, which may hold a password."""
    if "@" in spec.partition("://")[2]:
        return f"holds a URL with a password in it, which would be shown and recorded; put the key into {KEY}"
    kind = spec.partition(":")[0]
    if kind in _OF_FILES or not ("://" in spec or (kind == "openai" and "@" in spec)):
        return None
    found = endpoint(spec) or ollama_endpoint(spec)
    if found is not None and _is_of_server(found[1]):
        return None
    return "wants to be openai:NAME@URL or ollama:NAME@URL, where the URL is that of a server, like http://127.0.0.1:11434/v1"


def _is_of_server(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0 and not parts.query and not parts.fragment
    except ValueError:  # of what should be a port, or of brackets
        return False


def can_be(spec: str) -> bool:
    """Return whether a name has the form of one, adapters apart; whether there is one shows when it is asked."""
    kind, _, rest = spec.partition(":")
    return spec in _COMPLETE or bool(kind and rest and kind != "echo")
