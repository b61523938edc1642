"""Answers that are lost on their way: asked for again where that is harmless, a typed error in time where not."""

from __future__ import annotations

import time
from typing import Any

import pytest
from std_srvs.srv import Trigger
from zulong.srv import Recall, Remember

from zulong.nodes.services import ServiceCaller, ServiceTimeoutError


class Lossy:
    """A service whose first ``lost`` answers never leave, as of a server that has not matched the client yet."""

    def __init__(self, node: Any, kind: Any, name: str, lost: int = 1) -> None:
        self.asked = 0
        self._lost = lost
        self._service = node.create_service(kind, name, self._answer)
        self._send = self._service.send_response
        self._service.send_response = self._send_or_lose

    def _answer(self, request: Any, response: Any) -> Any:
        self.asked += 1
        return response

    def _send_or_lose(self, response: Any, header: Any) -> None:
        if self.asked > self._lost:
            self._send(response, header)


def test_a_lost_answer_of_a_service_that_only_reads_is_asked_for_again(ros_session):
    lossy = Lossy(ros_session.node, Recall, "lossy_recall")
    answer = ServiceCaller(ros_session.node, Recall, "lossy_recall").call(Recall.Request(), 20.0)
    assert isinstance(answer, Recall.Response)
    assert lossy.asked >= 2


def test_a_request_that_must_not_be_done_twice_is_sent_once_and_ends_in_time(ros_session):
    lossy = Lossy(ros_session.node, Remember, "lossy_remember")
    caller = ServiceCaller(ros_session.node, Remember, "lossy_remember")
    begun = time.monotonic()
    with pytest.raises(ServiceTimeoutError, match="lossy_remember"):
        caller.call(Remember.Request(), 2.5)
    assert 2.4 < time.monotonic() - begun < 10.0
    assert lossy.asked == 1


def test_a_caller_who_knows_that_repeating_is_harmless_says_so(ros_session):
    lossy = Lossy(ros_session.node, Trigger, "lossy_stop", lost=2)
    answer = ServiceCaller(ros_session.node, Trigger, "lossy_stop").call(
        Trigger.Request(), 20.0, resend_s=0.2
    )
    assert isinstance(answer, Trigger.Response)
    assert lossy.asked >= 3
