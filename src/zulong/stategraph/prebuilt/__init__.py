"""Ready-made parts: running tools, and an agent that uses them."""

from zulong.stategraph.prebuilt.chat_agent_executor import create_react_agent
from zulong.stategraph.prebuilt.tool_node import ToolNode, tools_condition

__all__ = ("ToolNode", "create_react_agent", "tools_condition")
