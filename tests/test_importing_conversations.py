"""Importing ChatGPT's conversations: what the person said is found later, each message once."""

import io
import json
from datetime import UTC, datetime

import pytest

from tacit import Tacit
from tacit.core.errors import ArchiveError
from tests.support import HandClock, writing_opener

HARBOUR = "The boat of my brother lies in the old harbour since May."
BICYCLE = "My bicycle has two bells and one mirror."
ASKED = "Where does the boat of my brother lie?"
TIME = datetime(2026, 2, 20, 9, 30, tzinfo=UTC)


@pytest.fixture
def tacit():
    with Tacit.open(":memory:", embedder="none", clock=HandClock()) as opened:
        yield opened


def _node(id, parent, role, *parts, time=TIME, **message):
    content = {"content_type": "text", "parts": list(parts)}
    told = {"author": {"role": role}, "content": content, "create_time": time and time.timestamp()}
    return {id: {"id": id, "parent": parent, "children": [], "message": {**told, **message}}}


def _conversation(id="c1", nodes=None, current="n3"):
    """A first message, an answer, and a question that was asked in two ways, of which one stays."""
    nodes = nodes or {
        "root": {"id": "root", "parent": None, "children": ["n1"], "message": None},
        **_node("n1", "root", "user", HARBOUR),
        **_node("n2", "n1", "assistant", "It is a nice harbour."),
        **_node("n2b", "n2", "user", "Every quokka in the zoo sleeps until noon."),
        **_node("n3", "n2", "user", BICYCLE),
    }
    return {
        "title": "Boats",
        "create_time": TIME.timestamp(),
        "mapping": nodes,
        "current_node": current,
        "conversation_id": id,
    }


def _import(tacit, data, indent=None, **options):
    raw = data if isinstance(data, bytes) else json.dumps(data, indent=indent).encode()
    return tacit.archive.import_from(io.BytesIO(raw), **options)


def _said(tacit, **whose):
    return [each.text for each in reversed(tacit.episodes.list(**whose))]


@pytest.mark.parametrize("indent", [None, 1], ids=["one line", "indented"])
def test_what_the_person_said_on_the_last_branch_is_kept_with_its_session_and_time(tacit, indent):
    report = _import(tacit, [_conversation()], indent)
    assert (report.format, report.counts, report.rejected) == ("chatgpt", {"episodes": 2}, ())
    assert _said(tacit) == [HARBOUR, BICYCLE]
    last, first = tacit.episodes.list()
    assert (first.session, first.place, first.at, first.role) == ("chatgpt:c1", 1, TIME, "user")
    assert (last.place, last.trust) == (2, "unverified")
    assert tacit.list() == []


def test_it_comes_up_in_a_later_conversation_with_its_day(tacit):
    _import(tacit, [_conversation()])
    assert f"2026-02-20: {HARBOUR}" in tacit.preview(session="s", text=ASKED).block


def test_importing_again_adds_only_what_is_new(tacit):
    _import(tacit, [_conversation()])
    again = _import(tacit, [_conversation(), _conversation("c2")])
    assert again.counts == {"known": 2, "episodes": 2}
    assert _import(tacit, [_conversation(), _conversation("c2")]).counts == {"known": 4}


@pytest.mark.parametrize(
    "message",
    [
        _node("n3", None, "user", "thanks!"),
        _node("n3", None, "assistant", BICYCLE),
        _node("n3", None, "system", BICYCLE),
        _node("n3", None, "user", BICYCLE, metadata={"is_visually_hidden_from_conversation": True}),
        _node("n3", None, "user", {"asset_pointer": "file-service://x"}),
        _node("n3", None, "user", content={"content_type": "user_editable_context"}),
        _node("n3", None, "user", "2026-01-01T10:00:00 ERROR db: no route\n" * 20),
        _node("n3", None, "user", f"[Context from memory] #7f3a9c21\n{BICYCLE}"),
        {"n3": {"message": None}},
        {"n3": "broken"},
        {},
    ],
)
def test_small_talk_replies_instructions_logs_and_blocks_are_left_out(tacit, message):
    assert _import(tacit, [_conversation(nodes=message or {"x": {}})]).counts == {}
    assert tacit.episodes.list() == []


def test_secrets_and_private_words_are_not_kept(tacit):
    said = f"{BICYCLE} My password is hunter2-Xq9vT. <private>It is {HARBOUR}</private>"
    _import(tacit, [_conversation(nodes=_node("n3", None, "user", said))])
    (text,) = _said(tacit)
    assert "bells" in text
    assert "hunter2" not in text
    assert "harbour" not in text


