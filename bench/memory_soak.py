"""A year of a robot's life in the memory: ``python bench/memory_soak.py [--events N] [--plot FILE.svg]``.

Events of a household (talk, chores, tools, small talk that means nothing, now and then a fact worth keeping)
are lived through day by day on a simulated clock. Every night the nine lifecycle stages run; every week
recall is timed and asked for facts told up to then. What must hold at the end of the year:

- the store does not grow with what was not worth keeping: bytes an event stay under ``MAX_BYTES_PER_EVENT``
- what recall searches comes to rest: in the last quarter at most ``MAX_GROWTH`` times that of the second
- recall comes to rest: its CPU time in the last quarter is at most ``MAX_SLOWDOWN`` times that of the second
- what was worth keeping is still found: at least ``MIN_FOUND`` of the facts among the first ten hits

Recall is timed in CPU time of the process, since a busy machine is not the memory's doing, and on the clock.

Prints one JSON line a week and a table; exits with 1 if a bound is broken.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from zulong.memory import Draft, EdgeType, Importance, Link, MemoryConfig, MemoryGraph, NodeType, Place
from zulong.memory.retrieval.indexing import indexer_of

DAY_S = 86_400.0
START = 1_750_000_000.0
DAYS = 365
MAX_BYTES_PER_EVENT = 1_500
MAX_GROWTH = 1.5
MAX_SLOWDOWN = 1.5
MIN_FOUND = 0.9
ROOMS = ("kitchen", "bedroom", "office", "hallway", "living room", "bathroom")
THINGS = (
    "red cup",
    "blue cup",
    "plate",
    "book",
    "remote control",
    "apple",
    "towel",
    "phone",
    "keys",
    "bottle",
)
PEOPLE = ("alice", "bob", "chen", "dora")
SMALL_TALK = ("ok", "嗯", "好的", "thanks", "hello", "hm", "yes", "no", "right")
KINDS = (
    "birthday",
    "favourite tea",
    "doctor",
    "door code",
    "allergy",
    "sister",
    "project",
    "bicycle",
    "school",
)


@dataclass(slots=True, frozen=True)
class Week:
    """What was measured at the end of one week.

    Attributes:
        nodes: memories in the store, with the stubs that only hold structure.
        searched: passages that recall looks through.
        recall_cpu_ms: CPU time of one recall, the mean of the week's questions.
        recall_p50_ms, recall_p95_ms: time of one recall on the clock.
        found: share of the week's questions whose answer is among the first ten hits.
        night_s: CPU seconds of the last night's lifecycle.
        life_s: CPU seconds from the beginning.
    """

    week: int
    events: int
    nodes: int
    searched: int
    edges: int
    megabytes: float
    recall_cpu_ms: float
    recall_p50_ms: float
    recall_p95_ms: float
    found: float
    night_s: float
    life_s: float


class Life:
    """Makes up the events of each day, always the same for one seed."""

    def __init__(self, per_day: int, seed: int) -> None:
        self._per_day = per_day
        self._rng = random.Random(seed)
        self._event = 0
        self.facts: list[tuple[str, str]] = []
        """(question, word that only the answer has)"""

    def day(self, begin: float) -> list[Draft]:
        """Return one day's events in order of time."""
        rng = self._rng
        drafts: list[Draft] = []
        while len(drafts) < self._per_day:
            kind = rng.random()
            if kind < 0.5:
                drafts += self._talk(begin, len(drafts))
            elif kind < 0.9:
                drafts.append(self._chore(begin, len(drafts)))
            elif kind < 0.985:
                drafts.append(self._tool(begin, len(drafts)))
            else:
                drafts.append(self._fact(begin, len(drafts)))
        return drafts

    def _stamp(self, begin: float, place: int) -> float:
        return begin + 0.6 * DAY_S * place / self._per_day

    def _name(self) -> str:
        self._event += 1
        return f"event{self._event}"

    def _talk(self, begin: float, place: int) -> list[Draft]:
        rng = self._rng
        session, person, turns = f"session{self._event}", rng.choice(PEOPLE), rng.randint(2, 6)
        drafts: list[Draft] = []
        for turn in range(turns):
            empty = rng.random() < 0.3
            thing, room = rng.choice(THINGS), rng.choice(ROOMS)
            text = (
                rng.choice(SMALL_TALK)
                if empty
                else f"{person} asked about the {thing} in the {room}, number {self._event}"
            )
            level = Importance.TRIVIAL if empty else Importance.NORMAL
            links = (
                (Link(str(drafts[-1].id), EdgeType.TEMPORAL, 0.8, incoming=True),)
                if drafts and not empty
                else ()
            )
            drafts.append(
                Draft(
                    text,
                    NodeType.DIALOGUE,
                    self._name(),
                    level,
                    stamp=self._stamp(begin, place + turn),
                    person=person,
                    session=session,
                    links=links,
                )
            )
        return drafts

    def _chore(self, begin: float, place: int) -> Draft:
        rng = self._rng
        thing, room = rng.choice(THINGS), rng.choice(ROOMS)
        where = Place(rng.uniform(0, 10), rng.uniform(0, 8), room=room)
        text = f"Carried the {thing} to the {room}, run {self._event}"
        return Draft(
            text,
            NodeType.EPISODE,
            self._name(),
            Importance.NORMAL,
            stamp=self._stamp(begin, place),
            place=where,
        )

    def _tool(self, begin: float, place: int) -> Draft:
        text = f"navigate returned {self._rng.choice(('success', 'blocked', 'timeout'))} after {self._event} ticks"
        return Draft(
            text, NodeType.TOOL_RESULT, self._name(), Importance.TRIVIAL, stamp=self._stamp(begin, place)
        )

    def _fact(self, begin: float, place: int) -> Draft:
        rng = self._rng
        number = len(self.facts)
        person, kind, answer = rng.choice(PEOPLE), rng.choice(KINDS), f"zeta{number}"
        matter = f"{kind} number {number}"
        self.facts.append((f"What is {person}'s {matter}?", answer))
        text = f"{person}'s {matter} is {answer}."
        return Draft(text, NodeType.KNOWLEDGE, self._name(), Importance.FACT, stamp=self._stamp(begin, place))


