"""Numbers that are secrets where a sentence says so, and those that are only numbers."""

import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.language.redaction.redact import redact, redact_json

CARD = "4111 1111 " + "1111 1111"
SOLID = CARD.replace(" ", "")
SSN = "536-90" + "-4399"

SAID = [
    ("pin", "4821", "meine PIN ist {}"),
    ("pin", "4821", "The PIN for my bank card is {}, don't tell"),
    ("pin", "4821", "PIN: {}"),
    ("pin", "4821", "door_pin={}"),
    ("pin", "4821", '{{"user": "ann", "pin": "{}"}}'),
    ("pin", "4821", "my pin {} works again"),
    ("pin", "990211", "I changed my PIN to {} yesterday"),
    ("pin", "4821", "{} is my PIN"),
    ("pin", "4821", "the alarm PIN is now **{}**"),
    ("pin", "4821", "mon code PIN est {}"),
    ("pin", "4821", "mi PIN es {}"),
    ("pin", "4821", "o meu PIN é {}"),
    ("pin", "4821", "il mio PIN è {}"),
    ("pin", "4821", "mijn pincode is {}"),
    ("pin", "4821", "min PIN-kod är {}"),
    ("pin", "4821", "mój PIN to {}"),
    ("pin", "4821", "мой пин-код: {}"),
    ("pin", "4821", "我的PIN码是{}"),
    ("pin", "4821", "暗証番号は{}です"),
    ("pin", "4821", "내 핀번호는 {}"),
    ("card-number", CARD, "my card number is {}"),
    ("card-number", CARD, "{}"),
    ("card-number", CARD.replace(" ", "-"), "charged to {} on Monday"),
    ("card-number", "3782 822463 " + "10005", "the Amex ends in 0005: {}"),
    ("card-number", SOLID, "my visa is {}"),
    ("card-number", SOLID, "Die Kreditkarte hat die Nummer {}"),
    ("card-number", SOLID, "ma carte est la {}"),
    ("card-number", SOLID, "mi tarjeta es {}"),
    ("card-number", SOLID, "卡号是{}"),
    ("card-code", "918", "The security code on the back is {}"),
    ("card-code", "918", "CVV {}, exp 12/27"),
    ("card-code", "918", "el código de seguridad es {}"),
    ("one-time-code", "482913", "the verification code is {}"),
    ("one-time-code", "482 913", "Your OTP is {}"),
    ("one-time-code", "482913", "der Bestätigungscode lautet {}"),
    ("one-time-code", "482913", "验证码：{}"),
    ("national-id", SSN, "My SSN is {}"),
    ("national-id", SSN, "social security number {}"),
    ("national-id", SSN.replace("-", ""), "ssn: {}"),
    ("national-id", "QQ 12 34 56 C", "my National Insurance number is {}"),
    ("national-id", "65 170839 J 008", "Meine Sozialversicherungsnummer lautet {}"),
    ("national-id", "1 84 12 76 451 089 46", "mon numéro de sécurité sociale est {}"),
    ("national-id", "28 1234567840", "mi número de la seguridad social es {}"),
    ("national-id", "12345678Z", "DNI: {}"),
    ("national-id", "123.456.789-09", "meu CPF é {}"),
    ("national-id", "RSSMRA85T10A562S", "il mio codice fiscale è {}"),
    ("national-id", "123456782", "mijn BSN is {}"),
    ("national-id", "811228-9874", "mitt personnummer är {}"),
    ("national-id", "44051401359", "mój PESEL to {}"),
    ("national-id", "112-233-445 95", "мой СНИЛС: {}"),
    ("national-id", "11010519491231002X", "我的身份证号是{}"),
    ("national-id", "123456789018", "マイナンバーは{}です"),
    ("national-id", "900101-1234567", "주민등록번호는 {}"),
    ("backup-code", "1234-5678", "my backup code is {}"),
    ("backup-code", "a1b2c-3d4e5", "GitHub recovery codes\n{}\n"),
    ("backup-code", "1234 5678", "Wiederherstellungscodes: {}"),
]


@pytest.mark.parametrize(("kind", "number", "sentence"), SAID)
def test_a_number_goes_where_a_sentence_says_what_it_is(kind, number, sentence):
    redacted = redact(sentence.format(number))
    assert redacted.text == sentence.format(f"[redacted: {kind}]")
    assert redacted.kinds == (kind,)


@pytest.mark.parametrize(
    "sentence",
    [
        "PIN the version to 4.2",
        "pin 4821 commits",
        "pin the version to 4821",
        "GPIO pin: 1024 on the board",
        "The pin count is 1024",
        "The PIN has 4 digits and expires after 3600 seconds",
        "SSN validation regex is ^\\d{3}-\\d{2}-\\d{4}$",
        "The SSN column has 9 digits",
        f"order number {SOLID}",
        "my card number is 4111 1111 1111 1112",
        "the tracking id is 4716 2210 5188 5662",
        "call me at +49 170 1234567 or 0170 1234567",
        "IBAN DE89 3704 0044 0532 0130 00",
        "The card shows 1200 points, card 12 of 1200",
        "The OTP is valid for 300 seconds; Erlang OTP 26",
        "the verification code module has 1200 lines",
        "the security code review was on 2024-05-01",
        "Backup codes are stored in 1password, recovery codes: 10 per user",
        "the discount code is 482913, the zip code is 94110, the error code is 4821",
        "the port is 8080, the year 2019, version 2024.10.1",
        "the visa application number is 20240501123456",
    ],
)
def test_what_is_only_a_number_stays(sentence):
    assert redact(sentence).text == sentence


def test_codes_that_are_listed_below_a_heading_go_and_what_follows_stays():
    codes = ["1234 5678", "2345 6789", "a1b2c-3d4e5", "f6a7b-8c9d0"]
    text = "Backup codes for GitHub:\n\n1. {}\n2. {}\n- {}\n- {}\n\nWe have 12345678 users."
    kept = redact(text.format(*codes)).text
    assert kept == text.format(*["[redacted: backup-code]"] * 4)


def test_a_field_that_is_named_so_holds_one_as_text_or_as_a_number():
    value = {"pin": 4821, "card_pin": "4821", "cvv": 918, "pins": 4, "ssn": SSN, "port": 8080}
    kept = redact_json({**value, "big": 10**5_000})
    assert kept["pin"] == kept["card_pin"] == "[redacted: pin]"
    assert (kept["cvv"], kept["ssn"]) == ("[redacted: card-code]", "[redacted: national-id]")
    assert (kept["pins"], kept["port"]) == (4, 8080)


@given(st.lists(st.sampled_from([CARD, SSN, "4821", "PIN ", "is ", "card ", "ssn ", "\n", ", "])))
def test_redacting_numbers_again_changes_nothing(pieces):
    once = redact("".join(pieces)).text
    assert redact(once).text == once


def test_every_name_of_a_number_has_a_hint():
    table = files("tacit.language.redaction") / "numbers.toml"
    for row in tomllib.loads(table.read_text("utf-8"))["number"]:
        for phrase in row["phrases"]:
            assert any(hint in phrase for hint in row["hints"]), phrase
