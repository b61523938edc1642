"""The plain parts of the command line: respawn policy, control socket, console, domain, environment, task tree."""

from __future__ import annotations

import fcntl
import io
import json
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zulong.cli import control, domain, environment
from zulong.cli.child import LOG_LIMIT_BYTES, Child, describe_exit, shorten
from zulong.cli.console import Console
from zulong.cli.home import robot_home
from zulong.cli.main import build_parser
from zulong.cli.respawn import Respawn, RespawnLimits
from zulong.cli.sharedmemory import clean_dead_segments
from zulong.cli.tasktree import rows


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_wait_before_a_restart_doubles_up_to_its_limit_and_then_it_is_given_up():
    history = Respawn(RespawnLimits(first_delay_s=1.0, longest_delay_s=5.0, tries=4), Clock())
    assert [history.failed() for _ in range(5)] == [1.0, 2.0, 4.0, 5.0, None]
    assert history.total == 4


def test_a_stable_time_wipes_the_failures_and_a_short_one_does_not():
    clock = Clock()
    history = Respawn(RespawnLimits(first_delay_s=1.0, stable_s=30.0), clock)
    history.failed()
    history.became_active()
    clock.now += 29.0
    assert history.failed() == 2.0
    history.became_active()
    clock.now += 31.0
    assert history.failed() == 1.0


@given(st.lists(st.booleans(), max_size=60))
def test_a_node_is_never_restarted_more_often_in_a_row_than_allowed(actives):
    clock = Clock()
    history = Respawn(RespawnLimits(tries=3), clock)
    streak = 0
    for stable in actives:
        if stable:
            history.became_active()
            clock.now += 31.0
            streak = 0
        streak += 1
        assert (history.failed() is None) == (streak > 3)
        if streak > 3:
            history.forget()
            streak = 0


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / ("deep" * 30) / "run"  # longer than a socket address may be
    folder.mkdir(parents=True)
    made = control.ControlServer(folder, lambda request: {"echo": request})
    stop = threading.Event()

    def serve():
        while not stop.is_set():
            made.poll()
            time.sleep(0.005)

    thread = threading.Thread(target=serve)
    thread.start()
    yield folder
    stop.set()
    thread.join(5.0)
    made.close()


def test_a_request_is_answered_over_a_socket_in_a_folder_of_any_depth(server):
    assert control.request(server, {"command": "状态"}) == {"echo": {"command": "状态"}}
    assert (server / control.SOCKET).stat().st_mode & 0o077 == 0


def test_garbage_and_silent_clients_do_not_stop_the_supervisor_from_answering(server):
    for garbage in (b"no json\n", b"[1]\n", b"", b"x" * 100_000):
        with (
            socket.socket(socket.AF_UNIX) as client,
            control._short_address(server / control.SOCKET) as address,
        ):
            client.connect(address)
            try:
                client.sendall(garbage)
            except BrokenPipeError:
                pass
    silent = socket.socket(socket.AF_UNIX)
    with control._short_address(server / control.SOCKET) as address:
        silent.connect(address)
    assert control.request(server, {"command": "status"}) == {"echo": {"command": "status"}}
    silent.close()


def test_nobody_answering_is_one_clear_sentence(tmp_path):
    with pytest.raises(control.NotRunningError, match="zulong up"):
        control.request(tmp_path, {"command": "status"})
    with pytest.raises(control.NotRunningError):
        control.request(tmp_path / "missing", {"command": "status"})


def test_log_lines_lose_what_their_prefix_tells_already():
    assert shorten("[INFO] [1796041577.380770592] [planner]: ready") == "ready"
    assert shorten("[WARN] [1796041577.38] [a.b]: hot") == "WARN hot"
    assert shorten("Traceback (most recent call last):") == "Traceback (most recent call last):"


def test_the_console_prefixes_lines_and_survives_a_closed_terminal():
    stream = io.StringIO()
    console = Console(["reflex", "planner"], stream)
    console.node_line("reflex", "[ERROR] [1.0] [reflex]: stop")
    console.say("up")
    assert stream.getvalue() == "reflex  | ERROR stop\nzulong  | up\n"
    stream.close()
    console.say("nobody reads this")


def test_a_child_writes_to_its_log_and_the_log_stays_bounded(tmp_path):
    log = tmp_path / "a.log"
    script = (
        f"import sys; sys.stdout.write(('x' * 999 + '\\n') * {LOG_LIMIT_BYTES // 1000 + 50}); print('last')"
    )
    child = Child("a", [sys.executable, "-c", script], {}, log)
    lines: list[str] = []
    deadline = time.monotonic() + 30.0
    while "last" not in lines and time.monotonic() < deadline:
        lines += child.new_lines()
        time.sleep(0.005)
    assert lines[-1] == "last"
    assert len(lines) == LOG_LIMIT_BYTES // 1000 + 51
    assert child.exit_code() == 0
    assert log.stat().st_size < LOG_LIMIT_BYTES
    assert log.with_suffix(".log.1").exists()


def test_the_end_of_a_process_is_told_in_words():
    assert describe_exit(-9) == "was ended by SIGKILL"
    assert describe_exit(3) == "ended with status 3"


