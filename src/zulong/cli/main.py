"""The ``zulong`` command line. Only this module parses arguments; the work is in its neighbours."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path

EXIT_NO_ROS = 3
EXIT_BROKEN_PIPE = 141
# command -> module and function, imported when it runs: `zulong --help` must not need ROS
_COMMANDS = {
    "up": ("zulong.cli.up", "up"),
    "down": ("zulong.cli.up", "down"),
    "status": ("zulong.cli.up", "status"),
    "restart": ("zulong.cli.up", "restart"),
    "logs": ("zulong.cli.up", "logs"),
    "plan": ("zulong.cli.plan", "plan"),
    "ask": ("zulong.cli.ask", "ask"),
    "stop": ("zulong.cli.steer", "stop"),
    "reset": ("zulong.cli.steer", "reset"),
    "pause": ("zulong.cli.steer", "pause"),
    "resume": ("zulong.cli.steer", "resume"),
    "tasks": ("zulong.cli.steer", "tasks"),
    "recall": ("zulong.cli.steer", "recall"),
}


# What runs in plain Python, on a machine without ROS.
_WITHOUT_ROS = frozenset({"plan"})


def _command(
    commands: argparse._SubParsersAction, name: str, help_text: str, example: str
) -> argparse.ArgumentParser:  # type: ignore[type-arg]
    parser = commands.add_parser(
        name,
        help=help_text,
        description=help_text[0].upper() + help_text[1:] + ".",
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "-n", "--namespace", default=os.environ.get("ZULONG_NAMESPACE", ""), help="the robot's ROS namespace"
    )
    return parser


def _goal_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.add_argument(
        "--wait",
        type=float,
        default=0.0,
        metavar="S",
        help="cancel when there is no result after S seconds (0: never)",
    )


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = argparse.ArgumentParser(prog="zulong", description="ZULONG (祖龙): a mind for a robot.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _supervisor_commands(commands)
    _robot_commands(commands)
    return parser


def _supervisor_commands(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    up = _command(
        commands, "up", "bring every node up and supervise it until Ctrl-C", "zulong up --no-sim -n robot1"
    )
    up.add_argument("--only", nargs="+", metavar="NODE", help="just these nodes")
    up.add_argument("--without", nargs="+", metavar="NODE", help="all but these nodes")
    up.add_argument(
        "--no-sim", action="store_true", help="no embedded simulator: drivers or Gazebo give the topics"
    )
    up.add_argument("--sim-time", action="store_true", help="use /clock (use_sim_time)")
    up.add_argument("--params", type=Path, metavar="FILE", help="parameters instead of config/params.yaml")
    up.add_argument(
        "-p", "--param", action="append", metavar="NAME:=VALUE", help="one parameter for all nodes"
    )
    up.add_argument("--log-level", metavar="LEVEL", help="debug, info, warn, error; or node:=level")
    up.add_argument("--background", action="store_true", help="return when everything is up")
    up.add_argument(
        "--wait", type=float, default=120.0, metavar="S", help="longest wait of --background, seconds"
    )
    up.add_argument("-q", "--quiet", action="store_true", help="do not show the nodes' logs")

    _command(commands, "down", "take everything down", "zulong down")
    status = _command(commands, "status", "show the nodes and their states", "zulong status --json")
    status.add_argument("--json", action="store_true", help="as one JSON object")
    restart = _command(commands, "restart", "restart one node", "zulong restart planner")
    restart.add_argument("node", help="its name, see `zulong status`")
    logs = _command(commands, "logs", "show the nodes' logs", "zulong logs planner -f")
    logs.add_argument("node", nargs="?", default="", help="one node; all when left out")
    logs.add_argument("-f", "--follow", action="store_true", help="go on until Ctrl-C")
    logs.add_argument("-l", "--lines", type=int, default=20, help="newest lines of each log")


def _robot_commands(commands: argparse._SubParsersAction) -> None:  # type: ignore[type-arg]
    plan = commands.add_parser(
        "plan",
        help="show what instructions would become, without ROS",
        description="Show the plan, question or refusal that instructions would become. Nothing moves; no ROS is needed.",
        epilog='example: zulong plan "bring me a cola" "no, the milk"',
    )
    plan.add_argument(
        "instruction",
        nargs="*",
        help="what to do, each in quotation marks; several are one dialogue; none: read from standard input",
    )
    plan.add_argument(
        "--map", type=Path, metavar="FILE", help="names of another home instead of config/apartment.yaml"
    )
    plan.add_argument("--json", action="store_true", help="print each outcome as one JSON object a line")

    ask = _command(
        commands, "ask", "give an instruction in words and watch it done", 'zulong ask "把红色的杯子拿到厨房"'
    )
    ask.add_argument("instruction", nargs="+", help="what to do, Chinese or English")
    ask.add_argument("--thread", help="carry on this thread")
    ask.add_argument(
        "--budget", type=int, default=-1, metavar="N", help="at most N skill calls (-1: no limit)"
    )
    ask.add_argument(
        "--time-limit", type=float, default=0.0, metavar="S", help="the robot's own time limit, seconds"
    )
    ask.add_argument("--priority", choices=("low", "normal", "high", "critical"), default="normal")
    ask.add_argument("--preempt", action="store_true", help="cancel tasks of lower priority first")
    ask.add_argument("--session", help="conversation that it belongs to")
    ask.add_argument("--person", help="who asks")
    _goal_options(ask)

    stop = _command(commands, "stop", "cancel every task and fall silent", "zulong stop --emergency")
    stop.add_argument(
        "--emergency", action="store_true", help="latch the emergency stop too (zulong reset releases)"
    )
    _command(commands, "reset", "release the latched emergency stop", "zulong reset")
    pause = _command(commands, "pause", "pause a running task", "zulong pause")
    pause.add_argument("thread", nargs="?", default="", help="its thread; the one that runs when left out")
    resume = _command(
        commands, "resume", "go on with a paused or interrupted task", "zulong resume --answer 'the left one'"
    )
    resume.add_argument("thread", nargs="?", default="", help="its thread; the newest when left out")
    resume.add_argument("--answer", default="", help="answer to what the task asked")
    _goal_options(resume)
    tasks = _command(commands, "tasks", "list tasks, newest first", "zulong tasks --query cup")
    tasks.add_argument("--query", default="", help="most similar to these words first")
    tasks.add_argument("--limit", type=int, default=20, help="most tasks to show")
    recall = _command(commands, "recall", "ask the memory", 'zulong recall "红色的杯子在哪里？"')
    recall.add_argument("text", nargs="+", help="what to look for, Chinese or English")
    recall.add_argument("--limit", type=int, default=5, help="number of memories")
    recall.add_argument("--person", default="", help="only about this person")
    recall.add_argument("--json", action="store_true", help="as one JSON object")


def main(argv: list[str] | None = None) -> int:
    """Run the command; return its exit status."""
    arguments = build_parser().parse_args(argv)
    if arguments.command not in _WITHOUT_ROS:
        from zulong.cli.environment import NoRosError, enter

        try:
            enter()
        except NoRosError as error:
            print(error, file=sys.stderr)
            return EXIT_NO_ROS
    module, function = _COMMANDS[arguments.command]
    try:
        return int(getattr(import_module(module), function)(arguments))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # who read the output has enough: "zulong plan ... | head"
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except ValueError as error:  # a namespace that is no ROS name
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
