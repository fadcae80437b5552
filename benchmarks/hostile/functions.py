"""Every function that reads text which others write, and how it is called on one."""

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import Any

from benchmarks.hostile.cost import Read
from tacit.api.calls.sessions import check_variables
from tacit.api.tacit import Tacit
from tacit.core.errors import TacitError
from tacit.core.fields import check_field
from tacit.core.keys import parse_key_id
from tacit.core.messages import check_history, text_of
from tacit.core.open_turn import CapturedTurn
from tacit.grounding.chat_log import (
    EntryKind,
    LogEntry,
    build_tail,
    find_spoken,
    format_entry,
    iter_entries,
    parse_tail,
)
from tacit.grounding.documents.chunks import chunk_document
from tacit.grounding.file_layout import to_file_name
from tacit.grounding.gist import build_gist, remove_said
from tacit.grounding.gist import parse_gist as read_gist
from tacit.grounding.log_erasure import erase_matching_entries
from tacit.grounding.policy import LayerKind, PolicyLayer, compose_policy
from tacit.grounding.rolling_summary import load_summary
from tacit.grounding.text_cuts import clip_text
from tacit.integrations.hooks.client_instructions import read_instructions
from tacit.integrations.hooks.clients import GEMINI, find_compaction, find_touched_files
from tacit.integrations.hooks.project import read_checkout
from tacit.integrations.installer.jsonc import JsonDocument
from tacit.integrations.workflows.expressions import evaluate, fill_template
from tacit.integrations.workflows.lifecycle_file import parse_lifecycle, read_yaml
from tacit.language.changes import asks_about_past, tells_change
from tacit.language.code_fences import classify_lines
from tacit.language.compaction import estimate_history_tokens, is_summary
from tacit.language.excerpts import extract_matching_sentences
from tacit.language.extraction.extract import extract_findings
from tacit.language.extraction.memory_orders import is_memory_order
from tacit.language.extraction.objections import find_objection
from tacit.language.extraction.repairs import repair_text
from tacit.language.extraction.sentences import find_clauses
from tacit.language.extraction.text_requests import has_text_request
from tacit.language.extraction.third_party_text import (
    announces_text,
    disowns_text,
    may_be_announced,
)
from tacit.language.follow_ups import is_follow_up
from tacit.language.injection_blocks import block_id_in, remove_blocks, remove_quoted_blocks
from tacit.language.languages import count_votes, guess_language
from tacit.language.neutralization import (
    is_heading,
    neutralize_line,
    neutralize_lines,
    neutralize_once,
    restore_line,
    restore_lines,
)
from tacit.language.passages import cut_passages
from tacit.language.past_tense import tells_past
from tacit.language.query import (
    build_query,
    clean_message,
    recent_exchanges,
    to_weighted_text,
)
from tacit.language.recurrence import hide_beginnings, hide_weekday_ranges, is_recurring
from tacit.language.redaction.redact import redact, redact_json, redact_start, remove_private
from tacit.language.relative_dates import depends_on_day, find_named_days
from tacit.language.sentences import split_sentences
from tacit.language.small_talk import asks_for_something, is_low_information
from tacit.language.strategy import choose_strategy
from tacit.language.terms import (
    WordMatcher,
    extract_index_terms,
    extract_query_terms,
    extract_terms,
    find_words,
)
from tacit.language.tokens import estimate_tokens
from tacit.language.topics import (
    speaks_for_self,
    speaks_of_all_projects,
    speaks_of_food,
    speaks_of_self,
    states_rule,
)
from tacit.language.transcript import split_transcript, write_transcript
from tacit.runtime.addresses import AllowedHosts
from tacit.runtime.logs import TextFormatter, hide_keys
from tacit.runtime.telemetry import request_scope
from tacit.search.duplicates import wording_hash
from tacit.search.need import MessageTraits
from tacit.settings.config import Config
from tacit.settings.grounding import GroundingSettings
from tacit.settings.loader import validate_config
from tacit.settings.toml_edit import parse_statements
from tacit.statements.comparison import compare_texts, may_be_near_duplicates
from tacit.statements.conflict_titles import make_title
from tacit.statements.decision import decide_by_structure
from tacit.statements.parser import find_claims
from tacit.statements.parser import parse_text as read_statement
from tacit.statements.partial_change import leaves_part_standing
from tacit.store.sqlite.in_memory import SqliteInMemoryStore
from tacit.turn.applicability import is_about_answers
from tacit.turn.block import shorten
from tacit.turn.episode_rules import restates
from tacit.turn.open_turn import capture_query, capture_reply, capture_turn
from tacit.turn.state import TurnRequest, classify_request
from tacit.turn.summarizer import ExtractiveSummarizer
from tacit.turn.wording import is_shown_by_host, is_stated
from tacit.ui.text_diff import diff_texts
from tacit.writing.archive.contents import read_contents
from tacit.writing.archive.files import Format
from tacit.writing.learning.echoes import (
    InjectedMemory,
    find_echo,
    is_remark,
    is_stated_as_change,
    is_stated_as_known,
    remove_pasted_blocks,
    remove_reminders,
)
from tacit.writing.learning.exchanges import find_handed_over
from tacit.writing.learning.model_reader import has_substance, read_turns

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
_PASSAGE = 500
"""A passage of what was said is never longer."""

