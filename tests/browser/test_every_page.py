"""What holds for every page: usable by everybody, nothing from elsewhere, stored text as text."""

from urllib.parse import urlsplit

import pytest

from tests.browser.chromium import NARROW, WIDE, person
from tests.browser.furnishing import HOSTILE, addresses, furnish

_ROOMS = 21
_WITH_WORDS = ("/", "/inspector", "/changes", "/memories", "/profile", "/conflicts", "/review")
_WITH_DETAILS = ("/memories/", "/sessions/")


@pytest.fixture(scope="module")
def pages(server, tmp_path_factory):
    from tacit import Tacit

    with Tacit.connect(server.url, key="") as memory:
        id = furnish(memory, tmp_path_factory.mktemp("handbook"))
        found = addresses(memory, id)
    assert len(found) == _ROOMS
    return found


@pytest.mark.parametrize(
    ("theme", "size"), [("light", WIDE), ("dark", WIDE), ("light", NARROW), ("dark", NARROW)]
)
def test_every_page_is_usable_by_everybody(browser, server, pages, theme, size):
    with person(browser, server.url, theme=theme, size=size) as somebody:
        for path in pages:
            somebody.go(path).wait_for_timeout(300)
            assert (path, somebody.findings()) == (path, [])
            assert (path, somebody.is_too_wide()) == (path, False)
        assert somebody.errors == []


def test_nothing_is_fetched_from_elsewhere_and_stored_markup_is_text(browser, server, pages):
    with person(browser, server.url) as somebody:
        asked, dialogs = [], []
        somebody.page.on("request", lambda request: asked.append(request.url))
        somebody.page.on("websocket", lambda socket: asked.append(socket.url))
        somebody.page.on("dialog", lambda dialog: (dialogs.append(dialog), dialog.dismiss()))
        shown = set()
        for path in pages:
            page = somebody.go(path)
            page.wait_for_timeout(400)
            assert page.locator("main img, main script").count() == 0, path
            if HOSTILE in page.locator("main").inner_text() or page.get_by_text("onerror").count():
                shown.add(path.partition("?")[0])
        assert dialogs == []
        assert somebody.errors == []
        hosts = {urlsplit(url).netloc for url in asked if not url.startswith("data:")}
        assert hosts == {urlsplit(server.url).netloc}
        assert set(_WITH_WORDS) <= shown
        assert all(any(path.startswith(each) for path in shown) for each in _WITH_DETAILS)


def test_every_page_can_be_walked_through_by_keyboard(browser, server, pages):
    with person(browser, server.url) as somebody:
        page = somebody.go("/server")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
        reached = []
        for _ in range(6):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.textContent"))
        assert {"Tacit", "Overview", "Inspector"} <= set(reached)


def test_an_address_that_leads_nowhere_says_so(browser, server):
    with person(browser, server.url) as somebody:
        page = somebody.go("/nowhere")
        assert page.get_by_role("heading", name="There is no such page").is_visible()
        assert "Traceback" not in page.content()


def test_a_script_that_gets_into_a_page_does_not_run(browser, server):
    with person(browser, server.url) as somebody:
        page = somebody.go("/")
        ran = page.evaluate(
            """async () => {
                window.ran = [];
                const script = document.createElement("script");
                script.textContent = "window.ran.push('inline')";
                document.body.append(script);
                const other = document.createElement("script");
                other.src = "data:text/javascript,window.ran.push('data')";
                document.body.append(other);
                const holder = document.createElement("div");
                holder.innerHTML = "<img src='/nowhere.png' onerror='window.ran.push(1)'>";
                document.body.append(holder);
                await new Promise((done) => setTimeout(done, 500));
                return window.ran;
            }"""
        )
        assert ran == []


def test_each_page_has_a_nonce_of_its_own_for_scripts(browser, server):
    with person(browser, server.url) as somebody:
        policies = [
            somebody.page.goto(server.url).headers["content-security-policy"] for _ in range(2)
        ]
    assert policies[0] != policies[1]
    scripts = next(each for each in policies[0].split("; ") if each.startswith("script-src "))
    assert "unsafe-inline" not in scripts
