"""From a setting in a configuration file to an embedder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zulong.embedding.cache import CachedEmbedder
from zulong.embedding.hashing import HashingEmbedder
from zulong.embedding.protocol import Embedder, EmbeddingError

_OPTIONS = {
    "hashing": {"dim"},
    "directory": {"path", "query_prefix", "text_prefix", "max_tokens"},
    "endpoint": {"model", "base_url", "key_variable", "timeout_s", "retries", "batch"},
}


def open_embedder(setting: str | Mapping[str, Any] | None = None) -> Embedder:
    """Open the embedder that ``setting`` describes, with a cache around a model.

    Args:
        setting: nothing or ``"hashing"`` for the offline default; a path of a sentence-transformers or ONNX
            folder; or a mapping with ``kind`` (``hashing``, ``directory``, ``endpoint``) and the options of
            that embedder, and ``cache`` (vectors kept, 0 for none).

    Raises:
        EmbeddingError: the setting is wrong, or the embedder cannot be opened; the message says what to do.
    """
    if setting is None or setting == "" or setting == "hashing":
        return HashingEmbedder()
    if isinstance(setting, str):
        setting = {"kind": "directory", "path": setting}
    options = dict(setting)
    kind, capacity = str(options.pop("kind", "")), int(options.pop("cache", 4096))
    if kind not in _OPTIONS:
        raise EmbeddingError(f"There is no embedder kind {kind!r}; choose one of {', '.join(_OPTIONS)}.")
    unknown = sorted(set(options) - _OPTIONS[kind])
    if unknown:
        raise EmbeddingError(
            f"The embedder {kind!r} has no option {unknown[0]!r}; it has {', '.join(sorted(_OPTIONS[kind]))}."
        )
    try:
        embedder = _open(kind, options)
    except TypeError as error:  # a required option is missing
        raise EmbeddingError(f"The embedder {kind!r} is not fully described: {error}.") from error
    return CachedEmbedder(embedder, capacity) if capacity and kind != "hashing" else embedder


def _open(kind: str, options: dict[str, Any]) -> Embedder:
    if kind == "hashing":
        return HashingEmbedder(**options)
    if kind == "endpoint":
        from zulong.embedding.endpoint import EndpointEmbedder

        return EndpointEmbedder(**options)
    path = Path(str(options.pop("path", ""))).expanduser()
    if not path.is_dir():
        raise EmbeddingError(
            f"The embedder folder {path} is not there; give the folder that holds the model."
        )
    if (path / "model.onnx").is_file() or (path / "onnx/model.onnx").is_file():
        from zulong.embedding.onnx import OnnxEmbedder

        return OnnxEmbedder(path, **options)
    from zulong.embedding.bert import BertEmbedder

    return BertEmbedder(path, **options)
