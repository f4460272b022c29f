from inspector.journal.query import compile_filter
from tests.journal.conversation import Conversation, notification, request, result


def test_a_word_is_found_as_json_escapes_it() -> None:
    talk = Conversation()
    escaped = talk.sent(b'{"method":"x","a":"\\u00c4rger \\ud83d\\ude00"}')
    plain = talk.sent('{"method":"x","a":"ÄRGER 😀"}'.encode())
    for word in ("ärger", "Ärger", "😀"):
        found = list(compile_filter(word).select(talk.journal, 1, 4))
        assert found == [escaped, plain], word


def test_a_word_is_found_in_what_is_no_json_and_no_utf8() -> None:
    talk = Conversation()
    quoted = talk.received(b'he said "hi"\tand left')
    binary = talk.received(b'\xff said "hi"')
    for word in ('"said \\"hi\\""', "said"):
        assert list(compile_filter(word).select(talk.journal, 1, 4)) == [quoted, binary]


def test_an_outcome_is_found_by_the_name_of_a_request_before_the_slice() -> None:
    talk = Conversation()
    talk.sent(b'{"id":1,"method":"tools/call","params":{"name":"needle"}}')
    answered = talk.received(b'{"id":1,"result":{}}')
    assert list(compile_filter("needle").select(talk.journal, answered, answered + 1)) == [answered]


def test_a_name_is_found_however_json_writes_it() -> None:
    talk = Conversation()
    plain = talk.sent(request(1, name="Add"))
    escaped = talk.sent(b'{"id":2,"method":"tools/call","params":{"name":"\\u0061d\\u0064"}}')
    kelvin = talk.sent(request(3, name="\u212aey"))
    assert list(compile_filter("name:add").select(talk.journal, 1, 5)) == [plain, escaped]
    assert list(compile_filter("name:key").select(talk.journal, 1, 5)) == [kelvin]


def test_what_has_no_name_fits_no_name() -> None:
    talk = Conversation()
    named = talk.sent(request(1, name="add"))
    answered = talk.received(result(1))
    talk.sent(request(2, "tools/list"))
    assert list(compile_filter("name:*").select(talk.journal, 1, 5)) == [named, answered]


def test_the_reckoned_name_of_a_progress_report_is_found() -> None:
    talk = Conversation()
    number = talk.received(
        notification("notifications/progress", progressToken=1, progress=1e3, total=2000.0)
    )
    assert list(compile_filter("name:1000/2000").select(talk.journal, 1, 3)) == [number]


def test_text_looks_neither_at_methods_nor_at_names() -> None:
    talk = Conversation()
    asked = talk.sent(request(1, name="needle"))
    talk.received(result(1))
    assert list(compile_filter("needle").select(talk.journal, 1, 4)) == [2, 3]
    assert list(compile_filter("text:needle").select(talk.journal, 1, 4)) == [asked]
    assert list(compile_filter('text:"eedle\\"}"').select(talk.journal, 1, 4)) == [asked]


def test_ids_are_told_from_numbers_that_begin_alike() -> None:
    talk = Conversation()
    for number in (7, 70, 17, -7):
        talk.sent(request(number))
    words = talk.sent(request("a-7"))
    assert list(compile_filter("id:7").select(talk.journal, 1, 7)) == [2]
    assert list(compile_filter("id:-7").select(talk.journal, 1, 7)) == [5]
    assert list(compile_filter("id:a-7|17").select(talk.journal, 1, 7)) == [4, words]
