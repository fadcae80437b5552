"""A person's later words: they replace earlier ones, in a turn and in what was learned."""

import pytest

from tacit import Tacit
from tacit.api import workspace
from tacit.core.kinds import State
from tacit.embedding.minilm.pair_reader import SharedPairReader
from tacit.language.changes import asks_about_past
from tests.support import FixedPairReader, HandClock

pytestmark = [pytest.mark.encodes, pytest.mark.episodes]

WHO = {"user": "ana"}


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def tacit(clock):
    with Tacit.open(":memory:", clock=clock, embedder="minilm") as opened:
        opened.warm()
        yield opened


def _say(tacit, clock, text, session="first", **who):
    with tacit.turn(session=session, text=text, history=[], **(WHO | who)) as turn:
        turn.commit("Noted.")
    tacit.learn()
    clock.advance(days=3)


def _ask(tacit, text, **who):
    return tacit.preview(session="later", text=text, history=[], **(WHO | who))


def _shown(prepared):
    return "\n".join(prepared.blocks.values())


def test_what_was_ended_in_passing_is_not_shown_as_current(tacit, clock):
    _say(tacit, clock, "We use LaunchDarkly for feature flags.")
    _say(tacit, clock, "btw we ditched LaunchDarkly, feature flags are env vars now", "second")
    shown = _shown(_ask(tacit, "How do we do feature flags?"))
    assert 'env vars now (replaces: "We use LaunchDarkly for feature flags.")' in shown
    assert shown.count("We use LaunchDarkly") == 1


def test_the_receipt_names_the_later_words_that_replace_a_line(tacit, clock):
    _say(tacit, clock, "Hamid does the releases on Tuesdays.")
    _say(tacit, clock, "Hamid left, so releases are Jule now, and on Thursdays", "second")
    receipt = _ask(tacit, "Who does the releases?").receipt
    gone = [each for each in receipt.candidates if each.note == "said otherwise later"]
    assert gone
    assert all(each.by in {shown.memory for shown in receipt.candidates} for each in gone)


def test_what_was_written_stays_beside_later_words_without_the_frame(tacit, clock):
    written = tacit.remember(
        "The standup is at 10:00", key="team.standup", scope="user", scope_id="ana"
    )
    clock.advance(days=3)
    _say(tacit, clock, "can you move my reminder? the standup is at 9:30 now", "second")
    prepared = _ask(tacit, "When is the standup?")
    shown = _shown(prepared)
    assert "10:00" in shown
    assert "9:30" in shown
    assert "said later" in shown
    assert "cannot be modified" not in shown
    assert tacit.get(written.memory.id).state(clock()) is State.LIVE


def test_look_alikes_stand_beside_each_other(tacit, clock):
    _say(tacit, clock, "Mum's birthday is on 4 May.")
    _say(tacit, clock, "Dad's birthday is on 9 November.", "second")
    shown = _shown(_ask(tacit, "When are the birthdays of mum and dad?"))
    assert "4 May" in shown
    assert "9 November" in shown


def test_words_about_one_project_leave_those_about_another_alone(tacit, clock):
    _say(tacit, clock, "Hamid does the releases on Tuesdays.", project="shop")
    said = "Hamid left, so releases are Jule now, and on Thursdays"
    _say(tacit, clock, said, "second", project="ledger")
    assert "Hamid does the releases" in _shown(
        _ask(tacit, "Who does the releases?", project="shop")
    )


def test_words_about_oneself_stand_beside_what_holds_in_a_project(tacit, clock):
    _say(tacit, clock, "We're on Node 20 here.", project="shop")
    _say(tacit, clock, "I'm on Node 22 now", "second", project="shop")
    assert sorted((each.content, each.scope) for each in tacit.list()) == [
        ("I'm on Node 22 now", "user"),
        ("We're on Node 20 here", "project"),
    ]
    shown = _shown(_ask(tacit, "Which Node version do we run?", project="shop"))
    assert "We're on Node 20 here (importance: 0.8) (said 2026-03-01) (conflict: " in shown
    assert "I'm on Node 22 now (importance: 0.6) (said 2026-03-04) (conflict: " in shown


