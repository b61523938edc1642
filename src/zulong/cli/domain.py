"""Which ROS domain a checkout uses, so that two of them on one machine do not meet."""

from __future__ import annotations

import hashlib
import socket
from pathlib import Path

# Ports of higher domains lie where Linux takes ports for outgoing connections from; 0..9 are left to people.
FIRST, LAST = 10, 99
_FILE = "ros_domain_id"


def discovery_port(domain_id: int) -> int:
    """Return the UDP port of the domain's first participant (DDSI-RTPS 9.6.1.1: 7400 + 250 * domain + 10)."""
    return 7400 + 250 * domain_id + 10


def is_free(domain_id: int) -> bool:
    """Whether no participant of this machine uses the domain now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(("0.0.0.0", discovery_port(domain_id)))  # noqa: S104 - nothing is received here
        except OSError:
            return False
    return True


def domain_of(state: Path) -> int:
    """Return the domain kept in the state folder; choose one by the folder's path at the first call.

    A domain in use on this machine at that moment is passed over.
    """
    path = state / _FILE
    if path.is_file():
        text = path.read_text().strip()
        if text.isdigit():
            return int(text)
    span = LAST - FIRST + 1
    start = int.from_bytes(hashlib.sha256(str(state.resolve()).encode()).digest()[:4], "big") % span
    candidates = [FIRST + (start + step) % span for step in range(span)]
    chosen = next((each for each in candidates if is_free(each)), candidates[0])
    state.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".tmp")
    fresh.write_text(f"{chosen}\n")
    fresh.replace(path)
    return chosen
