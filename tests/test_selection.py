"""The rules of selection: kinds of requests, conflicts, and duplicates, on values alone."""

import math
from dataclasses import replace
from datetime import timedelta
from itertools import combinations, permutations, product

import pytest

from tacit.core.kinds import Actor, MemoryType
from tacit.core.receipt import Fate
from tacit.core.vectors import EmbeddingModel, pack_vector, unpack_vector
from tacit.search.duplicates import MemoryInView, find_duplicates, wording_hash
from tacit.statements.decision import Outcome
from tacit.statements.precedence import are_in_conflict, decide_among
from tacit.turn.state import FITTING_TYPES, RequestKind, classify_request
from tests.support import START, make_memory

DAY = timedelta(days=1)


def _replaced_by(verdict):
    return verdict.others[0] if verdict.outcome is Outcome.REPLACED else None


def _outranked_by(verdict):
    return verdict.others[0] if verdict.outcome is Outcome.OUTRANKED else None


def _conflicting_with(verdict):
    return verdict.others if verdict.outcome is Outcome.CONFLICT else ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Let us talk about api design", "architecture"),
        ("debugging", "debugging"),
        ("I am debugging the login", "debugging"),
        ("Can you implement a function for this?", "coding"),
        ("Answer in bullet points, please", "output_format"),
        ("How should we draw service boundaries?", "architecture"),
        ("Should we upgrade to Django 5?", "framework"),
        ("WHY DOES IT CRASH?", "debugging"),
        ("Where did Ann go on holiday?", "general"),
        ("", "general"),
    ],
)
def test_a_request_is_told_by_its_cues(text, kind):
    assert classify_request(text) is RequestKind(kind)


@pytest.mark.parametrize(
    "text",
    [
        "The latest contest was a protest",
        "A vegetable stable and an unstable platform",
        "Prefix and suffix",
        "Declassified barcodes",
        "Redesigned and rescaled",
        "An errorless terror",
        "The subformats of a reversion",
    ],
)
def test_a_cue_inside_another_word_does_not_count(text):
    assert classify_request(text) is RequestKind.GENERAL


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("An error message as a table in markdown with headings", "output_format"),
        ("Implement the api design with services and a queue", "architecture"),
        ("Refactor this class into functions, ignore the error", "coding"),
        ("A table of versions of each library and its dependencies", "framework"),
        ("Design a test that can reproduce the crash and the timeout", "debugging"),
    ],
)
def test_the_strongest_total_wins_and_not_the_first_cue(text, kind):
    assert classify_request(text) is RequestKind(kind)


def test_a_cue_of_several_words_tells_more_than_one():
    assert classify_request("Write code in one sentence") is RequestKind.OUTPUT_FORMAT


def test_each_kind_suits_exactly_its_types():
    decision, constraint, fact = "decision", "constraint", "fact"
    assert {str(kind): set(types) for kind, types in FITTING_TYPES.items()} == {
        "coding": {decision, constraint, fact, "preference"},
        "output_format": {"preference", constraint},
        "architecture": {decision, fact, constraint},
        "framework": {decision, fact, constraint},
        "debugging": {"preference", constraint, fact, "event"},
        "general": {str(type) for type in MemoryType},
    }


def _region(city, confidence=1.0, day=0, **fields):
    """A statement that stands against any other of its sort."""
    said = START + day * DAY
    content = f"The deploy region is {city}"
    return make_memory(content, confidence=confidence, updated_at=said, **fields)


def _settled(*memories, detect=True):
    """The verdicts by content, with every pair as rivals; the order must not matter."""
    pairs = list(combinations([memory.id for memory in memories], 2))
    verdicts = decide_among(memories, pairs, detect=detect)
    turned = decide_among(memories[::-1], [pair[::-1] for pair in reversed(pairs)], detect=detect)
    assert verdicts.keys() == turned.keys()
    return verdicts


def _standing(*memories, **options):
    """Those that neither lost nor are level with another."""
    verdicts = _settled(*memories, **options)
    return [memory for memory in memories if memory.id not in verdicts]


def test_of_one_source_the_newer_wins():
    old, new = _region("Paris"), _region("Rome", day=1)
    verdicts = _settled(old, new)
    assert verdicts.keys() == {old.id}
    assert _replaced_by(verdicts[old.id]) == new.id
    assert verdicts[old.id].reason