_SOURCE = "The API speaks gRPC, and we never deploy on Fridays"
_PATH = Path("hostile.toml")
_KNOWN = {"0123abcd": "session"}
_SAID = ("tacit.language.query", "tacit.language.redaction", "tacit.language.strategy")
_SUMMARY = (
    "tacit.turn.summarizer",
    "tacit.language.summary_scores",
    "tacit.language.transcript",
)
_STRUCTURE = (
    "tacit.language.neutralization",
    "tacit.language.prompt_templates",
    "tacit.language.characters",
)
_DAYS = ("tacit.language.relative_dates", "tacit.language.periods", "tacit.language.dates")
_HISTORY = (
    "tacit.language.injection_blocks",
    "tacit.language.transcript",
    "tacit.language.compaction",
    *_STRUCTURE,
)
_OF_QUERY, _OF_MEMORY, _OF_TEXT = 800, 12_000, 20_000
"""The most of what is asked that is matched, the longest memory, and the most of a message."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function that reads text: how it is called, and where the words are that it looks for."""

    name: str
    read: Read
    sources: tuple[str, ...]
    """Modules whose strings, and packages whose tables, hostile texts are made of."""
    on_turn: bool = False
    """Whether a turn waits for it."""
    most: int | None = None
    """The most characters that a turn hands over, where that is less than all of a text."""


def _messages(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text}, {"role": "assistant", "content": text}]


def _parts(text: str) -> list[dict[str, Any]]:
    parts = [{"type": "text", "text": text}, {"type": "tool_result", "content": text}]
    return [{"role": "user", "content": parts}, {"role": "assistant", "content": text}]


def _learned(text: str) -> object:
    """What learning by rules does with what was heard."""
    return extract_findings(remove_pasted_blocks(text), NOW)


def _model_said(text: str) -> object:
    """What a model answered, with a note in words that a person really said."""
    note = {"content": text, "type": "fact", "confidence": 0.8, "quote": text}
    heard = CapturedTurn(id="t", session="s", at=NOW, said=(text,), reply=text)
    model: Any = SimpleNamespace(
        ask=lambda *_: SimpleNamespace(text=json.dumps({"memories": [note]}), tokens=1)
    )
    return read_turns(model, [heard])


def _weigh_exchange(*_: str) -> tuple[float, float]:
    """Stands for a model that is not sure whose the texts are."""
    return 0.5, 0.5


def _entries(text: str) -> list[LogEntry]:
    return [LogEntry(kind, NOW, text, 0, 0) for kind in (EntryKind.INBOUND, EntryKind.OUTBOUND)]


def _gist(text: str) -> object:
    found = build_gist(_entries(text), 8, NOW)
    return remove_said(found, _messages(text))


def _chat_log(text: str) -> object:
    """An entry as it is written, and a log that somebody else wrote, read from its end."""
    written = format_entry(EntryKind.INBOUND, text, NOW)
    log = _file("chat.md", text.encode(errors="replace") + b"\n\n" + written)
    return list(find_spoken(iter_entries(log)))


def _conversation(text: str) -> object:
    """What a prompt shows of a conversation, and what is left once its words are erased."""
    log = _folder() / "logs" / "chats" / "local" / "a.md"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"".join(format_entry(kind, text, NOW) for kind in EntryKind))
    settings, summary = GroundingSettings(), _folder() / "memory" / "contexts" / "a.md"
    summary.unlink(missing_ok=True)  # one that is there is not made again
    shown = build_tail(log, settings), load_summary(log, summary, settings, NOW)
    return shown, erase_matching_entries(_folder(), WordMatcher.of([text[:500]]), lambda _: True)


