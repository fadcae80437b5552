"""The page that says how the server is."""

from playwright.sync_api import expect

from tests.browser.chromium import NARROW, person


def test_says_that_the_server_is_ready_and_what_it_runs_on(someone, place):
    page = someone.go("/server")
    expect(page.get_by_role("heading", name="Ready")).to_be_visible()
    expect(page.get_by_text(str(place / "memory.db"))).to_be_visible()


def test_times_are_told_in_the_zone_of_the_viewer(browser, server):
    told = []
    for zone in ("Asia/Tokyo", "America/Lima"):
        with person(browser, server.url, zone=zone) as somebody:
            told.append(somebody.go("/server").locator("tacit-time").first.inner_text())
    assert told[0] != told[1]


def test_is_usable_by_everybody(browser, server):
    for theme in ("light", "dark"):
        for size in (None, NARROW):
            with person(browser, server.url, theme=theme, size=size) as somebody:
                somebody.go("/server")
                assert somebody.findings() == []
                assert not somebody.is_too_wide()
