"""What a tool is, and how one is made from a Python function."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zulong.agent.skills import Approval, SkillProfile, WhenFrozen
from zulong.agent.tools.docstrings import first_sentence
from zulong.agent.tools.signature import name_of, read_signature

_LONGEST_S = 31_536_000

ToolFunction = Callable[..., Any]


@dataclass(slots=True, frozen=True)
class Tool:
    """Something the model may call.

    Attributes:
        name: as the model writes it.
        description: one sentence the model chooses by.
        parameters: JSON schema (an object) of the arguments.
        function: what does the work in this process; None for a remote tool, which is a skill elsewhere.
        approval: whether a person must say yes first: never, risky or always.
        has_side_effects: it changes the world: never run beside another such one, never twice for one call.
        time_limit_s: longest time until its result.
        aliases: other names of parameters that models like to write.
        defaults: values of parameters that are left out.
        path_roots: parameters that are file paths, with the folder each must stay inside.
        validate: turns repaired arguments into what the function takes; raises ValueError.
        latch_parameter: parameter of the function that gets the latch of the task.
        when_frozen: what becomes of a call under way when the task is frozen: ``leave`` it running and await its
            result, or ``cancel`` it.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    function: ToolFunction | None = None
    approval: Approval = "never"
    has_side_effects: bool = False
    time_limit_s: float = 30.0
    aliases: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    path_roots: Mapping[str, str] = field(default_factory=dict)
    validate: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None
    latch_parameter: str | None = None
    when_frozen: WhenFrozen = "leave"

    def __post_init__(self) -> None:
        if not 0 < self.time_limit_s <= _LONGEST_S:
            raise ValueError(
                f"Tool {self.name!r}: time_limit_s must be more than 0 and at most {_LONGEST_S} (a year), "
                f"not {self.time_limit_s!r}."
            )

    @property
    def remote(self) -> bool:
        """True when the work is done elsewhere and the loop is suspended meanwhile."""
        return self.function is None

    def definition(self) -> dict[str, Any]:
        """Return the definition that goes into a chat request."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": dict(self.parameters),
            },
        }

    def profile(self) -> SkillProfile:
        """Return the tool as the approval rules see it."""
        return SkillProfile(
            self.name, self.description, self.parameters, self.approval, self.has_side_effects
        )


def tool_from_function(
    function: ToolFunction,
    *,
    name: str | None = None,
    description: str | None = None,
    approval: Approval = "never",
    has_side_effects: bool = False,
    time_limit_s: float = 30.0,
    aliases: Mapping[str, str] | None = None,
    path_roots: Mapping[str, str] | None = None,
    when_frozen: WhenFrozen = "leave",
) -> Tool:
    """Make a tool of a function: its schema from the signature, its sentences from the docstring.

    A parameter annotated :class:`CancelLatch` is not shown to the model; it gets the latch of the task. An async
    function runs on an event loop of its own and is canceled by the latch.

    Raises:
        TypeError: a parameter cannot be passed by name, or has no type that JSON can carry; a function without a
            name is given none.
    """
    signature = read_signature(function)
    name = name or name_of(function)
    if not name:
        raise TypeError(f"{function!r} has no name; give one.")
    return Tool(
        name=name,
        description=description or first_sentence(inspect.getdoc(function) or ""),
        parameters=signature.schema,
        function=function,
        approval=approval,
        has_side_effects=has_side_effects,
        time_limit_s=time_limit_s,
        aliases=dict(aliases or {}),
        path_roots=dict(path_roots or {}),
        validate=signature.validate,
        when_frozen=when_frozen,
        latch_parameter=signature.latch_parameter,
    )


def tool_from_skill(profile: SkillProfile, *, time_limit_s: float = 300.0) -> Tool:
    """Make a remote tool of a skill that a node offers."""
    return Tool(
        name=profile.name,
        description=profile.description,
        parameters=profile.arguments_schema,
        approval=profile.approval,
        has_side_effects=profile.has_side_effects,
        time_limit_s=profile.time_limit_s or time_limit_s,
        when_frozen=profile.when_frozen,
    )


class ToolRegistry:
    """The tools of an agent, by name."""

    def __init__(self, tools: Sequence[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        self._definitions: dict[str, dict[str, Any]] = {}
        for tool in tools:
            self.add(tool)

    def add(self, tool: Tool) -> Tool:
        """Add a tool.

        Raises:
            ValueError: the name is taken or is not one that chat servers accept.
        """
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool.name):
            raise ValueError(f"Tool name {tool.name!r} must be 1 to 64 letters, digits, _ or -.")
        if tool.name in self._tools:
            raise ValueError(
                f"There is a tool {tool.name!r} already; remove it first or choose another name."
            )
        self._tools[tool.name] = tool
        self._definitions[tool.name] = tool.definition()
        return tool

    def function(self, **options: Any) -> Callable[[ToolFunction], ToolFunction]:
        """Decorate a function to add it as a tool; options as for :func:`tool_from_function`."""

        def decorate(function: ToolFunction) -> ToolFunction:
            self.add(tool_from_function(function, **options))
            return function

        return decorate

    def remove(self, name: str) -> None:
        """Take a tool out, if it is there."""
        self._tools.pop(name, None)
        self._definitions.pop(name, None)

    def get(self, name: str) -> Tool | None:
        """Return a tool by its exact name, None when there is none."""
        return self._tools.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the order they were added."""
        return tuple(self._tools)

    def definitions(self, names: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """Return the definitions for a request; of these names only, when given. All requests share them."""
        known = self._definitions
        return list(known.values()) if names is None else [known[name] for name in names if name in known]