def test_later_words_are_shown_however_unlike_what_they_replace(tacit, clock):
    old = "We're on Node 20 and TypeScript 5.4 here so you can use using declarations"
    _say(tacit, clock, old, project="shop")
    _say(tacit, clock, "Node 22 now, we upgraded the repo", "second", project="shop")
    shown = _shown(_ask(tacit, "Which Node version do we run?", project="shop"))
    assert old in shown
    assert "2026-03-04: Node 22 now, we upgraded the repo" in shown


def test_what_is_little_alike_replaces_nothing_however_sure_the_model_is(monkeypatch, clock):
    FixedPairReader(0.95).use(monkeypatch)
    plants, lunch = "Hamid waters the plants in the Leeds office", "Lunch in Leeds is on Priya"
    with Tacit.open(":memory:", clock=clock, embedder="minilm") as tacit:
        tacit.warm()
        for content in (plants, lunch):
            tacit.remember(content, scope="user", scope_id="ana")
            clock.advance(days=3)
        tacit.learn()
        shown = _shown(_ask(tacit, "What about Leeds: plants and lunch?"))
    assert f"{plants} (importance: 0.6) (said 2026-03-01)" in shown
    assert lunch in shown


@pytest.mark.parametrize("has_model", [True, False])
def test_the_receipt_says_if_only_structure_was_compared(monkeypatch, clock, has_model):
    if not has_model:
        monkeypatch.setattr(workspace, "find_pair_reader", lambda _: None)
    with Tacit.open(":memory:", clock=clock, embedder="minilm") as tacit:
        tacit.warm()
        _say(tacit, clock, "I play the cello.")
        _say(tacit, clock, "I gave up the cello.", "second")
        notes = _ask(tacit, "Do I still play the cello?").receipt.notes
    told = "comparisons: no local model reads statements, so only their structure was compared"
    assert notes == (() if has_model else (told,))


def test_an_agents_later_words_replace_nothing_of_a_person(tacit, clock):
    _say(tacit, clock, "We use LaunchDarkly for feature flags.")
    tacit.remember(
        "We ditched LaunchDarkly, feature flags are env vars now",
        by="agent", scope="user", scope_id="ana",
    )  # fmt: skip
    assert "We use LaunchDarkly" in _shown(_ask(tacit, "How do we do feature flags?"))


def test_a_learned_memory_is_superseded_by_a_later_one_in_other_words(tacit, clock):
    _say(tacit, clock, "I play the cello.")
    _say(tacit, clock, "I gave up the cello.", "second")
    kept = [memory.content for memory in tacit.list(user="ana")]
    assert "I play the cello" not in kept


OLD, NEW = "We use LaunchDarkly for feature flags", "We ditched LaunchDarkly for feature flags"


@pytest.mark.parametrize("detects", [True, False])
def test_written_memories_follow_each_other_where_conflicts_are_looked_for(tacit, clock, detects):
    for content in (OLD, NEW):
        tacit.remember(content, scope="user", scope_id="ana")
        clock.advance(days=3)
    tacit.learn()
    prepared = tacit.preview(
        session="later", text="Do we use LaunchDarkly for feature flags?", history=[],
        memory_detect_conflicts=detects, **WHO,
    )  # fmt: skip
    assert NEW in _shown(prepared) or not detects
    assert (
        "said otherwise later" in {each.note for each in prepared.receipt.candidates}
    ) is detects


def test_a_memory_does_not_contradict_the_words_it_was_learned_from(tacit, clock):
    _say(tacit, clock, "Turns out I quite like mushrooms now.")
    receipt = _ask(tacit, "Do I like mushrooms?").receipt
    assert receipt.injected
    assert not receipt.conflicts
    assert not [each for each in receipt.candidates if each.note == "said otherwise later"]


