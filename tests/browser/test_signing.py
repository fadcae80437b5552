"""Keys: made in the UI, signing in with one, and what each may see."""

from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
from playwright.sync_api import expect

from tacit import Tacit
from tests.browser.chromium import person


@pytest.fixture(scope="module")
def admin(browser, server):
    """The first key, made at the page by somebody on the machine, and used there at once."""
    with person(browser, server.url) as somebody:
        page = somebody.go("/keys")
        expect(page.get_by_text("There is no key yet")).to_be_visible()
        page.get_by_label("Name").fill("operator")
        expect(page.get_by_label("Role")).to_have_value("admin")
        expect(page.get_by_label("Workspace access")).to_have_value("")
        page.get_by_role("button", name="Make the key").click()
        token = page.locator("code.token").inner_text()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Sign in with it").click()
        page.wait_for_url("**/keys")
        expect(page.get_by_role("rowheader", name="operator")).to_be_visible()
        expect(page.get_by_text("Signed in, role admin")).to_be_visible()
    return token


@pytest.fixture
def keys(server, admin):
    """Makes keys."""
    with Tacit.connect(server.url, admin) as tacit:
        yield tacit.keys


def sign_in(somebody, token, path="/"):
    page = somebody.go(path)
    page.get_by_label("Key").fill(token)
    page.get_by_role("button", name="Sign in").click()
    return page


def test_without_a_key_every_page_leads_to_the_sign_in_and_back(browser, server, admin):
    with person(browser, server.url) as somebody:
        page = somebody.go("/server")
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        sign_in(somebody, "tacit_nothing", "/server")
        expect(page.get_by_text("This key is not known here")).to_be_visible()
        page.get_by_label("Key").fill(admin)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/server")
        expect(page.get_by_role("heading", name="Ready")).to_be_visible()
        assert admin not in page.content()
        cookies = page.context.cookies()
        assert all(each["httpOnly"] for each in cookies if each["name"].startswith("tacit_ui"))
        assert all(admin not in each["value"] for each in cookies)


def test_a_reader_sees_and_changes_nothing(browser, server, keys):
    with Tacit.connect(server.url, keys.add("writer", "write")[1], workspace="app") as app:
        app.remember("Staging has 4 replicas")
    _, token = keys.add("reader", "read", workspace="app")
    with person(browser, server.url) as somebody:
        page = sign_in(somebody, token, "/memories")
        expect(page.get_by_text("Staging has 4 replicas")).to_be_visible()
        for hidden in ("Settings", "Agents", "Keys", "Prompt layers"):
            expect(page.get_by_role("link", name=hidden, exact=True)).to_have_count(0)
        for verb in ("Forget", "New memory", "Import"):
            expect(page.get_by_role("button", name=verb)).to_have_count(0)
        for path in ("/settings", "/keys", "/prompt"):
            somebody.go(path)
            expect(page.get_by_text("Your key does not open this page")).to_be_visible()
        somebody.go("/memories?workspace=default")
        expect(page.get_by_text("Your key does not open this workspace")).to_be_visible()
        page.get_by_role("link", name="Go to the workspace app").click()
        expect(page.get_by_role("heading", name="Overview")).to_be_visible()


def test_a_key_is_made_at_the_page_for_an_agent_and_a_user(browser, server, admin, keys):
    with person(browser, server.url) as somebody:
        page = sign_in(somebody, admin, "/keys")
        page.get_by_label("Name").fill("relay")
        page.get_by_label("Agent").fill("app")
        page.get_by_label("User", exact=True).fill("ann")
        page.get_by_label("Speaks for users").check()
        page.get_by_role("button", name="Make the key").click()
        page.get_by_role("button", name="Done").click()
        row = page.get_by_role("row").filter(has_text="relay")
        expect(row.get_by_text("as agent app, speaks for users, bound to user ann")).to_be_visible()
    (made,) = [key for key in keys.list() if key.name == "relay"]
    assert (made.agent, made.user, made.speaks_for_users) == ("app", "ann", True)


