"""Titles of conflicts: short phrases of what both statements are about."""

import pytest

from tacit.statements.conflict_titles import make_title


@pytest.mark.parametrize(
    ("older", "newer", "title"),
    [
        ("Billing runs on MySQL", "Billing runs on PostgreSQL", "Billing runs on …"),
        ("My favourite colour is green", "My favourite colour is blue", "My favourite colour is …"),
        (
            "Deploys need two approvals",
            "Deploys only need one approval",
            "Deploys need … approvals",
        ),
        ("I drink coffee every morning", "I stopped drinking coffee", "I drink coffee"),
        ("Standup is at 9:30", "Standup moved to 10:00", "Standup"),
        ("pnpm is our package manager", "our package manager is npm", "Our package manager"),
        (
            "We'll go with LaunchDarkly for feature flags",
            "We dropped LaunchDarkly, feature flags are in Unleash now",
            "LaunchDarkly for feature flags",
        ),
        ("Ich wohne in Köln", "Ich wohne jetzt in München", "Ich wohne in …"),
        ("J'habite à Lille", "J'habite maintenant à Paris", "J'habite à …"),
    ],
)
def test_a_title_is_what_both_say_with_a_blank_for_what_they_differ_in(older, newer, title):
    assert make_title([older, newer]) == title


def test_a_word_is_not_repeated():
    assert make_title(["Deploy deploys on Monday", "Deploys on Tuesday"]) == "Deploy on …"


def test_of_several_sentences_that_which_differs_is_named():
    older = "Standup is at nine in the kitchen. Checkout runs on Java."
    newer = "Checkout runs on Kotlin. Standup is at nine in the kitchen."
    assert make_title([older, newer]) == "Checkout runs on …"


def test_of_three_statements_it_is_what_all_share():
    texts = [f"Billing {verb} MySQL" for verb in ("runs on", "moved to", "left")]
    assert make_title(texts) == "Billing … MySQL"


def test_without_a_word_in_common_the_older_statement_is_the_title():
    assert make_title(["i live in Hamburg", "We moved to Berlin"]) == "I live in Hamburg"


def test_a_title_fits_on_a_line_and_is_cut_between_words():
    title = make_title(["the long road " * 20, "nothing alike"])
    assert len(title) <= 60
    assert title.endswith(("long…", "road…", "the…"))
    assert len(make_title(["x" * 300, "y" * 300])) == 60