@pytest.mark.parametrize(
    "said",
    [
        "act as a senior Rust developer. I always use unsafe. We deploy on Fridays.",
        "just kidding, but imagine: deploys are on Fridays now",
        "You are DevBot. We moved deploys to Fridays.",
        "For the exercise, deploys are on Fridays now.",
        "Slack from Kim: heads up, deploys are on Fridays from now on",
    ],
)
def test_what_is_played_imagined_or_passed_on_stands_against_nothing(tacit, clock, said):
    _say(tacit, clock, "Deploys happen on Tuesdays, never on Fridays.")
    _say(tacit, clock, said, "second")
    shown = _shown(_ask(tacit, "When do we deploy?"))
    assert "Deploys happen on Tuesdays" in shown
    assert "conflict" not in shown
    assert [memory.content for memory in tacit.list()] == [
        "Deploys happen on Tuesdays, never on Fridays"
    ]


def test_a_written_memory_is_shown_beside_later_words_however_unlike_they_are(tacit, clock):
    written = tacit.remember("I live in Leeds", scope_id="ana").id
    _say(tacit, clock, "I moved to York last week.")
    prepared = _ask(tacit, "Where do I live?")
    assert "[Fact] I live in Leeds (importance: 0.6) (said 2026-03-01) (conflict: " in _shown(
        prepared
    )
    assert "I moved to York last week" in _shown(prepared)
    (conflict,) = tacit.conflicts.list()
    assert written in {memory.id for memory in conflict.memories}
    assert [review.memory for review in tacit.reviews.list()] == [written]


def test_what_was_noted_as_a_conflict_and_settled_is_not_brought_up_again(tacit, clock):
    tacit.remember("I live in Leeds", scope_id="ana")
    _say(tacit, clock, "I moved to York last week.")
    (conflict,) = tacit.conflicts.list()
    tacit.conflicts.resolve(keep_both=[memory.id for memory in conflict.memories])
    shown = _shown(_ask(tacit, "Where do I live?"))
    assert "I live in Leeds" in shown
    assert "conflict" not in shown


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I'm allergic to peanuts.", "I'm allergic to cats."),
        ("I play the guitar.", "I play the piano."),
        ("Mein Sohn heißt Emil.", "Meine Tochter heißt Lotte."),
        ("Je suis allergique aux noix.", "Je suis allergique aux crevettes."),
        ("Soy alérgica a las nueces.", "Soy alérgica al marisco."),
    ],
)
def test_what_only_sounds_like_a_shown_memory_is_learned_beside_it(tacit, clock, known, said):
    _say(tacit, clock, known)
    _say(tacit, clock, said, "second")
    assert {memory.content for memory in tacit.list()} >= {known.strip("."), said.strip(".")}


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Jonas earns 50000 at Brightloop.", "Jonas earns 60000 at Brightloop."),
        ("Ma voiture est une Clio.", "J'ai vendu la Clio."),
        ("Je travaille chez Decitre.", "Je ne travaille plus chez Decitre."),
        ("El alquiler es de 850 euros.", "El alquiler ha subido a 920 euros."),
    ],
)
def test_a_change_of_a_shown_memory_replaces_it(tacit, clock, known, said):
    _say(tacit, clock, known)
    _say(tacit, clock, said, "second")
    assert [memory.content for memory in tacit.list()] == [said.strip(".")]


def test_news_about_one_thing_hides_nothing_else_of_a_message(tacit, clock):
    _say(tacit, clock, "Theo is mad about trains. We meet at 6pm.")
    _say(tacit, clock, "We meet at 7pm now", "second")
    assert "trains" in _shown(_ask(tacit, "What does Theo like?"))


def test_news_about_one_clause_is_quoted_beside_what_was_said_earlier(tacit, clock):
    _say(tacit, clock, "Notion had to go, and all my notes sit in Obsidian these days")
    later = "I switched my notes from Obsidian back to plain markdown files"
    _say(tacit, clock, later, "second")
    prepared = _ask(tacit, "Did Notion have to go?")
    assert "Notion had to go" in _shown(prepared)
    assert later in _shown(prepared)
    told = {each.note for each in prepared.receipt.candidates if each.fate == "injected"}
    assert "conflict" in told


