"""A server that is started anew under an open page."""

from playwright.sync_api import expect

from tests.browser.chromium import person
from tests.browser.form import number, unsaved
from tests.serving import running, start


def _started_anew(place, server):
    port = int(server.url.rpartition(":")[2])
    server.stop()
    server.close()
    return running(place / "again.db", port=port, pages=True)


def test_a_page_with_nothing_unsaved_comes_back_by_itself(browser, place):
    server = start(place / "again.db", pages=True)
    with person(browser, server.url) as somebody:
        page = somebody.go("/settings")
        page.evaluate("window.isOld = true")
        with _started_anew(place, server):
            page.wait_for_function("!window.isOld && window.did_handshake === true")
            number(page, "max_total").fill("9")
            expect(unsaved(page)).to_contain_text("1 unsaved change")


def test_whoever_stays_on_a_page_that_is_cut_off_is_told_what_to_do(browser, place):
    server = start(place / "again.db", pages=True)
    with person(browser, server.url) as somebody:
        page = somebody.go("/settings")
        number(page, "max_total").fill("9")
        expect(unsaved(page)).to_contain_text("1 unsaved change")
        page.on("dialog", lambda dialog: dialog.dismiss())
        with _started_anew(place, server):
            told = page.get_by_text("The server was started anew")
            expect(told).to_be_visible(timeout=30_000)  # the page tries again every few seconds
            expect(number(page, "max_total")).to_have_value("9")
