"""The conformance suite over every saver, and what durable savers offer besides."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

_spec = importlib.util.spec_from_file_location(
    "zulong_conformance", Path(__file__).with_name("conformance.py")
)
assert _spec is not None and _spec.loader is not None
conformance = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = conformance
_spec.loader.exec_module(conformance)
chain, checkpoint, config, grow = (
    conformance.chain,
    conformance.checkpoint,
    conformance.config,
    conformance.grow,
)
id_of, ids, metadata, read = conformance.id_of, conformance.ids, conformance.metadata, conformance.read


@pytest.mark.feature("SG-10", "SG-23")
class TestEverySaver(conformance.CheckpointerConformance):  # type: ignore[misc]
    """All savers behave alike."""


@pytest.fixture
def durable(saver: Any) -> Any:
    if not hasattr(saver, "name_checkpoint"):
        pytest.skip("names are for savers that outlive the process")
    return saver


@pytest.mark.feature("SG-23")
class TestDurableSavers:
    def test_a_named_checkpoint_survives_pruning_until_its_name_is_dropped(self, durable: Any) -> None:
        configs = chain(durable, 4)
        durable.name_checkpoint(configs[1], "before the stairs")
        durable.prune(["t"])
        assert ids(durable.list(config())) == [id_of(configs[3]), id_of(configs[1])]
        assert durable.named_checkpoints("t") == {"before the stairs": configs[1]}
        assert read(durable, configs[1]).checkpoint["channel_values"] == {"a": 2}
        assert durable.forget_name("t", "before the stairs")
        assert not durable.forget_name("t", "before the stairs")
        durable.prune(["t"])
        assert ids(durable.list(config())) == [id_of(configs[3])]

    def test_only_a_checkpoint_that_exists_can_be_named(self, durable: Any) -> None:
        with pytest.raises(KeyError, match="nobody"):
            durable.name_checkpoint(config("nobody"), "x")
        newest = chain(durable, 2)[-1]
        durable.name_checkpoint(config(), "newest")
        assert durable.named_checkpoints("t") == {"newest": newest}
        assert durable.named_checkpoints("nobody") == {}

    def test_names_are_copied_with_a_thread_and_leave_with_it(self, durable: Any) -> None:
        first = chain(durable, 1)[0]
        durable.name_checkpoint(first, "n")
        durable.copy_thread("t", "u")
        durable.delete_thread("t")
        assert durable.named_checkpoints("t") == {}
        assert durable.named_checkpoints("u") == {"n": config("u", "", id_of(first))}
        assert list(durable.threads()) == ["u"]

    def test_a_thread_is_not_copied_over_another(self, durable: Any) -> None:
        chain(durable, 1)
        chain(durable, 1, thread="u")
        with pytest.raises(ValueError, match="'u'"):
            durable.copy_thread("t", "u")

    def test_history_is_cut_by_itself_and_logs_stay_whole(self, durable: Any) -> None:
        durable.keep_last = 10
        log, cursor = conformance.LogValue(), config()
        for step in range(1, 101):
            log = log.append([step])
            cursor = grow(durable, cursor, {"log": log, "big": f"{step}" * 300}, step)
        kept = list(durable.list(config()))
        assert 10 <= len(kept) <= 20
        assert kept[0].checkpoint["channel_values"] == {"log": list(range(1, 101)), "big": "100" * 300}
        assert kept[-1].checkpoint["channel_values"]["log"] == list(range(1, 101 - len(kept) + 1))

    def test_the_checkpoints_of_a_subgraph_leave_with_their_parent(self, durable: Any) -> None:
        first, second = chain(durable, 2)
        for parent, child in ((first, "child:task-1"), (second, "child:task-2")):
            put = checkpoint({"a": 1})
            durable.put(config("t", child), put, metadata(parents={"": id_of(parent)}), {"a": 1})
        durable.prune(["t"])
        assert durable.get_tuple(config("t", "child:task-1")) is None
        assert durable.get_tuple(config("t", "child:task-2")) is not None

    def test_a_closed_saver_says_so(self, durable: Any) -> None:
        from zulong.stategraph.checkpoint.errors import StorageClosedError

        durable.close()
        durable.close()
        with pytest.raises(StorageClosedError, match="closed"):
            durable.get_tuple(config())
        with pytest.raises(StorageClosedError, match="closed"):
            chain(durable, 1)
