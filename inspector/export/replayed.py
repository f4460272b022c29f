"""Whether an answer is still what it was: the comparison inside generated tests.

Its source is copied into them, so it needs the standard library only. What no two runs have in
common (times, UUIDs, random identifiers, temporary paths, what a recording masked) is not compared;
of an answer that differed already within one recording, only the shape is. Pure.
"""

import hashlib
import json
import re

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

MASKED = re.compile(r"\\?\[masked\\? [0-9a-f]{4}\\?\]|\\?\[redacted\\?\]")
VOLATILE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]+(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"  # dates and times
    r"|\b[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?: ?[AP]M)?"  # times of day
    r"|[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"  # UUIDs
    r"|\b(?=[0-9a-fA-F]*[0-9])(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{12,}\b"  # identifiers
    r"|\b1[0-9]{9}(?:[0-9]{3})?(?:\.[0-9]+)?\b"  # seconds and milliseconds since 1970
    r"|(?:/private)?/(?:var/)?tmp/[\w./-]+"  # temporary files
    r"|127\.0\.0\.1:[0-9]+|localhost:[0-9]+"  # ports
    r"|\bpid[ :=]+[0-9]+"
)


def stable(text: str) -> str:
    """A text without what differs from run to run."""
    return VOLATILE.sub("<volatile>", text)


def differences(was: Json, now: Json, path: str = "$", shape_only: bool = False) -> list[str]:
    """Where two answers differ, in words; `_meta` and cursors are not looked at."""
    if isinstance(was, dict) and isinstance(now, dict):
        found: list[str] = []
        for name in sorted({*was, *now}):
            where = f"{path}.{name}"
            if name not in now:
                found.append(f"{where} is gone")
            elif name not in was:
                found.append(f"{where} is new")
            elif name not in ("_meta", "nextCursor", "requestState"):
                found += differences(was[name], now[name], where, shape_only)
        return found
    if isinstance(was, list) and isinstance(now, list):
        if len(was) != len(now) and not shape_only:
            return [f"{path} had {len(was)} items and has {len(now)}"]
        pairs = zip(was, now, strict=False)
        return [
            one
            for at, (left, right) in enumerate(pairs)
            for one in differences(left, right, f"{path}[{at}]", shape_only)
        ]
    if isinstance(was, str) and isinstance(now, str):
        same = shape_only or fits(stable(was), stable(now))
        return [] if same else [f"{path} was {was[:200]!r} and is {now[:200]!r}"]
    numbers = (int, float)
    if isinstance(was, str) and MASKED.search(was):
        return []
    if isinstance(was, bool) is not isinstance(now, bool):
        return [f"{path} was {was!r} and is {now!r}"]
    if shape_only and isinstance(was, numbers) and isinstance(now, numbers):
        return []
    if type(was) is not type(now) and not (isinstance(was, numbers) and isinstance(now, numbers)):
        return [f"{path} was {type(was).__name__} and is {type(now).__name__}"]
    if was == now or shape_only or volatile_number(was, now):
        return []
    return [f"{path} was {was!r} and is {now!r}"]


def fits(was: str, now: str) -> bool:
    """Whether a text is as it was; what was masked may be anything."""
    if MASKED.search(was) is None:
        return was == now
    first, *inner, last = MASKED.split(was)
    at, end = len(first), len(now) - len(last)
    if at > end or not now.startswith(first) or not now.endswith(last):
        return False
    for part in inner:
        at = now.find(part, at, end) + len(part)
        if at < len(part):
            return False
    return True


def volatile_number(was: Json, now: Json) -> bool:
    """Whether both are times of a clock."""
    return all(
        isinstance(one, int | float) and not isinstance(one, bool) and 1e9 <= one < 2e13
        for one in (was, now)
    )


def digest(result: Json) -> str:
    """A fingerprint of a long answer without what differs from run to run."""
    text = json.dumps(result, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(stable(text).encode("utf-8", "backslashreplace")).hexdigest()


def check(
    answer: dict[str, Json], recorded: str, shape_only: bool = False, fingerprint: str = ""
) -> None:
    """Asserts that an answer is what was recorded."""
    was = json.loads(recorded)
    if "error" in was:
        assert "error" in answer, f"it was refused, and now answers {answer.get('result')!r}"
        code, error = was["error"].get("code"), answer["error"]
        assert isinstance(error, dict)
        assert error.get("code") == code, f"the error was {code} and is {error!r}"
        return
    assert "error" not in answer, f"it is refused now: {answer.get('error')!r}"
    result = answer["result"]
    failed = result.get("isError", False) if isinstance(result, dict) else False
    assert failed == was.get("failed", False), f"isError is {failed} now: {result!r:.500}"
    if fingerprint:
        assert digest(result) == fingerprint, "the (long) answer has changed"
        return
    found = differences(was["result"], result, shape_only=shape_only)
    assert not found, "\n".join(found[:20])