def _imported(format: Format, name: str | None = None) -> Read:
    def read(text: str) -> object:
        return list(read_contents(BytesIO(text.encode(errors="replace")), format, name).lines)

    return read


def _exported(text: str) -> object:
    """The exports of other programs, which hold texts inside of JSON."""
    claude = [{"conversations_memory": text, "project_memories": {"p": text}}]
    mem0 = {"results": [{"id": "1", "memory": text, "metadata": {"a": text}}]}
    message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]}}
    nodes = {"a": {"id": "a", "parent": None, "message": {"id": "m", "create_time": 1, **message}}}
    chatgpt = [{"title": text, "create_time": 1, "current_node": "a", "mapping": nodes}]
    exports = ((claude, Format.CLAUDE), (mem0, Format.MEM0), (chatgpt, Format.CHATGPT))
    for data, format in exports:
        list(read_contents(BytesIO(json.dumps(data).encode()), format, "export.json").lines)
    return None


def _policy(text: str) -> object:
    layer = PolicyLayer(kind=LayerKind.SOUL, name="soul", source=None, text=text)
    return compose_policy([layer], 500).text


def _chunks(name: str) -> Read:
    return lambda text: chunk_document(name, text)


def _hook_transcript(text: str) -> object:
    record = {"type": "user", "input": {"file_path": "a", "patch": text, "arguments": text}}
    path = _file("transcript.jsonl", f"{json.dumps(record)}\n{text}\n".encode(errors="replace"))
    return find_touched_files(path, path.parent), find_compaction(path)


def _instructions(text: str) -> object:
    path = _file("CLAUDE.md", text.encode(errors="replace"))
    return read_instructions("claude-code", path.parent, path.parent)


def _git(text: str) -> object:
    folder = _folder() / "repository"
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    config = f'[remote "origin"]\n\turl = {text}\n{text}'
    (folder / ".git" / "config").write_bytes(config.encode(errors="replace"))
    return read_checkout(folder)


def _gemini(text: str) -> object:
    raw = {"hook_event_name": "BeforeAgent", "session_id": "s", "prompt": text}
    return GEMINI.read_events({**raw, "prompt_response": text})


def _logged(text: str) -> object:
    record = logging.makeLogRecord({"msg": text, "levelno": logging.INFO, "text": text})
    return TextFormatter(in_colour=False).format(record)


def _headers(text: str) -> object:
    """What a request says of itself, before anybody knows who sends it."""
    headers = {"host": text, "origin": text, "sec-fetch-site": text}
    with request_scope(text):
        return parse_key_id(text), AllowedHosts(("localhost",)).find_objection(headers)


def _names(text: str) -> object:
    """What is short by rule, and must be refused quickly if it is not."""
    for field in ("workspace", "key", "session", "tags", "metadata", "content"):
        with suppress(TacitError):
            check_field(field, {"tags": [text], "metadata": {"a": text}}.get(field, text))
    with suppress(TacitError):
        check_variables({text: text})
    return to_file_name(text)


def _request(text: str) -> TurnRequest:
    return TurnRequest(session="s", history=(), incoming=({"role": "user", "content": text},))


def _heard(text: str) -> object:
    """What is kept of a turn to learn from."""
    said = _messages(text)
    return capture_turn(_request(text), said, "t", NOW), capture_reply(said)


def _opened() -> Tacit:
    store = SqliteInMemoryStore.open()
    return Tacit(store, "default", config=Config(defaults={"deadline_ms": 60_000}))


def _turn(tacit: Tacit, text: str) -> object:
    """A whole turn, up to what is heard in it."""
    with tacit.turn(session="s", history=_messages("The API?"), text=text) as turn:
        return turn.block, turn.messages


