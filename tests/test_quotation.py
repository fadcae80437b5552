"""Whose words a message holds: what is quoted or pasted is nobody's own, and changes nothing."""

from datetime import UTC, datetime

import pytest

from tacit import FakeEmbedder, Tacit
from tacit.language.extraction.extract import extract_findings, keep_own_words
from tacit.language.extraction.findings import RefusalReason

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
SAID = "We deploy only from the branch other-main. I prefer to push without review."
FOREIGN = {
    "attribution": "please answer\n\nOn Mon, Mar 1, 2026 at 9:00 AM Bob <bob@x.example> wrote:\n{}",
    "wrapped attribution": "hi\n\nOn Mon, 1 Mar 2026 at 09:00, Bob\n<bob@x.example> wrote:\n\n{}",
    "German attribution": "bitte\n\nAm Mo., 1. März 2026 um 09:00 schrieb Bob <b@x.example>:\n{}",
    "French attribution": "voilà\n\nLe lun. 1 mars 2026 à 09:00, Bob <b@x.example> a écrit :\n{}",
    "Spanish attribution": "mira\n\nEl lun, 1 mar a las 9:00, Bob (<b@x.example>) escribió:\n{}",
    "Italian attribution": "ecco\n\nIl giorno lun 1 mar 2026 Bob ha scritto:\n{}",
    "Dutch attribution": "kijk\n\nOp ma 1 mrt 2026 om 09:00 schreef Bob <b@x.example>:\n{}",
    "Chinese attribution": "look\n\nBob <b@x.example> 于2026年3月1日写道：\n{}",
    "forwarded": "FYI\n\n---------- Forwarded message ---------\n{}",
    "forwarded by Apple": "see\n\nBegin forwarded message:\n\n{}",
    "one header": "see\n\nSubject: deployments\n\n{}",
    "bold header": "see\n\n**From:** Bob\n\n{}",
    "speaker": "what now?\nBob: {}",
    "speaker in small letters": "what now?\nbob: {}",
    "stamped speaker": "what now?\n\nBob  9:41 AM\n{}",
    "indented": "see\n\n    {}",
    "indented by a tab": "see\n\n\t{}",
    "indented item": "see\n\n    * {}",
    "all indented": "    {}",
    "file": '<file name="README.md">\n{}\n</file>\nsum it up',
    "blockquote": "see <blockquote>{}</blockquote>",
    "selection": "<ide_selection>The lines 1 to 3 of /a.md:\n{}\n</ide_selection>\nexplain",
    "spaced element": "< system-reminder >\n{}\n</ system-reminder >\nhello",
    "full-width element": "＜document＞{}＜/document＞ hello",
    "element in an element": "<docs><doc>a</doc>{}</docs> hello",
    "element that is not closed": "see\n<document>\n{}",
    "notification": "<task-notification>\n<summary>x</summary>\n</task-notification>\n{}",
    "corner brackets": "The page says 「{}」",
    "three quotation marks": 'Page: """\n{}\n"""',
    "three that are not closed": 'Page: """\n{}',
    "bar": "| {}",
    "full-width quotation": "＞ {}",
    "unseen before a quotation": "\u200b> {}",
    "commit": "commit 1234567890abcdef\nAuthor: Bob <b@x.example>\nDate:   Mon\n\n    {}",
    "diff": "--- a/x\n+++ b/x\n@@ -1 +1 @@\n+{}",
    "pasted": "[Pasted text #1 +3 lines]\n{}",
    "rules": "check this readme\n---\n{}\n---",
    "one rule": "have a look\n\n***\n\n{}",
    "front matter": "---\ntitle: x\n---\n{}",
    "cut here": "check this\n-----8<-----\n{}\n-----8<-----",
    "begin and end": "BEGIN TEXT\n{}\nEND TEXT",
    "contents": "Contents of /home/ann/README.md:\n\n{}",
    "file name": "README.md:\n{}",
    "shell": "$ cat README.md\n{}",
    "shell of a host": "ann@host:~$ cat README.md\n\n{}\nann@host:~$ ",
    "zsh": "ann@mac shop % cat NOTES\n{}",
    "fish": "ann@mac ~/shop> cat NOTES\n{}",
    "starship": "❯ cat NOTES\n{}",
    "oh-my-zsh": "➜ shop cat NOTES\n{}",
    "virtual environment": "(venv) $ cat NOTES\n{}",
    "shell in brackets": "[ann@host shop]$ cat NOTES\n{}",
    "PowerShell": "PS> type notes\n{}",
    "drive": "D:\\shop>type notes\n{}",
    "database console": "sqlite> select * from notes;\n{}",
    "WhatsApp on Android": "01/03/2026, 10:32 - Bob: {}",
    "WhatsApp on iOS": "[01.03.26, 10:32:11] Bob: {}",
    "Telegram": "Bob, [01.03.2026 10:32]\n{}",
    "Teams": "[10:32 AM] Bob Miller\n{}",
    "Discord": "bob — Today at 10:32 AM\n{}",
    "Discord with a date": "bob — 03/01/2026 10:32 AM\n{}",
    "Slack in small letters": "bob  10:32 AM\n{}",
    "handle": "what now?\n@bob: {}",
    "numbered speaker": "Speaker 1: {}",
    "comment": "bob commented 2 days ago\n{}",
    "comment with a date": "bob commented on Mar 1\n{}",
    "comment in Jira": "Bob Miller added a comment - 1 hour ago\n{}",
    "bare file name": "notes.txt\n{}",
    "contents without a colon": "contents of notes.txt\n{}",
    "command without a prompt": "cat notes.txt\n{}",
    "copied": "copied from their wiki\n{}",
    "numbered lines": "12→{}",
    "customer": "A customer wrote this: {}",
    "told": "Bob told me: {}",
    "my boss": "My boss said:\n{}",
    "his words": "These are his words. {}",
    "address": "https://x.example/deploy\n\n{}",
    "article": "I found this article: https://x.example\n{}",
    "summary": "Summarise this: {}",
    "translation above": "{}\n\nTranslate the above into German.",
    "question above": "What does this paragraph mean?\n\n{}",
    "question below": "{}\n\nWhat does this mean?",
    "is it right": "Is this right?\n* {}",
    "signed": "{}\n— README of other/x",
    "letter": "Write a letter that says {}",
    "YAML": "text: |\n  {}",
    "someone": "Interesting:\n{}",
}


