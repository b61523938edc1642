"""Adapters: each keeps one kind of thing in the memory graph and gives it back as it was."""

from zulong.memory.adapters.access import AdapterError
from zulong.memory.adapters.code import CodeGraphAdapter
from zulong.memory.adapters.dialogue import DialogueAdapter, ShortTermMemory, Turn
from zulong.memory.adapters.episodes import Episode, EpisodeAdapter
from zulong.memory.adapters.experience import Advice, Attempt, ExperienceAdapter
from zulong.memory.adapters.knowledge import KnowledgeGraphAdapter, Triple
from zulong.memory.adapters.people import PersonProfileAdapter, Profile
from zulong.memory.adapters.tasks import PastTasks, TaskGraphAdapter
from zulong.memory.adapters.tools import ToolApproval, ToolCall, ToolResult, ToolTraceAdapter

__all__ = [
    "AdapterError",
    "Advice",
    "Attempt",
    "CodeGraphAdapter",
    "DialogueAdapter",
    "Episode",
    "EpisodeAdapter",
    "ExperienceAdapter",
    "KnowledgeGraphAdapter",
    "PastTasks",
    "PersonProfileAdapter",
    "Profile",
    "ShortTermMemory",
    "TaskGraphAdapter",
    "ToolApproval",
    "ToolCall",
    "ToolResult",
    "ToolTraceAdapter",
    "Triple",
    "Turn",
]
