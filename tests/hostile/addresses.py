"""Addresses that a server may send to get something opened: each with the host that a browser
would go to, or None where nothing may be opened at all."""

from typing import Final

_NO_SCHEME: Final = (
    *("", " ", "-", "--help", "-P default", "--remote-debugging-port=1", "-new-instance"),
    *("//example.com", "example.com", "/etc/passwd", "\\\\host\\share", "C:\\x", "%action"),
    *("https", "https:", "https:/", "https:///", "https:example.com", "https:/example.com"),
    *(":https://example.com", "?https://example.com", "#https://example.com"),
)
_OTHER_SCHEMES: Final = (
    *("javascript:alert(1)", "JaVaScRiPt:alert(1)", "javascript://example.com/%0aalert(1)"),
    *("file:///etc/passwd", "FILE:///etc/passwd", "file://localhost/etc/passwd"),
    *("data:text/html,<script>x</script>", "data:text/html;base64,PHg+", "blob:https://a/b"),
    *("vbscript:x", "about:config", "chrome://settings", "view-source:https://a", "ws://a"),
    *("ms-msdt:/id", "search-ms:query=x", "steam://run/1", "ssh://-oProxyCommand=x", "ftp://a/b"),
    *("mailto:a@b", "tel:1", "jar:https://a!/b", "httpss://a", "http+unix://a", "git://a/b"),
)
_CHARACTERS: Final = (
    *(" https://example.com", "\thttps://example.com", "\nhttps://example.com", "\0https://a"),
    *("https://example.com ", "https://example.com\n", "https://exam\tple.com", "ht\ntps://a.b"),
    *("java\nscript:alert(1)", "https://example.com/\r\nHost: evil", "https://example.com/\x00"),
    *("https://example.com/\x1b]52;c;AAAA\x07", "https://example.com/\x9b2J", "https://a/\x7f"),
    *("https://example.com/\u202egnp.exe", "https://\u202emoc.live", "https://a\u2066b.com"),
    *("https://\u200bexample.com", "https://exam\u00adple.com", "https://example.com/\u2028x"),
    *("https://example.com/\u3000x", "https://example.com/\ufeff", "https://a/\U000e0041"),
    *("https://a/\ue000", "https://a/\ud800", "https://a/\uffff", "https://a/\u00a0"),
)
_NOT_THE_HOST_IT_SEEMS: Final = (
    *("https://evil.com\\.good.com/", "https://good.com\\@evil.com/", "https:\\\\good.com"),
    *("https://user@evil.com", "https://user:password@evil.com", "https://@evil.com"),
    *("https://:@evil.com", "https://good.com%40evil.com", "https://good.com%2f@evil.com"),
    *("https://good.com／@evil.com", "https://example%2ecom/", "https://good.com％2fevil.com"),
    *("http://0x7f.1/", "http://0x7f000001", "http://2130706433/", "http://0177.0.0.1"),
    *("http://127.1", "http://127.0.0.1.0x", "http://256.256.256.256", "http://１２７.１"),
    *("http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[::1", "http://[::1]evil.com"),
    *("http://[v1.x]/", "http://[]/", "http://[evil.com]/", "http://::1/"),
    *("https://example.com:0/", "https://example.com:65536/", "https://example.com:-1/"),
    *("https://example.com:80:80/", "https://example.com:x/", "https://example.com:８０/"),
    *("https://a..b/", "https://.a/", "https://-a.com/", "https://a-.com/", "https://a_b$(id).com"),
    *(
        "https://`id`.com",
        "https://a;id",
        "https://a'b",
        'https://a"b',
        "https://a|b",
        "https://a&b",
    ),
    *("https://<x>", "https://{a}", "https://a,b", "https://a^b", "https://xn--\u0430.com"),
    *("https://" + "a" * 64 + ".com", "https://" + "a." * 150 + "com", "https://☃.\u0301"),
    "https://example.com/" + "a" * 40_000,
)
_PAGES: Final = {
    "https://example.com/?next=javascript:alert(1)": "example.com",
    "https://example.com/%0a%0d?a=b;id": "example.com",
    "https://example.com/$(id)`id`|id&id;id>x": "example.com",
    "https://example.com/'\"<>{}^": "example.com",
    "https://example.com/%action?x=%s&y=%d%%": "example.com",
    "https://example.com/#--help": "example.com",
    "https://example.com/?a=@evil.com": "example.com",
    "https://example.com/@evil.com": "example.com",
    "https://EXAMPLE.com:8443/a": "example.com",
    "https://example.com./": "example.com.",
    "HTTPS://example.com/": "example.com",
    "https://exam_ple.com/": "exam_ple.com",
    "https://аpple.com/login": "xn--pple-43d.com",
    "https://pаypal.com": "xn--pypal-4ve.com",
    "https://ⓔxample.com": "example.com",
    "https://ｅｘａｍｐｌｅ.com": "example.com",
    "https://a。b/": "a.b",
    "https://faß.de/": "xn--fa-hia.de",
    "https://βόλος.com": "xn--nxasmm1c.com",
    "https://xn--pple-43d.com": "xn--pple-43d.com",
    "https://é.com": "xn--9ca.com",
    "https://good.com.evil.com/good.com": "good.com.evil.com",
    "https://example.com:22/": "example.com",
    "http://127.0.0.1:9/": "127.0.0.1",
    "http://[::1]:9/": "::1",
    "http://[0:0:0:0:0:0:0:1]/": "::1",
    "http://169.254.169.254/latest": "169.254.169.254",
    "https://example.com/ü/漢?q=é": "example.com",
}

REFUSED: Final = (*_NO_SCHEME, *_OTHER_SCHEMES, *_CHARACTERS, *_NOT_THE_HOST_IT_SEEMS)
PAGES: Final = _PAGES
"""What may be opened after consent, by the host that a browser looks up."""
