"""What can go wrong with a chat model, each with its own type."""

from __future__ import annotations


class ChatError(Exception):
    """Base of everything a chat model raises."""


class ModelUnavailableError(ChatError):
    """The model does not answer: no connection, overload, or failures of the server to the end of the retries."""


class ModelTimeoutError(ModelUnavailableError):
    """The model fell silent, or did not finish within its time limit."""


class ModelRejectedError(ChatError):
    """The server refused the request (wrong model name, wrong key, too long): repeating it is no use."""


class ModelNotServedError(ModelRejectedError):
    """The server does not serve this model to us (wrong name, address or key); another model may well do."""


class ContextTooLongError(ModelRejectedError):
    """The conversation does not fit into the model's context window, by the server's own count."""


class StreamCutError(ModelUnavailableError):
    """The stream broke after it had begun; what had come was handed out already."""


class ChatCanceledError(ChatError):
    """The task was canceled while the model spoke."""
