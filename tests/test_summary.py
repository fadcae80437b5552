"""Summaries: what survives of a transcript, and what does not."""

import json
import os
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.errors import ModelUnavailable
from tacit.embedding.llm import LLMSummarizer
from tacit.evals.summaries import evaluate_summaries
from tacit.turn.summarizer import ExtractiveSummarizer
from tests.fake_llm import Reply, fake_llm

_HEADINGS = {"Decisions:", "Facts:", "Open questions:"}


def _summary(*lines, characters=600):
    return ExtractiveSummarizer().summarize("\n".join(lines), characters)


_TRACE = "\n".join(
    ["[Tool Result]: Traceback (most recent call last):"]
    + [f'  File "/app/worker{n}.py", line {n}, in run\n    step{n}(queue)' for n in range(20)]
    + ["ConnectionError: the broker refused the connection"]
)

_PROJECT = (
    "User: Hi there!",
    "Assistant: Hello! How can I help you today?",
    "User: We decided to use Postgres because MySQL lacks transactional DDL.",
    "Assistant: Great, thanks!",
    "User: The staging server listens on port 8443.",
    "Assistant: Sounds good!",
    '[Tool Call: read(path="src/deploy.py")]',
    _TRACE,
    "User: Marguerite owns the billing migration.",
    "Assistant: Okay, thanks a lot!",
    "User: Please put the release notes into docs/releases.md.",
    "User: Who pays for the second cluster?",
)


@pytest.mark.parametrize(
    "kept",
    [
        "We decided to use Postgres because MySQL lacks transactional DDL.",
        "The staging server listens on port 8443.",
        "Marguerite owns the billing migration.",
        "Please put the release notes into docs/releases.md.",
        "Who pays for the second cluster?",
    ],
)
def test_what_matters_survives(kept):
    assert kept in _summary(*_PROJECT)


@pytest.mark.parametrize(
    "left_out", ["thanks", "Hello", "Sounds good", "File", "step3", "Tool Call"]
)
def test_chatter_and_noise_do_not_survive(left_out):
    assert left_out not in _summary(*_PROJECT, characters=10_000)


def test_decisions_and_open_questions_stand_under_headings_with_who_said_them():
    lines = _summary(*_PROJECT).splitlines()
    assert lines[0] == "Decisions:"
    assert lines[1].startswith("- User: We decided to use Postgres")
    assert lines.index("Facts:") < lines.index("Open questions:")
    assert lines[-1] == "- User: Who pays for the second cluster?"


def test_facts_alone_need_no_heading():
    assert _summary("User: My sister Ines lives in Porto.") == (
        "- User: My sister Ines lives in Porto."
    )


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The port is 8080.", "The port is 9090."),
        ("My favourite editor is Vim.", "My favourite editor is Helix."),
        ("We use MySQL for billing.", "We use Postgres for billing."),
        ("The release is on Monday.", "The release is on Thursday."),
    ],
)
def test_a_later_value_replaces_an_earlier_one(earlier, later):
    made = _summary(f"User: {earlier}", "Assistant: Noted.", f"User: {later}")
    assert later in made
    assert earlier not in made


def test_of_many_values_only_the_last_is_kept():
    made = _summary(*(f"User: The port is {number}." for number in range(8000, 8060)))
    assert made == "- User: The port is 8059."


