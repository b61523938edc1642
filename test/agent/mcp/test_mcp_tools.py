"""Tools from a real MCP server over stdio and HTTP, and the loop and a graph offered by one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import scripted_server as act

from zulong.agent.approval import ApprovalDesk
from zulong.agent.codes import TaskCode
from zulong.agent.loop import ToolLoop
from zulong.agent.mcp_tools import McpConnection, McpError, McpServerSettings
from zulong.agent.tools import ToolRegistry

pytestmark = pytest.mark.feature("SG-26", "FC-06")
PROGRAM = Path(__file__).with_name("offered_server.py")
ENVIRONMENT = {"PYTHONPATH": str(Path(__file__).parents[3] / "src"), "PATH": os.environ["PATH"]}


@pytest.fixture(scope="module")
def over_stdio():
    command = [sys.executable, str(PROGRAM), "stdio"]
    with McpConnection(McpServerSettings("lab", command=command, environment=ENVIRONMENT)) as connection:
        yield connection


@pytest.fixture(scope="module")
def over_http():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, str(PROGRAM), "http", str(port)], env=ENVIRONMENT, stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
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


def test_the_models_calls_reach_the_server_with_repair_and_approval(server, make_model, over_stdio) -> None:
    desk = ApprovalDesk()
    desk.on_change(lambda r, s: desk.answer(r.request_id, True) if s == "pending" else None)
    server.play(
        act.call(("lab_add", {"a": "2", "b": 3})),
        act.call(("lab_paint", {"colour": "red"})),
        act.say("The wall is red."),
    )
    outcome = ToolLoop(make_model(), ToolRegistry(over_stdio.tools()), desk=desk).run(
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


@pytest.mark.parametrize("options", [{}, {"command": ["x"], "url": "http://y"}])
def test_settings_need_exactly_one_way_to_the_server(options) -> None:
    with pytest.raises(ValueError, match="either a command or a url"):
        McpServerSettings("x", **options)
