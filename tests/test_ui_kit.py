"""Elements of pages: buttons, toasts and polling."""

import asyncio

from tacit.ui.api_calls import poll
from tacit.ui.kit.buttons import button, toast
from tests.simulating import simulated


def test_a_button_that_is_pressed_twice_at_once_does_its_work_once():
    begun, may_end = [], asyncio.Event()

    async def work():
        begun.append("begun")
        await may_end.wait()

    async def press():
        async with simulated(lambda: button("Do it", work)) as user:
            await user.open("/")
            user.find("Do it").click().click()
            await _until(lambda: begun)
            user.find("Do it").click()
            may_end.set()
            await _until(lambda: "disabled" not in _only(user.find("Do it")).props)
            user.find("Do it").click()
            await _until(lambda: len(begun) > 1)

    asyncio.run(press())
    assert begun == ["begun", "begun"]


def test_an_undo_that_outlasts_its_toast_is_no_failure(caplog):
    done = []

    async def undo():
        shown[0].parent_slot.parent.delete()  # as time does with it
        done.append("undone")

    shown = []

    async def press():
        async with simulated(lambda: toast("Forgotten.", undo)) as user:
            await user.open("/")
            shown.append(_only(user.find("Undo")))
            user.find("Undo").click()
            await _until(lambda: done)

    asyncio.run(press())
    assert caplog.records == []


def test_a_page_looks_again_and_again_until_its_browser_leaves():
    looks = []

    async def look():
        looks.append("looked")

    async def leave():
        async with simulated(lambda: poll(0, look)) as user:
            await user.open("/")
            await _until(lambda: len(looks) > 1)
            (socket,) = user.client._socket_to_document_id
            user.client.handle_disconnect(socket)
            seen = len(looks)
            for _ in range(50):
                await asyncio.sleep(0)
            return seen

    assert asyncio.run(leave()) == len(looks)


def _only(found):
    (element,) = found.elements
    return element


async def _until(holds):
    while not holds():
        await asyncio.sleep(0)
