"""A sentence encoder exported to ONNX: ``model.onnx`` (or ``onnx/model.onnx``) with its ``tokenizer.json``."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from zulong.embedding.protocol import EmbeddingError, Vectors, normalise_rows

_POOLED_OUTPUTS = ("sentence_embedding", "pooler_output_normalised", "embeddings")


class OnnxEmbedder:
    """Runs an exported encoder with onnxruntime; token outputs are averaged over the attention mask.

    Args:
        directory: folder with the model and its tokenizer.
        query_prefix, text_prefix: put before a question, before a text (``"query: "`` and ``"passage: "`` for
            the e5 family).
        max_tokens: texts are cut after that many tokens.
        threads: of one pass; keep it low on a robot that also has to drive.

    Raises:
        EmbeddingError: a file or a package is missing, or the model has no usable output.
    """

    def __init__(
        self,
        directory: Path | str,
        *,
        query_prefix: str = "",
        text_prefix: str = "",
        max_tokens: int = 256,
        threads: int = 1,
    ) -> None:
        self._directory = Path(directory)
        model = next(
            (p for p in (self._directory / "model.onnx", self._directory / "onnx/model.onnx") if p.is_file()),
            None,
        )
        tokenizer = self._directory / "tokenizer.json"
        if model is None or not tokenizer.is_file():
            raise EmbeddingError(
                f"{self._directory} needs model.onnx (or onnx/model.onnx) and tokenizer.json; export the model to ONNX."
            )
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise EmbeddingError(
                f"Running an ONNX model needs the package {error.name!r}: pip install 'zulong[onnx]'."
            ) from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        try:
            self._session: Any = onnxruntime.InferenceSession(
                str(model), sess_options=options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # onnxruntime has a dozen error types for a bad file
            raise EmbeddingError(f"{model} cannot be run by onnxruntime: {error}") from error
        self._tokenizer: Any = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(max_tokens)
        self._tokenizer.enable_padding()
        self._inputs = {one.name for one in self._session.get_inputs()}
        self._output = self._choose_output()
        self._prefixes = (query_prefix, text_prefix)
        digest = hashlib.sha256(model.read_bytes()).hexdigest()[:10]
        self._dim = int(self._run(["a"]).shape[1])
        self._name = f"onnx/{self._dim}/{digest}/{max_tokens}{text_prefix}"

    def _choose_output(self) -> str:
        names = [one.name for one in self._session.get_outputs()]
        for name in (*_POOLED_OUTPUTS, "last_hidden_state", "token_embeddings"):
            if name in names:
                return name
        return str(names[0])

    @property
    def name(self) -> str:
        return self._name

    @property
    def dim(self) -> int:
        return self._dim

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 ``[len(texts), dim]``, rows of length 1.

        Raises:
            EmbeddingError: onnxruntime failed.
        """
        if not texts:
            return np.zeros((0, self._dim), np.float32)
        return self._run([self._prefixes[1] + text for text in texts])

    def embed_query(self, text: str) -> Vectors:
        """Return float32 ``[dim]`` for a question."""
        vector: Vectors = self._run([self._prefixes[0] + text])[0]
        return vector

    def _run(self, texts: Sequence[str]) -> Vectors:
        encoded = self._tokenizer.encode_batch(list(texts))
        columns = {
            "input_ids": np.array([one.ids for one in encoded], np.int64),
            "attention_mask": np.array([one.attention_mask for one in encoded], np.int64),
            "token_type_ids": np.array([one.type_ids for one in encoded], np.int64),
        }
        try:
            feed = {name: column for name, column in columns.items() if name in self._inputs}
            output = np.asarray(self._session.run([self._output], feed)[0], np.float32)
        except Exception as error:  # see above
            raise EmbeddingError(f"The model in {self._directory} failed: {error}") from error
        if output.ndim == 3:
            mask = columns["attention_mask"][:, :, None].astype(np.float32)
            output = (output * mask).sum(axis=1) / np.maximum(mask.sum(axis=1), 1)
        if output.ndim != 2 or len(output) != len(texts):
            raise EmbeddingError(
                f"The output {self._output!r} of {self._directory} has shape {output.shape}; expected one vector a text."
            )
        return normalise_rows(output)
