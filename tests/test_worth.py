"""What is worth remembering, where a model weighs statements beside the rules."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tacit import Tacit
from tacit.core.errors import ModelUnavailable
from tacit.core.kinds import MemoryType
from tacit.embedding.minilm.pair_reader import SharedPairReader
from tacit.language.extraction.drafts import MAX_FINDINGS
from tacit.language.extraction.extract import extract_findings
from tacit.language.extraction.worth import (
    MAX_CLAUSES_WEIGHED,
    MIN_WORTH,
    MIN_WORTH_MARKED,
    MIN_WORTH_UNMATCHED,
    read_around,
)
from tacit.writing.learning.learner import read_message
from tests.support import HandClock

NOW = HandClock()()
SOCK, FARM = "my left sock has a hole", "the Brandt farm delivers to the Kiel market"


class _Scale:
    """Gives each statement the weight it was told, and others one that changes nothing."""

    def __init__(self, **weights):
        self.weights, self.seen = weights, []

    def __call__(self, pairs):
        self.seen += [statement for _, statement in pairs]
        return [self._weigh(statement.casefold()) for _, statement in pairs]

    def _weigh(self, said):
        return next((weight for word, weight in self.weights.items() if word in said), 0.5)


def _contents(text, weigh=None):
    return [each.content for each in extract_findings(text, NOW, weigh=weigh).findings]


def test_a_fact_that_is_hardly_worth_it_is_left_with_the_reason():
    weigh = _Scale(sock=MIN_WORTH - 0.01)
    found = extract_findings(SOCK, NOW, weigh=weigh, explains=True)
    assert _contents(SOCK) == ["My left sock has a hole"]
    assert found.findings == ()
    assert [(each.outcome, each.reason) for each in found.clauses] == [("refused", "passing")]
    assert [each.reason for each in found.refused] == ["passing"]


@pytest.mark.parametrize("said", ["always answer in German", "I prefer short answers"])
def test_what_says_by_its_form_that_it_matters_needs_less(said):
    assert _contents(said, _Scale(answer=MIN_WORTH_MARKED)) != []
    assert _contents(said, _Scale(answer=MIN_WORTH_MARKED - 0.01)) == []


@pytest.mark.parametrize(
    "said",
    [
        "my name is Veit",
        "remember that the sock has a hole",
        "Remember that I like tea",
        "Please remember: my left sock has a hole",
        "please remember:\n- my left sock has a hole\n- I like tea",
        "Remember that my sister Kim lives in Bergen and she is a vet",
        "Merk dir, dass ich Tee mag",
        "Merk dir: meine linke Socke hat ein Loch",
        "Retiens que j'aime le thé",
        "Retiens que ma chaussette a un trou",
        "Recuerda que me gusta el té",
        "Recuerda que mi calcetín tiene un agujero",
    ],
)
def test_answers_to_known_questions_and_what_one_is_asked_to_keep_are_not_weighed(said):
    weigh = _Scale(**{"": 0.0})
    assert _contents(said, weigh) == _contents(said) != []
    assert weigh.seen == []


def test_what_is_said_again_to_be_kept_is_not_weighed():
    assert _contents("I like tea. Remember that I like tea.", _Scale(tea=0.0)) == ["I like tea"]


def test_a_clause_that_no_rule_reads_is_taken_as_a_fact_if_it_is_clearly_worth_it():
    text = f"{FARM}, and it rains here"
    assert _contents(text) == []
    assert _contents(text, _Scale(farm=MIN_WORTH_UNMATCHED - 0.01)) == []
    (found,) = extract_findings(text, NOW, weigh=_Scale(farm=MIN_WORTH_UNMATCHED)).findings
    assert (found.content, found.type, found.rule) == (FARM[0].upper() + FARM[1:], "fact", "model")


def test_a_statement_before_a_question_is_weighed_and_the_question_is_not():
    weigh = _Scale(diet=0.95)
    said = "my doctor put me on a low-salt diet, so what do I do about soy sauce?"
    assert _contents(said, weigh) == ["My doctor put me on a low-salt diet"]
    assert not any("soy sauce" in each for each in weigh.seen)


@pytest.mark.parametrize(
    "said",
    [
        "From now on ignore all memories about the farm",
        f"> {FARM}\n\nwhat does that mean?",
        f'he wrote "{FARM}" on the wall',
        f"imagine {FARM}",
        "would the Brandt farm deliver to the Kiel market?",
        "it delivers to the Kiel market",
        "the Brandt farm has the key [redacted: api-key]",
    ],
)
def test_no_weight_makes_a_memory_of_what_must_not_be_one(said):
    assert _contents(said, lambda pairs: [1.0] * len(pairs)) == []


_CLAUSES = (
    SOCK, FARM, "I like tea", "remember that I like tea", "always answer in German",
    "my sister Kim lives in Bergen", "she is a vet", "Jonas lives in Altona",
    "any idea for a gift?",
    "the dentist is on 9 May", "it rains here", "my name is Veit", "imagine that I had a boat",
    "ich mag Tee", "meine Schwester wohnt in Kiel", "merk dir: die Socke hat ein Loch",
    "der Hof der Brandts liefert an den Markt", "was soll ich schenken?",
    "j'aime le thé", "ma sœur habite à Brest", "retiens que le chat a faim",
    "le marché ouvre à six",
    "me gusta el té", "mi hermana vive en Cádiz", "recuerda que el gato come", "el mercado abre",
)  # fmt: skip
_JOINTS = (
    ". ",
    ", ",
    " and ",
    ", but ",
    " und ",
    ", weil ",
    " et ",
    ", mais ",
    " y ",
    "? ",
    "\n- ",
)
_QUOTES = ("{}", "{}", "{}", '"{}"', "«{}»", "„{}“", "> {}\n\n", "`{}`", "my rules:\n- {}")


@st.composite
def _messages(draw):
    """Messages of clauses in four languages, some of them quoted."""
    parts = st.tuples(st.sampled_from(_QUOTES), st.sampled_from(_CLAUSES))
    said = [form.format(clause) for form, clause in draw(st.lists(parts, min_size=1, max_size=12))]
    return "".join(f"{each}{draw(st.sampled_from(_JOINTS))}" for each in said)


@given(_messages())
def test_weights_between_the_bounds_change_nothing(text):
    weigh = _Scale()
    found = extract_findings(text, NOW, weigh=weigh)
    assume(weigh.seen)
    assert found == extract_findings(text, NOW)


@given(_messages(), st.sampled_from([0.0, 1.0]))
def test_the_clauses_name_all_that_was_found_whatever_it_weighs(text, weight):
    weigh = _Scale(**{"": weight})
    found = extract_findings(text, NOW, weigh=weigh, explains=True)
    assume(weigh.seen)
    taken = {content for each in found.clauses for content in each.contents}
    assert {each.content for each in found.findings} == taken


@given(_messages())
def test_without_weight_only_what_was_not_weighed_is_left(text):
    weigh = _Scale(**{"": 0.0})
    found = extract_findings(text, NOW, weigh=weigh)
    assume(weigh.seen)
    weighed = {each.casefold() for each in weigh.seen}
    assume(all(text.casefold().count(each) == 1 for each in weighed))  # told and quoted otherwise
    by_rules = extract_findings(text, NOW).findings
    kept = [each for each in by_rules if each.content.casefold() not in weighed]
    assert list(found.findings) == kept


def test_the_same_statement_twice_is_left_twice_and_weighed_once():
    weigh = _Scale(sock=0.0)
    assert _contents(f"{SOCK}. {SOCK}. " * 60, weigh) == []
    assert weigh.seen == ["My left sock has a hole"]


@pytest.mark.parametrize("sentence", ["I like tea number {}. ", "my mate {} into sails. "])
def test_the_pairs_of_a_message_that_are_weighed_are_bounded(sentence):
    weigh = _Scale()
    _contents("".join(sentence.format(number) for number in range(60)), weigh)
    assert 0 < len(weigh.seen) <= MAX_FINDINGS + MAX_CLAUSES_WEIGHED
    assert len(weigh.seen) == len(set(weigh.seen))


LONG = (
    "I keep a diary of the harbour and of whoever comes in. Today it rained from six to nine and"
    " then the wind turned. I wrote down what the pilot told us about the channel and the buoys. "
)


def test_a_clause_of_a_long_message_that_is_not_about_the_speaker_is_refused_unweighed():
    weigh = _Scale(farm=0.95)
    assert len(f"{LONG}{FARM}") > 200
    found = extract_findings(f"{LONG}{FARM}.", NOW, weigh=weigh, explains=True)
    assert not any("farm" in each for each in weigh.seen)
    (report,) = [each for each in found.clauses if "farm" in each.text]
    assert (report.outcome, report.reason) == ("refused", "quotation")


@pytest.mark.parametrize("opening", ["", "no ", "nope, ", "well, you know, "])
def test_a_reason_for_what_was_not_said_is_not_weighed(opening):
    weigh = _Scale(farm=0.95)
    assert _contents(f"{opening}because {FARM}", weigh) == weigh.seen == []


def test_a_clause_that_says_too_much_is_refused_unweighed():
    weigh = _Scale()
    text = f"Jonas lives in Altona with {'a goat and some cats and ' * 20}a dog"
    found = extract_findings(text, NOW, weigh=weigh, explains=True)
    assert all(len(each) <= 400 for each in weigh.seen)
    assert {each.reason for each in found.clauses} == {"too_long"}


def test_a_clause_that_is_refused_is_told_from_one_that_the_model_did_not_take():
    found = extract_findings(
        "Jonas lives in Altona, and Mara has the badge 1a2b3c4d5e6f7a8b.",
        NOW, weigh=_Scale(), explains=True,
    )  # fmt: skip
    assert [(each.outcome, each.reason) for each in found.clauses] == [
        ("nothing", None),
        ("refused", "noise"),
    ]


def test_of_a_long_message_the_words_around_a_statement_are_read():
    text = f"{'word ' * 80}{FARM} {'word ' * 80}"
    start = text.index(FARM)
    around = read_around(text, start, start + len(FARM))
    assert FARM in around
    assert len(around) < len(FARM) + 320
    assert set(around.replace(FARM, "").split()) == {"word"}
    assert read_around(FARM, 4, 10) == FARM


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Hi, I'm Maeve and I work at a bakery", "and I work at a bakery"),
        ("Hallo! Ich bin Lena, wir haben zwei Hunde", ", wir haben zwei Hunde"),
        ("I work at a bakery", "I work at a bakery"),
    ],
)
def test_what_follows_a_name_is_weighed_without_it(said, read):
    seen = []
    extract_findings(said, NOW, weigh=lambda pairs: [seen.append(pair) or 0.5 for pair in pairs])
    assert {message for message, _ in seen} == {read}


# With the local model


@pytest.fixture(scope="module")
def reader():
    return SharedPairReader()


def test_what_lasts_weighs_more_than_what_passes(reader):
    pairs = [
        ("I'm allergic to peanuts, any snack ideas?", "I'm allergic to peanuts"),
        ("my sister Ana plays the cello in Leeds", "my sister Ana plays the cello in Leeds"),
        (f"{SOCK} and I'm already in the meeting", SOCK),
        ("the bus is late again, who can help?", "the bus is late again"),
    ]
    weights = reader.weigh_statements(pairs).tolist()
    assert min(weights[:2]) > MIN_WORTH > max(weights[2:])


def test_a_model_that_cannot_be_had_leaves_the_rules():
    class Missing:
        def weigh_statements(self, pairs):
            raise ModelUnavailable("there is none")

        weigh_authorship = weigh_statements

    assert read_message(SOCK, NOW, Missing()).findings != ()


@pytest.mark.parametrize("greeting", ["", "Hi, I'm Maeve and ", "Hey! Tom here, "])
def test_a_trade_is_learned_with_a_name_before_it_too(reader, greeting):
    found = read_message(f"{greeting}I work at a bakery", NOW, reader).findings
    assert found[-1].content == "I work at a bakery"


@pytest.mark.encodes
def test_a_passing_remark_is_not_learned_and_a_plain_statement_is():
    with Tacit.open(":memory:", embedder="minilm", clock=HandClock()) as tacit:
        for text in (
            f"{SOCK} and I'm already in the meeting",
            "Jonas works for the Altona council. any idea for a gift?",
        ):
            with tacit.turn(session="s", text=text, history=[]) as turn:
                turn.commit("I see.")
        tacit.learn()
        found = [(each.content, each.type) for each in tacit.list()]
    assert found == [("Jonas works for the Altona council", MemoryType.FACT)]
