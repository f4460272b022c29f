"""The words of the Auth screen."""

from rich.cells import cell_len

from inspector.auth.actions import Failed, Stage, StepRecord
from inspector.auth.remarks import refusal, warning
from inspector.auth.situation import AuthState
from inspector.tui.auth_person import Question
from inspector.tui.auth_text import auth_lines, auth_title, question_lines
from tests.auth.playbook import Play

WIDTH = 60
HOSTILE = "\x1b]52;c;aGk=\x07\u202e[red]"
STEPS = (
    StepRecord(
        Stage.RESOURCE,
        "done",
        "http://127.0.0.1:1/.well-known/oauth-protected-resource/mcp",
        "RFC 9728 section 5.1",
        (("authorization server", "http://127.0.0.1:2"),),
        (warning("no-header-method", "takes no token in the header", "RFC 9728 section 2"),),
        (7, 8),
    ),
    StepRecord(Stage.SERVER, "failed", remarks=(refusal("pkce", "no S256", "OAuth 2.1"),)),
)


def _plain(state: AuthState, width: int = WIDTH) -> str:
    """The words without the folding."""
    return " ".join(" ".join(line.plain for line in auth_lines(state, width)).split())


def test_a_step_says_where_it_asked_why_there_and_what_it_found() -> None:
    shown = _plain(AuthState("failed", STEPS))
    assert "✓ protected resource metadata #7, #8" in shown
    assert "by the rule of RFC 9728 section 5.1" in shown
    assert "authorization server http://127.0.0.1:2" in shown
    assert "warning: takes no token in the header (RFC 9728" in shown
    assert "✗ authorization server metadata" in shown
    assert "refused: no S256 (OAuth 2.1)" in shown


def test_no_name_of_a_fact_is_cut() -> None:
    play = Play()
    play.grant()
    named = {name for step in play.flow.steps for name, _ in step.found}
    assert {"authorization endpoint", "names itself in redirects"} <= named
    shown = [line.plain for line in auth_lines(AuthState("authorized", play.flow.steps), 100)]
    for name in named:
        assert any(line.startswith(f"    {name}  ") for line in shown), name


def test_a_failure_says_where_it_stopped_and_what_to_do() -> None:
    error = Failed(Stage.SERVER, "metadata-rejected", "it offers no PKCE", "allow it with --x")
    shown = _plain(AuthState("failed", STEPS, error=error))
    assert "Stopped at: authorization server metadata" in shown
    assert "it offers no PKCE" in shown
    assert "allow it with --x" in shown


def test_nothing_asked_yet_says_so() -> None:
    assert "No authorization was asked for yet" in _plain(AuthState())


def test_no_line_is_wider_than_the_place_for_it() -> None:
    facts = (("issuer", "https://example.com/" + "a" * 200), ("wide", "漢字" * 60))
    for width in (40, 57, 76):
        for line in auth_lines(AuthState("failed", STEPS, facts=facts), width):
            assert cell_len(line.plain) <= width, line.plain


def test_a_long_address_is_shown_whole() -> None:
    url = "https://as.example/authorize?response_type=code&state=" + "s" * 150
    question = Question(1, "consent", url=url)
    lines = question_lines(question, (), WIDTH)
    assert url in "".join(line.plain.strip() for line in lines)
    assert any("as.example" in line.plain and "host" in line.plain for line in lines)


def test_what_the_network_said_is_shown_and_not_obeyed() -> None:
    step = StepRecord(Stage.SERVER, "done", HOSTILE, HOSTILE, (("issuer", HOSTILE),))
    state = AuthState("failed", (step,), error=Failed(Stage.SERVER, "x", HOSTILE, HOSTILE))
    questions = [
        Question(1, kind, HOSTILE, "http://h/", (HOSTILE, HOSTILE))
        for kind in ("consent", "server", "issuer", "client", "scopes")
    ]
    lines = [auth_title("http://h/" + HOSTILE, state), *auth_lines(state, WIDTH)]
    for question in questions:
        lines += question_lines(question, (HOSTILE,), WIDTH)
    shown = "\n".join(line.plain for line in lines)
    assert not set(shown) & {"\x1b", "\x07", "\u202e"}
    assert "[red]" in shown
