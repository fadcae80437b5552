"""What an operator sees: logs, request ids, metrics and traces, without secrets and texts."""

import contextvars
import io
import json
import logging
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import uvicorn
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from tacit import FakeEmbedder, InvalidInput, Tacit, Verdict
from tacit.core.explanations import explain_empty_turn
from tacit.core.receipt import Candidate, CandidateSource, Fate, Receipt, SkipReason
from tacit.runtime import logs
from tacit.runtime.metrics import Metrics
from tacit.runtime.spans import SpanTracer
from tacit.runtime.telemetry import current_request_id, new_request_id, request_scope
from tacit.runtime.traces import NoTracer, create_tracer
from tests.collecting import collecting

PAGE = Path(__file__).parent.parent / "docs/observing.md"
SECRET = "q" * 20 + "-_" + "7" * 21
TOKEN = f"tacit_abcdef012345_{SECRET}"
CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def make_receipt(**fields):
    known = {
        "id": "01890a5d-ac96-7000-8000-00000000000a",
        "session": "a-session-of-ann",
        "turn": 1,
        "at": datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC),
        "user": "ann",
        "query": "What did we choose?",
        "tokens": 120,
        "timings_ms": {"session": 2.0, "pinned": 1.5, "search": 30.0, "total": 34.0},
        "candidates": (
            Candidate(memory="m1", found=CandidateSource.PINNED, type="todo", fate=Fate.INJECTED),
            Candidate(
                memory="m2", found=CandidateSource.CONTEXTUAL, type="fact", fate=Fate.INJECTED
            ),
            Candidate(
                memory="m3", found=CandidateSource.CONTEXTUAL, type="fact", fate=Fate.BELOW_FLOOR
            ),
        ),
    }
    return Receipt(**{**known, **fields})


def real_receipt():
    with Tacit.open(":memory:", embedder=FakeEmbedder()) as tacit:
        tacit.remember("We chose JWT over session tokens for the API", type="decision")
        with tacit.turn(session="s1", history=[], text="What did we choose for the API?") as turn:
            turn.commit("JWT")
        return turn.receipt


# Request ids


def test_an_id_of_a_client_is_kept_and_one_that_could_harm_is_replaced():
    for good in ("a", "Trace-1.2_3", "x" * 128):
        with request_scope(good) as used:
            assert used == current_request_id() == good
    for bad in (None, "", "x" * 129, "a b", "a\n", "é", "a\r\nSet-Cookie: b", "²"):
        with request_scope(bad) as used:
            assert used == current_request_id()
            assert re.fullmatch(r"[0-9a-f]{32}", used)


def test_the_id_is_that_of_the_request_which_is_served_here():
    assert current_request_id() is None
    with request_scope("outer"):
        with request_scope("inner"):
            assert current_request_id() == "inner"
        assert current_request_id() == "outer"
        assert contextvars.Context().run(current_request_id) is None
    assert current_request_id() is None
    assert new_request_id() != new_request_id()


# Logs


@pytest.fixture
def quiet():
    """The loggers as they were, after a test has configured them."""
    names = (None, "tacit", "uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi")
    loggers = [logging.getLogger(name) for name in names]
    before = [(each, list(each.handlers), each.level, each.propagate) for each in loggers]
    yield
    for logger, handlers, level, propagate in before:
        logger.handlers[:] = handlers
        logger.setLevel(level)
        logger.propagate = propagate


@pytest.fixture
def written(quiet, monkeypatch):
    """Configures the log, and gives what came out of it since."""

    def configured(format="json", level="info", stream=None):
        stream = stream or io.StringIO()
        monkeypatch.setattr(sys, "stderr", stream)
        logs.configure_logging(format, level)
        return lambda: stream.getvalue().splitlines()

    return configured


class Terminal(io.StringIO):
    def isatty(self):
        return True


def fail(message):
    raise ValueError(message)


class Mute:
    def __str__(self):
        raise RuntimeError("I do not speak")

    __repr__ = __str__


def test_a_line_of_json_says_when_what_and_for_which_request(written):
    lines = written()
    with request_scope("r-1"):
        logging.getLogger("tacit.turn").info("took %dms", 45, extra={"session": "s1", "total": 2})
    logging.getLogger("tacit").warning("later")
    first, second = map(json.loads, lines())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first.pop("time"))
    assert first == {
        "level": "info",
        "logger": "tacit.turn",
        "message": "took 45ms",
        "request_id": "r-1",
        "session": "s1",
        "total": 2,
    }
    assert "request_id" not in second


