"""Service answers that come later than the request, without a blocked executor.

rclpy sends what a service callback returns. A coroutine would be polled all the while it waits, which burns a
core; so the callback hands over a future instead, and the answer is sent when that is done.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from zulong.nodes.sentences import shorten


def allow_deferred(service: Any, post: Callable[..., None], on_error: Callable[[BaseException], Any]) -> None:
    """Let the callback of an rclpy ``service`` return a :class:`concurrent.futures.Future` of its response.

    Args:
        service: what ``create_service`` returned.
        post: runs a call on the executor's thread (``ZulongNode.post``).
        on_error: makes the response for a future that failed.
    """
    send = service.send_response

    def send_or_wait(response: Any, header: Any) -> None:
        if not isinstance(response, Future):
            send(response, header)
            return
        response.add_done_callback(lambda done: post(send, _settle(done, on_error), header))

    service.send_response = send_or_wait


def _settle(done: Future[Any], on_error: Callable[[BaseException], Any]) -> Any:
    error = done.exception() if not done.cancelled() else RuntimeError("the request was dropped")
    return shorten(done.result() if error is None else on_error(error))