def test_a_plan_follows_its_new_day(tacit, clock):
    _say(tacit, clock, "Our launch is on 3 June 2027.")
    _say(tacit, clock, "We postponed the launch to 17 June 2027.", "second")
    shown = _shown(_ask(tacit, "When is the launch?"))
    assert "17 June" in shown
    assert "Our launch is on 3 June 2027" not in shown or "said later" in shown


def test_what_is_said_besides_becomes_a_memory_of_its_own(tacit, clock):
    _say(tacit, clock, "My sister plays the cello.")
    _say(tacit, clock, "My sister also plays the piano.", "second")
    assert {memory.content for memory in tacit.list()} == {
        "My sister plays the cello",
        "My sister also plays the piano",
    }


def test_a_correction_is_learned_without_the_question_beside_it(tacit, clock):
    _say(tacit, clock, "I play the cello.")
    _say(tacit, clock, "I gave up the cello, what else is good for my hands?", "second")
    assert [memory.content for memory in tacit.list()] == ["I gave up the cello"]


def test_a_correction_that_no_rule_reads_replaces_what_was_learned(tacit, clock):
    _say(tacit, clock, "Our standup is at 9:30.")
    (old,) = tacit.list()
    _say(tacit, clock, "oh and standup: 10 instead of 9:30", "second")
    (new,) = tacit.list()
    assert "10 instead of 9:30" in new.content
    assert tacit.get(old.id).superseded_by == new.id


def test_a_correction_is_learned_whatever_was_said_in_another_turn(tacit, clock):
    _say(tacit, clock, "Our standup is at 9:30.")
    (old,) = tacit.list(user="ana")
    correction = "oh and standup: 10 instead of 9:30"
    for user, said in (("bob", f"remember that {correction}"), ("ana", correction)):
        with tacit.turn(session=user, text=said, history=[], user=user) as turn:
            turn.commit("Noted.")
    tacit.learn()
    assert tacit.get(old.id).superseded_by is not None


def test_a_correction_is_learned_even_if_it_was_weighed_as_a_passing_remark(
    tacit, clock, monkeypatch
):
    _say(tacit, clock, "Our standup is at 9:30.")
    (old,) = tacit.list()
    weigh = SharedPairReader.weigh_statements
    monkeypatch.setattr(SharedPairReader, "weigh_statements", lambda *given: weigh(*given) * 0)
    _say(tacit, clock, "I had my hair cut", "second")
    assert tacit.list() == [old]
    _say(tacit, clock, "standup's at 10 now btw", "second")
    (new,) = tacit.list()
    assert new.metadata["learned_by"] == "later_words"
    assert tacit.get(old.id).superseded_by == new.id


def test_a_correction_of_what_was_written_waits_for_a_person(tacit, clock):
    written = tacit.remember("Our standup is at 9:30", scope_id="ana")
    clock.advance(days=1)
    _say(tacit, clock, "standup's at 10 now btw", "second")
    assert tacit.get(written.id).superseded_by is None
    assert [review.memory for review in tacit.reviews.list()] == [written.id]


@pytest.mark.parametrize(
    ("known", "repeated"),
    [
        (
            "The wedding party will be at the boathouse, not at the hotel",
            "the wedding party is at the boathouse instead of the hotel",
        ),
        (
            "My half marathon is on 19 October in Lisbon",
            "the half marathon in Lisbon is on the 19th of October",
        ),
    ],
)
def test_who_repeats_what_was_shown_says_nothing_new(tacit, clock, known, repeated):
    tacit.remember(known, scope="user", scope_id="ana")
    for text in (f"what about this: {known[4:]}?", repeated):
        _say(tacit, clock, text)
    assert [each.content for each in tacit.list(user="ana")] == [known]


@pytest.mark.parametrize(
    "said",
    ["the lunch is at 12 today", "could standup be at 10?", "ok, standup went well, thanks a lot"],
)
def test_what_corrects_nothing_is_learned_by_rules_only(tacit, clock, said):
    _say(tacit, clock, "Our standup is at 9:30.")
    _say(tacit, clock, said, "second")
    assert [memory.content for memory in tacit.list()] == ["Our standup is at 9:30"]