def test_the_time_of_a_line_is_that_of_the_event_in_utc(written):
    lines = written()
    record = logging.makeLogRecord({"msg": "then", "levelno": 40, "created": 1772366400.1239})
    logging.getLogger("tacit").handle(record)
    assert json.loads(lines()[0])["time"] == "2026-03-01T12:00:00.123Z"


def test_an_exception_is_one_string_of_one_line_of_json(written):
    lines = written()
    try:
        fail("no\nway")
    except ValueError:
        logging.getLogger("tacit").exception("failed", stack_info=True)
    logging.getLogger("tacit").error("no exception here", exc_info=True)
    told, bare = map(json.loads, lines())
    assert told["exception"].startswith("Traceback")
    assert "ValueError: no\nway" in told["exception"]
    assert "Stack" in told["stack"]
    assert "exception" not in bare


def test_what_json_cannot_say_becomes_a_string(written):
    lines = written()
    circle = []
    circle.append(circle)
    fields = {
        "moment": datetime(2026, 3, 1, tzinfo=UTC),
        "nan": float("nan"),
        "huge": 10**5000,
        "set": {1},
        "nested": {(1, 2): [Path("a"), None, True, 1.5]},
        "mute": Mute(),
        "circle": circle,
        "fate": Fate.INJECTED,
        "surrogate": "\udc80",
    }
    logging.getLogger("tacit").info("all kinds", extra=fields)
    told = json.loads(lines()[0], parse_constant=pytest.fail)
    assert told["moment"] == "2026-03-01 00:00:00+00:00"
    assert told["nan"] == "nan"
    assert told["huge"] == "<int>"
    assert told["set"] == [1]
    assert told["nested"] == {"(1, 2)": ["a", None, True, 1.5]}
    assert told["mute"] == "<Mute>"
    assert "[...]" in str(told["circle"])
    assert told["fate"] == "injected"


@pytest.mark.parametrize("format", ["json", "text"])
def test_a_log_call_never_raises_and_never_loses_its_line(written, format):
    lines = written(format)
    log = logging.getLogger("tacit")
    log.info("%d apples", "many")
    log.info("%s", Mute(), extra={"time": "noon", "level": 3, "exception": 5})
    log.info(Mute())
    assert len(lines()) == 3
    assert "%d apples" in lines()[0]
    assert "many" in lines()[0]
    assert "noon" in lines()[1]


def test_a_log_that_cannot_be_written_does_not_fail_the_program(written):
    stream = io.StringIO()
    written(stream=stream)
    stream.close()
    logging.getLogger("tacit").info("nobody hears this")


@pytest.mark.parametrize("format", ["json", "text"])
def test_no_secret_is_in_the_log_wherever_it_was_put(written, format):
    lines = written(format)
    log = logging.getLogger("tacit")
    header = f"Authorization: Bearer {TOKEN}"
    log.info("key %s, %s", TOKEN, header)
    log.info("from elsewhere", extra={"headers": {"authorization": "bearer abc.DEF-1/2+3=="}})
    log.info("encoded ?h=Bearer%20abc.DEF-1", extra={TOKEN: [{"deep": TOKEN}]})
    log.info("%d", TOKEN)
    try:
        fail(header)
    except ValueError:
        log.exception(ValueError(TOKEN))
    said = "\n".join(lines())
    assert SECRET not in said
    assert SECRET[:10] not in said
    assert "abc.DEF" not in said
    assert "tacit_abcdef012345_[hidden]" in said
    assert "Bearer [hidden]" in said


def test_names_that_only_look_like_keys_stay_in_the_log(written):
    lines = written("text")
    logging.getLogger("tacit").info("tacit_turn_stage_seconds_bucket and tacit_abcdef012345_short")
    assert "tacit_turn_stage_seconds_bucket and tacit_abcdef012345_short" in lines()[0]


def test_a_line_of_text_is_for_people(written):
    lines = written("text")
    with request_scope("r-1"):
        extra = {"session": "s1", "note": "two words", "count": 3}
        logging.getLogger("tacit.turn").warning("took a while", extra=extra)
    time, rest = lines()[0].split(" ", 1)
    assert time.endswith("Z")
    assert rest == 'WARNING took a while request_id=r-1 session=s1 note="two words" count=3'