@pytest.mark.slow
def test_every_process_makes_the_same_summary():
    script = (
        "from tacit.turn.summarizer import ExtractiveSummarizer;import sys;"
        "print(ascii(ExtractiveSummarizer().summarize(sys.argv[1], 250)))"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", script, "\n".join(_PROJECT)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(made) == 1


def test_a_repeated_statement_is_kept_once():
    said = "User: The invoices go to the Hamburg office."
    assert _summary(said, "Assistant: Sure.", said).count("Hamburg") == 1


def test_sentences_keep_their_order():
    made = _summary(
        "User: The crew flies to Lisbon in March.",
        "Assistant: The hotel there has twelve rooms.",
        "User: Rafael brings the cameras.",
    )
    assert made.index("Lisbon") < made.index("hotel") < made.index("Rafael")


def test_an_answered_question_is_not_open_but_a_deferred_one_is():
    answered = _summary("User: Which region hosts the backups?", "Assistant: Frankfurt hosts them.")
    deferred = _summary("User: Which region hosts the backups?", "Assistant: I'm not sure yet.")
    assert "Open questions:" not in answered
    assert "Open questions:\n- User: Which region hosts the backups?" in deferred


def test_a_question_passed_over_stays_open():
    made = _summary(
        "User: Who signs the Oslo contract? Also, the budget is 40,000 euros.",
        "Assistant: I noted a budget of 40,000 euros.",
    )
    assert "Open questions:\n- User: Who signs the Oslo contract?" in made


def test_a_short_answer_comes_with_its_question():
    made = _summary("Assistant: Which port does the gateway use?", "User: 8443.")
    assert made == "- Assistant: Which port does the gateway use?\n- User: 8443."


def test_an_older_summary_is_carried_over_with_its_speakers():
    older = _summary(*_PROJECT)
    made = _summary(
        f"[Compaction Summary]: {older}",
        "User: The weather was fine at lunch.",
        "Assistant: The canteen had soup.",
        characters=330,
    )
    assert "- User: We decided to use Postgres" in made
    assert "8443" in made
    assert made.count("Decisions:") == 1


def test_speakers_go_by_their_own_names():
    made = _summary("Caroline: I adopted two kittens in May.", "Mel: Wow!", "Caroline: Thanks!")
    assert made == "- Caroline: I adopted two kittens in May."


def test_code_is_left_out_and_the_words_around_it_stay():
    made = _summary("User: The parser in tables.py loses rows.", "```", "rows = None", "```")
    assert made == "- User: The parser in tables.py loses rows."


@pytest.mark.parametrize(
    "decision",
    [
        "Wir haben beschlossen, den Server nach Zürich zu verlegen.",
        "Nous avons décidé de garder le serveur à Lyon.",
        "Decidimos mover el servidor a Madrid.",
    ],
)
def test_decisions_are_known_in_other_languages(decision):
    assert _summary(f"User: {decision}") == f"Decisions:\n- User: {decision}"


def test_a_sentence_longer_than_everything_is_cut_at_a_word():
    made = _summary("User: The archive holds nineteen thousand scanned letters.", characters=30)
    assert made == "- User: The archive holds…"


def test_pleasantries_alone_leave_nothing():
    assert _summary("User: Hi!", "Assistant: Hello, how are you?", "User: Great, thanks!") == ""


_SENTENCES = st.sampled_from(
    [
        "We decided to keep Redis.", "Thanks!", "The port is 8080.", "The port is 9090.",
        "Where is the Lisbon office?", "I don't know.", "My dog is called Bruno.", "e.g. this",
        "Dr. Weiß likes tea.", "会議は月曜日です。", "- a list", "```", "Open questions:", "8443.",
    ]
)  # fmt: skip
_PREFIXES = st.sampled_from(
    ["User: ", "Assistant: ", "[Tool Result]: ", "[Tool Call: run(", "[Compaction Summary]: ",
     "Ann: ", "", "- User: "]
)  # fmt: skip
_LINES = st.builds(lambda prefix, said: prefix + " ".join(said), _PREFIXES, st.lists(_SENTENCES))
_TRANSCRIPTS = st.lists(_LINES, max_size=12).map("\n".join)
_ENDED = _SENTENCES.filter(lambda said: said[-1] in ".!?")
_PLAIN_TRANSCRIPTS = st.lists(
    st.builds(lambda said: "User: " + " ".join(said), st.lists(_ENDED)), max_size=12
).map("\n".join)


@settings(deadline=None)
@given(_TRANSCRIPTS | st.text(), st.integers(-5, 400))
def test_a_summary_is_never_longer_than_asked_and_always_the_same(transcript, characters):
    made = ExtractiveSummarizer().summarize(transcript, characters)
    assert len(made) <= max(characters, 0)
    assert made == ExtractiveSummarizer().summarize(transcript, characters)


@settings(deadline=None)
@given(_PLAIN_TRANSCRIPTS)
def test_a_summary_says_nothing_that_the_transcript_does_not(transcript):
    for line in ExtractiveSummarizer().summarize(transcript, 10_000).splitlines():
        if line not in _HEADINGS:
            said = line.removeprefix("- ").split(": ", 1)[-1]
            assert all(piece in transcript for piece in re.split(r"(?<=[.!?。]) ", said))


def _written(answer, transcript="User: …", characters=200):
    """What a model's answer makes for a summary, and what the model was asked."""
    with fake_llm(answer) as llm:
        made = LLMSummarizer("small", base_url=llm.url).summarize(transcript, characters)
    return made, llm.asked


def test_a_model_is_asked_with_the_transcript_and_the_length():
    made, (asked,) = _written(" They keep Redis. ", "User: Keep Redis.")
    assert made == "They keep Redis."
    assert asked.body["model"] == "small"
    assert "200 characters" in asked.messages[0]["content"]
    assert asked.messages[1] == {"role": "user", "content": "User: Keep Redis."}


def test_what_a_model_writes_too_much_of_ends_with_a_whole_sentence():
    said = "They keep Redis. Ann pays for it. Nobody asked Ben."
    made, _ = _written(said, characters=40)
    assert made == "They keep Redis. Ann pays for it."


@pytest.mark.parametrize("content", [None, "  "])
def test_a_model_that_writes_nothing_has_failed(content):
    empty = Reply(body={"choices": [{"message": {"content": content}}]})
    with pytest.raises(ModelUnavailable, match="without a summary"):
        _written(lambda asked: empty)


def test_a_refusal_says_what_to_check():
    with pytest.raises(ModelUnavailable, match=r"401.*OPENAI_API_KEY"):
        _written(lambda asked: Reply(401))


def test_a_model_that_is_late_leaves_the_summary_to_others():
    with fake_llm() as llm:
        llm.hold()
        with pytest.raises(ModelUnavailable, match="in time"):
            LLMSummarizer("small", base_url=llm.url, timeout=0.05).summarize("User: …", 200)


def _fact_file(tmp_path):
    chatter = [f"That is so lovely number {n}, wow!" for n in range(8)]
    said = ["I adopted a zebra named Otto in Kenya.", *chatter]
    sample = {
        "conversation": {
            "session_3": [{"speaker": "Ann", "text": text} for text in [*chatter, *said]]
        },
        "observation": {
            "session_3_observation": {"Ann": [["Ann adopted a zebra named Otto.", "D3:9"]]}
        },
        "qa": [],
    }
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([sample]))
    return path


def test_the_evaluation_counts_facts_that_survive(tmp_path):
    seen = []
    figures = evaluate_summaries(_fact_file(tmp_path), lambda *step: seen.append(step))
    assert figures == {
        "extractive": 1.0, "first": 0.0, "last": 0.0, "whole": 1.0,
        "facts": 1, "sessions": 1, "share": 0.2,
    }  # fmt: skip
    assert seen == [(1, 1)]
