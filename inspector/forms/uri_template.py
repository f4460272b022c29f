"""URI templates of a server (RFC 6570) as fields to fill in, and as a URI.

What is no template is no error of ours: it has a reason instead, and no fields.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import uritemplate


@dataclass(frozen=True, slots=True)
class TemplateParts:
    """The names of a template's variables, in order; `problem` says why it has none ("" if it is
    a template)."""

    names: tuple[str, ...] = ()
    problem: str = ""


def template_parts(template: str) -> TemplateParts:
    """What `template` asks for."""
    try:
        return TemplateParts(tuple(uritemplate.URITemplate(template).variable_names))
    except ValueError:
        return TemplateParts(problem="it is no URI template (RFC 6570)")


def expanded(template: str, values: Mapping[str, str]) -> str:
    """The URI; the template itself where it is none, or where a value has no URI form."""
    try:
        return str(uritemplate.URITemplate(template).expand(dict(values)))
    except ValueError:
        return template
