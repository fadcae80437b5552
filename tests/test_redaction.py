"""Secrets never reach a file: what is recognised, what is left alone, and every way in."""

import base64
import io
import json
import logging
import random
import string
import zlib

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import FakeEmbedder, InvalidInput, Tacit
from tacit.core.errors import ArchiveError
from tacit.evals.secrets import evaluate_secrets
from tacit.language.redaction.redact import redact, redact_json
from tacit.runtime import logs
from tacit.server.idempotency import seal, unseal
from tacit.settings.config import Config
from tests.properties import examples
from tests.serving import served

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
URL = ALNUM + "_-"
BASE64 = ALNUM + "+/"
CAPITALS = string.ascii_uppercase + "234567"


def body(length, alphabet=ALNUM):
    """Characters that nobody could guess and that are the same in every run."""
    drawn = random.Random(f"{length} {alphabet}")
    return "".join(drawn.choice(alphabet) for _ in range(length))


def encoded(text):
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def block(label, lines=4):
    middle = "\n".join(body(64 - line, BASE64) for line in range(lines))
    return f"-----BEGIN {label}-----\n{middle}\n-----END {label}-----"


JWT = ".".join((encoded('{"alg":"HS256"}'), encoded('{"sub":"1"}'), body(43, URL)))
UUID = "-".join(body(length, HEX) for length in (8, 4, 4, 4, 12))

TOKENS = {
    "aws-access-key": "AKIA" + body(16, CAPITALS),
    "aws-session-token": "IQoJ" + "b3JpZ2lu" + body(200, BASE64),
    "google-api-key": "AIza" + body(35, URL),
    "google-client-secret": "GOC" + "SPX-" + body(28, URL),
    "google-access-token": "ya29" + "." + body(80, URL),
    "azure-client-secret": body(3) + "8Q~" + body(34),
    "digitalocean-token": "dop_" + "v1_" + body(64, HEX),
    "heroku-key": "HRKU" + "-" + UUID,
    "openai-key": "sk-" + "proj-" + body(90, URL),
    "anthropic-key": "sk-" + "ant-api03-" + body(90, URL),
    "openrouter-key": "sk-" + "or-v1-" + body(64, HEX),
    "groq-key": "gsk" + "_" + body(52),
    "hugging-face-token": "hf" + "_" + body(34, string.ascii_letters),
    "replicate-token": "r8" + "_" + body(37),
    "xai-key": "xai" + "-" + body(80),
    "perplexity-key": "pplx" + "-" + body(48),
    "github-token": "ghp" + "_" + body(36),
    "gitlab-token": "glpat" + "-" + body(20, URL),
    "atlassian-token": "ATBB" + body(32),
    "npm-token": "npm" + "_" + body(36),
    "pypi-token": "pypi" + "-AgEI" + body(120, URL),
    "rubygems-key": "rubygems" + "_" + body(48, HEX),
    "docker-token": "dckr" + "_pat_" + body(27, URL),
    "vault-token": "hvs" + "." + body(90, URL),
    "terraform-token": body(14) + ".atlas" + "v1." + body(67),
    "tailscale-key": "tskey" + "-auth-" + body(30),
    "supabase-key": "sbp" + "_" + body(40, HEX),
    "databricks-token": "dapi" + body(32, HEX),
    "grafana-token": "glsa" + "_" + body(32) + "_" + body(8, HEX),
    "sentry-token": "sntryu" + "_" + body(64, HEX),
    "new-relic-key": "NRAK" + "-" + body(27, CAPITALS),
    "slack-token": "xoxb" + "-" + body(12, string.digits) + "-" + body(24),
    "discord-token": "MT" + body(24) + "." + body(6) + "." + body(38, URL),
    "telegram-token": body(10, "123456789") + ":AA" + body(33, URL),
    "twilio-key": "SK" + body(32, HEX),
    "sendgrid-key": "SG" + "." + body(22, URL) + "." + body(43, URL),
    "mailgun-key": "key" + "-" + body(32, HEX),
    "mailchimp-key": body(32, HEX) + "-us" + "14",
    "stripe-key": "sk" + "_live_" + body(24),
    "webhook-secret": "wh" + "sec_" + body(32),
    "square-token": "EAAA" + body(60, URL),
    "shopify-token": "shpat" + "_" + body(32, HEX),
    "notion-token": "ntn" + "_" + body(46),
    "linear-key": "lin" + "_api_" + body(40),
    "airtable-token": "pat" + body(14) + "." + body(64, HEX),
    "figma-token": "figd" + "_" + body(40, URL),
    "tacit-key": "tacit" + "_" + body(12) + "_" + body(43, URL),
    "jwt": JWT,
    "private-key": "LS0tLS1CRUdJTi" + "BSU0EgUFJJVkFURSBLRVkt" + body(80),
    "age-secret-key": "AGE-" + "SECRET-KEY-1" + body(58, CAPITALS),
    "password-hash": "$2y" + "$10$" + body(53),
}
"""A token of each kind that is known by its own look."""

