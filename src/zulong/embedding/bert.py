"""A sentence-transformers directory (BERT family, safetensors) run in plain numpy: no torch, no ONNX.

Architecture and names of the weights: Devlin et al. 2018 (BERT) as published in sentence-transformers folders
(``config.json``, ``model.safetensors``, ``tokenizer.json``, ``1_Pooling/config.json``). The tokens of a batch
are packed end to end, so that the dense layers waste nothing on padding.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from zulong.embedding.protocol import EmbeddingError, Vectors, normalise_rows

_DTYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64}
_TOKENS_PER_BATCH = 2048  # keeps the widest activation near 12 MB, within a robot computer's cache budget


def read_safetensors(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Read a safetensors file (8-byte length, JSON header, raw little-endian tensors) into numpy arrays.

    Raises:
        EmbeddingError: the file is not safetensors, is cut short, or holds a type that numpy lacks.
    """
    raw = path.read_bytes()
    try:
        size = int.from_bytes(raw[:8], "little")
        header = json.loads(raw[8 : 8 + size])
        tensors = {}
        for name, about in header.items():
            if name == "__metadata__":
                continue
            begin, end = about["data_offsets"]
            flat = np.frombuffer(raw[8 + size + begin : 8 + size + end], dtype=_DTYPES[about["dtype"]])
            tensors[name] = flat.reshape(about["shape"])
        return tensors
    except (ValueError, KeyError, TypeError) as error:
        raise EmbeddingError(
            f"{path} is not a safetensors file of F32, F16 or I64 tensors ({error}); fetch the model again."
        ) from error


@dataclass(slots=True, frozen=True)
class _Layer:
    attention_in: npt.NDArray[np.float32]  # [hidden, 3 * hidden]: query, key, value side by side
    attention_in_bias: npt.NDArray[np.float32]
    attention_out: npt.NDArray[np.float32]
    attention_out_bias: npt.NDArray[np.float32]
    attention_norm: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]
    up: npt.NDArray[np.float32]
    up_bias: npt.NDArray[np.float32]
    down: npt.NDArray[np.float32]
    down_bias: npt.NDArray[np.float32]
    output_norm: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]


def _layer_norm(
    x: Vectors, norm: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]], epsilon: float
) -> Vectors:
    x = x - x.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x)[:, None] / np.float32(x.shape[1])
    x /= np.sqrt(variance + np.float32(epsilon))
    x *= norm[0]
    x += norm[1]
    return x


def _gelu(x: Vectors) -> Vectors:
    # The tanh form (Hendrycks and Gimpel 2016) differs from the erf form by < 5e-4; numpy has no erf.
    inner = x * x
    inner *= np.float32(0.044715)
    inner += np.float32(1.0)
    inner *= x
    inner *= np.float32(math.sqrt(2.0 / math.pi))
    np.tanh(inner, out=inner)
    inner += np.float32(1.0)
    inner *= x
    inner *= np.float32(0.5)
    return inner


