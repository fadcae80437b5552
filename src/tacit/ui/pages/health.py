"""Health: how the server is, and what is amiss."""

from tacit.api.client.server.health import JobStatus, Readiness, ServerStatus
from tacit.ui.asking import ask
from tacit.ui.kit.card import badge, card, figure, notice
from tacit.ui.kit.element import box, say
from tacit.ui.kit.moment import moment
from tacit.ui.kit.table import table
from tacit.ui.page import Page
from tacit.ui.rooms import HEALTH
from tacit.ui.visit import Visit


async def build(visit: Visit) -> None:
    """Whether it is ready, what it runs on, and how its jobs have fared."""
    ready = await ask(visit.server.ready)
    status = visit.status
    if status.settings_problem is not None:
        notice(status.settings_problem.message, "bad", "The settings file is not used as it is")
    if status.settings_ignored:
        told = "\n".join(map(str, status.settings_ignored))
        notice(told, title="Settings of a project are ignored")
    _state(ready)
    _about(status)
    if status.jobs:
        _jobs(status.jobs)


def _state(ready: Readiness) -> None:
    with card("Ready" if ready.is_ready else "Not ready", classes="health"), box("rows", "dl"):
        for name, said in ready.checks.items():
            _row(name, said, "good" if said == "ok" else "bad")


def _row(name: str, said: str, tone: str) -> None:
    say(name, tag="dt")
    with box(tag="dd"):
        badge(said, tone)


def _about(status: ServerStatus) -> None:
    with card("What runs here"):
        with box("figures"):
            figure("version", status.version)
            figure("store", str(status.store.get("backend", "unknown")))
            figure("embedder", status.embedder or "none, words only")
        with box("rows", "dl"):
            say("running since", tag="dt")
            with box(tag="dd"):
                moment(status.started_at)
            if path := status.store.get("path"):
                _told("memories in", str(path))
            _told("settings in", status.settings_path or "no file; built in")


def _told(name: str, said: str) -> None:
    say(name, tag="dt")
    say(said, "breaking", "dd")


def _jobs(jobs: tuple[JobStatus, ...]) -> None:
    with (
        card("Jobs", "What the server does now and then, beside the turns."),
        table("Jobs", ("Job", "Runs", "Last", "Result"), numbers=["Runs"]),
    ):
        for job in jobs:
            _job(job)


def _job(job: JobStatus) -> None:
    with box(tag="tr"):
        say(job.name, tag="th", scope="row")
        say(f"{job.runs:,}", "number", "td")
        with box(tag="td"):
            moment(job.last_at, none="not yet")
        with box(tag="td"):
            if job.last_error is not None:
                badge("failed", "bad")
                say(f" {job.last_error}", "breaking")
            else:
                say(job.last_result or "–")


PAGE = Page(HEALTH, build)
