"""The frame of the HTML export: style, script and the policy that lets only these two in.

The script only adds comfort: filtering, keys, folding inside bodies. Without it the page is read by
opening entries. Nothing is fetched from anywhere, and the policy forbids it besides: what a server
sent could not run even where it got through the escaping. Pure.
"""

import base64
import hashlib
from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1c2024; --dim: #60646c; --ground: #fcfcfd;
  --edge: #d9d9e0; --line: #f0f0f3; --bad: #ab2230; --warn: #8a5a00; --good: #1a6b3c;
  --out: #0b5cad; --in: #7a3a9c; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --dim: #a8abb3; --ground: #111113;
  --edge: #3a3d43; --line: #1b1d20; --bad: #ff9592; --warn: #ffca16; --good: #71d083;
  --out: #70b8ff; --in: #d19dff; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 0 1rem 4rem; background: var(--ground); color: var(--ink);
  font: 14px/1.45 ui-sans-serif, system-ui, sans-serif; }
h1 { font-size: 1.15rem; margin: 1rem 0 .25rem; } h2 { font-size: 1rem; margin: 1.25rem 0 .4rem; }
code, pre, summary, .cell { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  font-size: 12.5px; }
a { color: var(--out); } ul { margin: .25rem 0; padding-left: 1.2rem; }
.dim { color: var(--dim); } .error { color: var(--bad); font-weight: 600; }
.warn { color: var(--warn); }
.ok { color: var(--good); }
nav { position: sticky; top: 0; z-index: 1; background: var(--ground); padding: .5rem 0;
  border-bottom: 1px solid var(--edge); display: flex; gap: .6rem; align-items: center;
  flex-wrap: wrap; }
nav input[type=search] { flex: 1 1 16rem; min-width: 10rem; font: inherit; padding: .3rem .5rem;
  color: inherit; background: transparent; border: 1px solid var(--edge); border-radius: 4px; }
nav button { font: inherit; padding: .25rem .6rem; color: inherit; background: transparent;
  border: 1px solid var(--edge); border-radius: 4px; cursor: pointer; }
.js { display: none; } .scripted .js { display: flex; }
details.e { border-bottom: 1px solid var(--line); content-visibility: auto;
  contain-intrinsic-size: auto 1.7rem; }
details.e > summary { display: flex; gap: .8rem; padding: .12rem .25rem; cursor: pointer;
  list-style: none; white-space: nowrap; overflow: hidden; }
details.e > summary::-webkit-details-marker { display: none; }
details.e[open] > summary { background: var(--line); }
summary:focus-visible, input:focus-visible, button:focus-visible, a:focus-visible {
  outline: 2px solid var(--out); outline-offset: -2px; }
