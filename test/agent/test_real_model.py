"""A real small model behind a real server.

Needs an OpenAI-compatible server: ZULONG_TEST_LLM_URL (such as http://127.0.0.1:8080/v1) and, where the server
asks for one, the model's name in ZULONG_TEST_LLM_NAME. A model of half a billion parameters will do.
"""

from __future__ import annotations

import os

import pytest

from zulong.agent.chat import ChatRequest, OpenAIModel, OpenAISettings, complete
from zulong.agent.latch import CancelLatch

URL = os.environ.get("ZULONG_TEST_LLM_URL")
pytestmark = [
    pytest.mark.model,
    pytest.mark.feature("FC-09"),
    pytest.mark.timeout(600),
    pytest.mark.skipif(not URL, reason="set ZULONG_TEST_LLM_URL to an OpenAI-compatible server"),
]


@pytest.fixture
def model() -> OpenAIModel:
    name = os.environ.get("ZULONG_TEST_LLM_NAME", "local")
    return OpenAIModel(
        OpenAISettings(name, str(URL), first_s=240.0, idle_s=60.0, total_s=480.0, context_window=4096)
    )


def test_it_speaks_as_it_thinks(model) -> None:
    heard: list[str] = []
    request = ChatRequest([{"role": "user", "content": "Say: hello"}], max_tokens=20, temperature=0.0)
    reply = complete(model, request, CancelLatch(), on_text=heard.append)
    assert "hello" in reply.text.lower() and len(heard) > 1
