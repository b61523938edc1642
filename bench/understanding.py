"""How often the planner reads a command as people who labelled it did.

    python bench/understanding.py FILE [--misses]

FILE has one command a line followed by one line with its logical form, as the files of the GPSR commands dataset
(``para/``). Prints one JSON line: the share of commands whose logical form comes out exactly as labelled, against
the 0.89 of the trained parser of arXiv 1907.01115.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import yaml

from gpsr_forms import FormWriter
from zulong.agent.htn import MapWorld
from zulong.agent.language import Lexicon, Vocabulary, read

PEER = 0.89


def main() -> int:
    """Read the file, print the figure, return 0."""
    parser = argparse.ArgumentParser(
        description="Exact-match accuracy on a file of the GPSR commands dataset."
    )
    parser.add_argument("file", type=Path, help="one command a line, then one line with its logical form")
    parser.add_argument(
        "--misses", action="store_true", help="list what came out differently, on standard error"
    )
    arguments = parser.parse_args()
    lines = [line.strip() for line in arguments.file.read_text(encoding="utf-8").splitlines() if line.strip()]
    if len(lines) % 2:
        parser.error(
            f"{arguments.file} has an odd number of lines; each command needs one line with its form."
        )
    arena = yaml.safe_load(Path(__file__).with_name("gpsr2018_arena.yaml").read_text(encoding="utf-8"))
    vocabulary = Vocabulary(Lexicon.load(), MapWorld.from_mapping(arena))
    writer = FormWriter({room["name"]: room for room in arena["rooms"]})
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    started = time.perf_counter()
    read_forms = [writer.write(read(command, vocabulary).clauses, command) for command, _ in pairs]
    elapsed = time.perf_counter() - started
    right = 0
    for (command, labelled), ours in zip(pairs, read_forms, strict=True):
        if ours == labelled:
            right += 1
        elif arguments.misses:
            print(f"{command}\n  labelled {labelled}\n  read     {ours}", file=sys.stderr)
    share = right / len(pairs) if pairs else 0.0
    print(
        f"{right} of {len(pairs)} commands, {1e3 * elapsed / max(1, len(pairs)):.2f} ms each", file=sys.stderr
    )
    figure = {
        "figure": "gpsr_exact_match",
        "ours": round(share, 4),
        "peer": PEER,
        "ratio": round(share / PEER, 4),
        "unit": "fraction",
    }
    print(json.dumps(figure))
    return 0


if __name__ == "__main__":
    sys.exit(main())
