"""Ways for several agents to work together, as small graphs."""

from zulong.agent.patterns.crew import CrewTask, crew
from zulong.agent.patterns.group_chat import group_chat, round_robin, until_said
from zulong.agent.patterns.hand_off import hand_off, transfer_tool
from zulong.agent.patterns.map_reduce import map_reduce
from zulong.agent.patterns.plan_execute import plan_and_execute
from zulong.agent.patterns.speaking import Agent, PatternError, Said, chat_agent
from zulong.agent.patterns.supervisor import model_chooses, supervisor
from zulong.agent.patterns.trio import KnowledgeView, trio

__all__ = [
    "Agent",
    "CrewTask",
    "KnowledgeView",
    "PatternError",
    "Said",
    "chat_agent",
    "crew",
    "group_chat",
    "hand_off",
    "map_reduce",
    "model_chooses",
    "plan_and_execute",
    "round_robin",
    "supervisor",
    "transfer_tool",
    "trio",
    "until_said",
]
