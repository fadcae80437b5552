"""Fixtures: the clients, and a desk to use them at."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clis import binaries
from tests.clis.desk import BIN, Desk
from tests.clis.fake_api import FakeApi
from tests.clis.sessions import ClaudeCode, Codex, Gemini


@pytest.fixture(scope="session")
def clis() -> Path:
    return _installed(binaries.folder)


@pytest.fixture(scope="session")
def ai_sdk() -> Path:
    return _installed(binaries.ai_sdk)


def _installed(install: Callable[[], Path]) -> Path:
    reason = binaries.missing()
    if reason:
        pytest.skip(f"the clients come by npm, and there is none: {reason}")
    try:
        return install()
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"npm cannot install the clients here: {str(error.stderr)[-300:]}")


@pytest.fixture(scope="session", params=[ClaudeCode, Codex, Gemini], ids=lambda each: each.name)
def client(request):
    """A kind of session."""
    return request.param


@pytest.fixture(scope="session")
def home(client, clis, tmp_path_factory):
    """A home in which Tacit was installed for a client."""
    home = tmp_path_factory.mktemp("home")
    client.prepare(home)
    install(client, home, "--no-mcp")
    return home


def install(client, home, *options):
    """What a person does once."""
    command = [BIN / "tacit", "install", client.name, "--user", "--yes", *options]
    path = {"PATH": f"{BIN}:/usr/bin:/bin", "HOME": str(home), "TACIT_EMBEDDER": "none"}
    subprocess.run(command, env=path, cwd=home, check=True, capture_output=True)


@pytest.fixture
def desk(clis, home, tmp_path, tmp_path_factory):
    shutil.copytree(home, tmp_path / "home")
    with FakeApi() as api:
        desk = Desk(tmp_path, clis, api, runtime=tmp_path_factory.mktemp("run"))
        yield desk
        desk.leave()


@pytest.fixture
def open_session(client, desk):
    """Start the client in a folder; it ends with the test at the latest."""
    opened = []

    def start(folder=None):
        session = client(desk, folder or desk.project)
        opened.append(session)
        return session

    yield start
    for session in opened:
        session.close()