class Clock:
    """The simulated clock."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> float:
        return self.time


def live(path: Path, events: int, days: int, seed: int = 1) -> list[Week]:
    """Live through ``days`` days with ``events`` events in all; returns what each week measured."""
    clock, rng = Clock(), random.Random(seed + 1)
    life = Life(max(events // days, 1), seed)
    weeks: list[Week] = []
    config = MemoryConfig(door={"open": True}, retrieval={"background": False, "semantic_edges": 1})
    with MemoryGraph.open(path, clock=clock, config=config) as graph:
        written = 0
        for day in range(days):
            begin = START + day * DAY_S
            clock.time = begin + 0.7 * DAY_S
            written += len(graph.remember_many(life.day(begin)))
            use(graph, life, rng)
            clock.time = begin + DAY_S
            night_s = night(graph)
            if day % 7 == 6 or day == days - 1:
                week = measure(graph, life, rng, len(weeks) + 1, written, night_s)
                weeks.append(week)
                print(json.dumps(asdict(week)), flush=True)
    return weeks


def use(graph: MemoryGraph, life: Life, rng: random.Random) -> None:
    """Ask a few things, as a day's work does; what is recalled together grows together."""
    for _ in range(4):
        thing, room = rng.choice(THINGS), rng.choice(ROOMS)
        graph.recall(f"where is the {thing} in the {room}", cold_deadline_s=5, hot_deadline_s=5)
    if life.facts:
        graph.recall(rng.choice(life.facts)[0], cold_deadline_s=5, hot_deadline_s=5)


def night(graph: MemoryGraph) -> float:
    """Index what is new and run the lifecycle, reviewing until nothing is left to review; returns CPU seconds."""
    begun = time.process_time()
    while graph.retriever.maintain(1.0):
        pass
    graph.lifecycle.run_once(("bootstrap", "activate", "hebb", "auto_embed", "consolidate", "decay"))
    while graph.review(limit=256).decisions:
        pass
    graph.lifecycle.run_once(("forget", "persist"))
    while graph.retriever.maintain(1.0):
        pass
    return time.process_time() - begun


def measure(
    graph: MemoryGraph, life: Life, rng: random.Random, week: int, written: int, night_s: float
) -> Week:
    """Time recall and see whether facts are still found."""
    asked = rng.sample(life.facts, min(40, len(life.facts))) or [("Where is the red cup?", "cup")]
    seconds, found, cpu = [], 0, time.process_time()
    for question, answer in asked:
        begun = time.perf_counter()
        hits = graph.recall(question, cold_deadline_s=30, hot_deadline_s=30).hits
        seconds.append(time.perf_counter() - begun)
        found += any(answer in hit.node.text.rstrip(".").split() for hit in hits[:10]) or any(
            f"{answer}." in hit.node.text for hit in hits[:10]
        )
    cpu = (time.process_time() - cpu) / len(asked)
    indexer = indexer_of(graph.engine)
    return Week(
        week,
        written,
        len(graph),
        0 if indexer is None else len(indexer.keyword),
        len(graph.engine.memory.topology),
        round(graph.engine.memory.store.size_bytes() / 1e6, 2),
        round(cpu * 1e3, 3),
        round(float(np.percentile(seconds, 50)) * 1e3, 3),
        round(float(np.percentile(seconds, 95)) * 1e3, 3),
        round(found / len(asked), 3),
        round(night_s, 2),
        round(time.process_time(), 1),
    )