def test_what_was_true_later_is_newer_whenever_it_was_written():
    early = _region("Paris", day=9, valid_from=START - 2 * DAY)
    late = _region("Rome", day=0, valid_from=START - DAY)
    assert _standing(early, late) == [late]
    told = _region("Oslo", day=0, origin={"time": START})
    assert _standing(early, told) == [told]


def test_of_one_moment_the_later_id_is_the_newer():
    one, two = _region("Paris"), _region("Rome")
    assert _standing(one, two) == [two]


def test_an_agents_newer_words_lose_where_they_are_less_sure():
    old, new = _region("Paris", 0.9, by="agent"), _region("Rome", 0.84, day=1, by="agent")
    verdicts = _settled(old, new)
    assert verdicts.keys() == {new.id}
    assert _replaced_by(verdicts[new.id]) == old.id


def test_a_persons_newer_words_win_however_sure_they_are():
    old, new = _region("Paris", 1.0), _region("Rome", 0.5, day=1)
    verdicts = _settled(old, new)
    assert verdicts.keys() == {old.id}
    assert _replaced_by(verdicts[old.id]) == new.id


def test_what_a_person_wrote_is_level_with_what_they_only_said_later():
    old, new = _region("Paris", 0.9), replace(_region("Rome", 0.9, day=1), explicit=False)
    verdicts = _settled(old, new)
    assert _conflicting_with(verdicts[old.id]) == (new.id,)
    assert _conflicting_with(verdicts[new.id]) == (old.id,)


HUNDREDTHS = [number / 100 for number in range(6, 101)]


def _pair(high, gap, **fields):
    """An older statement, and a newer one that is less sure by so much."""
    return _region("Paris", high), _region("Rome", round(high - gap, 2), day=1, **fields)


def _agents_pair(high, gap):
    """The same of an agent."""
    new = _region("Rome", round(high - gap, 2), day=1, by="agent")
    return _region("Paris", high, by="agent"), new


def test_the_newer_wins_if_it_is_less_sure_by_no_more_than_the_band():
    pairs = {high: _agents_pair(high, 0.05) for high in HUNDREDTHS}
    assert [high for high, (old, new) in pairs.items() if _standing(old, new) != [new]] == []


def test_the_newer_loses_at_every_height_beyond_the_band():
    pairs = {high: _agents_pair(high, 0.06) for high in HUNDREDTHS}
    assert [high for high, (old, new) in pairs.items() if _standing(old, new) != [old]] == []


def test_two_sources_are_level_at_the_edge_of_the_band():
    pairs = {high: _pair(high, 0.05, by="operator") for high in HUNDREDTHS}
    assert [high for high, pair in pairs.items() if len(_settled(*pair)) != 2] == []


def test_of_two_sources_the_surer_wins_beyond_the_band():
    pairs = {high: _pair(high, 0.06, by="operator") for high in HUNDREDTHS}
    assert [high for high, (old, new) in pairs.items() if _standing(old, new) != [old]] == []


def test_level_statements_name_each_other_and_the_same_reason():
    one, other = _region("Paris", 0.9), _region("Rome", 0.88, by="operator", day=1)
    verdicts = _settled(one, other)
    assert _conflicting_with(verdicts[one.id]) == (other.id,)
    assert _conflicting_with(verdicts[other.id]) == (one.id,)
    assert verdicts[one.id].reason == verdicts[other.id].reason != ""


def test_of_two_owners_in_one_scope_the_surer_wins_and_not_the_newer():
    old = _region("Paris", 0.9, scope="project", scope_id="shop")
    new = _region("Rome", 0.8, day=1, scope="project", scope_id="bank")
    assert _standing(old, new) == [old]
    level = _region("Oslo", 0.9, day=1, scope="project", scope_id="bank")
    assert _settled(old, level).keys() == {old.id, level.id}


def test_the_nearer_scope_wins_however_old_and_unsure_it_is():
    near = _region("Paris", 0.5, scope="session", scope_id="s", by="operator")
    far = _region("Rome", 1.0, day=9, scope="org")
    verdicts = _settled(near, far)
    assert verdicts.keys() == {far.id}
    assert _outranked_by(verdicts[far.id]) == near.id


