"""The victim of the crash test: writes as hard as it can and prints each write once it is acknowledged."""

from __future__ import annotations

import random
import sys
import threading

from zulong.memory import Draft, EdgeType, Link, MemoryConfig, MemoryGraph


def main(path: str, seed: int) -> None:
    graph = MemoryGraph.open(path, config=MemoryConfig(retrieval={"direct": True}, door={"open": True}))
    print_lock = threading.Lock()

    def tell(line: str) -> None:
        with print_lock:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

    def work(thread: int) -> None:
        rng = random.Random(seed * 31 + thread)
        mine: list[str] = []
        for number in range(1_000_000):
            name = f"{seed}.{thread}.{number}"
            action = rng.random()
            if len(mine) < 3 or action < 0.5:
                links = [Link(mine[-1], EdgeType.TEMPORAL, 0.9)] if mine else []
                graph.remember(f"event {name} " + "x" * rng.randrange(400), id=name, links=links)
                mine.append(name)
                tell(f"node {name}" + (f" after {mine[-2]}" if len(mine) > 1 else ""))
            elif action < 0.6:
                names = [f"{name}.{index}" for index in range(rng.randrange(2, 80))]
                graph.remember_many([Draft(f"batch {one}", id=one) for one in names])
                tell("batch " + " ".join(names))
            elif action < 0.8:
                pair = rng.sample(mine, 2)
                graph.link(*pair, EdgeType.SEMANTIC, 0.5)
                tell(f"edge {pair[0]} {pair[1]}")
            elif action < 0.9:
                graph.reinforce(rng.sample(mine, 3))
            else:
                victim = mine.pop(rng.randrange(len(mine) - 1))
                tell(f"forgetting {victim}")
                graph.forget(ids=[victim])
                tell(f"forgot {victim}")

    tell("ready")
    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
