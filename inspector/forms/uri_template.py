"""URI templates of a server (RFC 6570) as fields to fill in, and as a URI.

What is no template is no error of ours: it has a reason instead, and no fields.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import uritemplate

MOST_WORK: Final = 10_000_000
"""Brackets times characters: a search for pairs of brackets may look at so many characters."""


@dataclass(frozen=True, slots=True)
class TemplateParts:
    """The names of a template's variables, in order; `problem` says why it has none ("" if it is
    a template)."""

    names: tuple[str, ...] = ()
    problem: str = ""


def template_parts(template: str) -> TemplateParts:
    """What `template` asks for."""
    if not _readable(template):
        return TemplateParts(problem="it is too long for a URI template")
    try:
        return TemplateParts(tuple(uritemplate.URITemplate(template).variable_names))
    except ValueError:
        return TemplateParts(problem="it is no URI template (RFC 6570)")


def expanded(template: str, values: Mapping[str, str]) -> str:
    """The URI; the template itself where it is none, or where a value has no URI form."""
    if not _readable(template):
        return template
    try:
        return str(uritemplate.URITemplate(template).expand(dict(values)))
    except ValueError:
        return template


def _readable(template: str) -> bool:
    return template.count("{") * len(template) <= MOST_WORK
