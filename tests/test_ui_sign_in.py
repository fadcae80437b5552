"""Browser sessions: sign-in, sign-out, redirects, and what is left behind."""

import asyncio
import shlex

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from nicegui import Client

from tacit.api.client.administration import RemoteServer
from tacit.api.client.remote import RemoteTacit
from tacit.core.errors import NotAllowed, Unanswered
from tacit.settings.server import ServerSettings
from tacit.ui.browser_sessions import BrowserSessions
from tacit.ui.navigation import SESSIONS
from tacit.ui.page import PageRoute, register_page
from tacit.ui.pages.welcome import curl_command
from tacit.ui.sign_in import sign_in_routes
from tests.simulating import simulated

URL = "http://127.0.0.1:9"
KEY = f"tacit_{'a' * 12}_{'b' * 43}"


class Stranger:
    """Visitors of a server that asks for keys, none of whom signed in."""

    def client_for(self, token):
        raise NotAllowed("send a key")


async def nothing(context):
    """A page without content."""


def test_who_has_no_key_is_led_to_the_sign_in_and_back_and_leaves_no_page_behind():
    async def look():
        async with simulated() as user:
            register_page(PageRoute(SESSIONS, nothing, path="/sessions/{id:path}"), Stranger())
            answer = await user.http_client.get("/sessions/50%2541%3F%2Fa?after=1")
            return answer, len(Client.instances)

    answer, left = asyncio.run(look())
    assert answer.headers["location"] == (
        "/sign-in?next=%2Fsessions%2F50%252541%253F%2Fa%3Fafter%3D1"
    )
    assert left == 0


@pytest.mark.parametrize("error", [NotAllowed("unknown"), Unanswered("away")])
def test_a_key_that_does_not_open_leaves_no_connection_open(monkeypatch, error):
    closed = []
    sessions = BrowserSessions(URL)
    monkeypatch.setattr(RemoteTacit, "close", lambda tacit: closed.append(tacit))

    def refuse(tacit):
        raise error

    monkeypatch.setattr(RemoteServer, "status", refuse)
    with pytest.raises(type(error)):
        sessions.sign_in(KEY)
    assert len(closed) == 1


def test_a_key_has_only_so_many_browsers_and_pushes_out_its_own_alone(monkeypatch):
    sessions = BrowserSessions(URL)
    monkeypatch.setattr(RemoteServer, "status", lambda server: None)

    def is_in(token):
        return sessions.client_for(token) is not sessions.client_for(None)

    other = sessions.sign_in(f"tacit_{'o' * 12}_{'b' * 43}")
    first, second, *_ = (sessions.sign_in(KEY) for _ in range(20))
    assert is_in(first)
    last = sessions.sign_in(KEY)
    assert [is_in(token) for token in (first, second, last, other)] == [True, False, True, True]
    sessions.close()


def test_the_name_of_a_workspace_is_never_a_command():
    words = shlex.split(curl_command(URL, "o'; touch gone; $(id) é '").replace("\\\n", " "))
    assert words[2:6] == [
        f"{URL}/v1/turns",
        "-H",
        "Tacit-Workspace: o%27%3B%20touch%20gone%3B%20%24%28id%29%20%C3%A9%20%27",
        "--json",
    ]
    assert "-H" not in curl_command(URL, None)


class Doorman:
    """Visitors of whom one key is known."""

    def sign_in(self, key):
        if key != KEY:
            raise NotAllowed("unknown")
        return "token"

    def sign_out(self, token):
        pass


@pytest.fixture
def sign_in():
    """Signs in from an address, through a proxy."""
    proxies = ServerSettings(trusted_proxies="192.0.2.1").proxy_networks
    app = FastAPI()
    app.include_router(sign_in_routes(Doorman(), lambda: proxies))
    client = TestClient(app, client=("192.0.2.1", 50_000), follow_redirects=False)

    def send(address, key="wrong", **headers):
        headers = {"X-Forwarded-For": address, **headers}
        return client.post("/sign-in", data={"key": key}, headers=headers)

    return send


def test_an_address_that_fails_to_sign_in_too_often_has_to_wait(sign_in):
    answers = [sign_in("198.51.100.1") for _ in range(7)]
    assert [each.status_code for each in answers] == [303] * 5 + [429] * 2
    assert int(answers[-1].headers["retry-after"]) >= 1
    assert sign_in("198.51.100.2").status_code == 303


def test_signing_in_with_a_valid_key_is_not_limited(sign_in):
    assert [sign_in("198.51.100.3", KEY).status_code for _ in range(20)] == [303] * 20


@pytest.mark.parametrize(("proto", "is_secure"), [("https", True), ("http", False)])
def test_behind_a_proxy_with_tls_the_cookie_is_for_tls_only(sign_in, proto, is_secure):
    answer = sign_in("198.51.100.1", KEY, **{"X-Forwarded-Proto": proto})
    assert ("Secure" in answer.headers["set-cookie"]) is is_secure