def test_text_in_a_log_steers_no_terminal_and_forges_no_line(written):
    lines = written("text")
    try:
        fail("bad\n2026-01-01T00:00:00.000Z INFO all is well")
    except ValueError:
        extra = {"note": "a\nb\u202e"}
        logging.getLogger("tacit").exception("red \x1b[31m\nforged", extra=extra)
    said = lines()
    assert "\x1b" not in "".join(said)
    assert "\u202e" not in "".join(said)
    assert r"red \x1b[31m\nforged" in said[0]
    assert all(line.startswith("    ") for line in said[1:])


def test_colours_are_for_terminals_that_want_them(written, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    for format, stream, is_coloured in (
        ("text", Terminal(), True),
        ("text", io.StringIO(), False),
        ("json", Terminal(), False),
    ):
        lines = written(format, stream=stream)
        logging.getLogger("tacit").error("red")
        assert ("\x1b[31mERROR" in lines()[0]) == is_coloured
    monkeypatch.setenv("NO_COLOR", "1")
    lines = written("text", stream=Terminal())
    logging.getLogger("tacit").error("plain")
    assert "\x1b" not in lines()[0]


def test_the_level_is_for_tacit_and_others_speak_from_warnings_on(written):
    lines = written(level="debug")
    logging.getLogger("tacit.search").debug("ours")
    logging.getLogger("urllib3").info("theirs")
    logging.getLogger("urllib3").warning("their warning")
    assert [json.loads(line)["message"] for line in lines()] == ["ours", "their warning"]
    lines = written(level="error")
    logging.getLogger("tacit").warning("ours")
    logging.getLogger("urllib3").warning("theirs")
    assert lines() == []


def test_the_lines_of_uvicorn_are_like_ours_and_come_once(written):
    uvicorn.Config("nothing:app")  # sets up its own handlers
    lines = written()
    uvicorn.Config("nothing:app", log_config=None)
    logging.getLogger("uvicorn.error").info("started", extra={"color_message": "\x1b[1mstarted"})
    values = ("127.0.0.1:5", "GET", f"/v1/x?key={TOKEN}", "1.1", 200)
    logging.getLogger("uvicorn.access").info('%s - "%s %s HTTP/%s" %d', *values)
    started, access = map(json.loads, lines())
    assert started["message"] == "started"
    assert "color_message" not in started
    assert access["message"].endswith('_[hidden] HTTP/1.1" 200')


def test_configuring_twice_logs_once_and_a_wrong_choice_is_explained(written):
    written()
    lines = written()
    logging.getLogger("tacit").info("once")
    assert len(lines()) == 1
    with pytest.raises(InvalidInput, match="'xml' is none of text, json"):
        logs.configure_logging("xml", "info")
    with pytest.raises(InvalidInput, match="'loud' is none of debug, info"):
        logs.configure_logging("json", "loud")


# Metrics


def samples(metrics):
    text = metrics.exposition()[0].decode()
    return {
        name: float(value)
        for name, _, value in (line.rpartition(" ") for line in text.splitlines())
        if not name.startswith("#")
    }


@pytest.mark.parametrize("part", ["session", "pinned", "search", "record"])
def test_an_empty_turn_names_the_part_that_failed(part):
    receipt = make_receipt(candidates=(), degraded=(f"{part}: late",))
    assert explain_empty_turn(receipt) == f"memory not available: {part}: late"


def test_a_turn_is_counted_by_what_its_receipt_says():
    metrics = Metrics()
    degraded = ("vectors: no embedding model", "vectors: late", "pinned: late", "oh: ann")
    metrics.count_turn(make_receipt(degraded=degraded))
    seen = samples(metrics)
    assert seen['tacit_turns_total{outcome="injected"}'] == 1
    assert seen['tacit_memories_injected_total{source="pinned"}'] == 1
    assert seen['tacit_memories_injected_total{source="contextual"}'] == 1
    assert seen['tacit_candidates_total{fate="injected"}'] == 2
    assert seen['tacit_candidates_total{fate="below_floor"}'] == 1
    assert seen["tacit_injected_tokens_total"] == 120
    assert seen['tacit_turns_degraded_total{part="vectors"}'] == 1
    assert seen['tacit_turns_degraded_total{part="pinned"}'] == 1
    assert seen['tacit_turns_degraded_total{part="other"}'] == 1
    assert seen["tacit_turn_seconds_sum"] == pytest.approx(0.034)
    assert seen['tacit_turn_stage_seconds_sum{stage="search"}'] == pytest.approx(0.03)
    assert 'tacit_turn_stage_seconds_sum{stage="total"}' not in seen


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({"candidates": ()}, "nothing"),
        ({"candidates": (), "skipped": SkipReason.LOW_INFORMATION}, "skipped:low_information"),
        ({"skipped": SkipReason.LOW_INFORMATION}, "injected"),
    ],
)
def test_a_turn_has_one_outcome(fields, outcome):
    metrics = Metrics()
    metrics.count_turn(make_receipt(**fields))
    counted = {name: n for name, n in samples(metrics).items() if name.startswith("tacit_turns_t")}
    assert {name for name, n in counted.items() if n} == {
        f'tacit_turns_total{{outcome="{outcome}"}}'
    }


