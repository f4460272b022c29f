"""A call as something to paste elsewhere: a `mcp-inspect` command, a JSON-RPC line, a curl command.

Everything that came from a server is quoted for the shell. Secrets are left to the reader: header
values, the environment's values and secrets among arguments and in URLs are never written.
"""

import shlex
from collections.abc import Mapping
from typing import Final

from inspector.config.oauth import OAuthChoice
from inspector.config.secrecy import shown_command, shown_url
from inspector.config.targets import Target
from inspector.protocol.messages import JsonObject, Sendable, encode_json, encode_request
from inspector.render.safe import DANGEROUS, json_safe

PLACEHOLDER: Final = "…"


def quote(text: str) -> str:
    """`text` as one word of a POSIX shell; characters that a terminal would act on, or not show, as
    `$'…'` escapes. What no word of a shell can hold (NUL, a lone surrogate) is U+FFFD."""
    unseen = {found.start() for found in DANGEROUS.finditer(text)}
    if text.isprintable() and not unseen:
        return shlex.quote(text)
    escaped = "".join(_escape(one, at in unseen) for at, one in enumerate(text))
    return f"$'{escaped}'"


def _escape(character: str, unseen: bool) -> str:
    if character in "'\\":
        return "\\" + character
    if character.isprintable() and not unseen:
        return character
    code = ord(character)
    if code == 0 or 0xD800 <= code < 0xE000:
        return "\\ufffd"
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def target_words(target: Target) -> list[str]:
    """The target as arguments of `mcp-inspect`, already quoted; always the last ones."""
    words: list[str] = []
    if target.source is not None and target.name:
        return ["--config", quote(str(target.source)), "--server", quote(target.name)]
    if target.transport != "auto":
        words += ["--transport", target.transport]
    for name in sorted(target.env):
        words += ["--env", f'{quote(name)}="${{{name}}}"' if name.isidentifier() else quote(name)]
    if target.cwd is not None:
        words += ["--cwd", quote(str(target.cwd))]
    for name, _ in target.headers:
        words += ["--header", quote(f"{name}: {PLACEHOLDER}")]
    words += _oauth_words(target.oauth)
    if target.url:
        return [*words, quote(shown_url(target.url))]
    return [*words, "--", *(quote(word) for word in shown_command(target.command))]


def _oauth_words(choice: OAuthChoice) -> list[str]:
    words: list[str] = []
    for option, value in (
        ("--client-id", choice.client_id),
        ("--client-secret-env", "CLIENT_SECRET" if choice.client_secret else ""),
        ("--client-metadata-url", choice.client_metadata_url),
        ("--scope", choice.scope),
        ("--issuer", choice.issuer),
        ("--private-key", str(choice.private_key or "")),
        ("--key-alg", choice.key_algorithm),
        ("--token-endpoint-auth-method", choice.auth_method),
        ("--redirect-uri", choice.redirect_uri),
    ):
        if value or (option == "--scope" and value is not None):
            words += [option, quote(str(value))]
    words += ["--client-credentials"] if choice.client_credentials else []
    words += ["--allow-missing-pkce-metadata"] if choice.missing_pkce_allowed else []
    words += ["--allow-private-addresses"] if choice.private_addresses_allowed else []
    return words


def call_command(target: Target, tool: str, arguments: Sendable) -> str:
    """`mcp-inspect call` with the same tool, arguments and target."""
    words = ["mcp-inspect", "call", quote(tool)]
    simple = _simple(arguments)
    if simple is not None:
        words += [quote(f"{name}={value}") for name, value in simple.items()]
    elif arguments:
        words += ["--args", quote(_json(arguments))]
    return " ".join([*words, *target_words(target)])


def _simple(arguments: Sendable) -> Mapping[str, str] | None:
    """The arguments where all are strings that `key=text` can say, else None."""
    if not isinstance(arguments, Mapping):
        return None
    simple: dict[str, str] = {}
    for name, value in arguments.items():
        if not (name.isidentifier() and name.isascii()) or not isinstance(value, str):
            return None
        simple[name] = value
    return simple


def read_command(target: Target, uri: str) -> str:
    """`mcp-inspect read` with the same URI and target."""
    return " ".join(["mcp-inspect", "read", quote(uri), *target_words(target)])


def prompt_command(target: Target, name: str, arguments: Mapping[str, str]) -> str:
    """`mcp-inspect prompt` with the same arguments and target."""
    words = [quote(f"{key}={value}") for key, value in arguments.items()]
    return " ".join(["mcp-inspect", "prompt", quote(name), *words, *target_words(target)])


def rpc_line(method: str, params: Sendable) -> str:
    """The request as one line of JSON, with id 1."""
    return json_safe(encode_request(1, method, params)).decode()


def curl_command(target: Target, method: str, params: Sendable, *, revision: str = "") -> str:
    """The request as curl for a Streamable HTTP target; "" where the target is none.

    A server with sessions also wants the id of one: the command has a place for it.
    """
    if not target.url or target.transport == "sse":
        return ""
    lines = [
        f"curl -sS -N {quote(shown_url(target.url))}",
        "-H 'Content-Type: application/json'",
        "-H 'Accept: application/json, text/event-stream'",
    ]
    if revision:
        lines.append(f"-H {quote(f'MCP-Protocol-Version: {revision}')}")
    lines.append('-H "Mcp-Session-Id: $MCP_SESSION_ID"')
    lines += [f"-H {quote(f'{name}: {PLACEHOLDER}')}" for name, _ in target.headers]
    lines.append(f"--data-binary {quote(rpc_line(method, params))}")
    return " \\\n  ".join(lines)


def tool_params(tool: str, arguments: Sendable) -> dict[str, Sendable]:
    """The parameters of `tools/call`, for showing."""
    return {"name": tool} if arguments is None else {"name": tool, "arguments": arguments}


def _json(value: Sendable | JsonObject) -> str:
    return json_safe(encode_json(value)).decode()