def test_dead_shared_memory_is_removed_and_a_living_owner_keeps_his(tmp_path):
    for name in ("fastrtps_dead", "fastrtps_dead_el", "fastrtps_alive", "fastrtps_alive_el", "other"):
        (tmp_path / name).write_text("")
    with (tmp_path / "fastrtps_alive_el").open("r") as owner:
        fcntl.flock(owner, fcntl.LOCK_EX)
        assert clean_dead_segments(tmp_path) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fastrtps_alive",
        "fastrtps_alive_el",
        "other",
    ]


def test_two_checkouts_get_domains_of_their_own_and_keep_them(tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as squatter:
        first = domain.domain_of(tmp_path / "a")
        (tmp_path / "a" / "ros_domain_id").unlink()
        squatter.bind(("0.0.0.0", domain.discovery_port(first)))  # noqa: S104
        moved = domain.domain_of(tmp_path / "a")
        assert moved != first, "a domain in use is passed over"
    assert domain.domain_of(tmp_path / "a") == moved
    assert domain.FIRST <= moved <= domain.LAST


def test_the_environment_leaves_a_sourced_workspace_alone_and_says_what_is_missing_elsewhere(
    tmp_path, monkeypatch
):
    (tmp_path / "share" / "zulong").mkdir(parents=True)
    (tmp_path / "share" / "zulong" / "package.xml").write_text("")
    assert environment.changes({"AMENT_PREFIX_PATH": f"/opt/ros/jazzy:{tmp_path}"}) == {}
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "nothing"))
    with pytest.raises(environment.NoRosError, match="make setup"):
        environment.changes({})


def test_the_environment_of_a_checkout_keeps_what_the_caller_chose(tmp_path, monkeypatch):
    (tmp_path / "share" / "zulong").mkdir(parents=True)
    (tmp_path / "share" / "zulong" / "interfaces.sha256").write_text("")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(environment, "checkout", lambda: tmp_path)
    free = environment.changes({})
    assert free["ZULONG_HOME"] == str(tmp_path / ".state" / "home")
    assert free["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "LOCALHOST"
    chosen = environment.changes({"ZULONG_HOME": "/data", "ROS_DOMAIN_ID": "7", "LD_LIBRARY_PATH": "/x"})
    assert chosen["ZULONG_HOME"] == "/data"
    assert chosen["ROS_DOMAIN_ID"] == "7"
    assert chosen["LD_LIBRARY_PATH"].split(":")[0] == str(tmp_path / "lib")
    assert chosen["LD_LIBRARY_PATH"].endswith("/x")


def test_a_robot_keeps_its_files_in_a_folder_of_its_namespace(monkeypatch, tmp_path):
    monkeypatch.setenv("ZULONG_HOME", str(tmp_path))
    assert robot_home() == tmp_path / "robot"
    assert robot_home("/fleet/robot1") == tmp_path / "fleet" / "robot1"
    for bad in ("../x", "a/../b", "a b", "/机器人"):
        with pytest.raises(ValueError, match="no ROS name"):
            robot_home(bad)


def node(id_, parent="", status=0, position=0, **more):
    fields = {"title": id_, "skill": "", "progress": 0.0, "attempts": 1, "error_msg": ""} | more
    return SimpleNamespace(id=id_, parent_id=parent, status=status, position=position, **fields)


def test_a_plan_is_shown_as_a_tree_in_the_order_of_its_siblings():
    graph = SimpleNamespace(
        nodes=[
            node("root", status=1),
            node("b", "root", 1, 1, skill="go_to", progress=0.5),
            node("a", "root", 2, 0),
            node("a1", "a", 3, 0, error_msg="blocked", attempts=2),
        ]
    )
    assert [row.plain() for row in rows(graph)] == [
        "▶ root",
        "  ✓ a",
        "    ✗ a1  (attempt 2)  - blocked",
        "  ▶ b  [go_to]  50%",
    ]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 9)), max_size=12))
def test_any_graph_however_broken_is_shown_without_an_endless_loop(links):
    graph = SimpleNamespace(nodes=[node(str(a), str(b), status) for a, b, status in links])
    shown = rows(graph)
    assert len(shown) == len({row.id for row in shown})


@pytest.mark.parametrize(
    "command",
    ["up", "down", "status", "restart", "logs", "ask", "stop", "reset", "pause", "resume", "tasks", "recall"],
)
def test_every_command_explains_itself_with_an_example_and_without_ros(command, capsys):
    with pytest.raises(SystemExit) as ended:
        build_parser().parse_args([command, "--help"])
    assert ended.value.code == 0
    assert "example: zulong " + command in capsys.readouterr().out


def test_help_needs_neither_ros_nor_numpy():
    script = (
        "import sys; from zulong.cli.main import build_parser; build_parser(); print(sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "rclpy" not in done.stdout
    assert "numpy" not in done.stdout


def test_status_without_a_supervisor_ends_with_status_three(ros_environment, capsys):
    from zulong.cli.up import status

    assert status(SimpleNamespace(namespace="", json=True)) == 3
    assert json.loads(capsys.readouterr().out) == {"state": "down", "nodes": []}


def test_the_set_up_script_imports_with_the_standard_library_alone():
    root = Path(__file__).resolve().parents[2]
    script = (
        f"import sys; sys.path.insert(0, {str(root / 'scripts')!r}); import set_up; print(set_up.distro())"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", script], capture_output=True, text=True, check=False, env={}
    )
    assert done.stdout.strip() == "jazzy", done.stderr
