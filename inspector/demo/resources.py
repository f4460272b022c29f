"""Resources, templates, prompts and completion of the demo; the counter that subscribers watch."""

import json
from collections.abc import Mapping

import anyio
from mcp.server.mcpserver import AssistantMessage, MCPServer, UserMessage
from mcp.server.mcpserver.prompts.base import Message
from mcp.server.session import ServerSession
from mcp_types import (
    Annotations,
    Completion,
    EmbeddedResource,
    TextResourceContents,
)

from inspector.demo.media import picture

CITIES = {
    "switzerland": ("Basel", "Bern", "Geneva", "Lausanne", "Zurich"),
    "portugal": ("Braga", "Coimbra", "Lisbon", "Porto"),
    "japan": ("Kobe", "Kyoto", "Osaka", "Sapporo", "Tokyo"),
}

README = """\
# The demo server

It has a tool, resource or prompt for everything that an inspector should be able to show.

* **Tools** with simple, nested, *union* and recursive schemas
* Progress, cancellation, pictures, sound
* Questions back: forms, pages, models, roots

| call | and see |
|---|---|
| `slow` | progress, cancel it |
| `ask_form` | a form in the asks |
| `count` | subscribers of `demo://counter` told |
"""


COUNTER = "demo://counter"


class Counter:
    """A number that changes, and the sessions that want to hear of it."""

    def __init__(self) -> None:
        self.value = 0
        self.subscribers: list[ServerSession] = []

    async def advance(self) -> int:
        """Counts up and tells the subscribers of `demo://counter`."""
        self.value += 1
        for session in tuple(self.subscribers):
            try:
                await session.send_resource_updated(COUNTER)
            except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                self.subscribers.remove(session)
        return self.value


def register(server: MCPServer, counter: Counter) -> None:
    """Adds everything of this module to `server`."""
    _register_resources(server, counter)
    _register_prompts(server)


def _register_resources(server: MCPServer, counter: Counter) -> None:
    @server.resource(
        "demo://readme",
        title="The readme",
        mime_type="text/markdown",
        annotations=Annotations(audience=["user"], priority=1.0),
    )
    def readme() -> str:
        """What this server is for."""
        return README

    @server.resource("demo://settings.json", mime_type="application/json")
    def settings() -> str:
        """Some JSON; the numbers are there to be kept as they are."""
        return '{"big": 123456789012345678901234567890, "price": 1.10, "small": 1E-5, "on": true}'

    @server.resource("demo://logo.png", mime_type="image/png")
    def logo() -> bytes:
        """A picture."""
        return picture(64, 64)

    @server.resource(COUNTER, title="A counter", mime_type="application/json")
    def show_counter() -> str:
        """Changes with the tool `count`; subscribe to be told."""
        return json.dumps({"counter": counter.value})

    @server.resource("demo://countries/{country}/cities/{city}", title="A city")
    def show_city(country: str, city: str) -> str:
        """A city of a country; both complete."""
        return f"{city} lies in {country}."

    @server.resource("demo://notes/{name}{?limit}", title="A note", mime_type="text/plain")
    def show_note(name: str, limit: int = 10) -> str:
        """A note of any name, at most `limit` lines."""
        return "\n".join(f"{name}, line {n + 1}" for n in range(min(limit, 100)))


def _register_prompts(server: MCPServer) -> None:
    @server.prompt(title="Introduce yourself")
    def introduce() -> str:
        """A prompt without arguments."""
        return "Please introduce yourself in two sentences."

    @server.prompt(title="Plan a trip")
    def trip(country: str, city: str, days: str = "3") -> list[Message]:
        """Asks for a travel plan; country and city complete."""
        note = TextResourceContents(
            uri=f"demo://countries/{country}/cities/{city}",
            mime_type="text/plain",
            text=f"{city} lies in {country}.",
        )
        return [
            UserMessage(f"Plan {days} days in {city}, {country}."),
            UserMessage(EmbeddedResource(type="resource", resource=note)),
            AssistantMessage("Gladly. Do you prefer museums or mountains?"),
        ]


def complete(name: str, start: str, chosen: Mapping[str, str]) -> Completion:
    """The values of the argument `name` that begin with `start`.

    Countries, and cities of the country that is already `chosen`; nothing for other arguments.
    """
    country = chosen.get("country", "").lower()
    if name == "country":
        candidates = tuple(CITIES)
    elif name == "city" and country in CITIES:
        candidates = CITIES[country]
    elif name == "city":
        candidates = tuple(city for cities in CITIES.values() for city in cities)
    else:
        candidates = ()
    matching = [text for text in candidates if text.lower().startswith(start.lower())]
    return Completion(values=matching[:100], total=len(matching), has_more=False)