def _later_turn(tacit: Tacit, text: str) -> object:
    """A question that leans on a long history."""
    history = _messages(text[: len(text) // 2])
    with tacit.turn(session="s", history=history, text="And which one?") as turn:
        return turn.block, turn.messages


def _door(call: Callable[[Tacit, str], object]) -> Read:
    def read(text: str) -> object:
        tacit = _opened()
        tacit.remember(_SOURCE)
        try:
            return call(tacit, text)
        finally:
            tacit.close()

    return read


def _remembered(tacit: Tacit, text: str) -> object:
    """Memories of the longest kind, which are compared with each other."""
    return [tacit.remember(text[start : start + 12_000]) for start in range(0, len(text), 12_000)]


def _import_lines(tacit: Tacit, text: str) -> object:
    return tacit.archive.import_from(BytesIO(text.encode(errors="replace")), format="lines")


@cache
def _folder() -> Path:
    return Path(mkdtemp(prefix="tacit-hostile-"))


def _file(name: str, written: bytes) -> Path:
    path = _folder() / name
    path.write_bytes(written)
    return path


FUNCTIONS: tuple[Function, ...] = (
    # What a turn does with what was said
    Function("text.words", find_words, ("tacit.language.terms",), on_turn=True, most=_OF_MEMORY),
    Function("text.terms", extract_terms, ("tacit.language.terms",), on_turn=True, most=_OF_MEMORY),
    Function(
        "text.index_terms",
        extract_index_terms,
        ("tacit.language.terms",),
        most=_OF_MEMORY,
    ),
    Function(
        "text.query_terms",
        extract_query_terms,
        ("tacit.language.terms",),
        on_turn=True,
        most=_OF_QUERY,
    ),
    Function(
        "text.guess",
        lambda text: guess_language(text.split()),
        ("tacit.language.terms",),
        on_turn=True,
    ),
    Function("tokens.estimate", estimate_tokens, ("tacit.language.tokens",), on_turn=True),
    Function("query.cleaned", clean_message, ("tacit.language.query",), on_turn=True),
    Function(
        "small_talk.is_low_information",
        lambda text: is_low_information(text, has_context=True),
        ("tacit.language.small_talk", "tacit.language.strategy"),
        on_turn=True,
    ),
    Function("small_talk.asks", asks_for_something, ("tacit.language.small_talk",), on_turn=True),
    Function(
        "follow_ups.is_one",
        is_follow_up,
        ("tacit.language.follow_ups", "tacit.language.languages"),
        on_turn=True,
    ),
    Function(
        "topics.speaks_of",
        lambda text: (
            states_rule(text),
            speaks_of_food(text),
            speaks_of_self(text),
            speaks_for_self(text),
            speaks_of_all_projects(text),
        ),
        ("tacit.language.topics",),
        on_turn=True,
    ),
    Function("changes.tells", tells_change, ("tacit.language.changes",), on_turn=True),
    Function("changes.asks", asks_about_past, ("tacit.language.changes",), on_turn=True),
    Function("query.meaning_of", to_weighted_text, ("tacit.language.query",), on_turn=True),
    Function(
        "query.ask",
        lambda text: build_query(text, recent_exchanges(_messages(text))),
        ("tacit.language.query",),
        on_turn=True,
    ),
    Function("strategy.choose", choose_strategy, ("tacit.language.strategy",), on_turn=True),
    Function(
        "selection.kind_of", classify_request, ("tacit.turn.state",), on_turn=True, most=_OF_TEXT
    ),
    Function(
        "selection.is_about_answers",
        lambda text: is_about_answers(text, text),
        ("tacit.turn.applicability",),
        on_turn=True,
    ),
    Function("selection.wording_hash", wording_hash, ("tacit.search.duplicates",), on_turn=True),
    Function(
        "conflicts.make_title",
        lambda text: make_title([text, text[1:]]),
        ("tacit.statements.conflict_titles", "tacit.language.languages"),
    ),
    Function(
        "selection.is_shown",
        lambda text: (
            is_shown_by_host(text, [_SOURCE, text[1:]]),
            is_shown_by_host(_SOURCE, [text]),
        ),
        ("tacit.statements",),
        on_turn=True,
    ),
    Function(
        "selection.is_stated",
        lambda text: is_stated(text, [_SOURCE, text[1:]]),
        ("tacit.statements",),
        on_turn=True,
        most=_OF_MEMORY,
    ),
    Function(
        "episodes.passages",
        cut_passages,
        ("tacit.language.passages", "tacit.language.extraction"),
    ),
    Function(
        "episodes.excerpt",
        lambda text: extract_matching_sentences(text[:_PASSAGE], extract_query_terms(_SOURCE), 240),
        ("tacit.language.excerpts", "tacit.language.sentences"),
        on_turn=True,
    ),
    Function(
        "episodes.restates",
        lambda text: (restates(text[:_PASSAGE], _SOURCE), restates(_SOURCE, text)),
        ("tacit.turn.episode_rules", "tacit.turn.wording"),
        on_turn=True,
        most=_OF_QUERY,
    ),
    Function(
        "messages.text_of",
        lambda text: list(map(text_of, check_history(_parts(text)))),
        ("tacit.core.messages",),
        on_turn=True,
    ),
    Function(
        "history.without_blocks",
        lambda text: remove_blocks(_parts(text), _KNOWN),
        _HISTORY,
        on_turn=True,
    ),
    Function(
        "history.without_quotes",
        lambda text: remove_quoted_blocks(text, _KNOWN),
        _HISTORY,
        on_turn=True,
    ),
    Function(
        "history.id_in",
        lambda text: (block_id_in(text), is_summary({"role": "user", "content": text})),
        _HISTORY,
        on_turn=True,
    ),
    Function(
        "history.estimated",
        lambda text: estimate_history_tokens(_parts(text)),
        _HISTORY,
        on_turn=True,
    ),
    Function("structure.neutralised", neutralize_line, _STRUCTURE, on_turn=True),
    Function("structure.restored", restore_line, _STRUCTURE, on_turn=True),
    Function(
        "structure.neutralised_lines",
        neutralize_lines,
        _STRUCTURE,
        on_turn=True,
    ),
    Function("structure.restored_lines", restore_lines, _STRUCTURE, on_turn=True),
    Function(
        "structure.neutralised_once",
        neutralize_once,
        _STRUCTURE,
        on_turn=True,
    ),
    Function("structure.is_heading", is_heading, _STRUCTURE, on_turn=True),
    Function(
        "render.shortened",
        lambda text: shorten(text, 2_000),
        ("tacit.turn.block",),
        on_turn=True,
    ),
    Function(
        "redaction.redact_start",
        lambda text: redact_start(text, 20_000),
        ("tacit.language.redaction",),
        on_turn=True,
    ),
    Function(
        "redaction.without_private",
        remove_private,
        ("tacit.language.redaction.redact",),
        on_turn=True,
    ),
    Function(
        "grounding.chat_log",
        _chat_log,
        ("tacit.grounding.chat_log", *_STRUCTURE),
        on_turn=True,
    ),
    Function("grounding.messages_in", parse_tail, ("tacit.grounding.chat_log",), on_turn=True),
    Function(
        "grounding.clipped",
        lambda text: clip_text(text, tokens=500),
        ("tacit.grounding.text_cuts",),
        on_turn=True,
    ),
    Function("grounding.policy", _policy, ("tacit.grounding.policy",), on_turn=True),
    Function("telemetry.blanked", hide_keys, ("tacit.runtime.logs",), on_turn=True),
    Function("access.headers", _headers, ("tacit.core.keys",), on_turn=True),
    Function("memory.check", _names, ("tacit.core.fields",), on_turn=True),
    Function("hooks.gemini", _gemini, ("tacit.integrations.hooks.clients",), on_turn=True),
    Function(
        "hooks.instructions",
        _instructions,
        ("tacit.integrations.hooks.client_instructions",),
        on_turn=True,
    ),
    Function("hooks.checkout_of", _git, ("tacit.integrations.hooks.project",), on_turn=True),
    Function(
        "hooks.transcript", _hook_transcript, ("tacit.integrations.hooks.clients",), on_turn=True
    ),
    Function(
        "workflows.value_of",
        lambda text: evaluate(text, {"event": {"a": text}}),
        ("tacit.integrations.workflows.expressions",),
        on_turn=True,
    ),
    Function(
        "workflows.filled",
        lambda text: fill_template(text, {"event": {"a": text}}),
        ("tacit.integrations.workflows.expressions",),
        on_turn=True,
    ),
    Function("turn.heard", _heard, ("tacit.language.redaction",), on_turn=True),
    Function(
        "turn.traits",
        lambda text: MessageTraits.of(text, [text], is_follow_up=False),
        ("tacit.search.need", "tacit.language.topics"),
        on_turn=True,
    ),
    Function("turn.query_of", lambda text: capture_query(_request(text)), _SAID, on_turn=True),
    Function("Tacit.turn", _door(_turn), _SAID, on_turn=True),
    Function("Tacit.turn, history", _door(_later_turn), _SAID, on_turn=True),
    # What is done beside turns, or in them with short texts
    Function(
        "history.transcript",
        lambda text: write_transcript(_parts(text), _KNOWN),
        _HISTORY,
    ),
    Function("redaction.redact", redact, ("tacit.language.redaction",)),
    Function(
        "redaction.redact_all",
        lambda text: redact_json({"password": text, "a": [text]}),
        ("tacit.language.redaction",),
    ),
    Function(
        "code_fences.classify",
        lambda text: list(classify_lines(text.split("\n"))),
        ("tacit.language.code_fences",),
    ),
    Function("sentences.split", split_sentences, ("tacit.language.sentences",)),
    Function("summary.sentences", split_transcript, _SUMMARY),
    Function("telemetry.logs", _logged, ("tacit.runtime.telemetry", "tacit.language.redaction")),
    Function(
        "extraction.extract",
        lambda text: extract_findings(text, NOW),
        ("tacit.language.extraction",),
    ),
    Function(
        "extraction.repairs",
        lambda text: repair_text(f"My boss is {text}, no wait, {text}, sorry, Tim"),
        ("tacit.language.extraction",),
    ),
    Function(
        "extraction.clauses",
        find_clauses,
        ("tacit.language.extraction", "tacit.language.sentences"),
        on_turn=True,
    ),
    Function("extraction.language", count_votes, ("tacit.language.extraction",)),
    Function("extraction.objection", find_objection, ("tacit.language.extraction",)),
    Function(
        "extraction.text_requests",
        lambda text: (has_text_request(f"{text[:160]}\n{text[:160]}"), has_text_request(text)),
        ("tacit.language.extraction",),
    ),
    Function("extraction.memory_order", is_memory_order, ("tacit.language.extraction",)),
    Function(
        "third_party_text.announces",
        lambda text: (announces_text(text[:300]), announces_text(text), may_be_announced(text)),
        ("tacit.language.extraction",),
    ),
    Function(
        "third_party_text.disowns",
        lambda text: (disowns_text(text[:300]), disowns_text(text)),
        ("tacit.language.extraction",),
    ),
    Function(
        "exchanges.handed_over",
        lambda text: (
            find_handed_over(text, text[:300], _weigh_exchange),
            find_handed_over(text[:300], text, _weigh_exchange),
        ),
        ("tacit.writing.learning", "tacit.language.extraction"),
    ),
    Function("relative_dates.depends", depends_on_day, _DAYS),
    Function("past_tense.past", tells_past, ("tacit.language.past_tense",)),
    Function("recurrence.recurring", is_recurring, ("tacit.language.recurrence",)),
    Function("recurrence.beginnings", hide_beginnings, ("tacit.language.recurrence",)),
    Function("recurrence.ranges", hide_weekday_ranges, ("tacit.language.recurrence",)),
    Function(
        "relative_dates.days",
        lambda text: find_named_days(text, NOW.date()),
        _DAYS,
    ),
    Function(
        "learning.heard",
        _learned,
        ("tacit.language.extraction", "tacit.writing.learning", *_STRUCTURE),
    ),
    Function(
        "learning.without_blocks",
        remove_pasted_blocks,
        ("tacit.writing.learning.echoes", *_STRUCTURE),
    ),
    Function("learning.is_told_as_known", is_stated_as_known, ("tacit.writing.learning",)),
    Function("learning.is_told_as_change", is_stated_as_change, ("tacit.writing.learning",)),
    Function("learning.is_remark", is_remark, ("tacit.writing.learning",)),
    Function("learning.without_reminders", remove_reminders, ("tacit.writing.learning",)),
    Function(
        "learning.echoed",
        lambda text: find_echo(
            text, text, [InjectedMemory("m", _SOURCE), InjectedMemory("n", text[1:])]
        ),
        ("tacit.writing.learning", "tacit.statements"),
    ),
    Function(
        "learning.has_substance",
        lambda text: has_substance(text, text, NOW),
        ("tacit.writing.learning", "tacit.language.extraction"),
    ),
    Function(
        "learning.model_answer", _model_said, ("tacit.writing.learning", "tacit.language.redaction")
    ),
    Function("statements.read", read_statement, ("tacit.statements",)),
    Function(
        "statements.claims",
        find_claims,
        ("tacit.statements",),
    ),
    Function(
        "statements.partial_change",
        lambda text: (leaves_part_standing(text, text[1:]), leaves_part_standing(_SOURCE, text)),
        ("tacit.statements", "tacit.language.calendar"),
        on_turn=True,
    ),
    Function(
        "statements.decide",
        lambda text: (decide_by_structure(text, text[1:]), decide_by_structure(_SOURCE, text)),
        ("tacit.statements",),
    ),
    Function(
        "statements.compare",
        lambda text: (compare_texts(text, text[1:]), compare_texts(_SOURCE, text)),
        ("tacit.statements",),
    ),
    Function(
        "statements.may_be_near_duplicates",
        lambda text: may_be_near_duplicates(text, text[1:]),
        ("tacit.statements",),
    ),
    Function(
        "summary.extractive",
        lambda text: ExtractiveSummarizer().summarize(text, 4_000),
        _SUMMARY,
    ),
    Function(
        "grounding.gist",
        _gist,
        ("tacit.grounding.gist", *_SUMMARY, "tacit.language.extraction"),
    ),
    Function(
        "grounding.conversation",
        _conversation,
        (
            "tacit.grounding.gist",
            *_SUMMARY,
            "tacit.language.extraction",
            "tacit.language.redaction",
        ),
    ),
    Function("grounding.read_gist", read_gist, ("tacit.grounding.gist",)),
    Function(
        "conversation.words",
        lambda text: WordMatcher.of([text, _SOURCE]).match_any([text[1:]]),
        ("tacit.language.terms",),
    ),
    Function("documents.markdown", _chunks("a.md"), ("tacit.grounding.documents",)),
    Function("documents.restructured", _chunks("a.rst"), ("tacit.grounding.documents",)),
    Function("documents.plain", _chunks("a.txt"), ("tacit.grounding.documents",)),
    Function("archive.lines", _imported(Format.LINES), ("tacit.writing.archive",)),
    Function("archive.jsonl", _imported(Format.JSONL), ("tacit.writing.archive",)),
    Function(
        "archive.markdown", _imported(Format.MARKDOWN, "notes.md"), ("tacit.writing.archive",)
    ),
    Function("archive.claude", _imported(Format.CLAUDE, "CLAUDE.md"), ("tacit.writing.archive",)),
    Function("archive.chatgpt", _imported(Format.CHATGPT), ("tacit.writing.archive",)),
    Function("archive.mem0", _imported(Format.MEM0), ("tacit.writing.archive",)),
    Function("archive.auto", _imported(Format.AUTO), ("tacit.writing.archive",)),
    Function("archive.exports", _exported, ("tacit.writing.archive",)),
    Function("workflows.read_yaml", read_yaml, ("tacit.integrations.workflows",)),
    Function(
        "workflows.parse",
        lambda text: parse_lifecycle(_PATH, text),
        ("tacit.integrations.workflows",),
    ),
    Function(
        "hooks.jsonc",
        lambda text: JsonDocument(text, _PATH),
        ("tacit.integrations.installer",),
    ),
    Function("config.validate", lambda text: validate_config(_PATH, text), ("tacit.settings",)),
    Function("config.statements", parse_statements, ("tacit.settings",)),
    Function("ui.text_diff", lambda text: diff_texts(text, text[1:]), ("tacit.ui.text_diff",)),
    Function(
        "Tacit.remember",
        _door(_remembered),
        ("tacit.language.redaction", "tacit.statements"),
    ),
    Function(
        "Tacit.search",
        _door(lambda tacit, text: tacit.search(text)),
        ("tacit.language.terms", "tacit.language.query"),
    ),
    Function(
        "Tacit.import_from",
        _door(_import_lines),
        ("tacit.language.redaction", "tacit.statements"),
    ),
    Function(
        "Tacit.extract",
        _door(lambda tacit, text: tacit.extract(text)),
        ("tacit.language.extraction",),
    ),
)
"""By where they stand: those that a turn waits for first."""


def named(names: tuple[str, ...]) -> tuple[Function, ...]:
    """The functions whose names begin with one of these; all of them without any."""
    return tuple(each for each in FUNCTIONS if not names or any(map(each.name.startswith, names)))
