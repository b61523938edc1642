"""The set-up scripts: what they leave behind after success, interruption and change."""

from __future__ import annotations

import importlib.util
import sys
import sysconfig
from pathlib import Path

import numpy
import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def load(name: str):
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def build():
    return load("build_interfaces")


@pytest.fixture
def set_up():
    return load("set_up")


def stage(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_published_interfaces_replace_the_old_ones_and_leave_foreign_files_alone(build, tmp_path):
    prefix = tmp_path / "prefix"
    stage(prefix, lib__foreign="keep")
    build._publish(stage(tmp_path / "one", lib__a="1", lib__gone="1"), prefix, "hash-1")
    assert build.is_current(prefix, "hash-1")
    build._publish(stage(tmp_path / "two", lib__a="2", lib__new="2"), prefix, "hash-2")
    assert build.is_current(prefix, "hash-2")
    assert not build.is_current(prefix, "hash-1")
    assert (prefix / "lib" / "a").read_text() == "2"
    assert (prefix / "lib" / "new").exists()
    assert not (prefix / "lib" / "gone").exists()
    assert (prefix / "lib" / "foreign").read_text() == "keep"


def test_interfaces_of_which_a_file_was_removed_are_not_taken_for_current(build, tmp_path):
    prefix = tmp_path / "prefix"
    build._publish(stage(tmp_path / "one", lib__a="1", lib__b="1"), prefix, "hash")
    assert build.is_current(prefix, "hash")
    (prefix / "lib" / "b").unlink()
    assert not build.is_current(prefix, "hash")


def test_an_interruption_while_publishing_is_noticed_and_cleaned_up_by_the_next_run(
    build, tmp_path, monkeypatch
):
    prefix = tmp_path / "prefix"
    build._publish(stage(tmp_path / "one", lib__a="1", lib__gone="1"), prefix, "hash-1")
    move = build.shutil.move

    def interrupted(source, target):
        if Path(source).name == "b":
            raise KeyboardInterrupt
        move(source, target)

    monkeypatch.setattr(build.shutil, "move", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build._publish(stage(tmp_path / "two", lib__a="2", lib__b="2"), prefix, "hash-2")
    assert not build.is_current(prefix, "hash-1"), "half of the new build must not pass for the old one"
    assert not build.is_current(prefix, "hash-2")
    monkeypatch.setattr(build.shutil, "move", move)
    build._publish(stage(tmp_path / "three", lib__a="3"), prefix, "hash-3")
    assert build.is_current(prefix, "hash-3")
    assert sorted(path.name for path in (prefix / "lib").iterdir()) == ["a"]


def test_the_fingerprint_follows_every_interface_file(build, tmp_path):
    root = tmp_path
    for name in ("msg/A.msg", "srv/B.srv", "CMakeLists.txt", "package.xml"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("# old")
    before = build.fingerprint(root)
    assert build.fingerprint(root) == before
    (root / "srv" / "B.srv").write_text("# new")
    assert build.fingerprint(root) != before


def test_include_folders_of_the_wheels_machine_are_replaced_once(build, tmp_path):
    cmake = tmp_path / "share" / "std_msgs" / "cmake" / "export.cmake"
    cmake.parent.mkdir(parents=True)
    cmake.write_text(
        'INCLUDE "${P}/include;/opt/python/cp311-cp311/include/python3.11;'
        '/opt/_internal/lib/python3.11/site-packages/numpy/_core/include"'
    )
    assert build.rewrite_baked_include_paths(tmp_path) == 1
    assert build.rewrite_baked_include_paths(tmp_path) == 0
    text = cmake.read_text()
    assert sysconfig.get_paths()["include"] in text
    assert numpy.get_include() in text
    assert "/opt/" not in text or "/opt/" in numpy.get_include() + sysconfig.get_paths()["include"]


def test_a_distribution_without_wheels_is_refused_with_the_ones_that_have_them(set_up, monkeypatch):
    monkeypatch.setenv("ROS_DISTRO", "humble")
    with pytest.raises(set_up.SetUpError, match="jazzy, kilted"):
        set_up.distro()
    monkeypatch.setenv("ROS_DISTRO", "kilted")
    assert set_up.distro() == "kilted"


def test_a_python_that_does_not_fit_and_a_missing_compiler_are_named(set_up, monkeypatch):
    monkeypatch.setattr(set_up.sys, "version_info", (3, 9, 1))
    with pytest.raises(set_up.SetUpError, match="PYTHON=python3"):
        set_up.check_machine()
    monkeypatch.undo()
    monkeypatch.setattr(set_up.shutil, "which", lambda tool: None if tool == "g++" else "/usr/bin/x")
    with pytest.raises(set_up.SetUpError, match="apt-get install g"):
        set_up.check_machine()


def test_without_root_the_command_for_system_packages_is_said_and_nothing_is_run(set_up, monkeypatch, capsys):
    monkeypatch.setattr(set_up, "missing_system_packages", lambda: ["libosmesa6"])
    monkeypatch.setattr(set_up.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(set_up, "_quietly", lambda *_, **__: pytest.fail("nothing may be installed"))
    set_up.install_system_packages()
    assert "sudo apt-get install -y --no-install-recommends libosmesa6" in capsys.readouterr().err


def test_a_virtual_environment_of_another_distribution_is_made_anew(set_up, monkeypatch, tmp_path):
    monkeypatch.setattr(set_up, "VENV", tmp_path / ".venv")
    calls: list[list[str]] = []

    def make(command, **_):
        calls.append(command)
        (tmp_path / ".venv" / "bin").mkdir(parents=True)
        (tmp_path / ".venv" / "bin" / "python").write_text("")
        return type("Done", (), {"returncode": 0, "stdout": ""})

    monkeypatch.setattr(set_up.subprocess, "run", make)
    monkeypatch.setenv("ROS_DISTRO", "jazzy")
    set_up.make_virtual_environment()
    set_up.make_virtual_environment()
    assert len(calls) == 1, "a whole environment is kept"
    monkeypatch.setenv("ROS_DISTRO", "kilted")
    set_up.make_virtual_environment()
    assert len(calls) == 2
    assert calls[0][:2] == [sys.executable, "-m"]
