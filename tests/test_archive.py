"""Export and import: everything comes back byte for byte, nothing twice, nothing silently lost."""

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import FakeEmbedder, Tacit
from tacit.core.errors import ArchiveError, InvalidInput
from tacit.core.kinds import Action
from tacit.writing.archive.records import build_header
from tests.properties import examples
from tests.support import START, changed_in


def _exported(tacit, **options):
    file = io.BytesIO()
    tacit.archive.export_to(file, **options)
    return file.getvalue()


def _lines(exported):
    return [json.loads(line) for line in exported.splitlines()]


def _import(tacit, data, **options):
    if isinstance(data, str):
        data = data.encode()
    return tacit.archive.import_from(io.BytesIO(data), **options)


def _body(exported):
    """Everything but the header, which says when and from where."""
    return exported.split(b"\n", 1)[1]


@pytest.fixture
def furnished(tacit, clock):
    """A workspace with something of everything."""
    a = tacit.remember("vim", key="editor", tags=["x"], metadata={"n": [1, {"ü": None}]}).id
    clock.advance(days=1)
    b = tacit.remember("emacs", key="editor", pinned=True).id
    c = tacit.remember("Said by an agent", by="agent", origin={"session": "s", "ordinal": 3}).id
    tacit.memories.link(c, b, "contradicts", weight=0.25)
    tacit.edit(b, by="agent", content="ed")
    tacit.forget(c)
    tacit.edit(a, importance=0.1)
    return tacit


def test_an_export_imported_elsewhere_is_the_same_export(furnished, house):
    exported = _exported(furnished, embeddings=True)
    other = house.another("elsewhere")
    report = _import(other, exported, accept_rules=True)
    assert report.rejected == ()
    assert report.counts["created"] == 3
    assert _body(_exported(other, embeddings=True)) == _body(exported)


def test_vectors_are_exported_in_the_order_of_their_memories(house):
    ids = [written.id for written in house.tacit.memories.remember_all(["one", "two", "three"])]
    model = house.tacit._context.shared.embedders.configured.model
    with house.store.write("default") as unit:
        vectors = unit.vectors.get(ids, model)
        for id in reversed(ids):
            unit.vectors.discard(id)
            unit.vectors.put(id, model, vectors[id])
            unit.memories.update(unit.memories.get([id])[id])
    lines = map(json.loads, _exported(house.tacit, embeddings=True).splitlines())
    assert [line["memory"] for line in lines if line["kind"] == "vector"] == ids


def test_an_import_carries_the_history_along_and_adds_none(furnished, house):
    other = house.another("elsewhere")
    _import(other, _exported(furnished))
    for memory in furnished.list(state=None):
        mine, theirs = furnished.memories.history(memory.id), other.memories.history(memory.id)
        assert [row.id for row in mine] == [row.id for row in theirs]


def test_importing_again_changes_nothing(furnished, house):
    exported = _exported(furnished, embeddings=True)
    other = house.another("elsewhere")
    _import(other, exported)
    before = _exported(other, embeddings=True)
    report = _import(other, exported)
    assert set(report.counts) == {"known"}
    assert _body(_exported(other, embeddings=True)) == _body(before)


def test_importing_into_the_same_workspace_changes_nothing(furnished):
    before = _exported(furnished, embeddings=True)
    assert set(_import(furnished, before).counts) == {"known"}
    assert _body(_exported(furnished, embeddings=True)) == _body(before)


def test_what_was_forgotten_stays_forgotten_by_an_import(furnished, house):
    other = house.another("elsewhere")
    _import(other, _exported(furnished))
    assert [memory.content for memory in other.list(state="forgotten")] == ["Said by an agent"]


def test_a_memory_that_differs_here_is_kept_and_reported(furnished):
    exported = _exported(furnished)
    emacs = furnished.list(key="editor")[0]
    furnished.edit(emacs.id, content="emacs 31")
    report = _import(furnished, exported)
    assert ["differs" in each.reason for each in report.rejected] == [True]
    assert furnished.get(emacs.id).content == "emacs 31"


def test_a_memory_known_here_under_another_id_takes_over_its_links(furnished, house):
    other = house.another("elsewhere")
    mine = other.remember("emacs", key="editor").id
    _import(other, _exported(furnished))
    agents = other.list(state="forgotten")[0]
    other.restore(agents.id)
    assert [edge.target for edge in other.memories.links(agents.id)] == [mine]


def test_imported_memories_can_be_found_and_lack_only_vectors(furnished, house):
    other = house.another("elsewhere")
    _import(other, _exported(furnished))
    with house.store.read("elsewhere") as unit:
        assert len(list(changed_in(unit, 0, None))) == 3
        assert len(unit.vectors.missing(FakeEmbedder().model, 9)) == 3


def test_plain_lines_become_memories(tacit):
    report = _import(tacit, "First\n\n  Second, indented \r\nThird", type="observation")
    assert report.counts == {"created": 3}
    found = tacit.list(sort="created")
    assert [memory.content for memory in found] == ["First", "  Second, indented ", "Third"]
    assert {(memory.type, memory.source, memory.explicit) for memory in found} == {
        ("observation", "import", False)
    }