.n { width: 4.5rem; text-align: right; color: var(--dim); flex: none; }
.t { flex: none; color: var(--dim); }
.d { width: 1ch; flex: none; } .out .d { color: var(--out); } .in .d { color: var(--in); }
.m { width: 17rem; flex: none; overflow: hidden; text-overflow: ellipsis; }
.x { flex: 1 1 auto; overflow: hidden; text-overflow: ellipsis; }
.o { flex: none; width: 12rem; text-align: right; overflow: hidden; text-overflow: ellipsis; }
.s { flex: none; width: 5.5rem; text-align: right; color: var(--dim); }
.b { padding: .3rem 0 .8rem 5.3rem; } .b p { margin: .2rem 0; }
pre { margin: .3rem 0; padding: .5rem; background: var(--line); border-radius: 4px; overflow: auto;
  max-height: 36rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre .f { cursor: pointer; color: var(--dim); background: none; border: 0; padding: 0;
  font: inherit; }
[hidden] { display: none !important; }
@media (max-width: 60rem) { .m { width: 11rem; } .s, .t { display: none; } .o { width: 8rem; }
  .b { padding-left: 1rem; } }
@media print { nav { display: none; } pre { max-height: none; } }
"""

SCRIPT: Final = """
"use strict";
(function () {
  var root = document.documentElement; root.classList.add("scripted");
  var all = Array.prototype.slice.call(document.querySelectorAll("details.e"));
  var box = document.getElementById("q"), told = document.getElementById("told");
  var only = document.getElementById("only"), texts = new Map(), timer = 0;
  function textOf(e) {
    var t = texts.get(e);
    if (t === undefined) { t = e.textContent.toLowerCase(); texts.set(e, t); }
    return t;
  }
  function sift() {
    var words = box.value.toLowerCase().split(/\\s+/).filter(Boolean), shown = 0;
    all.forEach(function (e) {
      var fits = (!only.checked || e.classList.contains("bad")) && words.every(function (w) {
        return w[0] === "-" && w.length > 1 ? textOf(e).indexOf(w.slice(1)) < 0
          : textOf(e).indexOf(w) >= 0;
      });
      e.hidden = !fits; if (fits) shown += 1;
    });
    told.textContent = shown === all.length ? all.length + " entries"
      : shown + " of " + all.length + " entries";
  }
  box.addEventListener("input", function () {
    clearTimeout(timer); timer = setTimeout(sift, 120);
  });
  only.addEventListener("change", sift);
  function fold(pre) {
    if (pre.dataset.folded) return; pre.dataset.folded = "1";
    var lines = pre.textContent.split("\\n"); if (lines.length < 4 || lines.length > 5000) return;
    var indent = function (l) { return l.length - l.trimStart().length; };
    function build(from, to, into) {
      for (var i = from; i < to; i += 1) {
        var l = lines[i], c = l[l.length - 1], end = i;
        if (c === "{" || c === "[") {
          for (end = i + 1; end < to && indent(lines[end]) > indent(l); end += 1) { /* inside */ }
        }
        if (end > i + 1 && end < to) {
          var button = document.createElement("button"), inner = document.createElement("span");
          button.className = "f"; button.type = "button"; button.textContent = "\\u25be ";
          button.setAttribute("aria-expanded", "true");
          into.append(button, l + "\\n", inner); build(i + 1, end, inner); i = end - 1;
          button.addEventListener("click", (function (s, b) { return function () {
            s.hidden = !s.hidden; b.textContent = s.hidden ? "\\u25b8 " : "\\u25be ";
            b.setAttribute("aria-expanded", String(!s.hidden)); }; })(inner, button));
        } else { into.append(l + (i + 1 < lines.length ? "\\n" : "")); }
      }
    }
    var made = document.createElement("span"); build(0, lines.length, made);
    pre.replaceChildren(made);
  }
  document.addEventListener("toggle", function (event) {
    var e = event.target;
    if (e.open && e.classList.contains("e")) {
      textOf(e);
      Array.prototype.forEach.call(e.querySelectorAll("pre.json"), fold);
    }
  }, true);
  function reveal() {
    var e = location.hash && document.getElementById(location.hash.slice(1));
    if (!e || !e.classList.contains("e")) return;
    if (e.hidden) { box.value = ""; only.checked = false; sift(); }
    e.open = true; e.scrollIntoView({ block: "center" }); e.firstElementChild.focus();
  }
  window.addEventListener("hashchange", reveal);
  function step(by, fits) {
    var here = document.activeElement && document.activeElement.closest("details.e");
    var at = here ? all.indexOf(here) : (by > 0 ? -1 : all.length);
    for (at += by; at >= 0 && at < all.length; at += by) {
      if (!all[at].hidden && fits(all[at])) {
        all[at].firstElementChild.focus(); all[at].scrollIntoView({ block: "nearest" }); return;
      }
    }
  }
  var any = function () { return true; };
  var bad = function (e) { return e.classList.contains("bad"); };
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === box) {
      if (event.key === "Escape") { box.value = ""; sift(); box.blur(); }
      if (event.key === "Enter") { step(1, any); }
      return;
    }
    var here = document.activeElement && document.activeElement.closest("details.e");
    var link = here && here.querySelector("a.partner");
    switch (event.key) {
      case "/": event.preventDefault(); box.focus(); box.select(); break;
      case "j": step(1, any); break;
      case "k": step(-1, any); break;
      case "e": step(1, bad); break;
      case "E": step(-1, bad); break;
      case "%": if (link) { location.hash = link.getAttribute("href"); } break;
      default: return;
    }
  });
  document.getElementById("close").addEventListener("click", function () {
    all.forEach(function (e) { e.open = false; });
  });
  sift(); reveal();
})();
"""


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


POLICY: Final = (
    f"default-src 'none'; style-src {_hash(STYLE)}; script-src {_hash(SCRIPT)};"
    " base-uri 'none'; form-action 'none'"
)

HEAD: Final = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>MCP session</title>
<style>{STYLE}</style>
</head>
<body>
"""

BAR: Final = """<nav class="js" aria-label="Filter">
<input id="q" type="search" placeholder="filter: words, -word (press /)" aria-label="Filter">
<label><input id="only" type="checkbox"> errors and findings</label>
<button id="close" type="button">close all</button>
<span id="told" class="dim" role="status"></span>
<span class="dim">j k entries · e E errors · Enter opens · % partner</span>
</nav>
"""

FOOT: Final = f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