PLACES = [
    ("aws-secret-key", "AWS_SECRET_ACCESS_KEY={}", body(40, BASE64)),
    ("aws-secret-key", '{{"SecretAccessKey": "{}"}}', body(20, BASE64) + r"\/" + body(19)),
    ("azure-account-key", "AccountName=a;AccountKey={};Suffix=x", body(86, BASE64) + "=="),
    ("slack-webhook", "https://hooks.slack.com/services/{}", "T01AB/B02CD/" + body(24)),
    ("discord-webhook", "https://discord.com/api/webhooks/{} works", "18231/" + body(68, URL)),
    ("url-password", "postgres://app:{}@db:5432/app", "aB3xY9kQ"),
    ("url-password", "mysql://root:{}@10.0.0.3/shop", "p@ss:w0rd/!"),
    ("url-password", "mongodb+srv://me:{}@c0.example.net", body(14)),
    ("url-password", "redis://:{}@cache:6379/0", body(20)),
    ("url-password", r"amqp:\/\/mq:{}@h:5672\/v", "rabb1t-Hole"),
    ("url-token", "git clone https://{}@git.example.org/a", body(40, HEX)),
    ("url-token", "https://example.org/a?page=2&access_token={}&x=1", body(30)),
    ("url-token", "https://b.example.net/c?se=2025&sig={}", body(43) + "%3D"),
    ("bearer-token", "Authorization: Bearer {}", body(40)),
    ("basic-auth", "Authorization: Basic {}", encoded("admin:open-sesame")),
    ("authorization", '"Authorization": "Token {}"', body(40, HEX)),
    ("cookie", "Cookie: theme=dark; sessionid={}; lang=de", body(32)),
    ("password", "curl -s -u backup:{} https://nas.local", "n4sBackup!"),
    ("password", "mysql -uroot -p{} shop < dump.sql", "Quartz8Lemming"),
    ("password", "sshpass -p '{}' ssh pi@10.0.0.4", "Blue!Sky7"),
    ("password", "docker login -u jo -p {} registry.example", "dck3rPw"),
    ("password", "ALTER USER jo WITH PASSWORD '{}';", "n3wPass!"),
    ("password", "CREATE USER a IDENTIFIED BY '{}'", "my$ql!1"),
    ("password", "echo {} | docker login -u jo --password-stdin", "d0ckerPw"),
    ("password", "requirepass {}", "R3disConf"),
    ("secret", 'variable "db_password" {{\n  type = string\n  default = "{}"\n}}', "Zebra-77-x"),
    ("secret", "- name: DB_PASSWORD\n  value: {}", "pl0ver!"),
    ("secret", "<password>{}</password>", "S0mething"),
    ("password", "requests.get(url, auth=('jo', '{}'))", "tiger!23"),
    ("password", "creds are jo / {} for now", "Qwe!23rt"),
    # given to a name by a sign
    ("password", "DB_PASSWORD={}", "sunshine"),
    ("password", "export PGPASSWORD='{}'; psql", "hunter2"),
    ("password", "db:\n  user: jo\n  password: {}\n  host: x", "sunshine"),
    ("password", '{{"user": "jo", "password": "{}"}}', "correct horse battery"),
    ("password", r"{{\"password\": \"{}\"}}", "hunter22"),
    ("password", "'password' => '{}',", "Fo0Bar!9"),
    ("password", "Server=db;User Id=sa;Password={};Timeout=5", "Gr33n$Tea!"),
    ("password", "tool --password {} --user jo", "letMeIn9"),
    ("password", "password: str = '{}'", "hunter22"),
    ("password", r"A=1\nDB_PASSWORD={}\nB=2", "abc123"),
    ("token", "TWILIO_AUTH_TOKEN={}", body(32, HEX)),
    ("token", "users:\n- user:\n    token: {}", body(40)),
    ("key", "HEROKU_API_KEY={} heroku ps", UUID),
    ("key", "helm upgrade x --set datadog.apiKey={}", body(32, HEX)),
    ("secret", "client_secret = '{}'", body(40, URL)),
    # told in a sentence
    ("password", "my password is {}, dont tell", "hunter2!x"),
    ("password", "the wifi password in the office is {}", "GuestNet2024"),
    ("password", 'the password is "{}"', "letmein"),
    ("password", "please change my password to {}", "N3wOne!"),
    ("password", "user jo and password {}", "Fl0wer!s"),
    ("password", "use {} as the password", "xK9#mP2v"),
    ("password", "Das Passwort lautet {}.", "Geheim!7x"),
    ("password", "Das Passwort fürs WLAN lautet {}", "Sommer2024!"),
    ("password", "the wifi password at home reads {}", "Summer2024!"),
    ("password", "le mot de passe du wifi est {}", "Soleil!42"),
    ("password", "la contraseña es {}", "Gato#1988"),
    ("password", "密码是{}", "abc123!x"),
    ("passphrase", "passphrase is {}", "correct horse battery staple"),
    ("passphrase", 'the passphrase of my key is "{}"', "seven damp otters hum on tuesdays"),
    ("key", "For the mails we use mistral, key is {} (in the worker)", body(32)),
    ("key", "the key Bob sent over, {}, stopped working", body(36)),
    ("key", "cohere trial: {} (rate limited)", body(40)),
    ("token", "the api token is {}", body(40, HEX)),
]
"""What stands in a place where secrets stand."""