def broken_bounds(weeks: Sequence[Week]) -> list[str]:
    """Return a sentence for each bound that does not hold."""
    last, quarter = weeks[-1], max(len(weeks) // 4, 1)

    def early_and_late(name: str) -> tuple[float, float]:
        second = [getattr(week, name) for week in weeks[quarter : 2 * quarter] or weeks]
        return float(np.median(second)), float(np.median([getattr(week, name) for week in weeks[-quarter:]]))

    broken = []
    if last.megabytes * 1e6 / last.events > MAX_BYTES_PER_EVENT:
        broken.append(f"The store has {last.megabytes * 1e6 / last.events:.0f} bytes an event.")
    early, late = early_and_late("searched")
    if late > MAX_GROWTH * early:
        broken.append(f"What recall searches went from {early:.0f} to {late:.0f} passages.")
    early, late = early_and_late("recall_cpu_ms")
    if late > MAX_SLOWDOWN * early:
        broken.append(f"Recall went from {early:.1f} to {late:.1f} ms of CPU time.")
    worst = min(week.found for week in weeks)
    if worst < MIN_FOUND:
        broken.append(f"In one week only {worst:.0%} of the facts were found.")
    return broken


# -- the picture ----------------------------------------------------------------------------------------

_PANELS = (
    ("nodes", "nodes, with stubs that only hold structure", "#1f77b4"),
    ("searched", "passages that recall searches", "#17becf"),
    ("megabytes", "store, MB", "#9467bd"),
    ("recall_cpu_ms", "one recall, ms of CPU", "#2ca02c"),
    ("found", "facts found among ten", "#d62728"),
    ("night_s", "one night's lifecycle, s of CPU", "#7f7f7f"),
)
_COLUMNS = 3


def plot(weeks: Sequence[Week], path: Path) -> None:
    """Draw the curves as SVG."""
    width, height, margin = 340, 180, 52
    rows = -(-len(_PANELS) // _COLUMNS)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_COLUMNS * width}" height="{rows * height}" '
        'font-family="sans-serif" font-size="12">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for index, (name, title, colour) in enumerate(_PANELS):
        left, top = (index % _COLUMNS) * width, (index // _COLUMNS) * height
        values = [float(getattr(week, name)) for week in weeks]
        highest = max(*values, 1e-9) if name != "found" else 1.0
        inner_width, inner_height = width - margin - 16, height - margin - 16
        x0, y0 = left + margin, top + height - 28
        points = " ".join(
            f"{x0 + inner_width * week.week / weeks[-1].week:.1f},{y0 - inner_height * value / highest:.1f}"
            for week, value in zip(weeks, values, strict=True)
        )
        parts += [
            f'<text x="{x0}" y="{top + 18}">{title}</text>',
            f'<line x1="{x0}" y1="{y0}" x2="{x0 + inner_width}" y2="{y0}" stroke="#888"/>',
            f'<line x1="{x0}" y1="{y0}" x2="{x0}" y2="{y0 - inner_height}" stroke="#888"/>',
            f'<text x="{x0 - 4}" y="{y0 - inner_height + 4}" text-anchor="end">{_number(highest)}</text>',
            f'<text x="{x0 - 4}" y="{y0}" text-anchor="end">0</text>',
            f'<text x="{x0 + inner_width}" y="{y0 + 16}" text-anchor="end">week {weeks[-1].week}</text>',
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"/>',
        ]
    path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def main() -> int:
    """Run the soak."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--plot", type=Path, default=None, help="write the curves as SVG")
    arguments = parser.parse_args()
    path = Path(tempfile.mkdtemp(prefix="zulong-soak-"))
    try:
        weeks = live(path / "store", arguments.events, arguments.days)
    finally:
        shutil.rmtree(path, ignore_errors=True)
    if arguments.plot:
        plot(weeks, arguments.plot)
    broken = broken_bounds(weeks)
    first, last = weeks[0], weeks[-1]
    print(
        f"{last.events} events in {arguments.days} days: {last.nodes} nodes, {last.edges} edges, "
        f"{last.searched} searched, {last.megabytes} MB; recall {first.recall_cpu_ms} -> {last.recall_cpu_ms} ms "
        f"of CPU time; {last.life_s:.0f} s of CPU time in all; facts found {last.found:.0%}",
        file=sys.stderr,
    )
    for sentence in broken:
        print(sentence, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
