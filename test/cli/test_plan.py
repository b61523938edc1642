"""``zulong plan``: people see what words would become before anything moves."""

from __future__ import annotations

import io
import json
import subprocess
import sys

import pytest

from zulong.cli.main import main

LIMIT_S = 60.0


def test_a_plan_is_shown_as_a_tree_of_skills(capsys):
    assert main(["plan", "bring me the cola"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("✓ ")
    assert any("look_for(what=cola" in line for line in shown)
    depths = [len(line) - len(line.lstrip()) for line in shown[1:]]
    assert min(depths) == 2 and max(depths) > 4


def test_the_words_of_one_call_are_turns_of_one_dialogue(capsys):
    assert main(["plan", "--json", "bring me the cup", "the red one"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["outcome"] == "question" and first["slot"] == "object" and "red cup" in first["options"]
    assert second["outcome"] == "plan" and "red_cup" in json.dumps(second["steps"])


@pytest.mark.parametrize(
    ("words", "status", "begins"), [("把苹果拿给那个人", 4, "?"), ("cook me an egg", 1, "✗")]
)
def test_questions_and_refusals_have_an_exit_status_of_their_own(words, status, begins, capsys):
    assert main(["plan", words]) == status
    assert capsys.readouterr().out.startswith(begins)


def test_lines_are_read_from_standard_input_when_nothing_is_given(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("go to the kitchen\n\n去卧室\n"))
    assert main(["plan"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith("✓")][1:]


def test_a_map_that_cannot_be_read_is_named(tmp_path, capsys):
    assert main(["plan", "--map", str(tmp_path / "none.yaml"), "go to the kitchen"]) == 2
    assert "none.yaml" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["rooms: 3\n", "rooms: [kitchen]\n", "kitchen\n", "- [", ""])
def test_a_map_of_another_form_is_an_error_and_not_a_crash(text, tmp_path, capsys):
    broken = tmp_path / "broken.yaml"
    broken.write_text(text)
    assert main(["plan", "--map", str(broken), "go to the kitchen"]) == 2
    assert "broken.yaml" in capsys.readouterr().err


def test_it_needs_no_ros():
    code = (
        "import sys\n"
        "sys.modules['rclpy'] = None\n"
        "from zulong.cli.main import main\n"
        "raise SystemExit(main(['plan', 'go to the kitchen']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT_S)
    assert done.returncode == 0, done.stderr
    assert 'go_to(place="kitchen")' in done.stdout


def test_who_reads_only_the_first_line_gets_no_traceback():
    many = ["put all the fruit on the desk into the fridge"] * 40
    process = subprocess.Popen(
        [sys.executable, "-m", "zulong.cli.main", "plan", *many],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    with process.stderr:
        assert process.stdout.readline().startswith("✓ ")
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.wait(LIMIT_S) == 141
