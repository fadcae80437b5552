"""When a newer text takes the place of an older one, and when both may hold."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.embedding.minilm.pair_reader import SharedPairReader
from tacit.statements.judge import StatementJudge

REPLACED = {
    "residence": [
        ("I live in Oslo", "I live in Bergen now"),
        ("User lives in Oslo", "I moved from Oslo to Bergen"),
        ("User lives in a flat in Oslo", "we moved out of Oslo and bought a house by the sea"),
    ],
    "employer and job": [
        ("User works at Acme", "User left Acme and is now with Globex"),
        ("Our CI runs on Jenkins", "CI runs on Buildkite, not Jenkins"),
        ("User is a junior developer", "User is a senior developer"),
        ("I'm a data analyst", "I was promoted to lead analyst"),
        ("User works at Acme", "User retired last month"),
    ],
    "figures": [
        ("The API listens on port 8080", "API port was changed to 9090"),
        ("The upload timeout is 30 seconds", "upload timeout is 2 minutes"),
        ("Uploads may be at most 10 MB", "max upload size got bumped to 50 megs"),
        ("Tickets cost 12 euros", "a ticket is 15 euros now"),
        ("The worker runs on Node 18", "the worker runs on node 22"),
        ("Leo is 3 years old", "Leo turned 4"),
        ("The team has six engineers", "The team has 8 engineers"),
        ("my mobile is 0161 496 0142", "new phone number: 0161 496 0877"),
        ("Our wiki is at wiki.acme.example", "our wiki has moved to docs.acme.example"),
        ("Tests need two approvals", "Tests need only one approval"),
    ],
    "schedules": [
        ("Stand-up is at 9:30", "Stand-up has been moved to 10:00"),
        ("We deploy on Tuesdays", "We deploy on Thursdays"),
        ("The fair is on 3 May", "We had to push the fair back to late June"),
        ("The report is due on Friday", "the report deadline was extended to Monday"),
    ],
    "tools": [
        ("CI runs on Jenkins", "We migrated all our CI to GitHub Actions"),
        ("The session cache is Redis", "Swapped Redis out for Valkey to hold the sessions"),
        ("We use Foo for billing", "Foo was replaced by Bar"),
        ("Our package manager is npm", "we're on pnpm instead of npm now"),
        ("The frontend is written in Vue", "We ripped Vue out"),
        ("I keep my notes in Evernote", "switched from Evernote to Obsidian"),
    ],
    "who does what": [
        ("Ann reviews all releases", "all releases are reviewed by Ben now"),
    ],
    "names": [
        ("Our cat is called Tom", "we call the cat Jerry now"),
        ("The default branch is master", "The default branch was renamed to main"),
    ],
    "likes and habits": [
        ("User likes coffee", "User no longer drinks coffee"),
        ("User drinks coffee every morning", "User doesn't drink coffee anymore"),
        ("User runs 10 km three times a week", "I gave up running"),
        ("I smoke", "I quit smoking"),
        ("User's car is a 2014 Skoda Fabia", "sold the Fabia"),
        ("I prefer window seats", "I prefer aisle seats"),
        ("I like my answers long", "I'd rather have short answers from now on"),
        ("I take my coffee black", "I take my coffee with milk now"),
    ],
    "rules": [
        ("Tests must run before push", "Tests need not run before push"),
        ("Never push to main directly", "Pushing to main directly is allowed now"),
        ("Every PR must have a ticket number", "PRs don't need a ticket number any more"),
        ("Reply in German", "Reply in English"),
    ],
    "status": [
        ("The Atlas project is on hold", "Project Atlas is active again"),
        ("The fair is planned for Sunday", "We've cancelled the fair"),
        ("The kitchen is yellow", "the kitchen is dark green"),
    ],
    "other languages": [
        ("Das Treffen ist um 9 Uhr", "Das Treffen ist jetzt um 9:45 Uhr"),
        ("Ich trinke Kaffee", "Ich trinke keinen Kaffee mehr"),
        ("Le loyer est de 780 euros par mois", "Le loyer est passé à 815 euros par mois"),
        ("Je travaille chez Acme", "Je ne travaille plus chez Acme"),
        ("Vivo en Madrid", "Ahora vivo en Valencia"),
    ],
}

BOTH_HOLD = {
    "one thing more": [
        (
            "Je suis étudiante en droit à Lyon, en deuxième année",
            "J'apprends l'italien parce que je pars en Erasmus à Bologne en septembre",
        ),
        ("User has a cat", "User also has a rabbit"),
        ("User speaks Polish", "User speaks Portuguese"),
        ("I'm allergic to nuts", "I'm allergic to dust too"),
        ("Never log emails", "Never log card numbers"),
        ("We use Jest for unit tests", "We use Cypress for browser tests"),
        ("The API allows 100 requests a minute", "The API rejects bodies over 2 MB"),
        ("We've got a replica in Bonn", "There's now a second replica, in Cork"),
        ("gym on Mondays at 7", "gym on Thursdays at 7"),
        ("User works at a hospital", "User works night shifts in radiology"),
        ("Ann handles payroll", "Ann handles travel"),
    ],
    "somebody or something else": [
        ("Ann lives in Oslo", "Ben moved to Bergen"),
        ("User lives in Oslo", "User's parents moved to Bergen"),
        ("Staging runs Postgres 14", "Production runs Postgres 16"),
        ("The read timeout is 30 seconds", "The connect timeout is 3 seconds"),
        ("My office number is 020 7946 0311", "My home number is 020 7946 0655"),
        ("The budget for 2024 is 20k", "The budget for 2025 is 26k"),
        ("iOS 7 was developed by Apple", "iOS 9 was developed by Apple"),
        ("Always squash in the docs repo", "Never squash in the engine repo"),
        ("We switched the shop from REST to GraphQL", "We switched the site from SOAP to REST"),
        ("My brother uses Vim", "I switched from Vim to Emacs"),
        ("Ann: I live in Oslo", "Ben: I live in Bergen"),
    ],
    "another time": [
        ("We use Jenkins", "We used Jenkins until 2020"),
        ("User lived in Rome in 2015", "User lives in Oslo"),
        ("As a student I drank tea with sugar", "I take my tea black"),
        ("My old laptop was a Dell", "My laptop is a Framework"),
    ],
    "not so, or not yet": [
        ("We use Docker Swarm", "We're considering moving to Kubernetes"),
        ("User works at Acme", "User wants to leave Acme"),
        ("I use Vim", "I might switch from Vim to Emacs someday"),
        ("We have a Netflix account", "need to cancel Netflix"),
        ("I live in Oslo", "I will move to Bergen next year"),
        ("I drink coffee", "I don't drink coffee after 4pm"),
        ("Deploys run on Friday", "Do deploys run on Monday?"),
    ],
    "only a part of it": [
        ("User lives in Oslo and has two dogs", "User moved to Bergen"),
        ("The limit is 5. The port is 80.", "The limit is 6"),
    ],
    "products for other ends": [
        ("The page is written in TypeScript", "The page is built with Vite"),
        ("The site runs on Node 18", "The site runs on Kubernetes"),
    ],
}


def _pairs(table):
    return [pair for pairs in table.values() for pair in pairs]


@pytest.fixture(scope="module")
def judge():
    return StatementJudge(SharedPairReader())


@pytest.mark.parametrize(("old", "new"), _pairs(REPLACED))
def test_who_believes_the_newer_text_must_stop_believing_the_older(judge, old, new):
    assert judge.compare([(old, new)])[0].is_replaced


@pytest.mark.parametrize(("old", "new"), _pairs(BOTH_HOLD))
def test_both_may_hold(judge, old, new):
    assert not judge.compare([(old, new)])[0].is_replaced


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Oslo", "I live in Bergen now"),
        ("User works at Acme", "User retired last month"),
        ("We use Foo for billing", "Foo was replaced by Bar"),
    ],
)
def test_full_stops_change_nothing(judge, old, new):
    assert judge.compare([(f"{old}.", f"{new}.")])[0].is_replaced


def test_the_examples_of_the_documentation_are_true(judge):
    text = (Path(__file__).parent.parent / "docs" / "conflicts.md").read_text("utf-8")
    section = text.partition("## What replaces what")[2].partition("\n## ")[0]
    rows = [row.split("|")[2:4] for row in section.splitlines() if "→" in row and row[0] == "|"]
    assert rows
    for cells in rows:
        told = [tuple(re.findall(r'"([^"]+)"', cell)) for cell in cells]
        assert [each.is_replaced for each in judge.compare(told)] == [True, False], cells


FRAGMENTS = """
    the of is was and not never no User I We Ann Ann's my prefers uses for over in from to lives on
    every 30 5k 10MB $5 9:30 2 pm March 3, 2026 port moved switched no longer anymore instead left
    sold replaced with by , . ? ! ; : - = if since now also 1st 0161 496 0142 a.b.example #0a0a0a
    wohne nicht mehr seit habite ne plus vivo ya Redis Jenkins GitHub Actions must need optional