def test_a_persons_words_win_over_others_whatever_the_confidence_time_and_scope():
    for by, scope, day, theirs in product(
        ("agent", "tool", "import"), ("session", "user", "org"), (0, 9), (0.7, 1.0)
    ):
        mine = _region("Paris", 0.7, day=1, scope="user")
        other = _region("Rome", theirs, day=day, scope=scope, scope_id="", by=by)
        verdicts = _settled(mine, other)
        assert verdicts.keys() == {other.id}
        verdict = verdicts[other.id]
        assert _replaced_by(verdict) == mine.id
        assert verdict.reason == "trusted over unverified"


def test_of_one_key_a_persons_value_is_current_in_any_scope():
    mine = make_memory("4 spaces", key="editor.indent", scope="org", confidence=0.7)
    other = make_memory("tabs", key="editor.indent", scope="session", by="agent", confidence=1)
    for detect in (True, False):
        verdicts = _settled(mine, other, detect=detect)
        assert verdicts.keys() == {other.id}
        assert _replaced_by(verdicts[other.id]) == mine.id


def test_of_one_key_only_the_most_specific_scope_is_current():
    values = {
        scope: make_memory(f"{count} spaces", key="editor.indent", scope=scope)
        for count, scope in enumerate(("session", "project", "user", "org"), start=1)
    }
    places = {memory.id: place for place, memory in enumerate(values.values())}
    for order in permutations(values.values()):
        verdicts = decide_among(order, [], detect=True)
        assert set(places) - verdicts.keys() == {values["session"].id}
        for id, verdict in verdicts.items():
            assert places[_outranked_by(verdict)] < places[id]


def test_scopes_decide_before_time_does():
    nearest = _region("Paris", day=0, scope="session", scope_id="s")
    old, new = _region("Rome", day=1), _region("Oslo", day=2)
    pairs = [(old.id, new.id), (nearest.id, old.id), (nearest.id, new.id)]
    for order in permutations(pairs):
        verdicts = decide_among([nearest, old, new], order, detect=True)
        assert {id: _outranked_by(verdict) for id, verdict in verdicts.items()} == {
            old.id: nearest.id,
            new.id: nearest.id,
        }


def test_of_three_of_one_source_only_the_newest_stands():
    group = [_region(city, day=day) for day, city in enumerate(("Paris", "Rome", "Oslo"))]
    for order in permutations(group):
        assert _standing(*order) == [group[2]]


def test_three_that_nobody_can_tell_apart_are_all_level():
    group = [_region(city, by=by) for city, by in (("Paris", "user"), ("Rome", "operator"))]
    third = _region("Oslo", scope="user", scope_id="")
    third = replace(third, source=Actor.SYSTEM)
    verdicts = _settled(*group, third)
    for memory in (*group, third):
        others = {each.id for each in (*group, third)} - {memory.id}
        assert set(_conflicting_with(verdicts[memory.id])) == others


def test_what_was_level_with_a_loser_alone_stands_unflagged():
    old, level = _region("Paris", 1.0), _region("Rome", 1.0, by="operator")
    new = _region("Rome", 1.0, day=1)
    assert decide_among(
        [old, level, new], [(old.id, level.id), (old.id, new.id)], detect=True
    ).keys() == {old.id}


def test_of_any_three_something_stands_or_is_level():
    heights, sources = (0.8, 0.84, 0.88, 0.92, 1.0), ("user", "operator")
    for confidences in product(heights, repeat=3):
        for authors in product(sources, repeat=3):
            group = [
                _region(city, confidence, day=day, by=by)
                for day, (city, confidence, by) in enumerate(
                    zip(("Paris", "Rome", "Oslo"), confidences, authors, strict=True)
                )
            ]
            verdicts = _settled(*group).values()
            lost = [verdict for verdict in verdicts if _replaced_by(verdict)]
            assert len(lost) < len(group), (confidences, authors)


def test_three_of_one_source_that_grow_less_sure_do_not_all_lose():
    group = [
        _region(city, confidence, day=day)
        for day, (city, confidence) in enumerate((("Paris", 0.9), ("Rome", 0.86), ("Oslo", 0.82)))
    ]
    assert len(_settled(*group)) < 3


