"""Waiting for a model: signs of life, stopping it, and what it may do wrong meanwhile."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

import pytest
from tests.game_master.models.fake_server import Line, fake_server

from turnwright.cli import _spinner as _patience
from turnwright.cli._interrupt import StopSign
from turnwright.cli._spinner import PatientModel
from turnwright.game_master.exchange import Cancelled
from turnwright.llm.catalog import open_model
from turnwright.llm.port import Limits, Message, ModelAnswer, ModelFailed, ModelRequest, OnText

REQUEST = ModelRequest("", (Message("player", "hello"),), (), None, Limits(0, 10, 30))
Act = Callable[[OnText], ModelAnswer]


class Inner:
    name = "inner"

    def __init__(self, act: Act) -> None:
        self._act = act

    def answer(self, request: ModelRequest, on_text: OnText | None = None) -> ModelAnswer:
        assert on_text is not None
        assert request is REQUEST
        return self._act(on_text)


def patient(act: Act, tick: Callable[[], None] = lambda: None, stop: StopSign | None = None) -> PatientModel:
    return PatientModel(Inner(act), tick, stop or StopSign())


def test_an_answer_and_its_pieces_come_through() -> None:
    heard: list[str] = []
    threads: list[bool] = []

    def hear(piece: str) -> None:
        heard.append(piece)
        threads.append(threading.current_thread() is threading.main_thread())

    def act(on_text: OnText) -> ModelAnswer:
        on_text("Once ")
        on_text("")
        on_text("upon")
        return ModelAnswer("Once upon")

    assert patient(act).answer(REQUEST, hear).text == "Once upon"
    assert heard == ["Once ", "upon"]
    assert all(threads), "whoever listens is never called from another thread"


def test_a_failure_comes_through_as_it_is() -> None:
    def act(_: OnText) -> ModelAnswer:
        raise ModelFailed("refused", "no")

    with pytest.raises(ModelFailed) as failed:
        patient(act).answer(REQUEST)
    assert failed.value.kind == "refused"


def test_whatever_a_library_raises_is_a_failure_of_the_model() -> None:
    def act(_: OnText) -> ModelAnswer:
        raise ZeroDivisionError("inside")

    with pytest.raises(ModelFailed, match="ZeroDivisionError: inside"):
        patient(act).answer(REQUEST)


def test_a_model_that_is_stopped_is_left_behind_and_ends_at_its_next_word() -> None:
    stop, ended = StopSign(), threading.Event()
    is_at_work, may_go_on = threading.Event(), threading.Event()

    def act(on_text: OnText) -> ModelAnswer:
        is_at_work.set()
        try:
            may_go_on.wait(10)
            on_text("too late")
        finally:
            ended.set()
        raise AssertionError("it was heard")

    def tick() -> None:
        stop.is_up = is_at_work.is_set()

    with pytest.raises(Cancelled):
        patient(act, tick, stop).answer(REQUEST)
    assert not ended.is_set()
    may_go_on.set()
    assert ended.wait(10)


@pytest.mark.parametrize("is_thinking", [True, False], ids=["that thinks", "that is silent"])
def test_stopping_a_model_closes_the_connection_to_its_server(is_thinking: bool) -> None:
    stop, closed = StopSign(), threading.Event()

    def play(line: Line) -> None:
        if is_thinking:
            line.head()
            line.delta(reasoning_content="Hm.")
        stop.is_up = True
        if line.until_closed():
            closed.set()

    with fake_server(play) as server:
        model = PatientModel(open_model(f"openai:any@{server.url}", env={}), lambda: None, stop)
        with pytest.raises(Cancelled):
            model.answer(REQUEST)
        assert closed.wait(20)


def test_a_model_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_patience, "_GRACE", -30.0)
    may_end = threading.Event()

    def act(_: OnText) -> ModelAnswer:
        may_end.wait(10)
        return ModelAnswer("")

    with pytest.raises(ModelFailed) as failed:
        patient(act).answer(REQUEST)
    may_end.set()
    assert failed.value.kind == "timeout"


def test_ctrl_c_is_a_sign_while_it_is_watched_for_and_nothing_else() -> None:
    stop = StopSign()
    with stop.watched():
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.is_up
    with stop.watched():
        assert not stop.is_up
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
