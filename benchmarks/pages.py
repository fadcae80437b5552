"""The web UI with many memories: from the address to the first rows, from a filter to others."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from tests.browser.chromium import FLAGS, WIDE, executable
from tests.serving import running

from benchmarks.context import Context
from benchmarks.figures import p50_and_p95
from benchmarks.report import Report, Row
from benchmarks.sentences import make_sentences
from tacit import Tacit
from tacit.core.kinds import MemoryType

_MEMORIES = 100_000
_BATCH = 1_000
_LOADS = 10
_FILTERS = 30
_ROW = "tbody tr"
_WORDS = ("water", "teacher", "morning", "reason", "city")
_IMPORTANCES = ("0.5", "0.9", "0.2", "0.7", "0.95", "")
_TAGS = ("ops", "people", "kitchen", "travel", "money")
_PATHS = {
    "Memories": ("/memories", _ROW),
    "Overview": ("/", ".figure"),
    "Inspector": ("/inspector", "textarea"),
}

_PAINTED = """
(selector) => new Promise((resolve) => {
  const look = () => document.querySelector(selector)
    ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    : requestAnimationFrame(look);
  look();
})
"""
_CHANGED = """
([selector, label, value]) => new Promise((resolve, reject) => {
  setTimeout(() => reject(new Error(`the rows stay as they are: ${label}, ${value}`)), 10_000);
  const rows = () => [...document.querySelectorAll(selector)].map((row) => row.textContent).join();
  const before = rows();
  const named = (each) => each.textContent.trim() === label;
  const input = [...document.querySelectorAll(".control > .label, .check > span")].find(named)
    .parentElement.querySelector("select, input");
  const started = performance.now();
  const told = (kind) => input.dispatchEvent(new Event(kind, { bubbles: true }));
  if (input.type === "checkbox") { input.click(); }
  else if (input.tagName === "SELECT") { input.selectedIndex = value; told("change"); }
  else { input.value = value; told("input"); }
  const look = () => rows() !== before
    ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)))
    : requestAnimationFrame(look);
  look();
})
"""


def run(context: Context) -> Report:
    """A real browser at the real server, on one machine."""
    _fill(context)
    settings = context.folder / "tacit.toml"
    settings.touch()
    own = {"TACIT_CONFIG": str(settings), "TACIT_EMBEDDER": "none"}
    database = context.folder / "memory.db"
    with (
        running(database, environment=own, pages=True) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=executable(), args=list(FLAGS))
        rows = [row for name in _PATHS for row in _loads(context, browser, server.url, name)]
        rows += _filters(context, browser, server.url)
        browser.close()
    return Report(
        title=f"The web UI with {_MEMORIES:,} memories, in ms",
        columns=("what", "p50", "p95", "slowest", "runs"),
        rows=rows,
        notes=(
            "Loads: from the navigation to the frame that has the first rows or figures. Cold is a"
            " browser without a cache, cached one that was there before.",
            "Filters: from the choice, or the last letter, to the frame with other rows; what is"
            " typed is looked for when the typing has paused for 120 ms, which is counted.",
            "Targets: cold 2,500, cached 1,500, filter 400.",
        ),
    )


def _fill(context: Context) -> None:
    types = cycle(MemoryType)
    with Tacit.open(context.folder / "memory.db", embedder="none") as tacit:
        texts = make_sentences(_MEMORIES)
        for start in range(0, _MEMORIES, _BATCH):
            context.say(f"memories {start:,} of {_MEMORIES:,}")
            batch = texts[start : start + _BATCH]
            tacit.memories.remember_all(
                [
                    {
                        "content": text,
                        "type": next(types),
                        "pinned": number % 2 == 0,
                        "tags": [_TAGS[number % len(_TAGS)]],
                        "importance": number * 37 % 100 / 100,
                    }
                    for number, text in enumerate(batch)
                ]
            )


def _loads(context: Context, browser: Browser, url: str, name: str) -> Iterator[Row]:
    path, selector = _PATHS[name]
    context.say(f"{name}, cold")
    cold = []
    for _ in range(_LOADS):
        visitor = browser.new_context(viewport=WIDE)
        cold.append(_load(visitor, url + path, selector))
        visitor.close()
    yield _row(f"{name}, cold", cold)
    context.say(f"{name}, cached")
    visitor = browser.new_context(viewport=WIDE)
    _load(visitor, url + path, selector)
    yield _row(f"{name}, cached", [_load(visitor, url + path, selector) for _ in range(_LOADS)])
    visitor.close()


def _load(visitor: BrowserContext, address: str, selector: str) -> float:
    page = visitor.new_page()
    page.goto(address, wait_until="commit")
    painted = float(page.evaluate(_PAINTED, selector))
    page.close()
    return painted


def _filters(context: Context, browser: Browser, url: str) -> Iterator[Row]:
    page = browser.new_context(viewport=WIDE).new_page()
    page.goto(f"{url}/memories")
    page.wait_for_selector(_ROW)
    page.wait_for_timeout(1_000)
    context.say("filters")
    tried: dict[str, list[tuple[str, Any]]] = {
        "filter by pinned": [("Pinned", index) for index in (1, 2, 0)],
        "filter by type": [("Decision", None), ("Todo", None)],
        "filter by words": [*(("Search", word) for word in _WORDS), ("Search", "")],
        "filter by tag": [*(("Tag", tag) for tag in _TAGS), ("Tag", "")],
        "filter by importance": [("Importance from", each) for each in _IMPORTANCES],
    }
    for name, wishes in tried.items():
        endless = cycle(wishes)
        yield _row(name, [_filter(page, *next(endless)) for _ in range(_FILTERS)])


def _filter(page: Page, label: str, value: Any) -> float:
    took = float(page.evaluate(_CHANGED, [_ROW, label, value]))
    page.wait_for_timeout(300)
    return took


def _row(name: str, took: list[float]) -> Row:
    p50, p95 = p50_and_p95(took)
    return (name, p50, p95, max(took), len(took))
