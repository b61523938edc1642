"""Ways for several agents to work together, as small graphs; ``docs/patterns.md`` shows each at work."""

from zulong.agent.patterns.agents import chat_agent, loop_agent, pattern_agent, transfer_tool
from zulong.agent.patterns.crew import CrewTask, crew
from zulong.agent.patterns.group_chat import group_chat, round_robin, until_said
from zulong.agent.patterns.hand_off import hand_off
from zulong.agent.patterns.knowledge import Relation, TrioParts, implied, model_knowledge, rule_knowledge
from zulong.agent.patterns.knowledge_view import KnowledgeView
from zulong.agent.patterns.map_reduce import map_reduce
from zulong.agent.patterns.plan_execute import plan_and_execute
from zulong.agent.patterns.speaking import Agent, Conversation, PatternError, Said
from zulong.agent.patterns.supervisor import model_chooses, supervisor
from zulong.agent.patterns.trio import trio

__all__ = [
    "Agent",
    "Conversation",
    "CrewTask",
    "KnowledgeView",
    "PatternError",
    "Relation",
    "Said",
    "TrioParts",
    "chat_agent",
    "crew",
    "group_chat",
    "hand_off",
    "implied",
    "loop_agent",
    "map_reduce",
    "model_chooses",
    "model_knowledge",
    "pattern_agent",
    "plan_and_execute",
    "round_robin",
    "rule_knowledge",
    "supervisor",
    "transfer_tool",
    "trio",
    "until_said",
]
