"""The keys of the Auth screen, a part of the one table in `bindings`."""

from typing import Final

from inspector.tui.binding_spec import BindingSpec

_S = BindingSpec

AUTH: Final = (
    _S(
        "auth.act",
        "enter",
        "act",
        "Yes",
        "Does what is asked: opens the page, agrees",
        show=True,
        priority=True,
    ),
    _S(
        "auth.copy",
        "c",
        "copy_url",
        "Copy address",
        "Copies the page's address",
        show=True,
        priority=True,
    ),
    _S(
        "auth.paste",
        "p",
        "paste",
        "Paste answer",
        "Takes the address at which a browser on another machine ended",
        show=True,
        priority=True,
    ),
    _S("auth.no", "n", "refuse", "No", "Gives this authorization up", show=True, priority=True),
    _S(
        "auth.login",
        "l",
        "login",
        "Log in",
        "Gets a token now, from the first step",
        show=True,
        priority=True,
    ),
    _S(
        "auth.retry",
        "r",
        "retry",
        "Retry",
        "Goes on from the step that failed",
        show=True,
        priority=True,
    ),
    _S(
        "auth.logout",
        "o",
        "logout",
        "Log out",
        "Revokes and deletes the token",
        show=True,
        priority=True,
    ),
    _S(
        "auth.close",
        "escape",
        "close",
        "Close",
        "Closes this; what runs goes on",
        show=True,
        priority=True,
    ),
)
