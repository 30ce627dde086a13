"""The JavaScript that follows the page: what changed is said; no press, focus or setting is lost.

Streamlit has no way to do this. It replaces the button that was pressed by another one, which
leaves the focus at the page as a whole. A press on a button takes the text of the field that
was left, which draws the page anew while the mouse is down; if the button is replaced, nothing
is clicked. A status that comes with its own element is not read. No figure is told how wide it
will be drawn, so on a narrow page its words may meet, or be wider than their bars. And each
setting in the address is an entry of the browser's history, so that going back would undo it.
"""

from __future__ import annotations

REGION = "announcements"
"""The id of the element whose text a screen reader says when it changes."""

# The observer is made once in a document; pages are changed without a new document.
FOLLOW = f"""
if (!document.getElementById("{REGION}")) {{
  const main = '[data-testid=stMain]';
  const region = document.body.appendChild(document.createElement("div"));
  region.id = "{REGION}";
  region.setAttribute("role", "status");
  let focused = null, said = null, pause;
  const sentence = () => document.querySelector(`${{main}} .lede`)?.innerText || null;
  const find = () => {{
    const stop = document.querySelector(".st-key-stop_button button");
    const target = stop ?? document.querySelector(`${{main}} :is(.lede, h1)`);
    if (target && !stop) target.tabIndex = -1;
    target?.focus({{preventScroll: true}});
  }};
  const words = [".annotation-text-g, .infolayer > g > .xtitle, .note",
    ".xtick text, .ytick text, .tick", ".textpoint text, .bartext, .word"];
  const clear = (plot) => {{
    const frame = plot.getBoundingClientRect(), kept = [];
    const bars = [...plot.querySelectorAll(".bars rect")].map((bar) => bar.getBoundingClientRect());
    const fits = (text, box) => {{
      const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
      return !text.classList.contains("inside") || bars.every((bar) => box.width < bar.width + 1
        || x < bar.left || x > bar.right || y < bar.top || y > bar.bottom);
    }};
    for (const text of words.flatMap((kind) => [...plot.querySelectorAll(kind)])) {{
      const box = text.getBoundingClientRect();
      const meets = (other) => box.left < other.right + 2 && other.left < box.right + 2
        && box.top < other.bottom - 5 && other.top < box.bottom - 5;
      const shown = box.left >= frame.left - 1 && box.right <= frame.right + 1 && fits(text, box)
        && !kept.some(meets);
      text.style.visibility = shown ? "" : "hidden";
      if (shown) kept.push(box);
    }}
  }};
  const follow = () => {{
    document.querySelectorAll(".js-plotly-plot, .figure").forEach(clear);
    const text = sentence();
    if (text && text !== said) region.textContent = said = text;
    const lost = focused !== null && !focused.isConnected;
    if (lost && document.activeElement === document.body) find();
  }};
  document.addEventListener("focusin", (event) => {{ focused = event.target; }});
  document.addEventListener("focusout", (event) => setTimeout(() => {{
    if (event.target === focused && focused.isConnected && document.hasFocus()) focused = null;
  }}));
  // An edit changes the address of the page; going back leaves the page, with the settings kept.
  const push = history.pushState.bind(history), correct = history.replaceState.bind(history);
  history.pushState = (state, title, url) => {{
    const same = new URL(url ?? "", location.href).pathname === location.pathname;
    (same ? correct : push)(state, title, url);
  }};
  addEventListener("popstate", () => {{
    const workspace = new URLSearchParams(location.search).get("w");
    correct(history.state, "", location.pathname + (workspace ? `?w=${{workspace}}` : ""));
  }}, true);
  let pressed = null;
  const drawn = ':not([data-stale="true"])';  // else it may be about to go
  const another = ({{key, place}}, tries) => {{
    const button = document.querySelectorAll(`.${{CSS.escape(key)}}${{drawn}} button`)[place];
    if (button) button.click();
    else if (tries) setTimeout(another, 100, {{key, place}}, tries - 1);
  }};
  document.addEventListener("pointerdown", ({{target, clientX, clientY}}) => {{
    const button = target.closest("[class*=st-key-] button");
    const keyed = button?.closest("[class*=st-key-]");
    const key = keyed?.className.match(/st-key-\\S+/)[0];
    const place = keyed && [...keyed.querySelectorAll("button")].indexOf(button);
    pressed = button && {{button, key, place, clientX, clientY}};
  }}, true);
  document.addEventListener("click", ({{target}}) => {{
    if (pressed?.button.contains(target)) pressed = null;
  }}, true);
  document.addEventListener("pointerup", ({{clientX, clientY}}) => {{
    if (!pressed) return;
    const moved = Math.hypot(clientX - pressed.clientX, clientY - pressed.clientY);
    const was = pressed;
    setTimeout(() => {{
      if (was !== pressed) return;
      if (moved < 8) another(was, 20);
      pressed = null;
    }}, 50);
  }}, true);
  const soon = () => {{
    said ??= sentence();  // at once: what the page opened with is no change, a quick run is one
    clearTimeout(pause);
    pause = setTimeout(follow, 250);
  }};
  // Popovers and dialogs hang outside of .stApp, whose scheme follows the theme.
  const app = document.querySelector(".stApp");
  const scheme = () => {{
    document.documentElement.style.colorScheme = getComputedStyle(app).colorScheme;
  }};
  scheme();
  new MutationObserver(scheme).observe(app, {{attributeFilter: ["class"]}});
  addEventListener("resize", soon);
  new MutationObserver(soon).observe(document.body, {{
    childList: true, subtree: true, characterData: true, attributeFilter: ["transform"],
  }});
}}"""