class BertEmbedder:
    """Embeds with the weights of a sentence-transformers folder.

    Args:
        directory: folder with ``config.json``, ``model.safetensors`` and ``tokenizer.json``.
        query_prefix, text_prefix: put before a question, before a text (``"query: "`` and ``"passage: "`` for
            the e5 family; empty for MiniLM).
        max_tokens: texts are cut after that many word pieces; the folder's own limit when None.

    Raises:
        EmbeddingError: a file is missing, or the folder holds another kind of model.
    """

    def __init__(
        self,
        directory: Path | str,
        *,
        query_prefix: str = "",
        text_prefix: str = "",
        max_tokens: int | None = None,
    ) -> None:
        self._directory = Path(directory)
        config = self._read_json("config.json")
        if config.get("model_type") not in {"bert", "xlm-roberta", "roberta"}:
            raise EmbeddingError(
                f"{self._directory} holds a {config.get('model_type')!r} model; BertEmbedder runs the BERT family,"
                " use OnnxEmbedder with an exported model.onnx instead."
            )
        self._prefixes = (query_prefix, text_prefix)
        self._heads = int(config["num_attention_heads"])
        self._epsilon = float(config.get("layer_norm_eps", 1e-12))
        # RoBERTa models count positions from the padding index on.
        self._first_position = 0 if config["model_type"] == "bert" else int(config.get("pad_token_id", 1)) + 1
        self._load_weights(int(config["num_hidden_layers"]))
        own_limit = self._read_json("sentence_bert_config.json", required=False).get("max_seq_length")
        room = self._positions.shape[0] - self._first_position
        self._tokenizer = self._open_tokenizer(min(room, max_tokens or own_limit or 512))
        pooling = self._read_json("1_Pooling/config.json", required=False)
        self._mean_pooling = not pooling.get("pooling_mode_cls_token", False)
        limit = self._tokenizer.truncation["max_length"]
        digest = hashlib.sha256(self._words[:64].tobytes() + self._layers[-1].down.tobytes()).hexdigest()[:10]
        self._name = f"bert/{self._words.shape[1]}/{digest}/{limit}{text_prefix}"
        # One pass at a time: two threads through one BLAS pool only take each other's cache.
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._name

    @property
    def dim(self) -> int:
        return int(self._words.shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 ``[len(texts), dim]``, rows of length 1; long texts are cut at the token limit."""
        return self._embed([self._prefixes[1] + text for text in texts])

    def embed_query(self, text: str) -> Vectors:
        """Return float32 ``[dim]`` for a question."""
        vector: Vectors = self._embed([self._prefixes[0] + text])[0]
        return vector

    def _embed(self, texts: Sequence[str]) -> Vectors:
        encoded = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for batch in _batches([len(ids) for ids in encoded]):
            with self._lock:
                vectors[batch] = self._forward([encoded[i] for i in batch])
        return normalise_rows(vectors)

    def _forward(self, sequences: list[list[int]]) -> Vectors:
        lengths = [len(sequence) for sequence in sequences]
        ends = np.cumsum(lengths)
        spans = list(zip(ends - lengths, ends, strict=True))
        places = np.concatenate([np.arange(n) for n in lengths]) + self._first_position
        x = self._words[np.concatenate(sequences)] + self._positions[places] + self._segment
        x = _layer_norm(x, self._input_norm, self._epsilon)
        for layer in self._layers:
            x = self._apply(layer, x, spans)
        if self._mean_pooling:
            return np.stack([x[start:end].mean(axis=0) for start, end in spans])
        return np.stack([x[start] for start, _ in spans])

    def _apply(self, layer: _Layer, x: Vectors, spans: list[tuple[int, int]]) -> Vectors:
        hidden = x.shape[1]
        size = hidden // self._heads
        mixed = x @ layer.attention_in + layer.attention_in_bias
        context = np.empty_like(x)
        for start, end in spans:
            # [tokens, 3 * hidden] -> query, key, value as [heads, tokens, size]
            parts = mixed[start:end].reshape(end - start, 3, self._heads, size).transpose(1, 2, 0, 3)
            scores = parts[0] @ parts[1].transpose(0, 2, 1)
            scores *= np.float32(1.0 / math.sqrt(size))
            scores -= scores.max(axis=-1, keepdims=True)
            np.exp(scores, out=scores)
            scores /= scores.sum(axis=-1, keepdims=True)
            context[start:end] = (scores @ parts[2]).transpose(1, 0, 2).reshape(end - start, hidden)
        attended = context @ layer.attention_out
        attended += layer.attention_out_bias
        attended += x
        x = _layer_norm(attended, layer.attention_norm, self._epsilon)
        widened = x @ layer.up
        widened += layer.up_bias
        narrowed = _gelu(widened) @ layer.down
        narrowed += layer.down_bias
        narrowed += x
        return _layer_norm(narrowed, layer.output_norm, self._epsilon)

    def _load_weights(self, layers: int) -> None:
        tensors = {}
        for name, tensor in read_safetensors(self._existing("model.safetensors")).items():
            # Folders differ in whether the names carry the model's own prefix.
            plain = name.split(".", 1)[1] if name.startswith(("bert.", "roberta.")) else name
            tensors[plain] = tensor

        def weight(name: str) -> npt.NDArray[np.float32]:
            if name not in tensors:
                raise EmbeddingError(f"{self._directory}/model.safetensors lacks the tensor {name}.")
            return np.asarray(tensors[name], dtype=np.float32)

        def norm(name: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
            return weight(f"{name}.weight"), weight(f"{name}.bias")

        def dense(name: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
            return np.ascontiguousarray(weight(f"{name}.weight").T), weight(f"{name}.bias")

        self._words = weight("embeddings.word_embeddings.weight")
        self._positions = weight("embeddings.position_embeddings.weight")
        self._segment = weight("embeddings.token_type_embeddings.weight")[0]
        self._input_norm = norm("embeddings.LayerNorm")
        self._layers = []
        for i in range(layers):
            at = f"encoder.layer.{i}"
            mixes = [dense(f"{at}.attention.self.{part}") for part in ("query", "key", "value")]
            out, up, down = (
                dense(f"{at}.{part}.dense") for part in ("attention.output", "intermediate", "output")
            )
            self._layers.append(
                _Layer(
                    attention_in=np.concatenate([w for w, _ in mixes], axis=1),
                    attention_in_bias=np.concatenate([b for _, b in mixes]),
                    attention_out=out[0],
                    attention_out_bias=out[1],
                    attention_norm=norm(f"{at}.attention.output.LayerNorm"),
                    up=up[0],
                    up_bias=up[1],
                    down=down[0],
                    down_bias=down[1],
                    output_norm=norm(f"{at}.output.LayerNorm"),
                )
            )

    def _open_tokenizer(self, limit: int) -> Any:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise EmbeddingError(
                "Running a model folder needs the package 'tokenizers': pip install 'zulong[onnx]'."
            ) from error
        tokenizer = Tokenizer.from_file(str(self._existing("tokenizer.json")))
        tokenizer.enable_truncation(limit)
        tokenizer.no_padding()
        return tokenizer

    def _existing(self, name: str) -> Path:
        path = self._directory / name
        if not path.is_file():
            raise EmbeddingError(
                f"{self._directory} has no {name}; give a complete sentence-transformers folder."
            )
        return path

    def _read_json(self, name: str, *, required: bool = True) -> dict[str, Any]:
        if not required and not (self._directory / name).is_file():
            return {}
        content: dict[str, Any] = json.loads(self._existing(name).read_text(encoding="utf-8"))
        return content


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the indices of texts in batches of at most ``_TOKENS_PER_BATCH`` tokens."""
    batch: list[int] = []
    tokens = 0
    for i, length in enumerate(lengths):
        if batch and tokens + length > _TOKENS_PER_BATCH:
            yield batch
            batch, tokens = [], 0
        batch.append(i)
        tokens += length
    if batch:
        yield batch