def test_json_lines_become_memories_with_their_fields(tacit):
    lines = [{"content": "First", "type": "goal", "tags": ["x"]}, {"content": "Second"}]
    _import(tacit, "\n".join(map(json.dumps, lines)), scope="project", scope_id="shop")
    first, second = tacit.list(sort="created")
    assert (first.type, first.tags, first.scope_id) == ("goal", ("x",), "shop")
    assert (second.type, second.scope) == ("fact", "project")


def test_lines_that_look_like_json_can_be_taken_as_text(tacit):
    _import(tacit, '{"content": "x"}', format="lines")
    assert tacit.list()[0].content == '{"content": "x"}'


def test_bad_lines_are_reported_and_the_others_taken(tacit):
    data = b"\n".join(
        [
            b'{"content": "fine"}',
            b'{"content": ""}',
            b"not json",
            b'{"content": "bad type", "type": "x"}',
            b'["a list"]',
            b'{"content": "bad \xff bytes"}',
            b'{"kind": "surprise"}',
            b'{"kind": "memory", "content": "half a memory"}',
            b'{"kind": "association", "source": "x"}',
            b'{"content": "claims trust", "trust": "trusted"}',
            b'{"content": "' + b"x" * 50_001 + b'"}',
            b"[" * 100_000,
            b"x" * 5_000_000,
            b'{"content": "also fine"}',
        ]
    )
    report = _import(tacit, data)
    assert report.counts == {"created": 2}
    assert [each.line for each in report.rejected] == list(range(2, 14))
    assert all(each.reason for each in report.rejected)
    assert len(tacit.list()) == 2


_ODD = (["a"], {"a": ["b"]}, None, True, -1, 10**30, 1e308, "", "\ud800", "9999-12-31T23:59:59Z")


@pytest.mark.parametrize("kind", ["draft", "memory", "association", "audit", "review", "vector"])
def test_odd_values_are_reported_and_never_an_error(furnished, kind):
    """Each field of each kind of line, and each of its parts, with values that do not belong."""
    lines = {line["kind"]: line for line in _lines(_exported(furnished, embeddings=True))}
    line = {"content": "fine"} if kind == "draft" else lines[kind]
    odd = [
        *({**line, field: value} for field in {"kind", *line} for value in _ODD),
        *(
            {**line, field: {**parts, part: value}}
            for field, parts in line.items()
            if isinstance(parts, dict)
            for part in parts
            for value in _ODD
        ),
    ]
    written = [json.dumps(each) for each in odd if each.get("kind") != "header"]
    header = json.dumps(build_header("default", START))
    report = _import(furnished, "\n".join([header, '{"content": "first"}', *written]))
    assert sum(report.counts.values()) + report.rejected_count == len(written) + 1


def test_an_archive_of_a_newer_format_is_refused(tacit):
    with pytest.raises(ArchiveError, match="upgrade"):
        _import(tacit, '{"kind": "header", "format": "tacit", "version": 99}')


def test_what_a_person_forgot_is_not_brought_back_by_the_same_file(tacit):
    _import(tacit, "Old news")
    tacit.forget(tacit.list()[0].id)
    report = _import(tacit, "Old news")
    assert report.counts == {"queued": 1}
    assert tacit.list() == []


def test_progress_is_told_in_bytes(tacit):
    data = "\n".join(f"line {n}" for n in range(1_000))
    seen = []
    _import(tacit, data, progress=seen.append)
    assert len(seen) > 1
    assert sum(seen) == len(data)


def test_an_import_goes_on_where_it_was_interrupted(tacit):
    data = "\n".join(f"line {n}" for n in range(1_000))

    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        _import(tacit, data, progress=stop)
    done = len(tacit.list(limit=1_000))
    assert 0 < done < 1_000
    report = _import(tacit, data)
    assert report.counts == {"known": done, "created": 1_000 - done}
    assert len(tacit.list(limit=1_000)) == 1_000


def test_an_archive_line_with_a_broken_vector_is_reported(furnished, house):
    lines = _lines(_exported(furnished, embeddings=True))
    vector = next(line for line in lines if line["kind"] == "vector")
    vector["half_floats"] = "!!!"
    other = house.another("elsewhere")
    report = _import(other, "\n".join(map(json.dumps, lines)))
    assert ["half_floats" in each.reason for each in report.rejected] == [True]


def test_the_header_says_what_the_file_is(furnished):
    header = _lines(_exported(furnished))[0]
    assert header["format"] == "tacit"
    assert header["workspace"] == "default"
    assert header["exported_at"].startswith(str((START).year))


def test_an_unknown_format_is_refused(tacit):
    with pytest.raises(InvalidInput, match="format"):
        _import(tacit, "x", format="yaml")


