"""Only a refusal makes a document unusable."""

from inspector.auth.remarks import Judged, note, refusal, refusals, warning

NOTE = note("a", "worth knowing", "RFC 1")
WARNING = warning("b", "broken", "RFC 2")
REFUSAL = refusal("c", "forbidden", "RFC 3")


def test_a_document_with_notes_and_warnings_is_usable() -> None:
    assert Judged("document", (NOTE, WARNING)).usable == "document"
    assert refusals((NOTE, WARNING)) == ()


def test_a_document_with_a_refusal_is_not_usable() -> None:
    assert Judged("document", (NOTE, REFUSAL)).usable is None
    assert refusals((NOTE, REFUSAL, WARNING)) == (REFUSAL,)
