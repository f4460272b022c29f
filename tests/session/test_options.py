"""What is declared follows the switches and the revision."""

import pytest

from inspector.protocol.messages import JsonObject
from inspector.protocol.versions import Revision
from inspector.session.options import Advertise, Options, own_version


@pytest.mark.parametrize(
    ("revision", "elicitation"),
    [
        (Revision.V2024_11_05, None),
        (Revision.V2025_03_26, None),
        (Revision.V2025_06_18, {}),
        (Revision.V2025_11_25, {"form": {}, "url": {}}),
    ],
)
def test_elicitation_is_declared_as_the_revision_defines_it(
    revision: Revision, elicitation: JsonObject | None
) -> None:
    declared = Advertise().capabilities(revision)
    assert declared.get("elicitation") == elicitation
    assert declared["sampling"] == {}
    assert declared["roots"] == {"listChanged": True}


def test_every_capability_has_a_switch() -> None:
    off = Advertise(
        roots=False, sampling=False, elicitation=False, elicitation_url=False, tasks=False
    )
    assert all(off.capabilities(revision) == {} for revision in Revision)
    newest = Revision.V2025_11_25
    assert Advertise(elicitation=False).capabilities(newest)["elicitation"] == {"url": {}}
    assert Advertise(roots_list_changed=False).capabilities(newest)["roots"] == {}
    more = Advertise(sampling_tools=True, sampling_context=True)
    assert more.capabilities(newest)["sampling"] == {"tools": {}, "context": {}}
    assert more.capabilities(Revision.V2025_06_18)["sampling"] == {}


def test_the_defaults_record_and_ask() -> None:
    options = Options()
    assert not options.no_record
    assert options.policies["sampling"].mode == "ask"


def test_the_version_that_is_declared_is_the_installed_one() -> None:
    assert own_version()[0].isdigit()
