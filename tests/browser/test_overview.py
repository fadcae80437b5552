"""The first pages that somebody sees."""

import re

from playwright.sync_api import expect

from tests.browser.chromium import person
from tests.hooking import wait_until
from tests.serving import running


def test_a_newcomer_gets_from_nothing_to_a_first_injected_memory(someone, memory):
    page = someone.go("/")
    page.get_by_label("Statement").fill("The API signs people in with a JWT")
    page.get_by_role("button", name="Remember it").click()
    expect(page.get_by_text("Remembered (created)")).to_be_visible()
    page.get_by_label("Message").fill("How does the API sign people in?")
    page.get_by_role("button", name="See what memory adds").click()
    block = page.get_by_label("The block")
    expect(block).to_contain_text("The API signs people in with a JWT")
    assert [each.content for each in memory.list()] == ["The API signs people in with a JWT"]


def test_the_sample_is_what_somebody_sees_at_the_address_that_is_told(browser, place):
    with running(place / "sample.db", "--sample", pages=True) as server:
        wait_until(lambda: any("Ctrl-C" in line for line in server.log))
        (told,) = re.findall(r"open (\S+) in a browser", "".join(server.log))
        with person(browser, told) as somebody:
            page = somebody.go("")
            page.get_by_role("link", name="Memories", exact=True).click()
            expect(page.get_by_text("JWT").first).to_be_visible()
            page.get_by_role("link", name="Said").click()
            page.get_by_role("link", name="ann", exact=True).click()
            expect(page.get_by_text("the rollback drill took nine minutes")).to_be_visible()


def test_the_overview_follows_what_happens(someone, memory):
    memory.remember("Staging has 4 replicas")
    page = someone.go("/")
    expect(page.get_by_text("No turn yet")).to_be_visible()
    with memory.turn(session="s1", history=[], text="How many replicas has staging?") as turn:
        turn.commit("Four.")
    expect(page.get_by_role("heading", name="The last 1 turns")).to_be_visible()
    expect(page.get_by_text("1 memory injected in session s1")).to_be_visible()
    expect(page.get_by_role("link", name="Staging has 4 replicas")).to_be_visible()


def test_the_theme_is_kept(someone):
    page = someone.go("/")
    page.get_by_label("Theme").select_option("dark")
    page.wait_for_selector("body.body--dark")
    page.wait_for_function("document.cookie.includes('tacit_theme=dark')")
    someone.go("/server")
    page.wait_for_selector("body.body--dark")


def test_another_workspace_shows_its_own_memories_only(someone, memory):
    memory.remember("Lunch is at noon")
    memory.workspace.open("other").remember("A secret of the other workspace")
    page = someone.go("/server")
    page.get_by_label("Workspace").select_option("other")
    page.wait_for_url("**/server?workspace=other")
    page.get_by_role("link", name="Memories", exact=True).click()
    expect(page.get_by_text("A secret of the other workspace")).to_be_visible()
    someone.go("/memories")
    expect(page.get_by_text("Lunch is at noon")).to_be_visible()
    expect(page.get_by_text("A secret of the other workspace")).to_have_count(0)