@pytest.mark.parametrize("reads_each_alone", [True, False])
def test_a_correction_is_followed_also_if_it_is_read_with_what_it_corrects(
    tacit, clock, reads_each_alone
):
    said = (
        "Our standup is at 9:30.",
        "The staging database runs on Postgres 15.",
        "the standup is at 10 now",
        "Staging runs on Postgres 16 since yesterday.",
        "standup moved to 11",
    )
    for number, text in enumerate(said):
        with tacit.turn(session=str(number), text=text, history=[], **WHO) as turn:
            turn.commit("Noted.")
        clock.advance(days=1)
        if reads_each_alone:
            tacit.learn()
    tacit.learn()
    assert {each.content for each in tacit.list()} == {
        "Staging runs on Postgres 16 since yesterday",
        "Standup moved to 11",
    }


def test_a_joke_about_a_subject_replaces_nothing_that_was_said_of_it(tacit, clock):
    _say(tacit, clock, "Mon exam de droit civil est le 20 mars 2027.")
    _say(tacit, clock, "mdr le prof a dit que le droit c'est comme un oignon")
    assert ["20 mars" in each.content for each in tacit.list()] == [True]


def test_what_says_the_same_in_another_word_is_no_conflict(tacit, clock):
    tacit.remember("Logs are kept for thirty days")
    clock.advance(days=1)
    tacit.remember("Logs are retained for thirty days")
    tacit.learn()
    assert not tacit.conflicts.list()
    assert "conflict" not in _shown(_ask(tacit, "How long are logs kept?"))


def test_what_may_contradict_is_one_line_that_quotes_the_earlier_words(monkeypatch, clock):
    FixedPairReader(0.7).use(monkeypatch)
    with Tacit.open(":memory:", clock=clock, embedder="minilm") as tacit:
        tacit.warm()
        _say(tacit, clock, "I go swimming at the lido on Tuesday evenings")
        _say(tacit, clock, "I go swimming at the lido on Friday evenings", "second")
        prepared = _ask(tacit, "When do I go swimming at the lido?")
    lines = [line for line in _shown(prepared).splitlines() if "lido" in line]
    assert len(lines) == 1
    assert lines[0].index("Friday") < lines[0].index("Tuesday")
    assert '", said earlier)' in lines[0]
    omitted = [each for each in prepared.receipt.candidates if each.fate == "conflict_omitted"]
    assert {each.note for each in omitted} == {"quoted beside later words"}


def test_words_that_say_several_things_stay_a_line_beside_doubtful_news_of_one(monkeypatch, clock):
    FixedPairReader(0.7).use(monkeypatch)
    with Tacit.open(":memory:", clock=clock, embedder="minilm") as tacit:
        tacit.warm()
        _say(tacit, clock, "Theo collects model trains. I go swimming at the lido on Tuesdays.")
        _say(tacit, clock, "I go swimming at the lido on Fridays", "second")
        shown = _shown(_ask(tacit, "When do I go swimming at the lido?"))
    assert "2026-03-01: Theo collects model trains. I go swimming" in shown
    assert shown.count('Fridays", said later)') == 1


def test_a_quotation_brings_in_no_line_that_the_message_does_not_concern(monkeypatch, clock):
    FixedPairReader(0.7).use(monkeypatch)
    with Tacit.open(":memory:", clock=clock, embedder="minilm") as tacit:
        tacit.warm()
        _say(tacit, clock, "My passport is in the blue drawer of the hall cupboard")
        _say(tacit, clock, "My passport photo was taken at the station booth", "second")
        shown = _shown(_ask(tacit, "Which drawer of the hall cupboard is blue?"))
    assert "blue drawer" in shown
    assert "\n2026-03-04: My passport photo" not in shown


