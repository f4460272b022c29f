"""The requests that nobody had answered, as lines."""

from inspector.config.targets import Target
from inspector.past.bench import Past
from inspector.tui.open_rows import MoreOpen, OpenLine, draw_open, open_lines
from inspector.workbench import Options, Workbench
from tests.past.story import RECEIVED, Story


def bench_of(story: Story) -> Workbench:
    """A workbench that has the story for a journal."""
    return Workbench(Target(name="x"), options=Options(), journal=story.journal)


def test_those_of_then_have_the_age_of_then() -> None:
    story = Story()
    story.open(tools={})
    asked = story.ask(1, "tools/call", name="slow", _meta={"progressToken": 1})
    report = story.frame(
        RECEIVED,
        {
            "method": "notifications/progress",
            "params": {"progressToken": 1, "progress": 3, "total": 10, "message": "half"},
        },
    )
    end = story.answer(1, {"content": []})
    past = Past(bench_of(story))
    (line,) = open_lines(past.at(report))
    assert line == OpenLine(asked, True, "tools/call", "slow", 1.0, "3/10 half")
    assert open_lines(past.at(end)) == [MoreOpen(0)]
    drawn = draw_open(line, 80).plain
    assert f"#{asked}" in drawn
    assert "tools/call slow" in drawn
    assert "3/10 half" in drawn


def test_those_of_now_are_listed_when_they_linger() -> None:
    story = Story()
    story.open(tools={})
    bench = bench_of(story)
    bench.session.engine.update(lambda state: type(state)(connection=1))
    asked = story.ask(1, "tools/call", name="slow")
    assert open_lines(bench) == []
    story.seconds += 2.5
    (line,) = open_lines(bench)
    assert isinstance(line, OpenLine)
    assert (line.number, line.seconds) == (asked, 2.5)
    story.answer(1, {"content": []})
    assert open_lines(bench) == []


def test_no_more_than_some_are_listed() -> None:
    story = Story()
    story.open(tools={})
    for number in range(1, 61):
        end = story.ask(number, "tools/call", name="slow")
    lines = open_lines(Past(bench_of(story)).at(end))
    assert len(lines) == 51
    assert lines[-1] == MoreOpen(10)
    assert "10 more" in draw_open(lines[-1], 80).plain
