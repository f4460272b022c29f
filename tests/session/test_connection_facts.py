"""What the journal notes of a connection: names, never the values of secrets."""

from inspector.config.targets import Target
from inspector.session.connection_facts import connection_facts
from inspector.session.options import Options


def test_the_environment_is_named_and_its_values_are_not_told() -> None:
    target = Target(("server", "--x"), env={"TOKEN": "s3cret"}, headers=(("Authorization", "s3c"),))
    facts = connection_facts(target, Options(protocol="modern"))
    assert facts["command"] == ["server", "--x"]
    assert facts["env"] == ["TOKEN"]
    assert facts["headers"] == ["Authorization"]
    assert facts["protocol"] == "modern"
    assert "s3c" not in str(facts)
