"""Reading ``config/agent.yaml``: each section becomes a dataclass, each unknown key an error that names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from zulong.agent.chat.json_calls import JsonCalls
from zulong.agent.chat.model import ChatModel
from zulong.agent.chat.openai_model import OpenAIModel, OpenAISettings
from zulong.agent.loop.settings import LoopSettings
from zulong.agent.mission.state import MissionConfig
from zulong.agent.surroundings import InterruptionLimits
from zulong.resources import config_path

T = TypeVar("T")


class SettingsError(ValueError):
    """The configuration file has a key or value that does not belong there; the message names it."""


def read_section(kind: type[T], plain: Mapping[str, Any], where: str) -> T:
    """Return a dataclass of settings from a mapping of the configuration.

    Raises:
        SettingsError: a key that the dataclass does not have, or a value of the wrong kind.
    """
    known = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]
    unknown = set(plain) - set(known)
    if unknown:
        raise SettingsError(
            f"{where}: unknown key {', '.join(sorted(unknown))}; known are {', '.join(known)}."
        )
    values: dict[str, Any] = {}
    for name, value in plain.items():
        numeric = "float" in str(known[name].type) or "int" in str(known[name].type)
        if numeric and (isinstance(value, bool) or not isinstance(value, (int, float))):
            raise SettingsError(f"{where}.{name}: must be a number, got {value!r}.")
        values[name] = tuple(value) if isinstance(value, list) else value
    try:
        return kind(**values)
    except ValueError as error:
        raise SettingsError(f"{where}: {error}") from error


def load_agent_config(path: str | Path | None = None) -> dict[str, Any]:
    """Return ``config/agent.yaml`` (or another file) as plain data.

    Raises:
        SettingsError: it is no mapping of sections.
    """
    import yaml

    file = Path(path) if path is not None else config_path("agent.yaml")
    plain = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    if not isinstance(plain, dict) or not all(isinstance(v, dict) for v in plain.values()):
        raise SettingsError(f"{file}: must be a mapping of sections, each a mapping.")
    return plain


def loop_settings(path: str | Path | None = None) -> LoopSettings:
    """Return the loop's settings from the configuration file.

    Raises:
        SettingsError: see :func:`read_section`.
    """
    plain = load_agent_config(path)
    section = dict(plain.get("loop", {}))
    parts = {
        "breaker": plain.get("breaker", {}),
        "nets": plain.get("nets", {}),
        "surroundings": _limits(plain),
    }
    settings = read_section(LoopSettings, section | parts, "loop")
    settings.signals()
    settings.safety_nets()
    return settings


def _limits(plain: Mapping[str, Any]) -> InterruptionLimits:
    return read_section(InterruptionLimits, plain.get("surroundings", {}), "surroundings")


def mission_config(path: str | Path | None = None) -> MissionConfig:
    """Return the limits of missions from the configuration file.

    Raises:
        SettingsError: see :func:`read_section`.
    """
    plain = load_agent_config(path)
    section = dict(plain.get("mission", {}))
    return read_section(MissionConfig, section | {"surroundings": _limits(plain)}, "mission")


def model_settings(name: str = "default", path: str | Path | None = None) -> OpenAISettings:
    """Return the address and limits of a chat model from section ``models``.

    Raises:
        SettingsError: no model has this name, or see :func:`read_section`.
    """
    models = load_agent_config(path).get("models", {})
    if name not in models:
        raise SettingsError(f"models: there is no model {name!r}; there are {', '.join(models) or 'none'}.")
    return read_section(OpenAISettings, models[name], f"models.{name}")


def open_model(name: str = "default", path: str | Path | None = None) -> ChatModel:
    """Return the chat model of section ``models``, ready to speak; nothing is connected before it is asked.

    Raises:
        SettingsError: see :func:`model_settings`.
        ImportError: the ``openai`` package is missing; names the extra.
    """
    settings = model_settings(name, path)
    model: ChatModel = OpenAIModel(settings)
    return JsonCalls(model) if settings.calls == "json" else model
