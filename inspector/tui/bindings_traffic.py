"""The keys of the traffic pane, its detail and the filter box: rows of `inspector.tui.bindings`."""

from typing import Final

from inspector.tui.binding_spec import BindingSpec

_S = BindingSpec

TRAFFIC: Final = (
    _S("traffic.open", "enter", "open", "Detail", "Shows or leaves the detail of this entry"),
    _S("traffic.filter", "slash", "filter", "Filter", "Shows only what matches", show=True),
    _S("traffic.partner", "percent_sign", "partner", "Partner", "From request to answer and back"),
    _S(
        "traffic.cause",
        "circumflex_accent",
        "cause",
        "Cause",
        "What this entry came of: the call of an ask, the round before, what a note is about",
    ),
    _S("traffic.causality", "c", "causality", "Call tree", "What led to what in this call"),
    _S(
        "traffic.exchange_next",
        "right_square_bracket",
        "within_exchange(1)",
        "Next in exchange",
        "The next entry that belongs to the same exchange",
    ),
    _S(
        "traffic.exchange_previous",
        "left_square_bracket",
        "within_exchange(-1)",
        "Previous in exchange",
        "The previous entry that belongs to the same exchange",
    ),
    _S("traffic.search", "question_mark", "search", "Find", "Marks what matches, hides nothing"),
    _S("traffic.next", "n", "next_match(1)", "Next match", "To the next entry that was searched"),
    _S("traffic.previous", "N", "next_match(-1)", "Previous match", "To the previous such entry"),
    _S("traffic.error_next", "e", "next_error(1)", "Next error", "To the next thing that is wrong"),
    _S("traffic.error_previous", "E", "next_error(-1)", "Previous error", "To the previous one"),
    _S("traffic.mark_next", "apostrophe", "next_mark(1)", "Next mark", "To the next mark or note"),
    _S(
        "traffic.mark_previous",
        "quotation_mark",
        "next_mark(-1)",
        "Previous mark",
        "To the previous mark or note",
    ),
    _S("traffic.second_on", "full_stop", "by_time(1)", "1 s on", "To the entry a second later"),
    _S("traffic.second_back", "comma", "by_time(-1)", "1 s back", "To the entry a second before"),
    _S("traffic.ten_on", "greater_than_sign", "by_time(10)", "10 s on", "Ten seconds later"),
    _S("traffic.ten_back", "less_than_sign", "by_time(-10)", "10 s back", "Ten seconds before"),
    _S("traffic.minute_on", "right_curly_bracket", "by_time(60)", "1 min on", "A minute later"),
    _S("traffic.minute_back", "left_curly_bracket", "by_time(-60)", "1 min back", "A minute ago"),
    _S(
        "traffic.go_to",
        "colon",
        "go_to_place",
        "Go to",
        "Goes to an entry, a distance, a time of day or a share: 31, +100, 12:01:07, 50%, end",
    ),
    _S("traffic.as_of", "t", "as_of", "As of here", "Shows all tabs as of this entry", show=True),
    _S("traffic.compare", "d", "compare", "Diff", "What differs from the nearest marked entry"),
    _S("traffic.waterfall", "w", "waterfall", "Waterfall", "Draws requests as bars in time"),
    _S("traffic.follow", "f", "follow", "Follow", "Stay at the newest entry", show=True),
    _S("traffic.mark", "m", "mark", "Mark", "Marks this entry, or removes the mark"),
    _S("traffic.note", "semicolon", "note", "Note", "Writes a note about this entry"),
    _S("traffic.copy", "y", "copy", "Copy", "Copies the bytes of this entry"),
    _S("traffic.export", "x", "export", "Export", "Writes entries to a file, for others to read"),
    _S("traffic.resend", "r", "resend", "Resend", "Sends this request or notification again"),
    _S("traffic.edit", "R", "edit", "Edit and resend", "Opens this message to be changed and sent"),
    _S("traffic.view", "v", "next_view", "View", "Next view of the detail"),
    _S(
        "traffic.carriers",
        "H",
        "toggle_carriers",
        "HTTP carriers",
        "Shows or hides HTTP exchanges that merely carried a message",
    ),
    _S("traffic.clear_filter", "escape", "clear", "Close", "Closes the detail, then the filter"),
)

DETAIL: Final = (
    _S(
        "detail.view",
        "v",
        "next_view",
        "View",
        "Pretty, raw, hex, HTTP, exchange, tree …",
        show=True,
    ),
    _S("detail.close", "escape,q", "close", "Close", "Back to the list", show=True),
    _S("detail.next", "J", "neighbour(1)", "Next entry", "The detail of the next entry"),
    _S("detail.previous", "K", "neighbour(-1)", "Previous entry", "The detail of the one before"),
)

FILTER: Final = (
    _S(
        "filter.accept",
        "enter",
        "accept",
        "Keep",
        "Keeps the filter and goes to the list",
        show=True,
    ),
    _S(
        "filter.leave",
        "escape",
        "leave",
        "Clear",
        "Removes the filter and goes to the list",
        show=True,
    ),
    _S("filter.earlier", "up", "earlier(-1)", "Earlier", "The filter before, of this session"),
    _S("filter.later", "down", "earlier(1)", "Later", "The filter after that"),
    _S("filter.help", "f1", "grammar", "Grammar", "Shows what a filter can say", show=True),
)