def test_without_detection_only_scopes_of_one_key_decide():
    near = make_memory("4 spaces", key="editor.indent", scope="project")
    far = make_memory("2 spaces", key="editor.indent", scope="org")
    twin = make_memory("8 spaces", key="editor.indent", scope="project", by="operator")
    verdicts = _settled(near, far, twin, detect=False)
    assert verdicts.keys() == {far.id}
    assert _outranked_by(verdicts[far.id]) in (near.id, twin.id)
    assert _settled(_region("Paris"), _region("Rome", scope="session"), detect=False) == {}
    assert _settled(_region("Paris"), _region("Rome", day=1), detect=False) == {}


def test_a_key_makes_rivals_without_any_pair_being_named():
    old = make_memory("dark", key="ui.theme")
    new = make_memory("light", key="ui.theme", updated_at=START + DAY)
    assert decide_among([new, old], [], detect=True).keys() == {old.id}


def test_pairs_that_do_not_contradict_each_other_are_left_alone():
    paris, kept = _region("Paris"), make_memory("Backups run at night")
    pairs = [(paris.id, kept.id), (paris.id, "unknown"), ("unknown", "other")]
    assert decide_among([paris, kept], pairs, detect=True) == {}


@pytest.mark.parametrize(
    ("first", "second", "rivals"),
    [
        ({"content": "The deploy region is Paris"}, {"content": "The deploy region is Rome"}, True),
        ({"content": "Use tabs"}, {"content": "Never use tabs"}, True),
        ({"content": "dark", "key": "ui.theme"}, {"content": "light", "key": "ui.theme"}, True),
        ({"content": "dark", "key": "ui.theme"}, {"content": "dark", "key": "ui.theme"}, False),
        (
            {"content": "The theme is dark", "key": "ui.theme"},
            {"content": "The theme is light", "key": "web.theme"},
            False,
        ),
        (
            {"content": "The deploy region is Paris", "key": "deploy.region"},
            {"content": "The deploy region is Rome"},
            True,
        ),
        (
            {"content": "The build is red", "type": "event"},
            {"content": "The build is green", "type": "event"},
            False,
        ),
        ({"content": "Ann likes tea"}, {"content": "Bob likes coffee"}, False),
    ],
)
def test_rivals_have_one_key_or_give_one_thing_two_values(first, second, rivals):
    one, other = make_memory(**first), make_memory(**second)
    assert are_in_conflict(one, other) is are_in_conflict(other, one) is rivals


def _at(cosine):
    """A vector at this cosine to (1, 0, 0)."""
    return (cosine, (1 - cosine**2) ** 0.5, 0.0)


def _fates(candidates, known=(), vectors=None, threshold=0.85):
    return find_duplicates(candidates, known, vectors or {}, threshold)


def _known(memory, **fields):
    content = fields.get("content", memory.content)
    return MemoryInView(memory.id, wording_hash(content), memory)


def test_what_was_shown_already_is_not_shown_again():
    memory = make_memory("Backups run at night")
    assert _fates([memory], [_known(memory)]) == [(Fate.SEEN_IN_WINDOW, memory.id)]


def test_what_has_changed_since_it_was_shown_is_shown_again():
    memory = make_memory("Backups run at night")
    before = MemoryInView(memory.id, wording_hash("Backups run at noon"), memory)
    assert _fates([memory], [before], {memory.id: (1.0, 0.0, 0.0)}) == [None]


def test_a_memory_that_two_sources_give_is_shown_once():
    memory = make_memory("Backups run at night")
    assert _fates([memory, memory]) == [None, (Fate.SAME_BATCH, memory.id)]


def test_the_same_words_are_shown_once_whoever_said_them():
    one, two = make_memory("Backups run at night"), make_memory(" backups  RUN at night", agent="a")
    assert _fates([one, two]) == [None, (Fate.SAME_CONTENT, one.id)]
    assert _fates([two], [_known(one)]) == [(Fate.SAME_CONTENT, one.id)]
    unread = MemoryInView(one.id, wording_hash(one.content))
    assert _fates([two], [unread]) == [(Fate.SAME_CONTENT, one.id)]