"""
TEXTS = st.one_of(
    st.text(), st.lists(st.sampled_from(FRAGMENTS.split()), max_size=14).map(" ".join)
)


@given(TEXTS, TEXTS)
def test_any_two_texts_can_be_compared_without_a_model(old, new):
    (found,) = StatementJudge().compare([(old, new)])
    assert found.likelihood in (0.0, 1.0)
    assert not found.by_model


@given(TEXTS)
def test_no_text_takes_the_place_of_itself(text):
    (found,) = StatementJudge().compare([(text, text)])
    assert not found.is_replaced


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We stock Trek and Genesis", "We've stopped doing Genesis"),
        ("I've got two lads working for me, Ash and Connor", "Ash has gone, got a job in Leeds"),
        (
            "We have 4 engineers, 2 of us are on call each week",
            "We hired two more engineers, so 6 now",
        ),
        ("I take amlodipine, 5 mg every morning", "My doctor's put the amlodipine up to 10"),
        ("Our standup is at 9:30", "standup is half an hour later these days"),
        ("My rent is 900 euros", "rent went up by 50"),
        ("Rent is £1,150 a month", "Landlord's putting the rent up to 1,300 from May"),
    ],
)
def test_what_changes_only_a_part_puts_the_whole_in_doubt_and_replaces_nothing(judge, old, new):
    (found,) = judge.compare([(old, new)])
    assert found.in_part
    assert found.is_conflict
    assert not found.is_replaced


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Deploys happen on Tuesdays and Thursdays", "Deploys are on Mondays and Thursdays now"),
        ("Main branch is unprotected, anyone can push", "Main is protected now, nobody can push"),
        ("The rent is 900 euros", "The rent is 950 euros now, it went up a bit"),
    ],
)
def test_what_changes_all_of_it_replaces_it(judge, old, new):
    assert judge.compare([(old, new)])[0].is_replaced


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Duz mich und antworte immer auf Deutsch", "Ich bin Vegetarier, seit zehn Jahren schon"),
        ("Contesta siempre en español y de tú", "Lo de la tienda online lo dejamos para luego"),
    ],
)
def test_what_has_no_word_in_common_is_about_something_else_in_other_languages(judge, old, new):
    (found,) = judge.compare([(old, new)])
    assert not found.is_replaced
    assert not found.is_conflict
