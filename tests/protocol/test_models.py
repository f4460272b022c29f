"""Lenient models: never raise, keep the raw item, and say what they left out."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol import models
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.models import Invalid

READERS = (
    models.read_tool,
    models.read_resource,
    models.read_template,
    models.read_prompt,
    models.read_implementation,
    models.read_root,
    models.read_contents,
    models.read_task,
    models.read_content,
)
MEMBERS = st.sampled_from(
    [
        "name",
        "title",
        "description",
        "uri",
        "type",
        "text",
        "data",
        "mimeType",
        "arguments",
        "annotations",
        "icons",
        "inputSchema",
        "resource",
        "taskId",
        "status",
        "ttl",
        "ttlMs",
        "size",
        "execution",
        "required",
        "src",
        "content",
        "id",
    ]
)
VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(MEMBERS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES | st.dictionaries(MEMBERS, VALUES))
def test_no_reader_ever_raises(item: Json) -> None:
    for read in READERS:
        value = read(item)
        assert (value.item if isinstance(value, Invalid) else value.raw) is item


def test_a_tool_with_wrong_optional_members_is_shown_without_them() -> None:
    item: JsonObject = {
        "name": "t",
        "description": 5,
        "annotations": {"title": "T", "readOnlyHint": "yes"},
    }
    tool = models.read_tool(item)
    assert isinstance(tool, models.Tool)
    assert tool.description is None
    assert tool.annotations is not None
    assert tool.annotations.title == "T"
    assert tool.annotations.read_only_hint is None
    assert tool.odd == (
        "description is not a string",
        "annotations.readOnlyHint is not a boolean",
    )


def test_one_bad_prompt_argument_does_not_hide_the_others() -> None:
    item: JsonObject = {
        "name": "p",
        "arguments": [{"name": 1}, {"name": "good"}, {}, {"name": "last", "required": "x"}],
    }
    prompt = models.read_prompt(item)
    assert isinstance(prompt, models.Prompt)
    assert [argument.name for argument in prompt.arguments] == ["good", "last"]
    assert "arguments.0.name is not a string" in prompt.odd
    assert "arguments.2.name is missing" in prompt.odd


def test_an_item_without_its_name_is_invalid_and_says_so() -> None:
    assert models.read_tool({"title": "x"}) == Invalid("name is missing", {"title": "x"})
    assert models.read_tool({"name": None}) == Invalid("name is not a string", {"name": None})
    assert models.read_tool([1]) == Invalid("is not an object", [1])


def test_nothing_is_coerced() -> None:
    resource = models.read_resource({"uri": "file:///x", "size": "12"})
    assert isinstance(resource, models.Resource)
    assert resource.size is None
    assert resource.odd == ("size is not a number",)


def test_a_name_with_a_lone_surrogate_is_still_a_name() -> None:
    tool = models.read_tool({"name": "\ud800"})
    assert isinstance(tool, models.Tool)
    assert tool.label == "\ud800"


def test_content_of_an_unknown_kind_is_kept_raw() -> None:
    block = models.read_content({"type": "hologram", "beam": 1})
    assert isinstance(block, models.UnknownContent)
    assert block.raw == {"type": "hologram", "beam": 1}


def test_content_is_read_by_its_type() -> None:
    link = models.read_content({"type": "resource_link", "uri": "a:b", "name": "n"})
    assert isinstance(link, models.ResourceLink)
    assert link.label == "n"
    embedded = models.read_content({"type": "resource", "resource": {"uri": "a:b", "text": "t"}})
    assert isinstance(embedded, models.EmbeddedResource)
    contents = models.read_contents(embedded.resource)
    assert isinstance(contents, models.ResourceContents)
    assert contents.text == "t"


def test_a_task_of_the_extension_is_read_as_a_task() -> None:
    task = models.read_task({"taskId": "1", "status": "working", "ttlMs": 5, "pollIntervalMs": 7})
    assert isinstance(task, models.Task)
    assert (task.ttl, task.poll_interval) == (5, 7)


def test_labels_prefer_the_title() -> None:
    tool = models.read_tool({"name": "n", "annotations": {"title": "from annotations"}})
    assert isinstance(tool, models.Tool)
    assert tool.label == "from annotations"
    template = models.read_template({"uriTemplate": "a:{b}"})
    assert isinstance(template, models.ResourceTemplate)
    assert template.label == "a:{b}"