def test_the_parts_and_stages_of_real_turns_are_known():
    metrics = Metrics()
    with Tacit.open(":memory:", embedder="none") as tacit:
        tacit.remember("We chose JWT", type="decision")
        with tacit.turn(session="s1", history=None, text="What did we choose?") as turn:
            turn.commit("JWT")
        metrics.count_turn(turn.receipt)
    seen = samples(metrics)
    degraded = {name: count for name, count in seen.items() if "degraded_total" in name}
    assert turn.receipt.notes
    assert set(degraded.values()) == {0}
    stages = re.findall(r'stage_seconds_count{stage="(.*?)"}', "".join(seen))
    assert "search" in stages
    for stage in stages:
        assert f"`{stage}`" in PAGE.read_text()


def test_what_else_a_server_does_is_counted():
    metrics = Metrics()
    metrics.count_ended_turn("committed")
    metrics.count_ended_turn("rolled_back")
    metrics.count_writes("created", 3)
    metrics.observe_search(0.003)
    metrics.count_request("GET", "/v1/memories/{memory_id}", 200, 0.004)
    metrics.count_request("GET", "/v1/memories/{memory_id}", 404, 0.004)
    metrics.count_request("BREW", None, 405, 20.0)
    metrics.count_refusal("rate_limit")
    metrics.count_lessons(["learned", "restated", "restated"], 120)
    metrics.count_lessons([], 5)
    seen = samples(metrics)
    assert seen['tacit_turns_ended_total{how="committed"}'] == 1
    assert seen['tacit_turns_ended_total{how="rolled_back"}'] == 1
    assert seen['tacit_writes_total{status="created"}'] == 3
    assert seen['tacit_search_seconds_bucket{le="0.005"}'] == 1
    assert seen['tacit_search_seconds_bucket{le="0.002"}'] == 0
    route = 'method="GET",route="/v1/memories/{memory_id}"'
    assert seen[f'tacit_requests_total{{{route},status="404"}}'] == 1
    assert seen[f"tacit_request_seconds_count{{{route}}}"] == 2
    assert seen['tacit_requests_total{method="other",route="unmatched",status="405"}'] == 1
    assert seen['tacit_requests_refused_total{reason="rate_limit"}'] == 1
    assert seen['tacit_lessons_total{verdict="learned"}'] == 1
    assert seen['tacit_lessons_total{verdict="restated"}'] == 2
    assert seen["tacit_llm_tokens_total"] == 125


def test_gauges_tell_what_was_noted_last():
    metrics = Metrics()
    metrics.set_event_streams(3)
    metrics.set_event_streams(2)
    metrics.set_jobs(1)
    seen = samples(metrics)
    assert (seen["tacit_event_streams"], seen["tacit_jobs"]) == (2, 1)


def test_what_can_come_is_shown_as_zero_before_it_comes():
    seen = samples(Metrics())
    for fate in Fate:
        assert seen[f'tacit_candidates_total{{fate="{fate}"}}'] == 0
    for skip in SkipReason:
        assert seen[f'tacit_turns_total{{outcome="skipped:{skip}"}}'] == 0
    for verdict in Verdict:
        assert seen[f'tacit_lessons_total{{verdict="{verdict}"}}'] == 0
    assert not [name for name in seen if "_created" in name]