def test_a_circle_of_messages_ends(tacit):
    nodes = {**_node("n3", "n1", "user", BICYCLE), **_node("n1", "n3", "user", HARBOUR)}
    assert _import(tacit, [_conversation(nodes=nodes)]).counts == {"episodes": 2}


def test_they_belong_to_the_user_or_the_project_that_is_named(tacit):
    _import(tacit, [_conversation()], scope="user", scope_id="ann")
    assert (_said(tacit, user="ann"), _said(tacit, user="bob")) == ([HARBOUR, BICYCLE], [])
    _import(tacit, [_conversation("c2")], scope="project", scope_id="shop")
    assert {each.project for each in tacit.episodes.list() if each.session == "chatgpt:c2"} == {
        "shop"
    }


@pytest.mark.parametrize("fields", [{"scope": "org", "scope_id": "o"}, {"type": "goal"}])
def test_what_was_said_has_no_type_and_no_other_scope(tacit, fields):
    report = _import(tacit, [_conversation()], **fields)
    assert (report.counts, report.rejected_count) == ({}, 2)
    assert tacit.episodes.list() == []


def test_what_is_older_than_the_settings_keep_is_counted_and_not_written(tacit):
    old = _node("n1", None, "user", HARBOUR, time=datetime(2020, 1, 1, tzinfo=UTC))
    report = _import(tacit, [_conversation(nodes={**old, **_node("n3", "n1", "user", BICYCLE)})])
    assert report.counts == {"too old": 1, "episodes": 1}
    assert _said(tacit) == [BICYCLE]


def test_where_nothing_that_is_said_is_kept_the_file_is_refused(tmp_path):
    with writing_opener(tmp_path, embedder="none") as opened:
        tacit = opened(episodes="off")
        with pytest.raises(ArchiveError, match='episodes = "user"'):
            _import(tacit, [_conversation()])
        assert tacit.episodes.list() == []


def test_a_message_without_a_time_has_that_of_its_conversation(tacit):
    nodes = _node("n3", None, "user", BICYCLE, time=None)
    _import(tacit, [_conversation(nodes=nodes)])
    assert tacit.episodes.list()[0].at == TIME
    report = _import(tacit, [{**_conversation("c2", nodes), "create_time": None}])
    assert [each.line for each in report.rejected] == [1]


def test_a_file_that_is_cut_says_so(tacit):
    whole = json.dumps([_conversation(), _conversation("c2")]).encode()
    for data in (whole[:-1], whole[:-30]):
        with pytest.raises(ArchiveError, match="cannot be read; export it again"):
            _import(tacit, data)


def test_a_large_file_is_read_one_conversation_at_a_time(tacit):
    pieces = [json.dumps(_conversation(f"c{n}", _node("n3", None, "assistant", "x" * 9_000)))
              for n in range(400)]  # fmt: skip
    data = f"[{','.join(pieces)},{json.dumps(_conversation('last'))}]".encode()
    file, done = _Watched(data), []
    report = tacit.archive.import_from(file, progress=done.append)
    assert report.counts == {"episodes": 2}
    assert file.most <= 1_000_000
    assert 0.9 * len(data) < sum(done) <= len(data)


class _Watched(io.BytesIO):
    """A file that knows the most bytes that were asked for at once."""

    most = 0

    def read(self, size=-1):
        self.most = max(self.most, size if size >= 0 else len(self.getvalue()))
        return super().read(size)

    def readline(self, size=-1):
        return super().readline(size if size < 0 else min(size, 4_000_000))


# A JSON array of memories


def test_a_json_array_holds_a_memory_in_each_object_or_text(tacit):
    data = [{"content": "Likes tea", "type": "preference"}, "Bakes bread", 5, {"content": ""}]
    report = _import(tacit, data)
    assert (report.format, report.counts) == ("json", {"created": 2})
    assert {each.content: str(each.type) for each in tacit.list()} == {
        "Likes tea": "preference",
        "Bakes bread": "fact",
    }
    assert [each.line for each in report.rejected] == [3, 4]
    assert _import(tacit, data[:2], indent=2).counts == {"known": 2}


def test_what_is_no_array_is_not_read_as_one(tacit):
    with pytest.raises(ArchiveError, match="no JSON array"):
        _import(tacit, {"content": "Likes tea"}, format="json")
