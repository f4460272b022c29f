"""The command by which the conformance suite starts us. What it does is tested with the suite
itself, in tests/conformance."""

from tests.cli.running import Runner


def test_it_takes_a_url_and_nothing_else(run: Runner) -> None:
    assert run("conformance-client").code == 2
    assert run("conformance-client", "http://127.0.0.1:1/", "http://127.0.0.1:2/").code == 2


def test_its_help_says_what_it_reads_from_the_environment(run: Runner) -> None:
    said = run("conformance-client", "--help").stdout
    for name in ("SCENARIO", "PROTOCOL_VERSION", "CONTEXT"):
        assert f"MCP_CONFORMANCE_{name}" in said