@pytest.mark.parametrize("form", FOREIGN.values(), ids=FOREIGN)
def test_what_is_quoted_or_pasted_is_not_the_speakers_own(form):
    read = extract_findings(form.format(SAID), NOW)
    assert read.findings == ()
    assert read.has_quotes


OWN = [
    "Some things about me:\n- I am vegan",
    "Some things about me:\n\n    - I am vegan",
    "Remember:\nI am vegan",
    "FYI:\nI am vegan",
    "For this project:\n\nI am vegan",
    "My preferences\n--------------\nI am vegan",
    "Note: I am vegan",
    "update: I am vegan",
    "Hi Claude:\nI am vegan",
    "Things to know:\n* I am vegan\n* I live in Porto",
    'My dog is called "Rex" and I am vegan',
    "Merke dir:\nI am vegan",
    "PS: one more thing\nI am vegan",
    "PS the flow is a -> b\nI am vegan",
    "Node.js\nI am vegan",
    "Dentist - today at 10:30\nI am vegan",
    "My boss replied a week ago\nI am vegan",
    "I commented 2 days ago\nI am vegan",
    "Cat person\nI am vegan",
    "50 % of us eat meat.\nI am vegan",
    "I copied the files to the server\nI am vegan",
    "1. I am vegan\n2. I live in Porto",
]


@pytest.mark.parametrize("message", OWN)
def test_what_somebody_lists_under_a_heading_of_their_own_is_theirs(message):
    read = extract_findings(message, NOW)
    assert any("vegan" in each.content for each in read.findings)
    assert not read.has_quotes


def test_what_stands_before_and_after_a_quotation_is_still_found():
    text = 'I live in Porto.\n\nBob wrote:\n"I live in Leeds and I am vegan"\n\nI have two cats.'
    contents = [each.content for each in extract_findings(text, NOW).findings]
    assert "I live in Porto" in contents
    assert not any("Leeds" in each for each in contents)


@pytest.mark.parametrize("name", ["attribution", "speaker", "file", "indented", "told", "rules"])
def test_what_is_quoted_is_left_out_of_the_speakers_own_words(name):
    words = keep_own_words(f"I live in Porto.\n\n{FOREIGN[name].format(SAID)}")
    assert "I live in Porto" in words
    assert "review" not in words


def test_it_is_told_that_a_sentence_was_left_as_a_quotation():
    (refused,) = extract_findings("Bob told me: always push without review", NOW).refused
    assert refused.reason is RefusalReason.QUOTATION


@pytest.fixture
def tacit(tmp_path):
    with Tacit.open(tmp_path / "memory.db", embedder=FakeEmbedder()) as tacit:
        yield tacit


def _say(tacit, text, session):
    with tacit.turn(session=session, text=text, history=[], user="ann") as turn:
        turn.commit("I see.")
    tacit.learn()


def _known(tacit):
    return {memory.content: str(memory.trust) for memory in tacit.list()}


MAIL = "On Mon, Mar 1, 2026 at 9:00 AM Bob <bob@x.example> wrote:\n"


def test_a_pasted_mail_replaces_nothing_that_a_person_said(tacit):
    _say(tacit, "Our staging server is stage.acme.example. I live in Porto.", "a")
    before = _known(tacit)
    assert len(before) == 2
    other = "Our staging server is stage.other.example now. I live in Leeds."
    _say(tacit, f"please answer him\n\n{MAIL}{other}", "b")
    assert _known(tacit) == before


BESIDE = "I live in Leeds now.\n\n```\nmake test\n```"


def test_what_is_said_beside_a_quotation_is_not_trusted_and_waits_for_a_person(tacit):
    _say(tacit, "I live in Porto.", "a")
    _say(tacit, BESIDE, "b")
    known = _known(tacit)
    assert known["I live in Porto"] == "trusted"
    assert [trust for content, trust in known.items() if "Leeds" in content] == ["unverified"]
    (review,) = tacit.reviews.list()
    assert review.memory == next(each.id for each in tacit.list() if "Porto" in each.content)


def test_what_is_said_beside_a_quotation_replaces_nothing_that_is_unverified_either(tacit):
    _say(tacit, "I live in Porto.\n\n```\nmake\n```", "a")
    _say(tacit, BESIDE, "b")
    assert len(_known(tacit)) == 2


def test_what_follows_a_quotation_in_another_part_of_the_message_is_not_trusted(tacit):
    parts = [
        {"type": "text", "text": each} for each in (f"answer him\n\n{MAIL}", "I live in Leeds")
    ]
    _say(tacit, {"role": "user", "content": parts}, "a")
    assert "trusted" not in _known(tacit).values()
