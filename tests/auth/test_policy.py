"""The one policy for URLs from the network, each rule with what it allows and what it refuses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.auth.policy import (
    Allowed,
    Refused,
    ResourceMatch,
    canonical_resource,
    is_loopback,
    judge_address,
    judge_url,
    match_resource,
    origin,
    perimeter,
    resource_parameter,
)

PUBLIC = perimeter("https://mcp.example.com/mcp")
LOCAL = perimeter("http://127.0.0.1:8000/mcp")


@pytest.mark.parametrize(
    "url",
    [
        "https://auth.example.com",
        "https://auth.example.com:8443/tenant/token?x=1",
        "https://8.8.8.8/token",
        "https://[2606:4700::1111]/token",
        "https://[64:ff9b::808:808]/token",
        "https://[::ffff:8.8.8.8]/token",
        "HTTPS://Auth.Example.COM/",
        "https://xn--bcher-kva.example/",
    ],
)
def test_a_public_https_url_is_allowed_as_it_was_sent(url: str) -> None:
    verdict = judge_url(url, PUBLIC)
    assert isinstance(verdict, Allowed)
    assert verdict.url == url
    assert verdict.host == verdict.host.lower()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (None, "it is no text"),
        (7, "it is no text"),
        ("", "it is no text"),
        ("https://a.example/" + "x" * 9000, "it is longer than 8192 characters"),
        ("https://a.example/ x", "it has characters that no URL has"),
        ("https://a.example/\n", "it has characters that no URL has"),
        ("https://bücher.example/", "it has characters that no URL has"),
        ("https://a.example\\@b.example/", "it has characters that no URL has"),
        ("https://a.example:99999/", "it cannot be read as a URL"),
        ("https://a.example:0/", "it cannot be read as a URL"),
        ("https://[::1/", "it cannot be read as a URL"),
        ("javascript:alert(1)", "its scheme is neither https nor http"),
        ("file:///etc/passwd", "its scheme is neither https nor http"),
        ("//a.example/x", "its scheme is neither https nor http"),
        ("--help", "its scheme is neither https nor http"),
        ("https:///x", "it names no host"),
        ("https:a.example", "it names no host"),
        ("https://u:p@a.example/", "it carries a user name or password"),
        ("https://@a.example/", "it carries a user name or password"),
        ("https://a.example/#x", "it has a fragment"),
        ("https://a.example/#", "it has a fragment"),
        ("http://a.example/", "it is http and not on this machine"),
        ("http://localhost.evil.example/", "it is http and not on this machine"),
        ("https://a..example/", "its host is no name"),
        ("https://a%2eexample/", "its address names a network zone"),
        ("https://[fe80::1%25eth0]/", "its address names a network zone"),
        ("https://2130706433/", "its host is an address in disguise"),
        ("https://0x7f.1/", "its host is an address in disguise"),
        ("https://127.1/", "its host is an address in disguise"),
        ("https://0177.0.0.1/", "its host is an address in disguise"),
        ("https://10.0.0.5/", "it is not a public address"),
        ("https://192.168.1.1/", "it is not a public address"),
        ("https://172.16.0.1/", "it is not a public address"),
        ("https://100.64.0.1/", "it is not a public address"),
        ("https://224.0.0.1/", "it is not a public address"),
        ("https://[fd00::1]/", "it is not a public address"),
        ("https://[fec0::1]/", "it is not a public address"),
        ("https://[::ffff:10.0.0.5]/", "it is not a public address"),
        ("https://[64:ff9b::a00:5]/", "it is not a public address"),
        ("https://[2002:a00:5::]/", "it is not a public address"),
        ("https://169.254.7.7/", "it is a link-local address"),
        ("https://[fe80::1]/", "it is a link-local address"),
        ("https://169.254.169.254/latest", "it is the metadata service of a cloud"),
        ("https://168.63.129.16/", "it is the metadata service of a cloud"),
        ("https://[::ffff:169.254.169.254]/", "it is the metadata service of a cloud"),
        ("https://metadata.google.internal/", "it is the metadata service of a cloud"),
        ("http://127.0.0.1/", "it points at this machine"),
        ("https://localhost/", "it points at this machine"),
        ("https://[::1]/", "it points at this machine"),
        ("https://0.0.0.0/", "it points at this machine"),
    ],
)
def test_a_url_that_breaks_a_rule_is_refused_with_the_reason(url: object, reason: str) -> None:
    verdict = judge_url(url, PUBLIC)
    assert isinstance(verdict, Refused)
    assert verdict.reason == reason
    assert verdict.source


@pytest.mark.parametrize(
    "url", ["http://localhost:9000/x", "http://[::1]/", "https://10.0.0.5/", "http://127.0.0.1"]
)
def test_a_server_on_this_machine_may_point_at_what_is_not_public(url: str) -> None:
    assert isinstance(judge_url(url, LOCAL), Allowed)


@pytest.mark.parametrize(
    "url", ["javascript:x", "http://10.0.0.5/", "https://u@localhost/", "https://127.1/"]
)
def test_a_server_on_this_machine_may_not_break_the_other_rules(url: str) -> None:
    assert isinstance(judge_url(url, LOCAL), Refused)


def test_the_user_may_allow_private_addresses() -> None:
    within = perimeter("https://mcp.corp.example/", private_allowed=True)
    assert isinstance(judge_url("https://10.0.0.5/", within), Allowed)
    assert judge_address("10.0.0.5", "auth.corp.example", within) is None


def test_the_host_that_the_user_chose_is_allowed_and_its_neighbour_is_not() -> None:
    within = perimeter("https://10.0.0.5/mcp")
    assert isinstance(judge_url("https://10.0.0.5/token", within), Allowed)
    assert isinstance(judge_url("https://10.0.0.6/token", within), Refused)
    assert judge_address("10.0.0.5", "10.0.0.5", within) is None


def test_an_issuer_has_no_query() -> None:
    assert isinstance(judge_url("https://a.example/?x=1", PUBLIC, query=False), Refused)
    assert isinstance(judge_url("https://a.example/x", PUBLIC, query=False), Allowed)


def test_a_public_name_must_not_resolve_to_a_private_address() -> None:
    refused = judge_address("169.254.169.254", "auth.example.com", PUBLIC)
    assert refused is not None
    assert refused.reason == "it is the metadata service of a cloud"
    assert judge_address("127.0.0.1", "auth.example.com", PUBLIC) is not None
    assert judge_address("8.8.8.8", "auth.example.com", PUBLIC) is None
    assert judge_address("no address", "auth.example.com", PUBLIC) is not None
    assert judge_address("127.0.0.1", "localhost", LOCAL) is None


@given(st.text(st.characters(codec=None), max_size=60))
def test_no_text_raises(text: str) -> None:
    for url in (text, f"https://{text}", f"https://a.example/{text}", f"http://[{text}]/"):
        assert isinstance(judge_url(url, PUBLIC), Allowed | Refused)
        assert match_resource(url, "https://a.example/mcp") in ResourceMatch
        assert isinstance(canonical_resource(url), str)
        perimeter(url)


@pytest.mark.parametrize("host", ["localhost", "a.localhost.", "127.9.9.9", "[::1]", "::1"])
def test_this_machine_has_many_names(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["localhost.example", "10.0.0.1", "0.0.0.0", "", "127.1"])
def test_other_hosts_are_not_this_machine(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("https://mcp.example.com/mcp", "https://mcp.example.com/mcp"),
        ("HTTPS://MCP.Example.com/Mcp", "https://mcp.example.com/Mcp"),
        ("https://mcp.example.com/", "https://mcp.example.com"),
        ("https://mcp.example.com/mcp/", "https://mcp.example.com/mcp"),
        ("https://mcp.example.com:443/mcp#x", "https://mcp.example.com/mcp"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("http://[::1]:80/a?b=c", "http://[::1]/a?b=c"),
    ],
)
def test_a_resource_has_one_canonical_form(url: str, canonical: str) -> None:
    assert canonical_resource(url) == canonical
    assert canonical_resource(canonical) == canonical


def test_an_origin_is_scheme_host_and_port() -> None:
    assert origin("https://A.example:8443/x?y") == "https://a.example:8443"
    assert origin("nothing") == ""


@pytest.mark.parametrize(
    ("advertised", "match"),
    [
        ("https://mcp.example.com/a/mcp", ResourceMatch.SAME),
        ("https://MCP.example.com:443/a/mcp/", ResourceMatch.SAME),
        ("https://mcp.example.com/a", ResourceMatch.PARENT),
        ("https://mcp.example.com", ResourceMatch.PARENT),
        ("https://mcp.example.com/", ResourceMatch.PARENT),
        ("https://mcp.example.com/a/mc", ResourceMatch.OTHER),
        ("https://mcp.example.com/a/mcp/b", ResourceMatch.OTHER),
        ("https://mcp.example.com/A/mcp", ResourceMatch.OTHER),
        ("https://mcp.example.com/a/mcp?x=1", ResourceMatch.OTHER),
        ("https://mcp.example.com/a/mcp#x", ResourceMatch.OTHER),
        ("https://mcp.example.com/a/../a/mcp", ResourceMatch.OTHER),
        ("https://mcp.example.com/%2e", ResourceMatch.OTHER),
        ("https://mcp.example.com\n/a/mcp", ResourceMatch.OTHER),
        ("https://u@mcp.example.com/a/mcp", ResourceMatch.OTHER),
        ("https://mcp.example.com.evil.example/a/mcp", ResourceMatch.OTHER),
        ("https://evil.example.com/a/mcp", ResourceMatch.OTHER),
        ("http://mcp.example.com/a/mcp", ResourceMatch.OTHER),
        ("https://mcp.example.com:8443/a/mcp", ResourceMatch.OTHER),
        ("", ResourceMatch.OTHER),
    ],
)
def test_a_token_for_a_resource_is_one_for_us_or_not(advertised: str, match: ResourceMatch) -> None:
    assert match_resource(advertised, "https://mcp.example.com/a/mcp") is match


def test_the_resource_parameter_is_what_the_metadata_says_letter_for_letter() -> None:
    url = "https://mcp.example.com/mcp/"
    assert resource_parameter(url, "https://MCP.example.com/mcp/") == "https://MCP.example.com/mcp/"
    assert resource_parameter(url, None) == "https://mcp.example.com/mcp"
    assert resource_parameter(url, "https://evil.example/mcp") == "https://mcp.example.com/mcp"
