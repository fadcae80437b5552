"""Fixtures: a server that really runs, a browser, and people at it."""

import pytest
from playwright.sync_api import sync_playwright

from tacit import Tacit
from tests.browser.chromium import FLAGS, executable, person
from tests.browser.pages import pages


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/browser" in str(item.path):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    found = executable()
    if found is None:
        pytest.fail("there is no Chromium; install it (Debian: apt install chromium)")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield started
        started.close()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The folder of the module's server: its database and its settings."""
    return tmp_path_factory.mktemp("place")


@pytest.fixture(scope="module")
def server(place):
    """`tacit serve` with an empty database and a settings file of its own."""
    with pages(place, TACIT_EMBEDDER="none") as server:
        yield server


@pytest.fixture
def memory(server):
    """The memory behind the server, as a program sees it."""
    with Tacit.connect(server.url, key="") as tacit:
        yield tacit


@pytest.fixture
def someone(browser, server):
    """A person at the pages; nothing may go wrong in their console."""
    with person(browser, server.url) as somebody:
        yield somebody
        assert somebody.errors == []
