"""Resolve the name of a remote model to its server and key.

Source: docs/agents.md, "Names of models".
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx2
from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import Provider, infer_provider, infer_provider_class
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

from turnwright.llm.chat import ChatModel
from turnwright.llm.http import is_loopback
from turnwright.model.errors import BadRequest
from turnwright.model.model_name import KEY, endpoint, name_fault

_OPENAI = "api.openai.com"
_NO_KEY = "none"
_ADVICE_TO_PROGRAMS = " or pass it via "

Build = Callable[[httpx2.AsyncClient], Model]


class Server:
    """A model on a server, not yet connected.

    Attributes:
        build: makes the client's side of it around an HTTP client.
        is_near: whether it is on this machine.
        ends_with_mark: whether its streams end with the mark of OpenAI-compatible servers.
        secret: its key, which no message may show; empty where there is none.
    """

    def __init__(self, build: Build, *, is_near: bool = False, ends_with_mark: bool = False, secret: str = "") -> None:
        self.build = build
        self.is_near = is_near
        self.ends_with_mark = ends_with_mark
        self.secret = secret


def server_of(spec: str, env: Mapping[str, str]) -> Server:
    """Return the server that a name means.

    Raises:
        BadRequest: the name means none, or its provider needs a package or a key that is not there.
    """
    if fault := name_fault(spec):
        raise BadRequest(f"the model's name {fault}")
    found = endpoint(spec)
    return _endpoint(*found, env) if found else _named(spec, env)


def _endpoint(name: str, url: str, env: Mapping[str, str]) -> Server:
    is_openai = urlsplit(url).hostname == _OPENAI
    secret = env.get("OPENAI_API_KEY" if is_openai else KEY, "").strip()
    # No tags of thoughts: the library knows only those that are a chunk of their own, and takes answers for thoughts.
    profile = OpenAIModelProfile(json_schema_transformer=None, thinking_tags=("", ""))
    if not is_openai:
        # What all of them know; only OpenAI's own models insist on the newer name of this limit.
        profile["openai_chat_supports_max_completion_tokens"] = False

    def build(client: httpx2.AsyncClient) -> Model:
        provider = OpenAICompatibleProvider(
            "endpoint", base_url=url, api_key=secret or _NO_KEY, http_client=client, profile=profile
        )
        if not is_openai:
            # The library takes these from the environment, whatever the server.
            provider.client.organization = provider.client.project = None
        return _once(ChatModel(name, provider=provider))

    return Server(build, is_near=is_loopback(url), ends_with_mark=True, secret=secret)


def _named(spec: str, env: Mapping[str, str]) -> Server:
    kind, _, name = spec.partition(":")
    secret = env.get(f"{kind.upper().replace('-', '_')}_API_KEY", "").strip()

    def build(client: httpx2.AsyncClient | None) -> Model:
        return _once(infer_model(spec, lambda provider: _provider(provider, secret, client)))

    try:
        if not name:
            raise UserError("a name is missing after the colon")
        build(None)
    except (ImportError, UserError, ValueError, TypeError) as error:
        told = " ".join(str(error).split()).partition(_ADVICE_TO_PROGRAMS)[0]
        raise BadRequest(f"no model {spec!r}: {told[:400]}") from None
    return Server(build, secret=secret)


def _once(model: Model) -> Model:
    """Return a model that never retries: the person at the table sees the failure and decides whether to retry."""
    sdk: Any = getattr(model, "client", None)
    if hasattr(sdk, "max_retries"):
        sdk.max_retries = 0  # as a setting of the request, it would make a copy that reads the environment again
    return model


def _provider(kind: str, secret: str, client: httpx2.AsyncClient | None) -> Provider[Any]:
    if kind.startswith("gateway/"):
        return infer_provider(kind)
    made = infer_provider_class(kind)
    known = inspect.signature(made.__init__).parameters
    given: dict[str, Any] = {}
    if secret and "api_key" in known:
        given["api_key"] = secret
    takes = known.get("http_client")
    if client is not None and takes is not None and "httpx.AsyncClient" not in str(takes.annotation):
        given["http_client"] = client  # those of the older library bring their own
    return made(**given)
