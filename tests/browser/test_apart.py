"""The pages from a process of their own."""

import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import person
from tests.serving import running


@pytest.fixture(scope="module")
def busy(place):
    """A server of several processes, which shows no pages itself."""
    own = {"TACIT_EMBEDDER": "none", "XDG_DATA_HOME": str(place)}
    with running(place / "busy.db", "--workers", "2", environment=own, pages=True) as server:
        yield server


def tacit_ui(*options):
    command = [sys.executable, "-m", "tacit", "ui", "--port", "0", *options]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def apart(busy):
    """Where `tacit ui` shows the pages."""
    process = tacit_ui("--url", busy.url)
    try:
        yield re.search(r"is at (http://\S+)", process.stderr.readline())[1]
    finally:
        process.terminate()
        assert process.wait(20) == 0
        process.stderr.close()


def test_a_server_of_several_processes_is_shown_by_a_process_apart(browser, busy, apart):
    with busy.client() as program:
        assert program.get("/").status_code == 404
    with person(browser, apart) as somebody:
        page = somebody.go("/")
        page.get_by_role("button", name="Remember it").click()
        expect(page.get_by_text("Remembered (created)")).to_be_visible()
        page = somebody.go("/server")
        expect(page.get_by_role("heading", name="Ready")).to_be_visible()
        assert somebody.errors == []


def test_pages_that_others_could_reach_need_a_server_that_asks_for_keys(busy):
    refused = tacit_ui("--url", busy.url, "--host", "0.0.0.0")
    _, said = refused.communicate(timeout=60)
    assert refused.returncode == 2
    assert "asks nobody for a key" in " ".join(said.split())


def test_a_server_that_is_away_is_told_and_found_again(browser, place):
    own = {"TACIT_EMBEDDER": "none", "XDG_DATA_HOME": str(place)}
    with running(place / "away.db", environment=own) as server:
        port = int(server.url.rsplit(":", 1)[1])
        process = tacit_ui("--url", server.url)
        try:
            url = re.search(r"is at (http://\S+)", process.stderr.readline())[1]
            with person(browser, url) as somebody:
                page = somebody.go("/welcome")
                server.kill()
                page.get_by_role("button", name="Remember it").click()
                expect(page.get_by_text("does not answer")).to_be_visible(timeout=30_000)
                somebody.go("/server")
                expect(
                    page.get_by_role("heading", name="The server does not answer")
                ).to_be_visible()
                with running(place / "away.db", environment=own, port=port):
                    page.get_by_role("link", name="Try again").click()
                    expect(page.get_by_role("heading", name="Ready")).to_be_visible()
        finally:
            process.terminate()
            process.wait(20)
            process.stderr.close()
