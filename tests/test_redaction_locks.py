"""Codes of locks, logins and short keys that are told in passing, and numbers that are none."""

import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit import Tacit
from tacit.language.redaction.redact import redact

CODE = "58" + "30"
SIZES = "32-8" + "-17"
NAME = "Ruche" + "1951"
KNOTTED = "Pinnacle!" + "77kez"

TOLD = [
    ("access-code", CODE, "the shed's got a keypad on it, code's {}, I'll forget it"),
    ("access-code", CODE, "house alarm code is {}"),
    ("access-code", CODE, "house alram code is {} for my mum"),
    ("access-code", CODE, "The alarm at the Grange is {}, one of you has to know"),
    ("access-code", CODE, "The drugs safe, while I think of it, beeped: the code is {}. What now?"),
    ("access-code", CODE, "there is a padlock on now that is {} only I always forget"),
    ("access-code", CODE, "The shed has a new padlock, the combination being {}, which is easy"),
    ("access-code", CODE, "{} is the code for the padlock"),
    ("access-code", CODE, "the code to get into the lock-up is {}"),
    ("access-code", CODE, "front door is on a keypad, code {}"),
    ("access-code", CODE, "I changed the code on the keypad to {}"),
    ("access-code", SIZES, "locker at clinical is {} if i text u"),
    ("access-code", SIZES, "locker combination {}"),
    ("access-code", "Pivot#" + "4471", "shop gate code is {} in case the temp calls"),
    ("access-code", "Gouvernail" + "-88", "the locker on board opens with {} if you ask"),
    ("access-code", CODE, "Der Tresor am Haus hat übrigens den Code {}, bevor ich wieder steh"),
    ("access-code", CODE, "Die Garage hat ein Codeschloss bekommen, {} ist der Code, also sicher"),
    ("access-code", CODE, "Das Zahlenschloss am Schuppen: Kombination {}"),
    ("access-code", NAME, "le code de ma tablette c'est {} si jamais je l'oublie"),
    ("access-code", CODE, "Le cadenas du vélo, c'est {}."),
    ("access-code", CODE, "le code du coffre est {}"),
    ("access-code", CODE, "codigo de la caja fuerte es {}"),
    ("access-code", CODE, "el codigo de la caja de herramientas es {} por si se me olvida"),
    ("access-code", CODE, "el candado del trastero es {}, no lo olvides"),
    ("access-code", CODE, "il codice del cancello è {}"),
    ("access-code", CODE, "o código do alarme é {}"),
    ("access-code", CODE, "de code van de kluis is {}"),
    ("access-code", "four four seven one", "the number padlock, it is {} by the tap"),
    ("pin", "four four seven one", "the pin is {} I have entered it"),
    ("pin", "vier vier sieben eins", "die Pin ist {}"),
    ("access-code", "quatre quatre sept un", "le code du cadenas est {}"),
    ("access-code", "cuatro cuatro siete uno", "el candado es {}"),
    ("password", KNOTTED, "the college login is {} and i always forget it"),
    ("password", "hamster" + "jam22", "my login for it is tansy.h and password {} and it locks"),
    ("password", "rayo" + "verde88", "la clave dl wifi es {} x si te la pido"),
    ("key", "sk_test_" + "7Hq2vX", "stripe test key for the fixture is {}, env only"),
    ("key", "sv_live_" + "9fKq27Tz", "la clé live du broker c'est {}, mets ça dans mon .env"),
]  # fmt: skip

