"""Models of other distributions: each registers a name in the entry point group `turnwright.models`.

The value is a function that is given the environment, a mapping of variables, and returns a `LanguageModel`.
Source: docs/extending.md, "A model adapter".
"""

from __future__ import annotations

from collections.abc import Mapping

from turnwright.llm.port import LanguageModel, ModelAnswer, ModelFailed, ModelRequest, OnText
from turnwright.model.entry_points import Extension, ExtensionError, Group, failed, find, imported, unusable
from turnwright.model.errors import BadRequest
from turnwright.model.model_name import OWN_NAMES


def installed_model(name: str, env: Mapping[str, str]) -> LanguageModel | None:
    """Return the model that a distribution registers under a name; None where none does.

    Raises:
        BadRequest: when the name cannot be used, or the code of the distribution fails; the message names it.
    """
    try:
        extension = find(Group.MODELS, name, OWN_NAMES)
        return None if extension is None else _opened(extension, env)
    except ExtensionError as error:
        raise BadRequest(f"the model {error}") from error


def _opened(extension: Extension, env: Mapping[str, str]) -> LanguageModel:
    open_model = imported(extension)
    if not callable(open_model):
        raise unusable(extension, f"{extension.value} is no function")
    try:
        model = open_model(env)
    except (Exception, SystemExit) as error:  # whatever the code of another distribution does
        raise failed(extension, error) from error
    if not isinstance(getattr(model, "name", None), str) or not callable(getattr(model, "answer", None)):
        raise unusable(extension, f"{extension.value} must return a model with `name` and `answer`")
    return AdaptedModel(model, extension)


class AdaptedModel:
    """A model of another distribution, whose errors become failures of the model."""

    def __init__(self, model: LanguageModel, extension: Extension) -> None:
        self._model = model
        self._extension = extension

    @property
    def name(self) -> str:
        """The model's name in records and messages."""
        return self._model.name

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        """Return the model's answer, or raise `ModelFailed`; exceptions of `on_text` are re-raised unchanged."""
        listener = _Listener(on_text)
        try:
            answer = self._model.answer(request, None if on_text is None else listener)
        except ModelFailed:
            raise
        except Exception as error:
            if error is listener.raised:
                raise
            raise ModelFailed("garbage", str(failed(self._extension, error))) from error
        if not isinstance(answer, ModelAnswer):
            wrong = TypeError(f"an answer must be a ModelAnswer (got {type(answer).__name__})")
            raise ModelFailed("garbage", str(failed(self._extension, wrong)))
        return answer


class _Listener:
    """Hands pieces of text on, and remembers what the receiver raised to stop the model."""

    def __init__(self, on_text: OnText | None) -> None:
        self._on_text = on_text
        self.raised: BaseException | None = None

    def __call__(self, text: str) -> None:
        if self._on_text is None:
            return
        try:
            self._on_text(text)
        except BaseException as error:
            self.raised = error
            raise
