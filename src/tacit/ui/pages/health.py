"""The health page: whether the server is ready, what it runs on, and its jobs."""

from tacit.api.server_status import JobReport, ServerReadiness, ServerStatus
from tacit.ui.api_calls import call_api
from tacit.ui.kit.display import badge, card, figure, notice, table
from tacit.ui.kit.elements import add_text, box, timestamp
from tacit.ui.navigation import HEALTH
from tacit.ui.page import PageRoute
from tacit.ui.page_context import PageContext


async def build_page(context: PageContext) -> None:
    """Whether the server is ready, what it runs on, and the results of its jobs."""
    ready = await call_api(context.server.ready)
    status = context.status
    if status.settings.problem is not None:
        notice(status.settings.problem.message, "bad", "The settings file is not used as it is")
    if status.settings.ignored:
        text = "\n".join(map(str, status.settings.ignored))
        notice(text, title="Settings of a project are ignored")
    _show_state(ready)
    _show_about(status)
    if status.jobs:
        _show_jobs(status.jobs)


def _show_state(ready: ServerReadiness) -> None:
    with card("Ready" if ready.is_ready else "Not ready", classes="health"), box("rows", "dl"):
        for name, text in ready.checks.items():
            _show_check(name, text, "good" if text == "ok" else "bad")


def _show_check(name: str, text: str, tone: str) -> None:
    add_text(name, tag="dt")
    with box(tag="dd"):
        badge(text, tone)


def _show_about(status: ServerStatus) -> None:
    with card("What runs here"):
        with box("figures"):
            figure("version", status.version)
            figure("store", str(status.store.get("backend", "unknown")))
            figure("embedder", status.embedder or "none, words only")
        with box("rows", "dl"):
            add_text("running since", tag="dt")
            with box(tag="dd"):
                timestamp(status.started_at)
            if path := status.store.get("path"):
                _show_row("memories in", str(path))
            _show_row("settings in", status.settings.path or "no file; built in")


def _show_row(name: str, text: str) -> None:
    add_text(name, tag="dt")
    add_text(text, "breaking", "dd")


def _show_jobs(jobs: tuple[JobReport, ...]) -> None:
    with (
        card("Jobs", "What the server does now and then, beside the turns."),
        table("Jobs", ("Job", "Runs", "Last", "Result"), numbers=["Runs"]),
    ):
        for job in jobs:
            _show_job(job)


def _show_job(job: JobReport) -> None:
    with box(tag="tr"):
        add_text(job.name, tag="th", scope="row")
        add_text(f"{job.runs:,}", "number", "td")
        with box(tag="td"):
            timestamp(job.last_at, none="not yet")
        with box(tag="td"):
            if job.progress is not None:
                badge("running", "good")
                add_text(f" {job.progress}", "breaking")
            elif job.last_error is not None:
                badge("failed", "bad")
                add_text(f" {job.last_error}", "breaking")
            else:
                add_text(job.last_result or "–")


PAGE = PageRoute(HEALTH, build_page)
