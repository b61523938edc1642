"""Tools: what a model may call, how its arguments are repaired, and how long results are kept."""

from zulong.agent.tools.keep import GraphMemory, LoopMemory, ProcessMemory, cut_result, memory_tools
from zulong.agent.tools.repair import ArgumentsError, Repaired, repair_arguments
from zulong.agent.tools.run import RunningTool, ToolOutcome
from zulong.agent.tools.tool import Tool, ToolRegistry, tool_from_function, tool_from_skill

__all__ = [
    "ArgumentsError",
    "GraphMemory",
    "LoopMemory",
    "ProcessMemory",
    "Repaired",
    "RunningTool",
    "Tool",
    "ToolOutcome",
    "ToolRegistry",
    "cut_result",
    "memory_tools",
    "repair_arguments",
    "tool_from_function",
    "tool_from_skill",
]
