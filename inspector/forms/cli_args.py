"""Arguments as words of a command line, read with the help of a tool's schema.

Decides what `key=text`, `key:=json` and `key@=file` mean, and spells arguments as such words again.
Where `--args` comes from, and what is called with the result, is decided by the command line.

- `key=text` is a string, unless the schema of `key` knows no strings: then a text that spells an
  integer, a number, true or false, null, an object or a list is that. A text that does not fit
  stays a string and is sent as it stands.
- `key:=json` is sent exactly as typed, token for token, whatever the schema says.
- `key@=file` is the text of a file, read like `key=text`; `-` is not special.
- `a.b=1` is key `b` inside object `a` only where the schema declares `a` as an object and no
  property has the literal name `a.b`; otherwise the key is `a.b`.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from inspector.errors import UsageError
from inspector.forms.fields import Field, Kind
from inspector.forms.jsontext import NUMBER, JsonTextError, dump, number, opened, parse, same
from inspector.forms.tree import Form, build_form
from inspector.protocol.messages import Json, RawJson, Sendable

NESTING_LIMIT: Final = 20
_WORD: Final = "write key=text, key:=json or key@=file"


def read_file(path: str) -> str:
    """The text of a file exactly; OSError and UnicodeDecodeError are the caller's."""
    return Path(path).read_bytes().decode("utf-8")


def read_arguments(
    words: Sequence[str],
    schema: Json = True,
    *,
    base: Mapping[str, Sendable] | None = None,
    read: Callable[[str], str] = read_file,
) -> dict[str, Sendable]:
    """The arguments that `words` spell; they replace those of `base`. Raises UsageError."""
    form = build_form(schema)
    arguments: dict[str, Sendable] = dict(base or {})
    given: set[tuple[str, ...]] = set()
    for word in words:
        key, operator, text = _split(word)
        path, field = _place(form, key)
        clash = next((other for other in given if _overlaps(path, other)), None)
        if clash is not None:
            hint = "give each argument once; a list or an object as one JSON: key:=[1,2]"
            raise UsageError(f"argument {key!r} is given twice", hint=hint)
        given.add(path)
        if operator == ":=":
            value = _json(key, text)
        else:
            value = _coerced(form, field, _file(key, text, read) if operator == "@=" else text)
        _put(arguments, path, value, key)
    return arguments


def write_arguments(arguments: Sendable, schema: Json = True) -> list[str] | None:
    """Words that `read_arguments` reads as `arguments`; None where only `--args` can say it."""
    try:
        arguments = opened(arguments)
    except JsonTextError:
        return None
    if not isinstance(arguments, Mapping):
        return None
    words: list[str] = []
    for key, value in arguments.items():
        if not key or "=" in key or key[-1] in ":@" or not (key + dump(value)).isprintable():
            return None
        words.append(_spelt(key, value, schema))
    try:
        told = read_arguments(words, schema)
    except UsageError:
        return None
    return words if same(told, arguments) else None


def shell_words(words: Sequence[str]) -> str:
    """`words` quoted for a shell."""
    return shlex.join(words)


def _spelt(key: str, value: Sendable, schema: Json) -> str:
    """`key=text` where that reads back as `value`, else `key:=json`."""
    text = value if isinstance(value, str) else dump(value)
    try:
        short = read_arguments([f"{key}={text}"], schema)
    except UsageError:
        short = {}
    return f"{key}={text}" if same(short, {key: value}) else f"{key}:={dump(value)}"


def _split(word: str) -> tuple[str, str, str]:
    key, equals, text = word.partition("=")
    operator = "="
    if equals and key[-1:] in (":", "@"):
        key, operator = key[:-1], f"{key[-1]}="
    if not equals or not key:
        raise UsageError(f"{word!r} is no argument", hint=_WORD)
    try:
        word.encode()
    except UnicodeEncodeError:
        raise UsageError(f"argument {key!r} is not UTF-8", hint="use key@=file") from None
    return key, operator, text