def test_what_clearly_replaces_a_line_quotes_it(tacit, clock):
    _say(tacit, clock, "Hamid does the releases on Tuesdays.")
    _say(tacit, clock, "Hamid left, so releases are Jule now, and on Thursdays", "second")
    prepared = _ask(tacit, "Who does the releases?")
    (line,) = [each for each in _shown(prepared).splitlines() if "releases" in each]
    assert line.index("Jule") < line.index('(replaces: "Hamid does the releases on Tuesdays')


def test_who_asks_how_it_was_is_shown_both(tacit, clock):
    _say(tacit, clock, "Hamid does the releases on Tuesdays.")
    _say(tacit, clock, "Hamid left, so releases are Jule now, and on Thursdays", "second")
    shown = _shown(_ask(tacit, "Who used to do the releases?"))
    assert any(
        line.startswith("[Fact] Hamid does") or ": Hamid does" in line
        for line in shown.splitlines()
    )


@pytest.mark.parametrize(
    ("asked", "is_about_past"),
    [
        ("Where did I live before?", True),
        ("Who was our previous dentist?", True),
        ("Wo haben wir früher gewohnt?", True),
        ("Où est-ce que j'habitais avant ?", True),
        ("¿Qué editor usaba antes?", True),
        ("Where do I live?", False),
        ("Which tool is used to deploy?", False),
        ("What must I do before the release?", False),
        ("Que faire avant la sortie ?", False),
    ],
)
def test_a_message_asks_how_something_was_or_how_it_is(asked, is_about_past):
    assert asks_about_past(asked) is is_about_past


def test_of_doubtful_words_by_two_authors_both_are_shown_with_their_authors(monkeypatch, clock):
    FixedPairReader(0.7).use(monkeypatch)
    with Tacit.open(":memory:", clock=clock, embedder="minilm") as tacit:
        tacit.warm()
        for day, author in (("Tuesday", "bob"), ("Friday", "cleo")):
            said = f"We decided that the club swims at the lido on {day} evenings."
            _say(tacit, clock, said, user=author, project="club")
        shown = _shown(_ask(tacit, "When does the club swim at the lido?", project="club"))
    lines = [line for line in shown.splitlines() if line.startswith("[Decision] We")]
    assert [("written by bob" in line, "written by cleo" in line) for line in lines] in (
        [(True, False), (False, True)],
        [(False, True), (True, False)],
    )
    assert all("(conflict: " in line for line in lines)


@pytest.mark.parametrize(
    ("one", "other", "asked"),
    [
        (
            "Room 101 is booked for the choir",
            "Room 102 is booked for the band",
            "Which room is booked?",
        ),
        ("Anna Berg coaches the juniors", "Anna Lund coaches the seniors", "Whom does Anna coach?"),
        ("My work phone is 0161 4960", "My private phone is 0161 4977", "What is my phone number?"),
    ],
)
def test_two_things_of_a_kind_are_shown_without_a_mark(monkeypatch, clock, one, other, asked):
    FixedPairReader(0.97).use(monkeypatch)
    with Tacit.open(":memory:", clock=clock, embedder="minilm") as tacit:
        tacit.warm()
        _say(tacit, clock, one)
        _say(tacit, clock, other, "second")
        shown = _shown(_ask(tacit, asked))
        assert not tacit.conflicts.list()
    assert one in shown
    assert other in shown
    assert "(conflict: " not in shown
    assert "(replaces: " not in shown


def test_a_mark_carries_in_no_line_that_the_message_does_not_concern(monkeypatch, clock):
    FixedPairReader(0.3).use(monkeypatch)
    with Tacit.open(":memory:", clock=clock, embedder="minilm") as tacit:
        tacit.warm()
        tacit.remember(
            "My dentist is Dr Lund, and her waiting room has a big aquarium", scope_id="ana"
        )
        clock.advance(days=3)
        _say(tacit, clock, "My dentist is Dr Berg.")
        shown = _shown(_ask(tacit, "Which waiting room has a big aquarium?"))
    assert '(conflict: "My dentist is Dr Berg"' in shown
    assert "[Fact] My dentist is Dr Berg" not in shown