ORDINARY = [
    "error code 4041",
    "the exit code is 1377, the keypad works",
    "HTTP code is 5031 at the front gate",
    "zip code 90210, near the lockers",
    "the zip code of the locker place is 90210",
    "the area code is 4150",
    "the country code is 0049",
    "promo code is SAVE2024",
    "course code 4471 in the locker room",
    "the building code is 2021",
    "the code is 2000 lines, keep it safe",
    "code 3 line 42",
    "dress code, QR code, area code",
    "Is it safe to retry? The code is 4012.",
    "The alarm panel has shown the code 4012 twice",
    "The alarm on the queue is 5000, raise it",
    "alarm is at 7:15",
    "my alarm is 0630",
    "set the alarm to 0645",
    "the alarm was 2019, before we moved",
    "the padlock costs 1299",
    "I bought a padlock, it's 1299 there",
    "the safe is 4000 euros",
    "my locker is 1204, near the pool",
    "the locker opens with a key",
    "the locker opens with fingerprints since 2020",
    "the order code is 4471 for the padlock",
    "The keypad came, the code is 4471-AB",
    "We took the safe route, the code is 4012 now",
    "The keypad is 2021 model",
    "a combination of 2000 people",
    "In the code, 4096 is the page size",
    "mutex lock is 4096, the deadlock code path is 4471",
    "my access code style is Postgres-2024",
    "the sort code is 204471",
    "Die Vorwahl ist 04471",
    "Der Fehlercode am Tresor ist 5012",
    "Die Alarmanlage zeigt den Code 4012",
    "Der Motorcode ist 4012",
    "Der Tresor ist 1200 Euro wert",
    "le code postal est 75011",
    "le code promo est ETE2024",
    "le cadenas coûte 1200",
    "el código postal es 28013",
    "el código es 2000 líneas",
    "il codice postale è 20121",
    "de postcode is 1012",
    "count one two three four five with me",
    "any combination of one two three four",
    "the alarm is zero six three zero",
    "call my phone about the safe: zero seven seven one",
    "my login is ann.smith22",
    "my discord login is ann#1234",
    "login is https://example.com/?a=1#b2",
    "the username is ann and password reset is broken",
    "def run_test_Case2Foo(self)",
    "pk_test_" + "7Hq2vX is public",
    "export STRIPE_KEY=sk_test_xxxxxx",
    "my_live_Video2Go.mp4",
]


@pytest.fixture(scope="module")
def tacit():
    with Tacit.open(":memory:", embedder="none") as opened:
        yield opened


@pytest.mark.parametrize(("kind", "secret", "text"), TOLD)
def test_a_secret_that_is_told_in_passing_is_remembered_without_it(tacit, kind, secret, text):
    kept = tacit.remember(text.format(secret)).memory.content
    assert kept == text.format(f"[redacted: {kind}]")


@pytest.mark.parametrize("text", ORDINARY)
def test_an_ordinary_number_is_remembered_as_it_is(tacit, text):
    assert tacit.remember(text).memory.content == text


def test_digits_that_are_told_in_words_go_with_the_number_behind_them(tacit):
    said = "the pin is five zero nine three I say it so I dont lose it 5093"
    kept = tacit.remember(said).memory.content
    assert kept == "the pin is [redacted: pin] I say it so I dont lose it [redacted: pin]"


def test_a_turn_keeps_no_code_of_a_lock(tacit):
    said = f"We use the keypad at the barn, the code is {CODE}."
    with tacit.turn(session="barn", text=said, history=[]) as turn:
        turn.commit(f"Noted, the code for the keypad is {CODE}.")
    tacit.learn()
    assert turn.receipt.query == said.replace(CODE, "[redacted: access-code]")
    assert CODE not in str([memory.content for memory in tacit.list()])


@given(
    st.lists(
        st.sampled_from(
            [CODE, "code is ", "the code ", "padlock ", "the safe, ", " it is ", "four ", "pin ",
             "locker opens with ", NAME, "login is ", KNOTTED, "with ", ", ", "\n", "error "]
        )
    )
)  # fmt: skip
def test_redacting_codes_of_locks_again_changes_nothing(pieces):
    once = redact("".join(pieces)).text
    assert redact(once).text == once


def test_every_word_of_a_code_or_a_lock_has_a_hint():
    table = tomllib.loads((files("tacit.language.redaction") / "locks.toml").read_text("utf-8"))
    words, hints = table["words"], table["hints"]
    spoken = [*words["spoken"], *words["codes"]]
    assert not [word for word in spoken if not any(hint in word for hint in hints["spoken"])]
    both, beside = [*hints["spoken"], *hints["other"]], {"door", "gate", "box", "up", "pad"}
    names = {*words["locks"], *words["told"], *table["after"]} - beside
    assert not [name for name in names if not any(hint in name for hint in both)]