ORDINARY = [
    "Deploys run from main, never on Fridays",
    "rotate the API key monthly",
    "the password must have 12 characters, one digit and one symbol",
    "The token expires after 15 minutes.",
    "The password is SHA-256 hashed before it is sent.",
    "max_tokens=4096, temperature=0.2",
    "secret santa is on 12/12",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b broke the token refresh",
    "request 6f1c0e52-7b1f-4a5d-9f55-1b5ad2f4f3a2 had an invalid token",
    "nginx@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "key fingerprint: SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDqR3Vl0+3FZtCBK5M",
    f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{body(43)} jo@laptop",
    f"-----BEGIN CERTIFICATE-----\n{body(64)}\n-----END CERTIFICATE-----",
    "It begins with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----.",
    f'"integrity": "sha512-{body(86, BASE64)}=="',
    "api_key = os.environ['OPENAI_API_KEY']",
    "password: ${{ secrets.DB_PASSWORD }}",
    "password = getpass.getpass('Password: ')",
    "token: Optional[str] = None",
    "connect(user=user, password=password, host=host)",
    "OPENAI_API_KEY=sk-...",
    "GITHUB_TOKEN=ghp" + "_" + "x" * 36,
    "Authorization: Bearer <token>",
    "curl -u $USER:$PASS https://example.com",
    "postgres://app:${PGPASSWORD}@db:5432/app",
    "redis://localhost:6379/0",
    "http://registry:5000/org/image@sha256:abc",
    "docker run -u 1000:1000 -p 5432:5432 postgres",
    "set DB_PASSWORD in the vault, under prod/db",
    "DB_PASSWORD_FILE=/run/secrets/db_password",
    "secretName: my-app-tls",
    "PWD=/home/jo/project",
    "the primary key is user_id",
    "Das Passwort ist abgelaufen.",
    "La contraseña es obligatoria.",
    "The passphrase is never written down anywhere.",
    "Base64 of hello world is aGVsbG8gd29ybGQ=.",
]