def test_nearly_the_same_is_a_duplicate_of_what_came_first():
    one = make_memory("Backups run at night")
    two = make_memory("The backups are run during the night")
    vectors = {one.id: (1.0, 0.0, 0.0), two.id: _at(0.9)}
    assert _fates([one, two], vectors=vectors) == [None, (Fate.NEAR_DUPLICATE, one.id)]
    assert _fates([two, one], vectors=vectors) == [None, (Fate.NEAR_DUPLICATE, two.id)]
    assert _fates([two], [_known(one)], vectors) == [(Fate.NEAR_DUPLICATE, one.id)]


@pytest.mark.parametrize("order", [1, -1])
def test_of_near_duplicates_the_newest_of_the_fullest_stays(order):
    less = make_memory("Alerts go to Slack")
    full = make_memory("Alerts go to Slack and email", updated_at=START + DAY)
    newest = make_memory("The alerts go to email and Slack", updated_at=START + 2 * DAY)
    vectors = {less.id: (1.0, 0.0, 0.0), full.id: _at(0.95), newest.id: _at(0.95)}
    given = [less, full, newest][::order]
    fates = dict(zip([each.id for each in given], _fates(given, vectors=vectors), strict=True))
    assert fates == {
        newest.id: None,
        full.id: (Fate.NEAR_DUPLICATE, newest.id),
        less.id: (Fate.NEAR_DUPLICATE, newest.id),
    }


def test_what_says_more_than_what_is_in_view_is_shown():
    less, full = make_memory("Alerts go to Slack"), make_memory("Alerts go to Slack and email")
    vectors = {less.id: (1.0, 0.0, 0.0), full.id: _at(0.95)}
    assert _fates([full], [_known(less)], vectors) == [None]
    assert _fates([less], [_known(full)], vectors) == [(Fate.NEAR_DUPLICATE, full.id)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("On Mondays the team meets", "The team meets on Mondays"),
        ("Montags trifft sich das Team", "Das Team trifft sich montags"),
        ("Le lundi, l'équipe se réunit", "L'équipe se réunit le lundi"),
        ("Los lunes el equipo se reúne", "El equipo se reúne los lunes"),
        ("I like tea and coffee", "I like coffee and tea"),
        ("In Berlin Ann met Bob", "Ann met Bob in Berlin"),
    ],
)
def test_the_order_of_words_makes_no_difference(first, second):
    one, two = make_memory(first), make_memory(second)
    vectors = {one.id: (1.0, 0.0, 0.0), two.id: (1.0, 0.0, 0.0)}
    assert sorted(_fates([one, two], vectors=vectors), key=str)[0] is not None
    assert _fates([two], [_known(one)], vectors) == [(Fate.NEAR_DUPLICATE, one.id)]


def test_the_threshold_itself_is_not_near_enough():
    one, two = make_memory("Backups run at night"), make_memory("Backups run every night")
    vectors = {one.id: (1.0, 0.0, 0.0), two.id: (0.75, 0.0, 0.0)}
    assert _fates([one, two], vectors=vectors, threshold=0.75) == [None, None]
    (_, fate) = _fates([one, two], vectors=vectors, threshold=0.7499)
    assert fate == (Fate.NEAR_DUPLICATE, one.id)


def test_a_threshold_of_one_finds_no_near_duplicates():
    one, two = make_memory("Backups run at night"), make_memory("Backups run every night")
    model = EmbeddingModel("tiny", 2, "")
    for degrees in range(90):
        angle = math.radians(degrees)
        kept = unpack_vector(pack_vector((math.cos(angle), math.sin(angle)), model))
        assert _fates([one, two], vectors={one.id: kept, two.id: kept}, threshold=1.0)[1] is None


def test_without_vectors_nothing_is_nearly_the_same():
    one, two = make_memory("Backups run at night"), make_memory("Backups run every night")
    assert _fates([one, two], vectors={two.id: (1.0, 0.0, 0.0)}) == [None, None]
    unread = MemoryInView(one.id, wording_hash(one.content))
    same = {one.id: (1.0, 0.0, 0.0), two.id: (1.0, 0.0, 0.0)}
    assert _fates([two], [unread], same) == [None]