def test_metrics_of_two_servers_in_one_process_do_not_mix_and_name_nobody():
    one, other = Metrics(), Metrics()
    one.count_turn(make_receipt(degraded=("session: failed (no file /home/ann)",)))
    assert samples(other)["tacit_injected_tokens_total"] == 0
    body, kind = one.exposition()
    assert "ann" not in body.decode()
    assert kind.startswith("text/plain; version=0.0.4")


def test_every_metric_is_in_the_page_with_its_type_and_its_labels():
    metrics = Metrics()
    metrics.count_turn(make_receipt())
    metrics.count_writes("created")
    metrics.count_request("GET", "/x", 200, 0.1)
    metrics.count_refusal("no_key")
    text = metrics.exposition()[0].decode()
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| `tacit_")]
    told = re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE)
    assert len(rows) == len(told)
    for name, kind in told:
        (row,) = [line for line in rows if line.startswith(f"| `{name}` | {kind} |")]
        for labels in re.findall(rf"^{name}\w*{{(.*)}}", text, re.MULTILINE):
            for label in set(re.findall(r'(\w+)="', labels)) - {"le"}:
                assert f"`{label}`" in row, (name, label)


# Traces


@pytest.fixture
def exporter():
    return InMemorySpanExporter()


@pytest.fixture
def tracer(exporter):
    tracer = SpanTracer(SimpleSpanProcessor(exporter))
    yield tracer
    tracer.close()


def finished(exporter):
    return {span.name: span for span in exporter.get_finished_spans()}


def test_a_request_and_its_turn_are_spans_below_the_trace_of_the_caller(tracer, exporter):
    with request_scope("r-1"), tracer.request("POST", None, {"Traceparent": CALLER}) as traced:
        tracer.turn(make_receipt(degraded=("search: failed (secret words)",)), current_request_id())
        traced.answered(200, "/v1/turns")
    spans = finished(exporter)
    request, turn = spans["POST /v1/turns"], spans["tacit.turn"]
    assert f"{request.context.trace_id:032x}" == CALLER[3:35]
    assert f"{request.parent.span_id:016x}" == CALLER[36:52]
    assert request.kind is SpanKind.SERVER
    assert dict(request.attributes) == {
        "http.request.method": "POST",
        "http.route": "/v1/turns",
        "http.response.status_code": 200,
        "tacit.request_id": "r-1",
    }
    assert turn.parent.span_id == request.context.span_id
    assert dict(turn.attributes) == {
        "tacit.receipt": "01890a5d-ac96-7000-8000-00000000000a",
        "tacit.outcome": "injected",
        "tacit.candidates": 3,
        "tacit.injected": 2,
        "tacit.injected.pinned": 1,
        "tacit.injected.fact": 0,
        "tacit.injected.contextual": 1,
        "tacit.injected.standing": 0,
        "tacit.injected.episode": 0,
        "tacit.deduped": 0,
        "tacit.conflicts": 0,
        "tacit.tokens": 120,
        "tacit.recached_tokens": 0,
        "tacit.degraded": ("search",),
        "tacit.request_id": "r-1",
    }


def test_the_stages_of_a_turn_are_spans_that_follow_each_other(tracer, exporter):
    receipt = make_receipt()
    tracer.turn(receipt)
    spans = finished(exporter)
    turn = spans["tacit.turn"]
    stages = [spans[f"tacit.turn.{name}"] for name in ("session", "pinned", "search")]
    assert all(stage.parent.span_id == turn.context.span_id for stage in stages)
    micros = (receipt.at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    assert turn.start_time == stages[0].start_time == micros * 1_000
    assert turn.end_time - turn.start_time == 34_000_000
    assert [stage.end_time - stage.start_time for stage in stages] == [
        2_000_000,
        1_500_000,
        30_000_000,
    ]
    assert [stage.start_time for stage in stages[1:]] == [each.end_time for each in stages[:-1]]


def test_spans_hold_no_texts_and_no_names(tracer, exporter):
    receipt = real_receipt()
    tracer.turn(receipt)
    spans = exporter.get_finished_spans()
    told = "".join(span.to_json() for span in spans)
    assert "tacit.turn.search" in told
    for text in ("JWT", "choose", '"s1"'):
        assert text not in told


def test_a_failed_request_is_marked_without_the_words_of_the_error(tracer, exporter):
    with pytest.raises(KeyError), tracer.request("GET", "/v1/x", {}):
        raise KeyError("private words")
    with tracer.request("BREW", None, {}) as traced:
        traced.answered(503)
    failed, broken = exporter.get_finished_spans()
    assert failed.status.status_code is broken.status.status_code is StatusCode.ERROR
    assert failed.attributes["error.type"] == "KeyError"
    assert "private" not in failed.to_json()
    assert broken.name == "HTTP"
    assert broken.attributes["http.request.method"] == "_OTHER"
    assert broken.attributes["error.type"] == "503"


def test_a_request_that_was_refused_is_no_failure_of_the_server(tracer, exporter):
    with tracer.request("GET", "/v1/x", {"traceparent": "nonsense"}) as traced:
        traced.answered(404)
    (span,) = exporter.get_finished_spans()
    assert span.status.status_code is StatusCode.UNSET
    assert span.parent is None


@pytest.fixture
def collector():
    with collecting() as server:
        yield server


@pytest.mark.parametrize(
    ("variable", "path", "arrives_at"),
    [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "/", "/v1/traces"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "/behind/", "/behind/v1/traces"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "/exactly", "/exactly"),
    ],
)
def test_a_collector_has_every_span_when_the_tracer_is_closed(
    collector, variable, path, arrives_at
):
    tracer = create_tracer({variable: f"http://127.0.0.1:{collector.server_port}{path}"})
    with tracer.request("POST", "/v1/turns", {}) as traced:
        tracer.turn(make_receipt())
        traced.answered(200)
    tracer.close()
    tracer.close()
    ((path, sent),) = collector.received
    assert path == arrives_at
    (resource,) = sent.resource_spans
    names = {each.key: each.value.string_value for each in resource.resource.attributes}
    assert names["service.name"] == "tacit"
    (scope,) = resource.scope_spans
    assert {span.name for span in scope.spans} == {
        "POST /v1/turns",
        "tacit.turn",
        "tacit.turn.session",
        "tacit.turn.pinned",
        "tacit.turn.search",
    }


def test_a_collector_that_does_not_answer_holds_up_neither_requests_nor_the_end(
    collector, monkeypatch, caplog
):
    collector.answers.clear()
    monkeypatch.setattr("tacit.runtime.spans._LAST_SECONDS", 0.01)
    address = f"http://127.0.0.1:{collector.server_port}"
    tracer = create_tracer({"OTEL_EXPORTER_OTLP_ENDPOINT": address})
    with tracer.request("GET", "/v1/x", {}) as traced:
        traced.answered(200)
    tracer.close()
    assert "the last traces were not sent" in caplog.text
    assert collector.received == []


def test_the_environment_names_the_service(exporter, monkeypatch):
    monkeypatch.setenv("OTEL_SERVICE_NAME", "memory-of-the-shop")
    tracer = SpanTracer(SimpleSpanProcessor(exporter))
    tracer.turn(make_receipt())
    tracer.close()
    attributes = exporter.get_finished_spans()[0].resource.attributes
    assert attributes["service.name"] == "memory-of-the-shop"


def test_without_a_collector_nothing_is_traced():
    for environment in ({}, {"OTEL_EXPORTER_OTLP_ENDPOINT": ""}):
        tracer = create_tracer(environment)
        assert isinstance(tracer, NoTracer)
        with tracer.request("GET", "/x", {}) as traced:
            tracer.turn(make_receipt())
            traced.answered(200)
        tracer.close()


def test_a_collector_that_is_named_without_the_packages_is_a_warning(monkeypatch, caplog):
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    monkeypatch.delitem(sys.modules, "tacit.runtime.spans")
    tracer = create_tracer({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"})
    assert isinstance(tracer, NoTracer)
    assert "pip install 'tacit[otel]'" in caplog.text


def test_a_wrong_variable_is_a_warning_and_no_failure(monkeypatch, caplog):
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "-1")
    tracer = create_tracer({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"})
    assert isinstance(tracer, NoTracer)
    assert "OTEL_" in caplog.text


def test_nobody_pays_for_telemetry_that_is_not_used():
    program = (
        "import sys, tacit; tacit.Tacit, tacit.AsyncTacit\n"
        "from tacit.runtime.traces import create_tracer; create_tracer({})\n"
        "from tacit.runtime.logs import configure_logging\n"
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    optional = {"opentelemetry", "prometheus_client", "fastapi", "uvicorn", "requests"}
    assert not optional & set(ran.stdout.split())