def test_a_users_key_shows_that_users_memories_and_no_page_for_everybody(browser, server, keys):
    with Tacit.connect(server.url, keys.add("both", "write")[1], workspace="team") as team:
        team.remember("Ann likes oolong", scope_id="ann")
        team.remember("Bob likes sencha", scope_id="bob")
    _, token = keys.add("ann", "admin", workspace="team", user="ann")
    with person(browser, server.url) as somebody:
        page = sign_in(somebody, token, "/memories")
        expect(page.get_by_text("Ann likes oolong")).to_be_visible()
        expect(page.get_by_text("Bob likes sencha")).to_have_count(0)
        expect(page.get_by_text("Signed in, role admin, user ann")).to_be_visible()
        for hidden in ("Settings", "Agents", "Keys", "Prompt layers", "Export"):
            expect(page.get_by_role("link", name=hidden, exact=True)).to_have_count(0)
        somebody.go("/prompt")
        expect(page.get_by_text("Your key does not open this page")).to_be_visible()
        somebody.go("/inspector")
        expect(page.get_by_label("User", exact=True)).to_have_value("ann")


def test_a_revoked_key_and_signing_out_shut_the_pages(browser, server, keys):
    key, token = keys.add("leaver", "write")
    with person(browser, server.url) as somebody:
        page = sign_in(somebody, token, "/server")
        expect(page.get_by_text("Signed in, role write")).to_be_visible()
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        somebody.go("/server")
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        sign_in(somebody, token, "/server")
        expect(page.get_by_role("heading", name="Ready")).to_be_visible()
        keys.revoke(key.id)
        page.wait_for_timeout(1_200)
        somebody.go("/server")
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_key_is_revoked_at_the_page(browser, server, admin, keys):
    keys.add("temporary", "read")
    with person(browser, server.url) as somebody:
        page = sign_in(somebody, admin, "/keys")
        page.get_by_role("button", name="Revoke the key temporary").click()
        page.get_by_role("button", name="Revoke", exact=True).click()
        row = page.get_by_role("row").filter(has_text="temporary")
        expect(row.get_by_text("revoked")).to_be_visible()
    revoked = [key.name for key in keys.list() if key.revoked_at is not None]
    assert "temporary" in revoked


@pytest.mark.parametrize("aim", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_signing_in_leads_to_pages_of_this_server_only(server, admin, aim):
    with httpx2.Client(base_url=server.url) as browser:
        answer = browser.post("/sign-in", data={"key": admin, "next": aim})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_signing_in_takes_no_files_and_ends_the_visit_before(server, admin):
    with server.client() as browser:
        sent = browser.post("/sign-in", files={"key": b"much"}, data={"next": "/"})
        assert sent.status_code == 400
        browser.post("/sign-in", data={"key": admin, "next": "/"})
        before = dict(browser.cookies)
        browser.post("/sign-in", data={"key": admin, "next": "/"})
        assert browser.get("/server").status_code == 200
    with server.client(cookies=before) as former:
        assert former.get("/server").status_code == 303


def test_an_address_that_makes_no_sense_is_not_the_servers_silence(server, admin):
    with server.client() as browser:
        browser.post("/sign-in", data={"key": admin, "next": "/"})
        said = browser.get("/memories?workspace=").text
    assert "workspace: must not be empty" in said
    assert "does not answer" not in said


def test_pages_of_other_sites_and_other_names_are_refused(server, admin):
    with httpx2.Client(base_url=server.url) as browser:
        other = {"Origin": "https://evil.example"}
        assert browser.post("/sign-in", data={"key": admin}, headers=other).status_code == 403
        assert browser.get("/server", headers={"Host": "evil.example"}).status_code == 421
        socket = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        key = {"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
        asked = {**socket, **key, **other}
        path = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket"
        assert browser.get(path, headers=asked).status_code == 403
        link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
        assert browser.get("/sign-in", headers=link).status_code == 200


def test_many_who_try_keys_at_once_do_not_hold_up_the_server(server, admin):
    """The last test here: the address has to wait afterwards."""

    def attempt(number):
        with server.client() as browser:
            return browser.post("/sign-in", data={"key": f"tacit_{number}", "next": "/"})

    with ThreadPoolExecutor(12) as people:
        answers = list(people.map(attempt, range(24)))
    led = [each.headers["location"] for each in answers if each.status_code == 303]
    assert set(led) == {"/sign-in?problem=key&next=%2F"}
    assert {each.status_code for each in answers} == {303, 429}
