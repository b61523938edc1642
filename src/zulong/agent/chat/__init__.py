"""Chat models behind one protocol, with streaming, limits and errors that have types."""

from zulong.agent.chat.errors import (
    ChatCanceledError,
    ChatError,
    ContextTooLongError,
    ModelNotServedError,
    ModelRejectedError,
    ModelTimeoutError,
    ModelUnavailableError,
    StreamCutError,
)
from zulong.agent.chat.json_calls import JsonCalls
from zulong.agent.chat.model import (
    Assembly,
    ChatChunk,
    ChatModel,
    ChatRequest,
    Message,
    Reply,
    ToolCall,
    complete,
)
from zulong.agent.chat.openai_model import OpenAIModel, OpenAISettings

__all__ = [
    "Assembly",
    "ChatCanceledError",
    "ChatChunk",
    "ChatError",
    "ChatModel",
    "ChatRequest",
    "ContextTooLongError",
    "JsonCalls",
    "Message",
    "ModelNotServedError",
    "ModelRejectedError",
    "ModelTimeoutError",
    "ModelUnavailableError",
    "OpenAIModel",
    "OpenAISettings",
    "Reply",
    "StreamCutError",
    "ToolCall",
    "complete",
]
