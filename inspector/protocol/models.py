"""Lenient pydantic models of what screens show: tools, resources, prompts, content, tasks.

Reading never raises and never coerces: an item whose essential members are wrong is `Invalid`, one
whose optional members are wrong is shown without them and says so in `odd`. Every model keeps the
whole item as `raw`, unknown members included; what leaves the program is made from the frame's
bytes, never from a model. Strict verdicts are `inspector.protocol.shape_check`.
"""

from typing import TypeAlias, cast

from inspector.protocol.lenient import (
    Anything,
    Flag,
    Integer,
    Model,
    Number,
    Object,
    Part,
    Text,
    read_as,
)
from inspector.protocol.lenient import Invalid as Invalid
from inspector.protocol.messages import Json, JsonObject


class Icon(Part):
    """Where a picture is; it is shown as its address and never fetched."""

    src: Text
    mime_type: Text | None = None
    sizes: list[Text] | None = None
    theme: Text | None = None


class Annotations(Part):
    """Hints of the server about who content is for; not to be trusted."""

    audience: list[Text] | None = None
    priority: Number | None = None
    last_modified: Text | None = None


class ToolAnnotations(Part):
    """Hints of the server about what a tool does; not to be trusted."""

    title: Text | None = None
    read_only_hint: Flag | None = None
    destructive_hint: Flag | None = None
    idempotent_hint: Flag | None = None
    open_world_hint: Flag | None = None


class ToolExecution(Part):
    """2025-11-25: whether a tool runs as a task (required, optional, forbidden)."""

    task_support: Text | None = None


class Tool(Model):
    """A tool. `input_schema` is whatever was sent, so that a broken schema is still shown."""

    name: Text
    title: Text | None = None
    description: Text | None = None
    input_schema: Anything = None
    output_schema: Anything = None
    annotations: ToolAnnotations | None = None
    execution: ToolExecution | None = None
    icons: list[Icon] | None = None

    @property
    def label(self) -> str:
        """The name for people: title, else the annotations' title, else the name."""
        return self.title or (self.annotations and self.annotations.title) or self.name


class Resource(Model):
    """A resource; `size` in bytes, as the server says."""

    uri: Text
    name: Text = ""
    title: Text | None = None
    description: Text | None = None
    mime_type: Text | None = None
    size: Integer | None = None
    annotations: Annotations | None = None
    icons: list[Icon] | None = None

    @property
    def label(self) -> str:
        """The name for people: title, else name, else URI."""
        return self.title or self.name or self.uri


class ResourceTemplate(Model):
    """A family of resources, by an RFC 6570 template."""

    uri_template: Text
    name: Text = ""
    title: Text | None = None
    description: Text | None = None
    mime_type: Text | None = None
    annotations: Annotations | None = None
    icons: list[Icon] | None = None

    @property
    def label(self) -> str:
        """The name for people: title, else name, else the template."""
        return self.title or self.name or self.uri_template


class PromptArgument(Part):
    """One argument of a prompt; values are always strings."""

    name: Text
    title: Text | None = None
    description: Text | None = None
    required: Flag = False


class Prompt(Model):
    """A prompt and its arguments."""

    name: Text
    title: Text | None = None
    description: Text | None = None
    arguments: list[PromptArgument] = []
    icons: list[Icon] | None = None

    @property
    def label(self) -> str:
        """The name for people: title, else name."""
        return self.title or self.name


class Implementation(Model):
    """Who a client or server says it is; for display only, nothing is decided by it."""

    name: Text
    version: Text = ""
    title: Text | None = None
    description: Text | None = None
    website_url: Text | None = None
    icons: list[Icon] | None = None


class Root(Model):
    """A place the client lets the server see."""

    uri: Text
    name: Text | None = None


class Task(Model):
    """A task; times in milliseconds. Reads the core task of 2025-11-25 and the extension's."""

    task_id: Text
    status: Text
    status_message: Text | None = None
    created_at: Text | None = None
    last_updated_at: Text | None = None
    ttl: Number | None = None
    poll_interval: Number | None = None


class ResourceContents(Model):
    """What reading a resource gave: `text` or base64 `blob`; both None where neither came."""

    uri: Text
    mime_type: Text | None = None
    text: Text | None = None
    blob: Text | None = None


class TextContent(Model):
    """Text, usually Markdown."""

    text: Text
    annotations: Annotations | None = None


class ImageContent(Model):
    """A picture as base64."""

    data: Text
    mime_type: Text = ""
    annotations: Annotations | None = None


class AudioContent(Model):
    """Sound as base64 (since 2025-03-26)."""

    data: Text
    mime_type: Text = ""
    annotations: Annotations | None = None


class ResourceLink(Resource):
    """A resource that content points to (since 2025-06-18)."""


class EmbeddedResource(Model):
    """A resource's contents inside content; `resource` is read with `read_contents`."""

    resource: Object
    annotations: Annotations | None = None


class ToolUseContent(Model):
    """A model's wish to call a tool, in sampling (since 2025-11-25)."""

    id: Text
    name: Text
    input: Anything = None


class ToolResultContent(Model):
    """A tool's result handed to a model, in sampling (since 2025-11-25)."""

    tool_use_id: Text
    content: Anything = None
    structured_content: Anything = None
    is_error: Flag = False


class UnknownContent(Model):
    """Content of a kind that no known revision has; shown raw."""

    type: Text


ContentBlock: TypeAlias = (
    TextContent
    | ImageContent
    | AudioContent
    | ResourceLink
    | EmbeddedResource
    | ToolUseContent
    | ToolResultContent
    | UnknownContent
)


def read_tool(item: Json) -> Tool | Invalid:
    """One item of a tools list."""
    return read_as(Tool, item)


def read_resource(item: Json) -> Resource | Invalid:
    """One item of a resources list."""
    return read_as(Resource, item)


def read_template(item: Json) -> ResourceTemplate | Invalid:
    """One item of a resource templates list."""
    return read_as(ResourceTemplate, item)


def read_prompt(item: Json) -> Prompt | Invalid:
    """One item of a prompts list."""
    return read_as(Prompt, item)


def read_implementation(item: Json) -> Implementation | Invalid:
    """A `serverInfo` or `clientInfo`."""
    return read_as(Implementation, item)


def read_root(item: Json) -> Root | Invalid:
    """One item of a roots list."""
    return read_as(Root, item)


def read_contents(item: Json) -> ResourceContents | Invalid:
    """One item of a read result's `contents`, or an embedded `resource`."""
    return read_as(ResourceContents, item)


def read_task(item: Json) -> Task | Invalid:
    """A task; the extension's `ttlMs` and `pollIntervalMs` are read where `ttl` and
    `pollInterval` are absent."""
    extra: JsonObject = {}
    if isinstance(item, dict):
        for core, extension in (("ttl", "ttlMs"), ("pollInterval", "pollIntervalMs")):
            if core not in item and extension in item:
                extra[core] = item[extension]
    return read_as(Task, item, extra)


_CONTENT: dict[str, type[Model]] = {
    "text": TextContent,
    "image": ImageContent,
    "audio": AudioContent,
    "resource_link": ResourceLink,
    "resource": EmbeddedResource,
    "tool_use": ToolUseContent,
    "tool_result": ToolResultContent,
}


def read_content(item: Json) -> ContentBlock | Invalid:
    """One content block of a result, a prompt message or a sampling message."""
    kind = item.get("type") if isinstance(item, dict) else None
    model = _CONTENT.get(kind, UnknownContent) if isinstance(kind, str) else UnknownContent
    return cast("ContentBlock | Invalid", read_as(model, item))