@pytest.mark.parametrize("kind", TOKENS)
@pytest.mark.parametrize("around", ["{}", "use {} here.", 'x = "{}"', r"a\n{}\nb", "(see {}, ok?)"])
def test_a_token_is_known_by_its_look_wherever_it_stands(kind, around):
    found = redact(around.format(TOKENS[kind]))
    assert found.text == around.format(f"[redacted: {kind}]")
    assert found.kinds == (kind,)


@pytest.mark.parametrize(("kind", "text", "secret"), PLACES)
def test_a_secret_is_known_by_where_it_stands_and_nothing_else_goes(kind, text, secret):
    found = redact(text.format(secret))
    assert found.text == text.format(f"[redacted: {kind}]")
    assert found.kinds == (kind,)


@pytest.mark.parametrize("text", ORDINARY)
def test_what_only_looks_like_a_secret_or_speaks_of_one_stays(text):
    assert redact(text).text == text
    assert redact(text).kinds == ()


@pytest.mark.parametrize(
    "label",
    [
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ],
)
def test_a_private_key_goes_from_its_first_line_to_its_last(label):
    whole = block(label)
    for written in (
        whole,
        whole.replace("\n", "\r\n"),
        whole.replace("\n", "\n    "),
        whole.replace("\n", "\n> "),
        whole.replace("\n", "\\n"),
        whole.replace("\n", "\\\\n"),
        whole.replace("\n", " "),
    ):
        assert redact(f"here: {written} ok?").text == "here: [redacted: private-key] ok?"


def test_a_private_key_that_was_cut_off_goes_as_far_as_it_is_there():
    whole = block("RSA PRIVATE KEY", lines=6)
    cut = whole[: whole.rindex("\n-----END")]
    assert redact(f"{cut}\nthat is all I have").text == (
        "[redacted: private-key]\nthat is all I have"
    )


def test_two_keys_are_two_and_what_is_between_them_stays():
    text = f"{block('EC PRIVATE KEY')}\nand\n{block('RSA PRIVATE KEY')}"
    assert redact(text).text == "[redacted: private-key]\nand\n[redacted: private-key]"


def test_kinds_come_once_and_in_the_order_of_the_text():
    key, token = TOKENS["stripe-key"], TOKENS["github-token"]
    assert redact(f"{token} then {key} then {token}").kinds == ("github-token", "stripe-key")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("tea <private>at four</private> daily", "tea  daily"),
        ("tea <PRIVATE reason='x'>at\nfour</Private>", "tea "),
        ("a<private>b<private>c</private>d</private>e", "ae"),
        ("<private>a</private>b<private>c</private>", "b"),
        ("tea <private>and the rest is mine", "tea "),
        ("<pri<private>x</private>vate>y</private>z", "z"),
        ("nothing </private> was open", "nothing </private> was open"),
        ("privately <privateer> speaking", "privately <privateer> speaking"),
    ],
)
def test_what_is_marked_as_private_becomes_nothing(text, left):
    assert redact(text).text == left
    assert redact(text).kinds == (("private",) if left != text else ())


@pytest.mark.parametrize(
    "element",
    [
        "< private >{}</ private >",
        "<private\n>{}</private\n>",
        "＜private＞{}＜/private＞",
        "<ｐｒｉｖａｔｅ>{}</ｐｒｉｖａｔｅ>",
        "‹private>{}</private>",
        "⟨private⟩{}⟨/private⟩",
        "<pri\u200bvate>{}</private>",
        "<\u00adprivate\u2060>{}</private>",
        "<pri\u0301vate>{}</private>",
        "<рrivаte>{}</private>",
        "<𝐩𝐫𝐢𝐯𝐚𝐭𝐞>{}</private>",
        "<p r i v a t e>{}</private>",
        "<private/>{}</private>",
        "&lt;private&gt;{}&lt;/private&gt;",
        "&#60;private&#62;{}&#x3c;/private&#x3e;",
        "&amp;lt;private&amp;gt;{}&amp;lt;/private&amp;gt;",
        "\\u003cprivate\\u003e{}\\u003c/private\\u003e",
        "%3Cprivate%3E{}%3C%2Fprivate%3E",
    ],
)
def test_whatever_looks_like_the_private_element_is_private(element):
    assert redact(f"tea {element.format('at four')} daily").text == "tea  daily"
    first, _, _ = element.partition("{")
    assert redact(f"tea {first}at four").text == "tea "