def _overlaps(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def _place(form: Form, key: str) -> tuple[tuple[str, ...], Field | None]:
    """Where a key leads, with the field there: down into objects only where they are declared."""
    path: list[str] = []
    parents = [form.root]
    rest = key
    for _ in range(NESTING_LIMIT):
        fields = [field for parent in parents for field in _properties(form, parent)]
        exact = next((field for field in fields if field.name == rest), None)
        if exact is not None:
            return (*path, rest), exact
        head, dot, tail = rest.partition(".")
        parents = [field for field in fields if field.name == head and _nests(form, field)]
        if not dot or not tail or not parents:
            break
        path.append(head)
        rest = tail
    if path:  # inside a declared object, a name that it does not declare
        return (*path, rest), None
    return (key,), _entry(form, key)


def _properties(form: Form, parent: Field) -> Iterator[Field]:
    """The declared properties, those of every alternative included."""
    if parent.kind is Kind.OBJECT:
        yield from form.properties(parent)
    elif parent.kind is Kind.CHOICE:
        for variant in form.variants(parent):
            if variant.kind is Kind.OBJECT:
                yield from form.properties(variant)


def _nests(form: Form, field: Field) -> bool:
    return any(True for _ in _properties(form, field))


def _entry(form: Form, key: str) -> Field | None:
    root = form.root
    takes = root.kind is Kind.OBJECT and root.flat.additional is not None
    return form.entry(root, key) if takes else None


def _coerced(form: Form, field: Field | None, text: str) -> Sendable:
    """The value that `text` spells for a field, the text itself where it spells none."""
    if field is None:
        return text
    kinds = _kinds(form, field)
    if Kind.STRING in kinds or Kind.ANY in kinds or Kind.JSON in kinds:
        return text
    options = [option.value for one in _leaves(form, field) for option in one.options]
    if text in [option for option in options if isinstance(option, str)]:
        return text
    try:
        value = parse(text)
    except JsonTextError:
        return text
    if isinstance(value, str):
        return text
    if _fits(kinds, value) or any(same(option, value) for option in options):
        return number(text.strip()) if NUMBER.fullmatch(text.strip()) else RawJson(text.encode())
    return text


def _fits(kinds: set[Kind], value: Sendable) -> bool:
    match value:
        case None:
            return Kind.NULL in kinds
        case bool():
            return Kind.BOOLEAN in kinds
        case list():
            return Kind.ARRAY in kinds or Kind.MULTI in kinds
        case Mapping():
            return Kind.OBJECT in kinds
        case _:
            return Kind.NUMBER in kinds or (Kind.INTEGER in kinds and _whole(value))


def _whole(value: Sendable) -> bool:
    token = dump(value)
    if token.lstrip("-").isdigit():
        return True
    return len(token) < 30 and "e" not in token.lower() and float(token).is_integer()


def _leaves(form: Form, field: Field, depth: int = 0) -> Iterator[Field]:
    if field.kind is Kind.CHOICE and depth < 4:
        for variant in form.variants(field):
            yield from _leaves(form, variant, depth + 1)
    else:
        yield field


def _kinds(form: Form, field: Field) -> set[Kind]:
    leaves = list(_leaves(form, field))
    kinds = {leaf.kind for leaf in leaves}
    if field.nullable or any(leaf.nullable for leaf in leaves):
        kinds.add(Kind.NULL)
    return kinds


def _json(key: str, text: str) -> Sendable:
    try:
        parse(text)
    except JsonTextError as error:
        hint = f"correct the JSON, or send it as a string: {key}=…"
        raise UsageError(f"argument {key!r} is {error}", hint=hint) from None
    return RawJson(text.encode())


def _file(key: str, path: str, read: Callable[[str], str]) -> str:
    try:
        return read(path)
    except UnicodeDecodeError:
        raise UsageError(f"argument {key!r}: {path} is not UTF-8 text") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        hint = "key@=FILE takes the text of a file"
        raise UsageError(f"argument {key!r}: cannot read {path}: {reason}", hint=hint) from None


def _put(arguments: dict[str, Sendable], path: tuple[str, ...], value: Sendable, key: str) -> None:
    """Stores a value at its path; objects on the way are made, those of `base` are copied."""
    target = arguments
    for step in path[:-1]:
        inner = opened(target.get(step, {}))
        if not isinstance(inner, Mapping):
            hint = f"give {step!r} as one JSON object"
            raise UsageError(f"argument {key!r}: {step!r} is not an object", hint=hint)
        below: dict[str, Sendable] = dict(inner)
        target[step] = below
        target = below
    target[path[-1]] = value


def object_of(text: str, name: str) -> dict[str, Sendable]:
    """The object in JSON text with its number tokens kept, for `base`; UsageError if it is none."""
    try:
        value = parse(text)
    except JsonTextError as error:
        raise UsageError(f"{name} is {error}", hint='write {"key": value}') from None
    if not isinstance(value, dict):
        raise UsageError(f"{name} is not a JSON object", hint='write {"key": value}')
    return value
