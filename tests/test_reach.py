"""How far words reach that were said in a project: into that project, or into all of them."""

import pytest

from tacit.language.topics import speaks_of_all_projects
from tests.support import HandClock, say, writing_opener

pytestmark = pytest.mark.episodes


@pytest.fixture
def tacit(tmp_path):
    with writing_opener(tmp_path, embedder="none", clock=HandClock()) as opened:
        yield opened()


def _ask(tacit, text, project):
    prepared = tacit.preview(session="later", text=text, project=project, user="rafa")
    return prepared.block or ""


STAYING = [
    ("Hamid does the releases on Tuesdays.", "Who does the releases?", "Hamid"),
    ("The invoices are rendered by Gotenberg.", "What renders the invoices?", "Gotenberg"),
    ("Die Rechnungen rendert Gotenberg.", "Was rendert die Rechnungen?", "Gotenberg"),
    ("Les factures sont générées par Gotenberg.", "Les factures, par quoi ?", "Gotenberg"),
    ("Las facturas las genera Gotenberg.", "¿Qué genera las facturas?", "Gotenberg"),
    ("Rename fetchUser to getUser everywhere.", "Where is fetchUser renamed?", "getUser"),
    ("My service listens on 8443.", "Where does my service listen?", "8443"),
    ("My migration scripts are in db/migrate.", "Where are my migration scripts?", "db/migrate"),
    ("I keep the fixtures in tests/data.", "Where do I keep the fixtures?", "tests/data"),
    ("Meine Migrationen liegen in db/schritte.", "Wo liegen meine Migrationen?", "schritte"),
    ("Mes scripts sont dans outils/nuit.", "Où sont mes scripts ?", "outils/nuit"),
    ("Mis migraciones están en db/pasos.", "¿Dónde están mis migraciones?", "db/pasos"),
    ("I can't find the retry loop anywhere.", "Where is the retry loop?", "retry"),
]


@pytest.mark.parametrize(("said", "asked", "word"), STAYING)
def test_what_was_said_in_a_project_is_not_shown_in_another(tacit, said, asked, word):
    say(tacit, said, project="shop", user="rafa")
    block = _ask(tacit, asked, "ledger")
    assert word not in block


REACHING = [
    ("In all repos, use conventional commits.", "Which commits should I use?", "conventional"),
    ("Across all our repositories we use squash merges.", "Which merges do we use?", "squash"),
    ("Never force push, anywhere.", "May I force push?", "force push"),
    ("Whatever the repo, tests must pass before a merge.", "When may I merge tests?", "tests must"),
    ("Always sign commits, regardless of the project.", "Do I sign commits?", "sign commits"),
    ("Use uv for packages, not just here.", "What do I use for packages?", "uv for packages"),
    ("Egal in welchem Projekt: nie auf main pushen.", "Darf ich auf main pushen?", "nie auf main"),
    ("In allen Repos immer signierte Commits.", "Welche Commits immer?", "signierte"),
    ("Dans tous mes projets, utilise pnpm.", "Quel outil utilise pnpm ?", "pnpm"),
    ("Peu importe le dépôt, ne pousse jamais sur main.", "Je pousse sur main ?", "jamais sur main"),
    ("En todos mis repos usa pnpm.", "¿Quién usa pnpm?", "pnpm"),
    ("Sea cual sea el proyecto, nunca hagas push a main.", "¿Hago push a main?", "hagas push"),
    ("Globally, never force push.", "May I force push?", "force push"),
    ("Company-wide rule: always squash merges.", "How do I merge, squash?", "squash"),
    ("Bei allen Projekten immer Tabs verwenden.", "Tabs verwenden?", "Tabs verwenden"),
    ("In keinem meiner Repos auf main pushen, nie.", "Darf ich auf main pushen?", "auf main"),
    ("Partout, utilise toujours pnpm.", "Quel outil utilise pnpm ?", "pnpm"),
    ("En todas partes usa siempre pnpm.", "¿Quién usa pnpm?", "pnpm"),
    ("My dotfiles are in ~/config/shell.", "Where are my dotfiles?", "config/shell"),
    ("I prefer early returns over nested ifs.", "Do I prefer early returns?", "early returns"),
]


@pytest.mark.parametrize(("said", "asked", "words"), REACHING)
def test_what_was_said_of_all_projects_or_of_oneself_is_shown_in_each(tacit, said, asked, words):
    say(tacit, said, project="shop", user="rafa")
    for project in ("shop", "ledger"):
        assert words in _ask(tacit, asked, project)


def test_a_message_about_all_projects_and_about_one_is_told_apart(tacit):
    said = "In every repo we sign commits with minisign. Here the releases go through Jenkins."
    say(tacit, said, project="shop", user="rafa")
    assert "minisign" in _ask(tacit, "How do we sign commits with every repo?", "ledger")
    assert "Jenkins" not in _ask(tacit, "How do the releases go through here?", "ledger")
    assert "Jenkins" in _ask(tacit, "How do the releases go through here?", "shop")


def test_words_said_outside_of_projects_are_shown_in_each(tacit):
    say(tacit, "Hamid does the releases on Tuesdays.", user="rafa")
    assert "Hamid" in _ask(tacit, "Who does the releases?", "shop")


@pytest.mark.parametrize(
    "text",
    [
        "Rename getUser to fetchUser everywhere",
        "Is it used anywhere?",
        "I can't find my keys anywhere",
        "No comments anywhere in the parser, never",
        "All repos are slow today",
        "In diesem Projekt nie auf main pushen",
        "Dans ce projet, utilise pnpm",
        "En este repo usa pnpm",
    ],
)
def test_words_about_one_place_or_one_thing_do_not_speak_of_all_projects(text):
    assert not speaks_of_all_projects(text)
