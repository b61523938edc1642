"""Settings from plain values: what is named is taken, what is wrong is named."""

from __future__ import annotations

import math
from typing import Any

import pytest
import yaml

from zulong.memory import Importance, MemoryConfig
from zulong.memory.config import HALF_LIFE_S


def test_settings_come_from_a_yaml_file_and_the_rest_keeps_its_default() -> None:
    text = """
    forgetting: {prune_below: 0.1, half_life_s: {TRIVIAL: 60, FACT: .inf}}
    storage: {commit_interval_s: 0.05}
    hebb: {max_out: 4}
    retrieval: {hot_shards: 3}
    """
    config = MemoryConfig.from_mapping(yaml.safe_load(text))
    assert config.forgetting.prune_below == 0.1
    assert config.forgetting.half_life_s[Importance.TRIVIAL] == 60.0
    assert math.isinf(config.forgetting.half_life_s[Importance.FACT])
    assert config.forgetting.half_life_s[Importance.NORMAL] == HALF_LIFE_S[Importance.NORMAL]
    assert (config.storage.commit_interval_s, config.hebb.max_out) == (0.05, 4)
    assert config.retrieval == {"hot_shards": 3}
    assert MemoryConfig.from_mapping({}) == MemoryConfig()


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"forgeting": {}}, "'forgeting'"),
        ({"hebb": {"speed": 1}}, "hebb.speed"),
        ({"hebb": {"rate": -1}}, "hebb.rate"),
        ({"hebb": {"max_out": 1.5}}, "hebb.max_out"),
        ({"hebb": {"max_out": True}}, "hebb.max_out"),
        ({"activation": {"decay": "half"}}, "activation.decay"),
        ({"forgetting": {"half_life_s": {"BORING": 1}}}, "'BORING'"),
        ({"forgetting": {"half_life_s": {"FACT": math.nan}}}, "half_life_s.FACT"),
    ],
)
def test_a_setting_that_cannot_be_is_named(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        MemoryConfig.from_mapping(settings)
