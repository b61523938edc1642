"""Starting a run: find the checkpoint that it goes on from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zulong.stategraph._keys import (
    CONF,
    CONFIG_KEY_CHECKPOINT_ID,
    CONFIG_KEY_CHECKPOINT_MAP,
    CONFIG_KEY_CHECKPOINT_NS,
    NS_END,
)
from zulong.stategraph.pregel._effects import Load
from zulong.stategraph.pregel._state import State

if TYPE_CHECKING:
    from zulong.stategraph.pregel._run import Effects, Run


class Replay:
    """A run that goes on from an old checkpoint shows its subgraphs their checkpoints of that time, once each."""

    __slots__ = ("_visited", "checkpoint_id")

    def __init__(self, checkpoint_id: str) -> None:
        self.checkpoint_id = checkpoint_id
        self._visited: set[str] = set()

    def first_visit(self, checkpoint_ns: str) -> bool:
        """Whether this namespace (whatever the last task's id) was not loaded yet."""
        stable = checkpoint_ns.rsplit(NS_END, 1)[0] if NS_END in checkpoint_ns else checkpoint_ns
        if stable in self._visited:
            return False
        self._visited.add(stable)
        return True


def load(run: Run) -> Effects:
    """Load the checkpoint and set the run up to continue from it."""
    conf = run.configurable
    addressed = conf.get(CONFIG_KEY_CHECKPOINT_ID)
    checkpoint_map = conf.get(CONFIG_KEY_CHECKPOINT_MAP) or {}
    if run.checkpoint_ns in checkpoint_map:
        addressed = checkpoint_map[run.checkpoint_ns]
    run.addressed = bool(addressed or run.replay)
    run.superseded = False
    saved: Any = None
    if run.saver is not None:
        from zulong.stategraph.checkpoint.base.id import create_checkpoint_id

        run.new_id = create_checkpoint_id
        run.base_config = _saver_config(run)
        saved = yield from _find(run, addressed)
    fill(run, saved)


def _saver_config(run: Run) -> dict[str, Any]:
    """The config that savers get: the caller's scalars, nothing of the engine."""
    own = {
        k: v
        for k, v in run.configurable.items()
        if not k.startswith("__") and k not in (CONFIG_KEY_CHECKPOINT_ID, CONFIG_KEY_CHECKPOINT_MAP)
    }
    thread_id = own.get("thread_id")
    if thread_id is not None and not isinstance(thread_id, str):
        own["thread_id"] = str(thread_id)
    return {"metadata": run.config.get("metadata") or {}, CONF: own}


def _find(run: Run, addressed: str | None) -> Effects:
    if addressed:
        saved = yield Load("get_tuple", run.config_for(addressed))
        if saved is not None:
            latest = yield Load("get_tuple", _latest(run))
            run.superseded = latest is not None and latest.checkpoint["id"] != saved.checkpoint["id"]
        return saved
    if run.replay is not None:
        run.resuming = None
        if run.replay.first_visit(run.checkpoint_ns):
            before = {CONF: {CONFIG_KEY_CHECKPOINT_ID: run.replay.checkpoint_id}}
            found = yield Load("list", _latest(run), before=before, limit=1)
            return found[0] if found else None
    return (yield Load("get_tuple", _latest(run)))


def _latest(run: Run) -> dict[str, Any]:
    config = run.config_for(None)
    config[CONF].pop(CONFIG_KEY_CHECKPOINT_ID)
    config[CONF][CONFIG_KEY_CHECKPOINT_NS] = run.checkpoint_ns
    return config


def fill(run: Run, saved: Any) -> None:
    """Set the run up from what was found (None: a thread that does not exist yet)."""
    next_version = run.saver.get_next_version if run.saver is not None else None
    if saved is None:
        run.state = State(run.layout, {}, {}, {}, next_version)
        run.metadata = {"step": -2}
        run.parent_config = None
        run.saved_id = ""
        run.step = -1
        run.checkpoint_ts = None
        run.existed = False
        run.updated = None
    else:
        checkpoint = saved.checkpoint
        run.graph._migrate_checkpoint(checkpoint)
        run.state = State(
            run.layout,
            checkpoint["channel_values"],
            dict(checkpoint["channel_versions"]),
            {node: dict(seen) for node, seen in checkpoint["versions_seen"].items()},
            next_version,
        )
        run.metadata = saved.metadata or {}
        run.parent_config = saved.parent_config
        run._checkpoint_id = run.saved_id = checkpoint["id"]
        run.checkpoint_ts = checkpoint["ts"]
        run.step = run.metadata.get("step", -1) + 1
        run.existed = True
        updated = checkpoint.get("updated_channels")
        run.updated = set(updated) if updated else None
        pending: dict[str, list[tuple[str, Any]]] = {}
        for task_id, channel, value in saved.pending_writes or ():
            pending.setdefault(str(task_id), []).append((channel, value))
        run.pending = pending
    run.stop = run.step + run.config["recursion_limit"] + 1