def test_the_stages_decide_in_their_order():
    shown, twin = (
        make_memory("Backups run at night"),
        make_memory("Backups run at night", agent="a"),
    )
    near = make_memory("Backups run every night")
    vectors = dict.fromkeys((shown.id, twin.id, near.id), (1.0, 0.0, 0.0))
    assert _fates([shown, shown, twin, near], [_known(shown)], vectors) == [
        (Fate.SEEN_IN_WINDOW, shown.id),
        (Fate.SEEN_IN_WINDOW, shown.id),
        (Fate.SAME_CONTENT, shown.id),
        (Fate.NEAR_DUPLICATE, shown.id),
    ]
    assert _fates([shown, shown], [_known(twin)], vectors) == [(Fate.SAME_CONTENT, twin.id)] * 2
    assert _fates([near, near, twin], vectors=vectors) == [
        None,
        (Fate.SAME_BATCH, near.id),
        (Fate.NEAR_DUPLICATE, near.id),
    ]


def test_what_was_left_out_leaves_nothing_else_out():
    shown = make_memory("Backups run at night")
    left_out = make_memory("Backups run every night")
    far = make_memory("Backups run on most nights")
    vectors = {shown.id: (1.0, 0.0, 0.0), left_out.id: _at(0.9), far.id: _at(0.7)}
    assert _fates([shown, left_out, far], vectors=vectors)[1:] == [
        (Fate.NEAR_DUPLICATE, shown.id),
        None,
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The key rotates every 30 days", "The key rotates every 90 days"),
        ("Always use tabs", "Never use tabs"),
        ("We deploy on Fridays", "We do not deploy on Fridays"),
        ("Ann approves the releases", "Bob approves the releases"),
        ("The contract ends on 2026-03-01", "The contract ends on 2026-04-01"),
        ("Billing runs on MySQL", "Billing runs on PostgreSQL"),
        ("The meeting is on Monday", "The meeting is on Tuesday"),
        ("Ann reports to Bob", "Bob reports to Ann"),
        ("Ann manages Bob", "Bob manages Ann"),
        ("The train goes from Rome to Paris", "The train goes from Paris to Rome"),
        ("We have 5 apples and 3 pears", "We have 3 apples and 5 pears"),
        ("The upstairs bathroom is green", "The downstairs bathroom is green"),
    ],
)
def test_a_difference_that_matters_is_never_a_near_duplicate(first, second):
    one, two = make_memory(first), make_memory(second)
    vectors = {one.id: (1.0, 0.0, 0.0), two.id: (1.0, 0.0, 0.0)}
    assert _fates([one, two], vectors=vectors) == [None, None]
    assert _fates([two], [_known(one)], vectors) == [None]


def test_two_values_of_one_key_are_never_near_duplicates():
    one = make_memory("spaces for indentation", key="editor.indent")
    two = make_memory("spaces for indentation everywhere", key="editor.indent", by="operator")
    assert decide_among([one, two], [], detect=True).keys() == {one.id, two.id}
    vectors = {one.id: (1.0, 0.0, 0.0), two.id: (1.0, 0.0, 0.0)}
    assert _fates([one, two], vectors=vectors) == [None, None]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Use Tabs", "use  tabs"),
        ("Use tabs", "  use\ttabs\n"),
        ("\uff35se tabs", "Use tabs"),
        ("Cafe\u0301", "café"),
        ("Straße", "STRASSE"),
    ],
)
def test_wording_is_the_same_in_any_case_spacing_and_form(first, second):
    assert wording_hash(first) == wording_hash(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [("Use tabs", "Use tabs."), ("Use tabs", "tabs Use"), ("30 days", "3 0 days"), ("a b", "ab")],
)
def test_other_words_are_another_wording(first, second):
    assert wording_hash(first) != wording_hash(second)


def test_the_order_of_scopes_can_be_another():
    memories = [_region("Oslo", scope="user"), _region("Bergen", scope="org", scope_id="acme")]
    pairs = [tuple(sorted(memory.id for memory in memories))]
    verdicts = decide_among(memories, pairs, detect=True, scopes=("org", "user"))
    assert _outranked_by(verdicts[memories[0].id]) == memories[1].id
