"""Embedders behind an address, asked over a real connection."""

import http.server
import json
import threading

import numpy as np
import pytest

from tacit.core.errors import EmbedderFailed, InvalidInput
from tacit.core.vectors import EmbeddingModel
from tacit.embedding.http import HttpEmbedder
from tacit.embedding.registry import open_embedder


def _embedded(text):
    return [float(len(text)), 3.0, 4.0]


class Server(http.server.ThreadingHTTPServer):
    """An embedding server that first gives the answers it was told to give."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.planned = []
        self.requests = []
        self.url = f"http://127.0.0.1:{self.server_port}/v1"

    def reply(self, request):
        self.requests.append(request)
        if self.planned:
            return self.planned.pop(0)
        data = [{"index": i, "embedding": _embedded(t)} for i, t in enumerate(request["input"])]
        return 200, {}, {"model": f"{request['model']}-2026", "data": data[::-1]}


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        seen = {"path": self.path, "key": self.headers["authorization"], **body}
        status, headers, document = self.server.reply(seen)
        answer = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        for name, value in {"content-length": str(len(answer)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


@pytest.fixture
def server():
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        yield server
        server.shutdown()


@pytest.fixture
def embedder(server):
    with HttpEmbedder.open(server.url, "small") as embedder:
        yield embedder


@pytest.fixture
def waits(monkeypatch):
    """How long it would have waited between tries."""
    waited = []
    monkeypatch.setattr("tacit.runtime.retries.time.sleep", waited.append)
    return waited


def test_identity_is_learnt_from_the_server(embedder):
    assert embedder.model == EmbeddingModel("small", 3, "small-2026")


def test_vectors_come_in_order_with_unit_length(embedder):
    vectors = embedder.embed(["a", "bbbb"])
    expected = np.array([[1, 3, 4], [4, 3, 4]]) / np.sqrt([[26], [41]])
    np.testing.assert_allclose(vectors, expected, rtol=1e-6)
    assert vectors.dtype == np.float32
    np.testing.assert_array_equal(embedder.embed_query("bbbb"), vectors[1])


def test_many_texts_are_sent_64_at_a_time(embedder, server):
    texts = ["x" * (n + 1) for n in range(130)]
    vectors = embedder.embed(texts)
    assert [len(request["input"]) for request in server.requests] == [1, 64, 64, 2]
    assert (np.argsort(vectors[:, 0]) == np.arange(130)).all()
    assert embedder.embed([]).shape == (0, 3)


def test_the_key_is_read_from_the_environment(server, monkeypatch):
    monkeypatch.delenv("TACIT_EMBEDDING_KEY", raising=False)
    with HttpEmbedder.open(server.url, "small"):
        pass
    monkeypatch.setenv("OTHER_KEY", "s3cret")
    with HttpEmbedder.open(f"{server.url}/", "small", key_env="OTHER_KEY"):
        pass
    assert [request["key"] for request in server.requests] == [None, "Bearer s3cret"]
    assert {request["path"] for request in server.requests} == {"/v1/embeddings"}


def test_any_text_can_be_sent(embedder, server):
    embedder.embed(["", "\ud800", "\x00"])
    assert server.requests[-1]["input"] == [" ", "?", "\x00"]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again(embedder, server, waits, status):
    server.planned = [(status, {}, {})] * 2
    assert len(embedder.embed(["x"])) == 1
    assert waits == [0.5, 1.0]


def test_the_server_says_how_long_to_wait_within_reason(embedder, server, waits):
    server.planned = [(429, {"retry-after": "2"}, {}), (429, {"retry-after": "900"}, {})]
    embedder.embed(["x"])
    assert waits == [2, 10]
    server.planned = [(429, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, {})]
    embedder.embed(["x"])
    assert waits[2:] == [0.5]


def test_three_tries_are_enough(embedder, server, waits):
    server.planned = [(503, {}, {"error": "overloaded"})] * 3
    with pytest.raises(EmbedderFailed, match=r"answers 503.*overloaded"):
        embedder.embed(["x"])
    assert len(server.requests) == 4


@pytest.mark.parametrize(("status", "advice"), [(401, "set the key"), (404, "name of the model")])
def test_a_refusal_is_not_tried_again_and_says_what_to_do(embedder, server, status, advice):
    server.planned = [(status, {}, {"error": "no"})]
    with pytest.raises(EmbedderFailed, match=rf"/v1/embeddings \(small\): .*{status}; .*{advice}"):
        embedder.embed(["x"])
    assert len(server.requests) == 2


def test_a_password_in_the_address_is_not_shown(waits):
    with pytest.raises(EmbedderFailed) as failure:
        HttpEmbedder.open("http://ann:hunter2@127.0.0.1:9", "m")
    assert "127.0.0.1" in str(failure.value)
    assert "hunter2" not in str(failure.value)


def test_nobody_there_is_said(waits):
    with pytest.raises(EmbedderFailed, match=r"127.0.0.1:9/.* cannot be reached"):
        HttpEmbedder.open("http://127.0.0.1:9/v1", "small")
    assert len(waits) == 2


@pytest.mark.parametrize(
    "document",
    [b"<html>", {}, [], {"data": [{"embedding": [1]}]}, {"data": [{"index": 0, "embedding": "x"}]}],
)
def test_an_answer_of_another_kind_is_refused(embedder, server, document):
    server.planned = [(200, {}, document)]
    with pytest.raises(EmbedderFailed, match="does not answer like"):
        embedder.embed(["x"])


@pytest.mark.parametrize(
    ("vectors", "problem"),
    [
        ([[1, 2, 3]] * 2, "1 texts were sent, 2 vectors came"),
        ([[0, 0, 0]], "no direction"),
        ([[1, 2]], "now runs small-2026 with 2 numbers"),
    ],
)
def test_vectors_that_cannot_be_right_are_refused(embedder, server, vectors, problem):
    data = [{"index": number, "embedding": vector} for number, vector in enumerate(vectors)]
    server.planned = [(200, {}, {"model": "small-2026", "data": data})]
    with pytest.raises(EmbedderFailed, match=problem):
        embedder.embed(["x"])


def test_another_model_behind_the_same_address_is_noticed(embedder, server):
    data = [{"index": 0, "embedding": [1, 2, 3]}]
    server.planned = [(200, {}, {"model": "small-2027", "data": data})]
    with pytest.raises(EmbedderFailed, match=r"now runs small-2027 .* open it anew"):
        embedder.embed(["x"])


def test_an_embedder_is_opened_by_its_address(server):
    opened = open_embedder(f"{server.url}#small")
    assert opened.model.name == "small"
    opened.close()


def test_an_embedder_is_opened_by_its_name():
    assert open_embedder("none") is None
    assert open_embedder("minilm").model.name == "minilm-7"
    assert open_embedder("minilm-en").model.name == "all-MiniLM-L6-v2"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "bert",
            r'"bert" is not known; use minilm, minilm-en, none, or https://host/v1#model-name',
        ),
        ("https://host/v1", "lacks the name of a model; write https://host/v1#model-name"),
        ("http://[::1#small", "is not a web address"),
    ],
)
def test_a_name_that_is_none_says_the_choices(name, problem):
    with pytest.raises(InvalidInput, match=problem):
        open_embedder(name)