@pytest.mark.parametrize(
    "text",
    [
        "#include <private/key.h>",
        "private < 3 and > 4",
        "a &lt;b&gt; private",
        "a <private-lines> b",
    ],
)
def test_what_only_has_the_word_private_is_kept(text):
    assert redact(text).text == text


@pytest.mark.parametrize("prefix", ["%67hp_", "ghp%5F", "%67%68%70%5f", "gh%70_"])
def test_a_token_with_letters_written_as_in_a_url_is_redacted(prefix):
    secret = "16C7e42F292c6912E7710c838347" + "Ae178B4a"
    text = f"see https://x.example/{prefix}{secret}?a=%20b, ok"
    assert redact(text).text == "see https://x.example/[redacted: github-token]?a=%20b, ok"


_PIECES = st.sampled_from(
    [
        *TOKENS.values(),
        *(text.format(secret) for _, text, secret in PLACES),
        *ORDINARY,
        block("RSA PRIVATE KEY"),
        "-----BEGIN RSA PRIVATE KEY-----",
        "<private>",
        "</private>",
        "[redacted: password]",
        *("password=", "token: ", "key is ", "secret", "://", "is ", "</a>", "\\n", *"@=:\n \"'İ-"),
    ]
)


@given(st.lists(_PIECES | st.text(max_size=12), max_size=8))
@settings(max_examples=examples(60, 400))
def test_redacting_again_changes_nothing(pieces):
    once = redact("".join(pieces)).text
    assert redact(once).text == once


@given(st.text(st.characters(), max_size=300))
def test_nothing_makes_it_fail(text):
    redact(text)


