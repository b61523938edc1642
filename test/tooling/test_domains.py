"""The domains of the tests: nodes that outlive a killed test run never answer in the next one."""

from __future__ import annotations

import os
import subprocess
import sys

from ros_domain import inhabited, take_domain


def test_a_domain_where_a_process_of_a_killed_run_still_lives_is_left_out():
    with take_domain() as domain:
        free = domain
    environment = {**os.environ, "ROS_DOMAIN_ID": str(free)}
    left_over = subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"], env=environment, stdin=subprocess.PIPE
    )
    try:
        assert inhabited(free)
        with take_domain() as taken:
            assert taken != free
    finally:
        left_over.kill()
        left_over.wait(10.0)
    assert not inhabited(free)
