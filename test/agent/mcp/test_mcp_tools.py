"""Tools from a real MCP server over stdio and HTTP, and the loop and a graph offered by one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import scripted_server as act

from zulong.agent.approval import ApprovalDesk
from zulong.agent.codes import TaskCode
from zulong.agent.latch import CancelLatch
from zulong.agent.loop import ToolLoop
from zulong.agent.mcp_tools import McpConnection, McpError, McpServerSettings
from zulong.agent.tools import RunningTool, ToolRegistry

pytestmark = pytest.mark.feature("SG-26", "FC-06")
PROGRAM = Path(__file__).with_name("offered_server.py")
ENVIRONMENT = {"PYTHONPATH": str(Path(__file__).parents[3] / "src"), "PATH": os.environ["PATH"]}


@pytest.fixture(scope="module")
def over_stdio():
    command = [sys.executable, str(PROGRAM), "stdio"]
    with McpConnection(McpServerSettings("lab", command=command, environment=ENVIRONMENT)) as connection:
        yield connection


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def serve_http(port: int) -> subprocess.Popen:
    process = subprocess.Popen(
        [sys.executable, str(PROGRAM), "http", str(port)],
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process
        time.sleep(0.1)
    process.kill()
    raise AssertionError("the server did not come up")


@pytest.fixture(scope="module")
def over_http():
    port = free_port()
    process = serve_http(port)
    try:
        settings = McpServerSettings("lab", url=f"http://127.0.0.1:{port}/mcp")
        with McpConnection(settings) as connection:
            yield connection
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


@pytest.fixture(params=["over_stdio", "over_http"])
def connection(request) -> McpConnection:
    return request.getfixturevalue(request.param)


def test_the_servers_tools_are_listed_with_schema_and_manners(connection) -> None:
    tools = {tool.name: tool for tool in connection.tools()}
    assert {"lab_add", "lab_paint", "lab_do_task", "lab_sum_graph"} <= set(tools)
    assert set(tools["lab_add"].parameters["required"]) == {"a", "b"}
    assert tools["lab_add"].approval == "never" and not tools["lab_add"].has_side_effects
    assert tools["lab_paint"].approval == "risky" and tools["lab_paint"].has_side_effects


def test_calls_go_to_the_server_and_failures_come_back_with_words(connection) -> None:
    assert connection.call("add", {"a": 2, "b": 3}) == "5"
    with pytest.raises(McpError, match="no such paint"):
        connection.call("paint", {"colour": "plaid"})
    with pytest.raises(McpError, match="nowhere"):
        connection.call("nowhere", {})


def test_the_loop_and_a_graph_are_tools_of_the_server(connection) -> None:
    answer = json.loads(connection.call("do_task", {"instruction": "hello"}))
    assert (
        answer["code"] == TaskCode.SUCCEEDED and answer["answer"] == "You said: hello" and answer["thread_id"]
    )
    assert json.loads(connection.call("sum_graph", {"left": 20, "right": 22}))["total"] == 42


def test_the_models_calls_reach_the_server_with_repair_and_approval(server, make_model, connection) -> None:
    desk = ApprovalDesk()
    desk.on_change(lambda r, s: desk.answer(r.request_id, True) if s == "pending" else None)
    server.play(
        act.call(("lab_add", {"a": "2", "b": 3})),
        act.call(("lab_paint", {"colour": "red"})),
        act.say("The wall is red."),
    )
    outcome = ToolLoop(make_model(), ToolRegistry(connection.tools()), desk=desk).run(
        "add 2 and 3, then paint red"
    )
    assert outcome.code == TaskCode.SUCCEEDED
    texts = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
    assert texts == ["5", "the wall is red"]


def test_a_server_that_is_slow_or_not_there_is_given_up_in_time() -> None:
    command = [sys.executable, str(PROGRAM), "stdio"]
    settings = McpServerSettings("lab", command=command, environment=ENVIRONMENT, time_limit_s=20.0)
    connection = McpConnection(settings)
    connection.open()
    quick = McpConnection(McpServerSettings("gone", command=[sys.executable, "-c", "pass"], time_limit_s=5.0))
    start = time.monotonic()
    with pytest.raises(McpError, match="gone"):
        quick.open()
    nobody = McpConnection(McpServerSettings("nobody", url="http://127.0.0.1:9/mcp", time_limit_s=5.0))
    with pytest.raises(McpError, match="nobody"):
        nobody.open()
    assert time.monotonic() - start < 20
    connection.close()
    with pytest.raises(McpError, match="open it first"):
        connection.call("add", {"a": 1, "b": 1})


def test_a_call_that_takes_too_long_or_is_canceled_leaves_the_connection_whole(connection) -> None:
    slow = next(tool for tool in connection.tools() if tool.name == "lab_sleep")
    latch = CancelLatch()
    running = RunningTool(slow, {"seconds": 30.0}, latch)
    latch.set("enough")
    assert "canceled because enough" in running.wait().text
    impatient = RunningTool(replace(slow, time_limit_s=0.3), {"seconds": 30.0}, CancelLatch())
    assert "did not end within 0.3 s" in impatient.wait().text
    assert connection.call("add", {"a": 1, "b": 2}) == "3"


def test_a_server_that_was_restarted_is_connected_to_anew() -> None:
    port = free_port()
    process = serve_http(port)
    settings = McpServerSettings("lab", url=f"http://127.0.0.1:{port}/mcp", time_limit_s=20.0)
    try:
        with McpConnection(settings) as connection:
            assert connection.call("add", {"a": 1, "b": 2}) == "3"
            process.kill()
            process.wait(10)
            with pytest.raises(McpError, match="lab"):
                connection.call("add", {"a": 1, "b": 2})
            with pytest.raises(McpError, match="cannot be reached"):
                connection.call("add", {"a": 1, "b": 2})
            process = serve_http(port)
            assert connection.call("add", {"a": 2, "b": 2}) == "4"
    finally:
        process.kill()


@pytest.mark.parametrize("options", [{}, {"command": ["x"], "url": "http://y"}])
def test_settings_need_exactly_one_way_to_the_server(options) -> None:
    with pytest.raises(ValueError, match="either a command or a url"):
        McpServerSettings("x", **options)
