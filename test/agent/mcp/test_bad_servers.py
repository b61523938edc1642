"""MCP servers that die, hang, flood or answer nonsense: each ends in time and in words, and the next call is free."""

from __future__ import annotations

import io
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from zulong.agent.latch import CancelLatch
from zulong.agent.mcp_tools import McpConnection, McpError, McpServerSettings
from zulong.agent.tools import RunningTool, Tool, ToolRegistry, repair_arguments

pytestmark = pytest.mark.feature("SG-26", "FC-06")
PROGRAM = Path(__file__).with_name("bad_server.py")


def connection(mode: str, limit_s: float = 20.0) -> McpConnection:
    command = [sys.executable, str(PROGRAM), mode]
    return McpConnection(McpServerSettings("bad", command=command, time_limit_s=limit_s))


@pytest.mark.parametrize(
    ("mode", "ok", "words"),
    [
        ("dies", False, "Connection closed"),
        ("half a word", False, "Connection closed"),
        ("error", False, "it broke"),
        ("silent error", False, "failed without a word"),
        ("nonsense", False, "bad"),
        ("noisy", True, "fine"),
        ("huge", True, "xxxx"),
        ("structured", True, '{"n": 5}'),
        ("pictures", True, "see\n[image image/png]\ninside\n[resource_link file:///y]"),
    ],
)
def test_whatever_a_server_answers_the_call_ends_in_words(mode, ok, words) -> None:
    with connection(mode) as server:
        (tool,) = server.tools()
        for _ in range(2):  # the second time over a new connection where the first one broke
            outcome = RunningTool(tool, {}, CancelLatch()).wait()
            assert outcome.ok is ok and words in outcome.text


def test_a_server_that_hangs_in_a_call_or_never_comes_up_is_given_up() -> None:
    start = time.monotonic()
    with connection("hangs", limit_s=20.0) as server:
        (tool,) = server.tools()
        latch = CancelLatch()
        running = RunningTool(tool, {}, latch)
        latch.set("enough")
        assert "canceled because enough" in running.wait().text
    with pytest.raises(McpError, match="cannot be reached"):
        connection("never there", limit_s=0.5).open()
    assert time.monotonic() - start < 20


def test_names_that_collide_or_are_none_become_names_that_servers_accept() -> None:
    with connection("names") as server:
        names = [tool.name for tool in server.tools()]
    assert names == ["bad_a_b", "bad_a_b_2", "bad_a_b_3", "bad_" + "x" * 60, "bad___"]
    assert len(ToolRegistry([Tool(name, "", {}) for name in names]).names) == 5


def test_a_list_without_end_is_cut() -> None:
    with connection("endless") as server:
        assert len(server.tools()) == 1000


def test_a_broken_schema_neither_fails_the_call_nor_fetches_anything() -> None:
    with connection("schemas") as server:
        for tool in server.tools():
            assert repair_arguments(tool, {"a": 1}).arguments == {"a": 1}


def test_a_token_from_the_environment_goes_along_and_into_no_message(monkeypatch, caplog) -> None:
    caplog.set_level("DEBUG")
    heard: list[str] = []

    class Gate(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(self.headers.get("authorization", ""))
            self.send_response(401)
            self.send_header("content-length", "0")
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *args: object) -> None:
            pass

    gate = ThreadingHTTPServer(("127.0.0.1", 0), Gate)
    threading.Thread(target=gate.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{gate.server_address[1]}/mcp"
    settings = McpServerSettings("gate", url=url, token_variable="GATE_TOKEN", time_limit_s=20.0)  # noqa: S106
    try:
        with pytest.raises(McpError, match="environment variable GATE_TOKEN"):
            McpConnection(settings).open()
        monkeypatch.setenv("GATE_TOKEN", "open-sesame-1234")
        with pytest.raises(McpError) as refused:
            McpConnection(settings).open()
    finally:
        gate.shutdown()
        gate.server_close()
    assert set(heard) == {"Bearer open-sesame-1234"}
    assert "sesame" not in f"{refused.value} {caplog.text}"
    with pytest.raises(ValueError, match="secrets come from the environment"):
        McpServerSettings("gate", url="http://us:secret@127.0.0.1/mcp")


def test_a_program_is_reached_also_where_our_error_stream_is_no_file(monkeypatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())  # as in a notebook
    with connection("noisy") as server:
        assert [tool.name for tool in server.tools()]
