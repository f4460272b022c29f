"""Tools that show what arguments and results can look like: simple, nested, union and recursive
schemas, progress, structured output, pictures, sound, links, and both kinds of failure.
"""

import base64
from datetime import date
from enum import Enum
from typing import Annotated, Literal

import anyio
from mcp import MCPError
from mcp.server.mcpserver import Audio, Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import (
    INVALID_PARAMS,
    Annotations,
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from pydantic import BaseModel, Field

from inspector.demo.media import picture, sound

READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)


class Sum(BaseModel):
    """The outcome of an addition."""

    sum: float


class Priority(Enum):
    """How soon an order has to be there."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


class Address(BaseModel):
    """Where an order goes."""

    street: str
    city: str
    postcode: Annotated[str, Field(pattern=r"^[0-9]{4,6}$")]
    country: Annotated[str, Field(min_length=2, max_length=2)] = "CH"


class Item(BaseModel):
    """One line of an order."""

    article: str
    quantity: Annotated[int, Field(ge=1, le=99)] = 1
    price: Annotated[float, Field(gt=0)] | None = None


class Order(BaseModel):
    """An order: objects in objects, a list, an enumeration, a date, limits and defaults."""

    customer: str
    address: Address
    items: Annotated[list[Item], Field(min_length=1, max_length=10)]
    priority: Priority = Priority.NORMAL
    deliver_on: date | None = None
    labels: dict[str, str] = Field(default_factory=dict)
    gift: bool = False


class Receipt(BaseModel):
    """What became of an order."""

    number: int
    lines: int
    total: float | None
    note: str


class Circle(BaseModel):
    """A circle."""

    kind: Literal["circle"]
    radius: Annotated[float, Field(gt=0)]


class Rectangle(BaseModel):
    """A rectangle."""

    kind: Literal["rectangle"]
    width: Annotated[float, Field(gt=0)]
    height: Annotated[float, Field(gt=0)]


class Node(BaseModel):
    """A tree: a name and any number of trees."""

    name: str
    children: list["Node"] = Field(default_factory=list)


class Day(BaseModel):
    """The weather of one day; temperatures in degrees Celsius."""

    day: int
    low: float
    high: float
    sky: Literal["clear", "clouds", "rain"]


class Forecast(BaseModel):
    """A forecast of several days."""

    city: str
    days: list[Day]


def register(server: MCPServer) -> None:
    """Adds the tools of this module to `server`."""
    _register_simple(server)
    _register_schemas(server)
    _register_content(server)
    _register_failures(server)


def _register_simple(server: MCPServer) -> None:
    @server.tool(title="Add", annotations=READ_ONLY)
    def add(a: float, b: float) -> Sum:
        """Adds two numbers and answers with **structured** content."""
        return Sum(sum=a + b)

    @server.tool(annotations=READ_ONLY, structured_output=False)
    def echo(text: Annotated[str, Field(description="Comes back as it is.")]) -> str:
        """Says back what you said."""
        return text

    @server.tool(annotations=READ_ONLY, structured_output=False)
    def greet(
        name: str,
        language: Literal["en", "de", "fr"] = "en",
        title: str | None = None,
        loud: bool = False,
    ) -> str:
        """Greets somebody; shows defaults, a choice, a nullable field and a switch."""
        word = {"en": "Hello", "de": "Guten Tag", "fr": "Bonjour"}[language]
        text = f"{word} {title + ' ' if title else ''}{name}!"
        return text.upper() if loud else text

    @server.tool(title="Slow work", annotations=READ_ONLY, structured_output=False)
    async def slow(
        ctx: Context,
        steps: Annotated[int, Field(ge=1, le=1000)] = 5,
        seconds: Annotated[float, Field(ge=0, le=600)] = 2.0,
    ) -> str:
        """Takes its time, reports progress at every step, and can be cancelled."""
        for step in range(steps):
            await ctx.report_progress(step, steps, f"step {step + 1} of {steps}")
            await anyio.sleep(seconds / steps)
        await ctx.report_progress(steps, steps, "done")
        return f"{steps} steps done"


def _register_schemas(server: MCPServer) -> None:
    @server.tool(
        title="Place an order",
        annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False),
    )
    def order(order: Order) -> Receipt:
        """Places an imaginary order. The schema nests objects, lists, a map and limits."""
        prices = [item.price * item.quantity for item in order.items if item.price is not None]
        total = sum(prices) if len(prices) == len(order.items) else None
        note = f"for {order.customer} in {order.address.city}, {order.priority.value} priority"
        return Receipt(number=1, lines=len(order.items), total=total, note=note)

    @server.tool(annotations=READ_ONLY)
    def area(shape: Annotated[Circle | Rectangle, Field(discriminator="kind")]) -> float:
        """The area of a circle or a rectangle; the schema is a choice (`oneOf`)."""
        if isinstance(shape, Circle):
            return 3.141592653589793 * shape.radius**2
        return shape.width * shape.height

    @server.tool(annotations=READ_ONLY)
    def measure_tree(tree: Node) -> dict[str, int]:
        """Counts the nodes of a tree and its depth; the schema refers to itself."""
        nodes, depth, level = 0, 0, [tree]
        while level:
            nodes, depth = nodes + len(level), depth + 1
            level = [child for node in level for child in node.children]
        return {"nodes": nodes, "depth": depth}

    @server.tool(annotations=READ_ONLY)
    def forecast(city: str, days: Annotated[int, Field(ge=1, le=14)] = 3) -> Forecast:
        """An invented forecast, the same every time; structured output with a nested schema."""
        skies: tuple[Literal["clear", "clouds", "rain"], ...] = ("clear", "clouds", "rain")
        seed = sum(city.encode())
        coldest = seed % 11
        return Forecast(
            city=city,
            days=[
                Day(day=n + 1, low=coldest + n, high=coldest + n + 7.5, sky=skies[(seed + n) % 3])
                for n in range(days)
            ],
        )


def _register_content(server: MCPServer) -> None:
    @server.tool(annotations=READ_ONLY)
    def draw(
        width: Annotated[int, Field(ge=1, le=512)] = 96,
        height: Annotated[int, Field(ge=1, le=512)] = 64,
    ) -> Image:
        """Draws a picture (PNG)."""
        return Image(data=picture(width, height), format="png")

    @server.tool(annotations=READ_ONLY)
    def play(
        seconds: Annotated[float, Field(gt=0, le=5)] = 0.3,
        hertz: Annotated[float, Field(ge=20, le=4000)] = 440,
    ) -> Audio:
        """Makes a tone (WAV)."""
        return Audio(data=sound(seconds, hertz), format="wav")

    @server.tool(annotations=READ_ONLY)
    def everything() -> CallToolResult:
        """Answers with one content block of every kind."""
        logo = base64.b64encode(picture(24, 24)).decode()
        tone = base64.b64encode(sound(0.1, 660)).decode()
        readme = TextResourceContents(
            uri="demo://notes/embedded", mime_type="text/markdown", text="# Embedded\n\nA *note*."
        )
        blob = BlobResourceContents(uri="demo://logo.png", mime_type="image/png", blob=logo)
        audience = Annotations(audience=["user"], priority=0.9)
        return CallToolResult(
            content=[
                TextContent(type="text", text="# Text\n\nOne of **each**.", annotations=audience),
                ImageContent(type="image", data=logo, mime_type="image/png"),
                AudioContent(type="audio", data=tone, mime_type="audio/wav"),
                ResourceLink(
                    type="resource_link",
                    uri="demo://readme",
                    name="readme",
                    title="The readme",
                    description="What this server is for.",
                    mime_type="text/markdown",
                ),
                EmbeddedResource(type="resource", resource=readme),
                EmbeddedResource(type="resource", resource=blob),
            ]
        )

    @server.tool(annotations=READ_ONLY, structured_output=False)
    def mischief() -> str:
        """Answers with control characters that a careless client passes on to the terminal."""
        return (
            "title: \x1b]0;changed by the server\x07, clipboard: \x1b]52;c;aGVsbG8=\x07, "
            "colour: \x1b[31mred\x1b[0m, C1: \x9b1m, turned round: \u202etxt.exe\u202c, "
            "markup: [bold]not bold[/] [/nope]"
        )


def _register_failures(server: MCPServer) -> None:
    @server.tool(annotations=READ_ONLY, structured_output=False)
    def fail(message: str = "nothing is wrong, this tool just fails") -> str:
        """Fails as a tool: a result with `isError`."""
        raise ToolError(message)

    @server.tool(annotations=READ_ONLY, structured_output=False)
    def refuse() -> str:
        """Fails as a request: a JSON-RPC error with data."""
        raise MCPError(INVALID_PARAMS, "refused, as asked", {"reason": "demo", "retry": False})
