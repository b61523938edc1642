"""Vectors from an OpenAI-compatible endpoint: a cloud service, or a server on the robot or in the house."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from zulong.embedding.protocol import EmbeddingError, Vectors, normalise_rows


class EndpointEmbedder:
    """Asks ``POST {base_url}/embeddings``.

    Args:
        model: the model's name at the endpoint.
        base_url: for example ``http://localhost:8000/v1``; None means the service of the openai package.
        key_variable: environment variable that holds the key; a server that wants none may leave it unset
            when ``base_url`` is given.
        timeout_s: limit of one request; ``retries`` more are made for one that failed.
        batch: texts of one request.

    Raises:
        EmbeddingError: the package or the key is missing, or the endpoint does not answer.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        key_variable: str = "OPENAI_API_KEY",
        timeout_s: float = 20.0,
        retries: int = 2,
        batch: int = 64,
    ) -> None:
        key = os.environ.get(key_variable)
        if not key and base_url is None:
            raise EmbeddingError(
                f"Set the environment variable {key_variable} to the key of the embedding service."
            )
        try:
            import openai
        except ImportError as error:
            raise EmbeddingError(
                "An embedding endpoint needs the package 'openai': pip install 'zulong[models]'."
            ) from error
        self._errors = openai.OpenAIError
        self._client: Any = openai.OpenAI(
            api_key=key or "none", base_url=base_url, timeout=timeout_s, max_retries=retries
        )
        self._where = base_url or "the OpenAI service"
        self._model = model
        self._batch = batch
        self._dim = int(self._ask(["a"]).shape[1])

    @property
    def name(self) -> str:
        return f"endpoint/{self._dim}/{self._model}"

    @property
    def dim(self) -> int:
        return self._dim

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 ``[len(texts), dim]``, rows of length 1.

        Raises:
            EmbeddingError: the endpoint refused, failed, or did not answer in time.
        """
        parts = [self._ask(texts[start : start + self._batch]) for start in range(0, len(texts), self._batch)]
        return np.concatenate(parts) if parts else np.zeros((0, self._dim), np.float32)

    def embed_query(self, text: str) -> Vectors:
        """Return float32 ``[dim]`` for a question."""
        vector: Vectors = self._ask([text])[0]
        return vector

    def _ask(self, texts: Sequence[str]) -> Vectors:
        # The service refuses empty texts; a blank stands for them and says as little.
        wanted = [text if text.strip() else " " for text in texts]
        try:
            answer = self._client.embeddings.create(model=self._model, input=wanted, encoding_format="float")
            rows = sorted(answer.data, key=lambda row: row.index)
            matrix = np.array([row.embedding for row in rows], np.float32)
        except (self._errors, ValueError, TypeError, AttributeError) as error:
            raise EmbeddingError(
                f"Model {self._model!r} at {self._where} gave no vectors: {error}"
            ) from error
        if matrix.ndim != 2 or len(matrix) != len(texts):
            raise EmbeddingError(
                f"Model {self._model!r} at {self._where} answered {matrix.shape} for {len(texts)} texts."
            )
        return normalise_rows(matrix)
