"""Makes `import langgraph...` in the foreign tests reach this product's engine, and nothing else.

`prepare(folder)` writes a regular package `langgraph` there. It must come first on the path: the real one is a
namespace package, which a regular package hides completely, so that a missing module fails instead of falling
through to an installed langgraph.
"""

from __future__ import annotations

from pathlib import Path

ENGINE = "zulong.stategraph"

#: The public modules that exist under the name langgraph.
PUBLIC = [
    "graph",
    "graph.message",
    "graph.state",
    "types",
    "func",
    "constants",
    "config",
    "errors",
    "runtime",
    "channels",
    "channels.binop",
    "channels.last_value",
    "channels.topic",
    "channels.ephemeral_value",
    "channels.untracked_value",
    "channels.any_value",
    "channels.named_barrier_value",
    "channels.delta",
    "channels.base",
    "managed",
    "managed.is_last_step",
    "managed.base",
    "pregel",
    "pregel.types",
    "pregel.debug",
    "pregel.protocol",
    "typing",
    "warnings",
    "callbacks",
    "version",
    "store",
    "store.base",
    "store.memory",
    "checkpoint",
    "checkpoint.base",
    "checkpoint.base.id",
    "checkpoint.memory",
    "checkpoint.serde",
    "checkpoint.serde.base",
    "checkpoint.serde.jsonplus",
    "checkpoint.serde.encrypted",
    "checkpoint.serde.types",
    "checkpoint.sqlite",
    "checkpoint.sqlite.aio",
    "cache",
    "cache.base",
    "cache.memory",
    "cache.sqlite",
    "prebuilt",
    "prebuilt.tool_node",
    "prebuilt.chat_agent_executor",
]

#: Private modules that the test files import at their top. They hold the documented reserved values, and None
#: for internals: a test that needs one of those fails, which the list of reasons then explains.
STUBS: dict[str, dict[str, object]] = {
    "_internal": {},
    "_internal._constants": {
        "ERROR": "__error__",
        "PULL": "__pregel_pull",
        "PUSH": "__pregel_push",
        "CONF": "configurable",
        "CONFIG_KEY_NODE_FINISHED": "__pregel_node_finished",
        "CONFIG_KEY_CHECKPOINT_ID": "checkpoint_id",
        "CONFIG_KEY_CHECKPOINT_NS": "checkpoint_ns",
        "CONFIG_KEY_RUNTIME": "__pregel_runtime",
        "CONFIG_KEY_SEND": "__pregel_send",
        "CONFIG_KEY_STREAM": "__pregel_stream",
        "CONFIG_KEY_TASK_ID": "__pregel_task_id",
        "CONFIG_KEY_THREAD_ID": "thread_id",
        "CONFIG_KEY_TIMED_ATTEMPT_OBSERVER": "__pregel_timed_attempt_observer",
    },
    "_internal._config": {
        "patch_configurable": None,
        "get_async_callback_manager_for_config": None,
        "DEFAULT_RECURSION_LIMIT": 10007,
    },
    "_internal._queue": {"AsyncQueue": None},
    "_internal._runnable": {"RunnableCallable": None},
    "_internal._timeout": {"coerce_timeout_policy": None},
    "_internal._pydantic": {"is_supported_by_pydantic": None, "create_model": None},
    "pregel._loop": {"PregelLoop": None, "SyncPregelLoop": None, "AsyncPregelLoop": None},
    "pregel._runner": {"PregelRunner": None},
    "pregel._read": {"PregelNode": None},
    "pregel._checkpoint": {"copy_checkpoint": None},
    "pregel._retry": dict.fromkeys(
        (
            "_checkpoint_ns_for_parent_command",
            "_ensure_execution_info",
            "_should_retry_on",
            "_TimedAttemptScope",
            "arun_with_retry",
            "run_with_retry",
        )
    ),
}

_SOURCE = """\
import importlib as _importlib, importlib.abc as _abc, importlib.util as _util, sys as _sys
from types import ModuleType as _Module

_ENGINE, _PUBLIC, _STUBS, _BESIDES = {engine!r}, {public!r}, {stubs!r}, {besides!r}
HITS = set()


class _Loader(_abc.Loader):
    def __init__(self, module):
        self.module = module

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        pass


class _Finder(_abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if not name.startswith("langgraph."):
            return None
        sub = name[len("langgraph."):]
        if sub.startswith(_BESIDES):
            return None
        module = _Module(name)
        module.__path__ = []
        if sub in _STUBS:
            module.__dict__.update(_STUBS[sub])
        elif sub in _PUBLIC:
            source = _importlib.import_module(_ENGINE + "." + sub)
            for key, value in vars(source).items():
                if not key.startswith("__") or key == "__all__":
                    module.__dict__[key] = value
            module.__doc__ = source.__doc__
            if hasattr(source, "__getattr__"):
                module.__getattr__ = source.__getattr__
        else:
            raise ModuleNotFoundError(f"the conformance shim does not expose {{name}}", name=name)
        HITS.add(sub)
        return _util.spec_from_loader(name, _Loader(module), is_package=True)


_sys.meta_path.insert(0, _Finder())
"""


def prepare(folder: Path, *, besides: tuple[str, ...] = ()) -> None:
    """Write the package `langgraph` into `folder`; names that start with `besides` are found elsewhere."""
    package = folder / "langgraph"
    package.mkdir(parents=True, exist_ok=True)
    source = _SOURCE.format(engine=ENGINE, public=set(PUBLIC), stubs=STUBS, besides=besides)
    (package / "__init__.py").write_text(source, encoding="utf-8")