@settings(max_examples=examples(8, 40))
@given(texts=st.lists(st.text(min_size=1, max_size=80), max_size=8))
def test_any_texts_survive_export_and_import_byte_for_byte(store, texts):
    tacit = Tacit(store, "round trip")
    kept = []
    for text in texts:
        try:
            kept.append(tacit.remember(text).id)
        except InvalidInput:
            continue
    exported = _exported(tacit)
    fresh = Tacit.open(":memory:", "round trip")
    assert _import(fresh, exported).rejected == ()
    assert _body(_exported(fresh)) == _body(exported)
    assert all(fresh.get(id) == tacit.get(id) for id in kept)


def test_every_audit_action_can_travel(furnished):
    actions = {line["action"] for line in _lines(_exported(furnished)) if line["kind"] == "audit"}
    assert actions == {Action.INSERT, Action.UPDATE, Action.SUPERSEDE, Action.FORGET}


def test_a_byte_order_mark_is_not_content(tacit):
    _import(tacit, b'\xef\xbb\xbf{"content": "first"}\n')
    _import(tacit, b"\xef\xbb\xbfsecond\n")
    assert {memory.content for memory in tacit.list()} == {"first", "second"}


def test_a_binary_file_is_refused_whole(tacit):
    with pytest.raises(ArchiveError, match="not a text file"):
        _import(tacit, b"SQLite format 3\0\n some words \n")
    assert tacit.list() == []


@pytest.mark.parametrize("by", ["agent", "tool", "system"])
def test_an_agent_cannot_bring_whole_records(furnished, house, by):
    other = house.another("elsewhere")
    report = _import(other, _exported(furnished), by=by)
    assert report.counts == {}
    assert all("cannot bring whole records" in each.reason for each in report.rejected)
    assert other.list(state=None) == []


def test_a_path_does_as_well_as_an_open_file(furnished, house, tmp_path):
    path = tmp_path / "all.jsonl"
    lines = furnished.archive.export_to(path)
    assert len(path.read_bytes().splitlines()) == lines
    other = house.another("elsewhere")
    assert other.archive.import_from(str(path)).counts["created"] == 3
    with pytest.raises(ArchiveError, match="cannot be read"):
        other.archive.import_from(tmp_path / "nothing")


def test_a_text_file_is_refused_with_what_would_be_right(tacit):
    for call in (tacit.archive.import_from, tacit.archive.export_to):
        with pytest.raises(InvalidInput, match="binary mode"):
            call(io.StringIO("x"))


def _say(tacit, user, text, session):
    with tacit.turn(session=session, user=user, text=text) as turn:
        turn.commit("Noted.")


def _of_two_people(tacit):
    """Memories, edges, reviews, sayings and items of ann and of bob."""
    ids = {}
    for user in ("ann", "bob"):
        editor = tacit.remember(f"{user} uses vim", key="editor", user=user).id
        tacit.remember(f"{user} uses emacs now", key="editor", user=user)
        tea = tacit.remember(f"{user} likes tea", user=user, agent="butler").id
        tacit.memories.link(tea, editor, "related_to")
        tacit.edit(tea, by="agent", content=f"{user} likes coffee")
        ids[user] = tea
        _say(tacit, user, f"I am {user}, and I have a red bicycle.", f"of {user}")
        tacit.items.put(("users", user, "notes"), "n1", {"text": f"{user} sings"})
    tacit.learn()
    tacit.memories.link(ids["ann"], ids["bob"], "related_to")
    tacit.forget(ids["ann"])
    tacit.remember("The team ships on Tuesdays", project="shop")


@pytest.mark.episodes
def test_an_export_of_an_owner_holds_what_is_theirs_and_nothing_else(tacit, house):
    _of_two_people(tacit)
    exported = _exported(tacit, owner="user:ann", embeddings=True)
    header, *lines = _lines(exported)
    assert header["owner"] == "user:ann"
    kinds = {each["kind"] for each in lines}
    assert kinds == {"memory", "association", "audit", "review", "episode", "item", "vector"}
    assert b"bob" not in exported
    assert b"ships" not in exported
    memories = {each["id"] for each in lines if each["kind"] == "memory"}
    listed = tacit.list(owner="user:ann", state=None)
    assert memories == {each.id for each in listed}
    edges = [each for each in lines if each["kind"] == "association"]
    assert all({each["source"], each["target"]} <= memories for each in edges)
    other = house.another("elsewhere")
    assert _import(other, exported, accept_rules=True).rejected == ()
    assert _body(_exported(other, embeddings=True)) == _body(exported)


def test_an_export_of_a_project_holds_no_words_of_users(tacit):
    _of_two_people(tacit)
    lines = _lines(_exported(tacit, owner="project:shop"))
    assert [each["kind"] for each in lines] == ["header", "memory", "audit"]
    assert lines[1]["content"] == "The team ships on Tuesdays"


@pytest.mark.parametrize("owner", ["ann", "user:", ""])
def test_an_export_of_nobody_is_refused(tacit, owner):
    with pytest.raises(InvalidInput, match=r"owner: .* names nobody"):
        _exported(tacit, owner=owner)
