"""Look up a model's context size, as reported by its server.

Source: docs/agents.md, "Bounds".
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from turnwright.llm.port import HasContext, LanguageModel, ModelFailed
from turnwright.model.model_name import endpoint

_KEYS = ("max_model_len", "context_length", "max_context_length", "context_window")
"""Keys for it in servers' lists of models: vLLM, OpenRouter, LM Studio and Mistral, and others."""
_PATIENCE = 3.0
"""Seconds to wait for a list of models."""


def context_of(model: LanguageModel, key: str = "") -> int | None:
    """Return the maximum number of tokens of a request and its answer together; None if unknown.

    Args:
        model: the model.
        key: the key of its server; empty for none.
    """
    if isinstance(model, HasContext):
        with suppress(ModelFailed):  # a server that is not there is reported when it is asked something
            return model.context_tokens()
        return None
    found = endpoint(model.name)
    return None if found is None else _listed(*found, key)


def _listed(name: str, url: str, key: str) -> int | None:
    """Return what a server that speaks as OpenAI's does says of a model in its list."""
    import httpx2

    from turnwright.llm.http import is_loopback

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        with httpx2.Client(timeout=_PATIENCE, trust_env=not is_loopback(url)) as client:
            listed: Any = client.get(f"{url.rstrip('/')}/models", headers=headers).json()
    except (httpx2.HTTPError, ValueError):
        return None
    rows = listed.get("data") if isinstance(listed, Mapping) else None
    models = [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
    chosen = next((row for row in models if row.get("id") == name), models[0] if len(models) == 1 else {})
    meta = chosen.get("meta")
    told = [chosen.get(key) for key in _KEYS] + ([meta.get("n_ctx")] if isinstance(meta, Mapping) else [])
    return next((length for length in told if type(length) is int and length > 0), None)
