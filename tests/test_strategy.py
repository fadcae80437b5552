"""Which memory a message needs, and why."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import ArchiveError, InvalidInput
from tacit.evals.context_needs import evaluate_strategy
from tacit.evals.corpus import SetHalf, load_entries
from tacit.language.strategy import (
    CUE_KINDS,
    DEFAULT_CUES,
    Strategy,
    StrategyCues,
    choose_strategy,
    extend_cues,
)

SMALL_TALK = """
hi | Hello! | hey | yo | sup | thanks | Thank you!! | ok | okay | cool | nice | are you there?
how are you? | what's up | What’s up?! | heyyy | thaaanks 🙏 | ok cool, thanks
good morning everyone | Guten Morgen! | Danke dir | Prima, danke | wie geht's? | bonjour
ça va ? | merci beaucoup | ¡Hola! | muchas gracias | olá, tudo bem?
obrigado | ciao, come stai? | grazie mille | 你好
"""
CONTINUITY = """
as we discussed | as we talked about | earlier you had two | and before? | the previous one
your last message | like last time | remember? | you said five | I said no | we said friday
follow up on it | follow-up: they called | continue from step 4 | what did we talk about?
what changed? | hi, what changed? | as I mentioned, no nuts | where were we?
wie besprochen, bitte kürzer | Du hast doch gesagt, drei | was hat sich geändert? | letztes Mal
comme convenu | tu m'as dit jeudi | la dernière fois | tu te souviens ?
como hablamos | me dijiste cinco | ¿te acuerdas? | la ultima vez
você disse cinco | o que mudou? | lembra? | hai detto cinque | ti ricordi? | cosa è cambiato?
"""
DOCUMENTS = """
the docs | Documentation? | README | open README.md | our refund policy | pricing | which file
where is the script | where's the script | in workspace | in our workspace | the knowledge base
my repo | the repository | our codebase | search the logs | find the folder | look up the path
lookup the task | the project folder | find foo.md | who owns the project | what is in notes.md?
thanks! where is the script | Wo ist das Skript? | in welcher Datei | die Rückgaberichtlinie
Such die Logdatei | où est le script ? | dans quel fichier | notre politique de retour
cherche le dossier | ¿dónde está el guion? | busca la carpeta | la documentación
onde está o roteiro? | a documentação | dov'è lo script? | quale file | cerca la cartella
"""
NOTHING = """
what's the boiling point of ethanol? | write a limerick | explain main.py | rename config.yaml
upgrade to v2.1 | 3.14 | search for rhymes | find me a synonym | the project is late | yes please
my profile is empty? | a blog about prologues? | is Node.js older? | the doctor called?
what does os.path.join do? | is_file_ready? | mail bob@example.com | e.g. this one | rename foo.md
console.info is noisy | ASP.NET | it is done.It works | traduce esto: buenas
"""


def cells(table):
    return [cell.strip() for cell in table.replace("\n", "|").split("|") if cell.strip()]


@pytest.mark.parametrize("text", cells(SMALL_TALK))
def test_small_talk_needs_nothing(text):
    choice = choose_strategy(text)
    assert (choice.strategy, choice.reason) == (Strategy.NONE, "small talk")
    assert choice.is_small_talk


@pytest.mark.parametrize("text", cells(CONTINUITY))
def test_what_refers_back_needs_the_conversation(text):
    choice = choose_strategy(text)
    assert choice.strategy is Strategy.TAIL
    assert choice.reason == f"continuity: {choice.matched[0]}"


@pytest.mark.parametrize("text", cells(DOCUMENTS))
def test_what_asks_for_documents_needs_them(text):
    choice = choose_strategy(text)
    assert choice.strategy is Strategy.QMD
    assert choice.matched


@pytest.mark.parametrize("text", cells(NOTHING))
def test_what_names_nothing_of_the_workspace_needs_no_documents(text):
    choice = choose_strategy(text)
    assert (choice.strategy, choice.reason) == (Strategy.NONE, "no cue")
    assert not choice.is_small_talk


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("see https://status.example.io/incidents?x=1 now", "status.example.io"),
        ("see www.example.pizza", "www.example.pizza"),
        ("example.com", "example.com"),
        ("what does Example.co.uk/faq say", "example.co.uk"),
        ("schau auf bäckerei-lindner.de nach", "bäckerei-lindner.de"),
        ("is it up (example.com)?", "example.com"),
        ("thanks! example.com", "example.com"),
        ("earlier I saw example.com.", "example.com"),
    ],
)
def test_an_address_needs_documents(text, host):
    assert (choose_strategy(text).strategy, choose_strategy(text).reason) == (
        Strategy.QMD,
        f"url: {host}",
    )


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("the error from earlier, is it in the docs?", "documents: docs (2)"),
        ("before lunch, find the path", "documents: find, path (2)"),
        ("who owns the project, remember?", "question with anchor: project"),
        ("can you find the previous slogan?", "continuity: previous"),
        ("what changed in the repo?", "continuity: what changed"),
        ("you said https://example.com was fine", "continuity: you said"),
        ("the docs docs docs", "documents: docs (2)"),
        ("which file is in the repository", "documents: which file, repository (4)"),
        ("Du hast mir die Nummer gesagt", "continuity: du … gesagt"),
    ],
)
def test_of_several_cues_the_one_that_weighs_most_is_the_reason(text, reason):
    assert choose_strategy(text).reason == reason


@pytest.mark.parametrize("text", ["", "  \n", "👍", "???", "🎉 !!"])
def test_a_message_without_words_keeps_the_conversation(text):
    choice = choose_strategy(text)
    assert (choice.strategy, choice.reason) == (Strategy.NONE, "no words")
    assert not choice.is_small_talk


def test_case_accents_and_punctuation_make_no_difference():
    said = {choose_strategy(text).reason for text in ("¿QUÉ CAMBIÓ?", "que cambio", "qué, cambió…")}
    assert said == {"continuity: que cambio"}


def test_pasted_code_and_logs_say_nothing():
    pasted = (
        'why?\n```\nopen(path)  # where is the file, see docs\n```\n  File "a.py", line 3, in log'
    )
    assert choose_strategy(pasted).reason == "no cue"


def test_of_a_long_text_the_beginning_and_the_end_count():
    filler = "lorem ipsum " * 500
    assert choose_strategy(f"{filler} the docs {filler}").strategy is Strategy.NONE
    assert choose_strategy(f"{filler} in the docs").strategy is Strategy.QMD
    assert choose_strategy(f"in the docs {filler}").strategy is Strategy.QMD


@given(st.text(max_size=300))
def test_any_text_gets_one_answer(text):
    choice = choose_strategy(text)
    assert choice == choose_strategy(text)
    assert choice.reason
    assert choice.is_small_talk == (choice.reason == "small talk")


@given(st.sampled_from(cells(SMALL_TALK)), st.sampled_from(["quark", "the docs", "remember it"]))
def test_small_talk_inside_a_message_decides_nothing(phrase, rest):
    assert not choose_strategy(f"{phrase} {rest}").is_small_talk
    assert choose_strategy(f"{phrase}. {rest}").strategy is choose_strategy(rest).strategy


def test_a_workspace_adds_cues_of_its_own():
    own = {
        "strong": ["handbook", "price/cost list"],
        "continuity": ["on the phone (you) * promised"],
        "anchors": ["-board"],
        "domains": ["example"],
    }
    cues = extend_cues(DEFAULT_CUES, own)
    assert choose_strategy("the HANDBOOK", cues).reason == "documents: handbook (2)"
    assert choose_strategy("a cost list", cues).strategy is Strategy.QMD
    assert (
        choose_strategy("on the phone you had really promised", cues).reason
        == "continuity: on … promised"
    )
    assert choose_strategy("find the whiteboard", cues).strategy is Strategy.QMD
    assert choose_strategy("shop.example", cues).reason == "url: shop.example"
    assert choose_strategy("the docs", cues).strategy is Strategy.QMD
    assert choose_strategy("the handbook").strategy is Strategy.NONE


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"loud": ["x"]}, "loud: is no kind of cue; there are small_talk, company"),
        ({"strong": "handbook"}, "strong: must be a list"),
        ({"strong": [3]}, "strong: 3 is no text"),
        ({"strong": [""]}, "no word that must be there"),
        ({"strong": ["(maybe) *"]}, "no word that must be there"),
        ({"strong": ["a (b c) d"]}, r"'\(b' cannot be read"),
        ({"strong": ["a//b"]}, "'a//b' cannot be read"),
        ({"strong": ["-"]}, "'-' cannot be read"),
    ],
)
def test_a_cue_that_cannot_be_read_is_refused_with_its_kind(more, message):
    with pytest.raises(InvalidInput, match=message):
        extend_cues(DEFAULT_CUES, more)


def test_the_cues_that_come_with_tacit_are_well_written():
    written = {kind: list(getattr(DEFAULT_CUES, kind)) for kind in CUE_KINDS}
    assert extend_cues(StrategyCues(), written) == DEFAULT_CUES


def test_every_message_of_the_open_half_gets_what_it_needs():
    messages = load_entries("strategy", SetHalf.DEV)
    assert [m["id"] for m in messages if choose_strategy(m["text"]).strategy != m["strategy"]] == []


@pytest.fixture
def messages(tmp_path):
    lines = [
        {"id": "m1", "text": "hi", "strategy": "none"},
        {"id": "m2", "text": "the docs", "strategy": "qmd"},
        {"id": "m3", "text": "the docs", "strategy": "tail"},
        {"id": "m4", "text": "you said", "strategy": "tail"},
    ]
    path = tmp_path / "messages.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_strategy_is_measured_over_all_and_by_strategy(messages):
    seen = []
    figures = evaluate_strategy(messages, lambda done, total: seen.append((done, total)))
    assert (figures["accuracy"], figures["messages"]) == (0.75, 4)
    assert figures["qmd"] == {"precision": 0.5, "recall": 1, "messages": 1}
    assert figures["tail"] == {"precision": 1, "recall": 0.5, "messages": 2}
    assert figures["failures"] == ["m3 needs tail, got qmd (documents: docs (2)): the docs"]
    assert seen[-1] == (4, 4)


def test_the_command_prints_figures_and_failures(run, messages):
    ran = run("eval", "strategy", "--data", messages)
    assert ran.code == 0
    assert "accuracy" in ran.out
    assert "m3 needs tail" in ran.out


@pytest.mark.parametrize("line", ['{"id": "m1"}', '{"id": "1", "text": "", "strategy": "x"}', "["])
def test_a_file_that_is_no_set_of_messages_is_refused(line, tmp_path):
    path = tmp_path / "other.jsonl"
    path.write_text(line)
    with pytest.raises(ArchiveError, match=r"other\.jsonl"):
        evaluate_strategy(path, lambda *_: None)


def test_a_cue_that_leaves_too_much_open_is_refused():
    for cue in ("a * * * * * zz", "a " + "(a) " * 9 + "zz"):
        with pytest.raises(InvalidInput, match="leaves too much open"):
            extend_cues(StrategyCues(), {"strong": [cue]})


@pytest.mark.parametrize(
    ("kind", "cue", "text"),
    [
        ("strong", "a * * * * zz", "a " * 600),
        ("strong", "a " + "(a) " * 8 + "zz", "a " * 600),
        ("strong", "a/-a/-aa/-aaa " * 20 + "zz", "aaa " * 300),
        ("small_talk", "a" * 40 + "b", "a" * 600),
    ],
)
def test_no_cue_takes_long_over_a_text_that_it_is_not_in(kind, cue, text):
    assert choose_strategy(text, extend_cues(StrategyCues(), {kind: [cue]})).matched == ()
