"""Jobs: done in turn on one worker; one that fails is told and tried again."""

from datetime import UTC, datetime
from threading import Event

from tacit.runtime.workers import Worker
from tacit.server.jobs import Job, Jobs

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def _jobs(*jobs):
    made = Jobs(Worker("test-jobs"), clock=lambda: NOW)
    for job in jobs:
        made.add(job)
    return made


def test_a_job_tells_what_it_did():
    jobs = _jobs(Job(name="sweep", every=3600, work=lambda: "swept 3"))
    jobs.run("sweep").result(30)
    (outcome,) = jobs.outcomes()
    assert (outcome.runs, outcome.last_at, outcome.last_result) == (1, NOW, "swept 3")


def test_a_job_that_fails_says_why_until_it_succeeds():
    results = iter([ValueError("no broom"), "swept"])

    def work():
        result = next(results)
        if isinstance(result, Exception):
            raise result
        return result

    jobs = _jobs(Job(name="sweep", every=3600, work=work))
    jobs.run("sweep").result(30)
    assert jobs.outcomes()[0].last_error == "ValueError: no broom"
    jobs.run("sweep").result(30)
    (outcome,) = jobs.outcomes()
    assert (outcome.runs, outcome.last_error, outcome.last_result) == (2, None, "swept")


def test_jobs_come_by_themselves_when_they_are_due_and_end_when_stopped():
    done = Event()
    jobs = _jobs(Job(name="sweep", every=0.01, work=lambda: done.set() or "swept"))
    jobs.start()
    assert done.wait(30)
    jobs.stop()


def test_a_running_job_tells_how_far_it_is_until_it_ends():
    def work():
        jobs.note_progress("sweep", "1 of 2 rooms")
        seen.extend(jobs.outcomes())
        return "swept"

    seen = []
    jobs = _jobs(Job(name="sweep", every=3600, work=work))
    jobs.run("sweep").result(30)
    assert [each.progress for each in (*seen, *jobs.outcomes())] == ["1 of 2 rooms", None]


def test_one_is_done_at_a_time():
    begun, go = Event(), Event()

    def slow():
        begun.set()
        assert go.wait(30)
        return "slow"

    order = []
    jobs = _jobs(
        Job(name="slow", every=3600, work=slow),
        Job(name="quick", every=3600, work=lambda: order.append("quick") or "quick"),
    )
    first, second = jobs.run("slow"), jobs.run("quick")
    assert begun.wait(30)
    assert jobs.running == 1
    assert order == []
    go.set()
    first.result(30)
    second.result(30)
    assert order == ["quick"]


def test_one_that_has_a_worker_of_its_own_holds_up_no_other():
    begun, go = Event(), Event()

    def slow():
        begun.set()
        assert go.wait(30)
        return "slow"

    counts = []
    jobs = _jobs(
        Job(name="slow", every=3600, work=slow, worker=Worker("test-slow")),
        Job(name="quick", every=3600, work=lambda: "quick"),
    )
    jobs.watch(counts.append)
    waiting = jobs.run("slow")
    assert begun.wait(30)
    jobs.run("quick").result(30)
    assert (jobs.running, counts) == (1, [1, 2, 1])
    go.set()
    waiting.result(30)
    assert (jobs.running, counts) == (0, [1, 2, 1, 0])