@pytest.mark.parametrize(
    "piece",
    [
        "password=",
        "password is ",
        "eyJ-",
        "eyJaaaaaaaaaa.",
        "-----BEGIN RSA PRIVATE KEY-----",
        "a://b:",
        "?token=",
        "<private>",
        "sk-ant-a-",
        "cookie: a=b; ",
        "name: DB_PASSWORD\n",
        'password=\\"',
        " ",
        "A",
    ],
)
def test_a_long_hostile_text_comes_to_an_end(piece):
    text = "password" + piece * (100_000 // len(piece))
    assert len(redact(text).text) <= 4 * len(text)


@pytest.mark.parametrize("piece", ["key=", "password: ", "密码:", "token is to ", 'psk="'])
def test_a_secret_among_thousands_of_names_of_secrets_is_still_found(piece):
    names = piece * (8_000 // len(piece))
    spoken = f"{names}\nThe gateway listens on a port. The password is hunter2!x now. {names}"
    assert "hunter2" not in redact(spoken).text


def test_each_of_many_secrets_that_are_listed_is_found():
    listed = "".join(f'"token{each}": "{body(24)}{each}", ' for each in range(500))
    assert body(24) not in redact(listed).text


def test_texts_inside_of_values_are_redacted_and_names_stay():
    token = TOKENS["github-token"]
    value = {
        "note": [f"use {token}", 3, None, True, ("x", token)],
        token: "stays under its name",
        "db": {"password": "sunshine", "passwordless": "yes", "port": 5432},
        "token": "none",
    }
    assert redact_json(value) == {
        "note": ["use [redacted: github-token]", 3, None, True, ("x", "[redacted: github-token]")],
        token: "stays under its name",
        "db": {"password": "[redacted: password]", "passwordless": "yes", "port": 5432},
        "token": "none",
    }


# Every way in

TOKEN = TOKENS["github-token"]
SAID = f"Deploys need {TOKEN} in the CI"
KEPT = "Deploys need [redacted: github-token] in the CI"


def test_a_memory_is_kept_without_its_secrets(tacit):
    written = tacit.remember(
        SAID,
        key="ci.token",
        tags=[f"t {TOKEN}", "ci"],
        metadata={"password": "sunshine", "seen": [SAID]},
        origin={"speaker": "jo", "file": "ci.yml", "url": f"https://x.example/?token={TOKEN}"},
    )
    memory = tacit.get(written.id)
    assert written.memory == memory
    assert memory.content == KEPT
    assert memory.tags == ("t [redacted: github-token]", "ci")
    assert memory.metadata == {"password": "[redacted: password]", "seen": [KEPT]}
    assert memory.origin.url == "https://x.example/?token=[redacted: github-token]"
    assert (memory.origin.speaker, memory.origin.file, memory.key) == ("jo", "ci.yml", "ci.token")
    assert TOKEN not in json.dumps(
        [entry.to_dict() for entry in tacit.memories.history(written.id)]
    )


def test_the_same_words_about_another_secret_are_the_same_memory(tacit):
    first, second = tacit.memories.remember_all([SAID, SAID.replace(TOKEN, "ghp" + "_" + body(40))])
    assert (first.id, str(second.status)) == (second.id, "known")


def test_what_is_private_is_left_out_and_nothing_else_is_refused(tacit):
    kept = tacit.remember("Tea at four <private>with Ann</private>", tags=["<private>x</private>"])
    assert (kept.memory.content, kept.memory.tags) == ("Tea at four ", ())
    with pytest.raises(InvalidInput, match="is all <private>"):
        tacit.remember("<private>Tea with Ann</private> ")
    with pytest.raises(InvalidInput, match="is all <private>"):
        tacit.edit(kept.id, content="<private>Tea with Ann</private>")


def test_an_edit_is_redacted_and_so_is_its_vector(house):
    class Listening(FakeEmbedder):
        def embed(self, texts):
            heard.extend(texts)
            return super().embed(texts)

    heard = []
    tacit = Tacit(house.store, "w", embedder=Listening(), clock=house.clock, config=Config())
    id = tacit.remember("Deploys need nothing").id
    assert tacit.edit(id, content=SAID).memory.content == KEPT
    tacit.edit(id, content=f"{SAID}, too", by="agent")
    tacit.edit(id, origin={"speaker": TOKEN})
    assert heard == [
        "Deploys need nothing",
        KEPT,
        f"{KEPT}, too",
        f"[redacted: github-token]: {KEPT}",
    ]
    assert tacit.reviews.list()[0].change["content"] == f"{KEPT}, too"


def test_reasons_are_redacted(tacit):
    first = tacit.remember("Backups run at two", key="backup.hour").id
    second = tacit.remember("Backups run at three", key="backup.hour", by="agent").id
    tacit.conflicts.resolve(keep=first, supersede=[second], reason=f"said so with {TOKEN}")
    assert (
        tacit.memories.history(second)[-1].new["reason"] == "said so with [redacted: github-token]"
    )


def test_imported_lines_and_whole_records_are_redacted(house):
    tacit = house.tacit
    tacit.remember("Deploys need PLACE in the CI")
    tacit.edit(tacit.list()[0].id, content="Deploys want PLACE in the CI", by="agent")
    file = io.BytesIO()
    tacit.archive.export_to(file, embeddings=True)
    exported = file.getvalue().replace(b"PLACE", TOKEN.encode())
    lines = [json.dumps({"content": SAID}), json.dumps({"content": "<private>x</private>"})]
    other = house.another("elsewhere")
    report = other.archive.import_from(io.BytesIO(exported + "\n".join(lines).encode()))
    assert [each.reason for each in report.rejected] == [
        "content: is all <private>, which is never stored; nothing is left"
    ]
    assert report.counts == {"created": 1, "audit entries": 1, "reviews": 1, "known": 1}
    again = io.BytesIO()
    other.archive.export_to(again, embeddings=True)
    assert TOKEN.encode() not in again.getvalue()
    assert again.getvalue().count(b"[redacted: github-token]") == 3
    assert other.archive.import_from(io.BytesIO(exported)).counts == {"known": 3}


def test_a_turn_keeps_no_secret_and_sends_the_message_as_it_is(house):
    tacit = house.tacit
    tacit.remember("Deploys run in the CI")
    with tacit.turn(session="s", history=[], text=SAID) as turn:
        assert turn.messages[-1]["content"] == SAID
        assert turn.receipt.query == KEPT
        open_now = tacit.turns.find(turn.receipt.id)
        turn.commit(f"I will use {TOKEN}.")
    follow = tacit.turn(session="s", history=turn.history, text="And why that?")
    assert follow.receipt.context
    assert not any(TOKEN[:10].casefold() in term.casefold() for term in follow.receipt.context)
    follow.commit("Because.")
    with house.store.read("default") as unit:
        kept = [each.to_bytes() for each in unit.receipts.open_turns("s")]
    receipts = [json.dumps(each.to_dict()) for each in tacit.turns.list()]
    assert open_now.receipt.query == KEPT
    assert TOKEN not in "".join([*receipts, *(zlib.decompress(each).decode() for each in kept)])


def test_what_a_message_hides_in_lines_of_its_own_is_hidden_in_the_receipt(tacit):
    text = "> <private>\nswordfish\n</private>\ndb:\n  password: sunshine\n  port: 5432"
    receipt = tacit.preview(session="s", text=text, history=[]).receipt
    assert receipt.query == "db: password: [redacted: password] port: 5432"


def test_what_went_wrong_in_a_turn_is_told_without_secrets(tacit, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError(f"no such {TOKEN}")

    monkeypatch.setattr("tacit.turn.finding.search_candidates", fail)
    receipt = tacit.preview(session="s", text="Where do deploys run?", history=[]).receipt
    assert receipt.degraded == ("search: failed (no such [redacted: github-token])",)


def test_an_answer_that_is_kept_can_be_read_with_its_request_only(tmp_path):
    asked = {"session": "s", "text": SAID, "history": [{"role": "user", "content": TOKEN}]}
    with served(tmp_path / "m.db") as server:
        headers = {"Idempotency-Key": "one"}
        first = server.client.post("/v1/turns", json=asked, headers=headers)
        again = server.client.post("/v1/turns", json=asked, headers=headers)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json() == first.json()
    assert TOKEN in first.text
    with apsw.Connection(str(tmp_path / "m.db")) as database:
        ((kept,),) = database.execute("SELECT body FROM answers")
    assert TOKEN.encode() not in kept
    assert b"messages" not in kept


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_what_is_sealed_opens_again(answer, request):
    assert unseal(seal(answer, request), request) == answer


@pytest.mark.parametrize("format", ["json", "text"])
def test_the_log_has_no_secret_in_messages_fields_and_exceptions(format):
    stream = io.StringIO()
    handler = logs._create_handler(logs.LogFormat(format), stream)
    log = logging.Logger("tacit.test")
    log.addHandler(handler)
    log.info("GET %s %s", f"/v1/x?api_key={body(32)}", {"password": "sunshine"})
    log.info("named", extra={"password": "moonlight", "deep": {"client_secret": body(40)}})
    trouble = (ValueError, ValueError(SAID), None)
    log.error("failed with %s", "postgres://app:rainbow9@db/app", exc_info=trouble)
    said = stream.getvalue()
    for secret in (body(32), "sunshine", "moonlight", body(40), TOKEN, "rainbow9"):
        assert secret not in said
    assert "/v1/x?api_key=[redacted: url-token]" in said


def test_the_evaluation_reads_every_file_and_names_what_it_found(tmp_path):
    entries = [
        {"id": "a", "kind": "github", "text": "use {0}", "secrets": [[TOKEN[:3], TOKEN[3:]]]},
        {"id": "b", "kind": "bird", "text": "a {0} flies by", "secrets": [["king", "fisher"]]},
    ]
    path = tmp_path / "secrets_mine.jsonl"
    path.write_text("\n".join(map(json.dumps, entries)))
    (tmp_path / "ordinary_mine.txt").write_text(f"Tea at four\n{SAID}\n")
    seen = []
    figures = evaluate_secrets(path, lambda done, total: seen.append((done, total)))
    found, changed = figures.pop("failures")
    assert figures == {"gone": 0.5, "changed": 0.5, "secrets": 2, "ordinary": 2}
    assert seen[-1] == (2, 2)
    assert changed == f"changed: {SAID} -> {KEPT}"
    assert found.startswith("b bird: is in ")
    for place in ("memory.db (closed)", "table memories", "table audit", "table receipts"):
        assert place in found
    path.write_text('{"id": "a"}')
    with pytest.raises(ArchiveError, match="is not a set of secrets"):
        evaluate_secrets(path, lambda *_: None)
