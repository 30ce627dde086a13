/* What Streamlit's pages need and Streamlit 1.67 does not do. Each part says what it mends. It is a
   component, since the policy of the pages (server.py) forbids scripts in their HTML. */

const page = (() => {
  const MAIN = "[data-testid=stMain]";
  const STILL = 250; // milliseconds without a change, after which the page counts as drawn
  const NARROW = 1000; // pixels up to which columns stack and the sidebar starts folded
  const PRESSED_AGAIN = 20; // times that a button is looked for, every 100 milliseconds

  /** Streamlit sets `color-scheme` on .stApp; its popovers and dialogs hang outside of that. */
  function copyScheme(changed) {
    const app = document.querySelector(".stApp");
    const copy = () => {
      document.documentElement.style.colorScheme = getComputedStyle(app).colorScheme;
      changed();
    };
    copy();
    new MutationObserver(copy).observe(app, { attributeFilter: ["class"] });
  }

  /** A status that comes with its own element is not read, so one stays and gets the sentence. */
  function announcer() {
    const region = document.body.appendChild(document.createElement("div"));
    region.id = "announcements";
    region.setAttribute("role", "status");
    const sentence = () => document.querySelector(`${MAIN} .lede`)?.innerText || null;
    let said = null;
    return {
      // At once: what the page opened with is no change, a quick run is one.
      begin() {
        said ??= sentence();
      },
      say() {
        const text = sentence();
        if (text && text !== said) region.textContent = said = text;
      },
    };
  }

  /** Streamlit replaces the button that was pressed, which leaves the focus at the whole page. */
  function focusKeeper() {
    let focused = null;
    const find = () => {
      const stop = document.querySelector(".st-key-stop_button button");
      const target = stop ?? document.querySelector(`${MAIN} :is(.lede, h1)`);
      if (target && !stop) target.tabIndex = -1;
      target?.focus({ preventScroll: true });
    };
    document.addEventListener("focusin", (event) => {
      focused = event.target;
    });
    document.addEventListener("focusout", (event) =>
      setTimeout(() => {
        const left = event.target === focused && focused.isConnected;
        if (left && document.hasFocus()) focused = null;
      }),
    );
    return () => {
      const lost = focused !== null && !focused.isConnected;
      if (lost && document.activeElement === document.body) find();
    };
  }

  /** A chart of Plotly is not told how wide it will be, so its words may meet: the less important
      ones are hidden. */
  function keepWordsApart() {
    const kinds = [
      ".annotation-text-g, .infolayer > g > .xtitle",
      ".xtick text, .ytick text",
      ".textpoint text, .bartext",
    ];
    const meet = (one, other) =>
      one.left < other.right + 2 &&
      other.left < one.right + 2 &&
      one.top < other.bottom - 5 &&
      other.top < one.bottom - 5;
    const clear = (chart) => {
      const frame = chart.getBoundingClientRect();
      const kept = [];
      for (const text of kinds.flatMap((kind) => [...chart.querySelectorAll(kind)])) {
        const box = text.getBoundingClientRect();
        const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1;
        const shown = inside && !kept.some((other) => meet(box, other));
        text.style.visibility = shown ? "" : "hidden";
        if (shown) kept.push(box);
      }
    };
    document.querySelectorAll(".js-plotly-plot").forEach(clear);
  }

  /** What is fixed to the window stands beside the sidebar, which a person can make wider. */
  function followSidebar() {
    const main = document.querySelector(MAIN);
    new ResizeObserver(() => {
      const { left } = main.getBoundingClientRect();
      document.documentElement.style.setProperty("--main-left", `${left}px`);
    }).observe(main);
  }

  /** Streamlit folds the sidebar of narrow pages only below 768 pixels, and draws it later. */
  function foldSidebar() {
    const folded = () => {
      const button = document.querySelector("[data-testid=stSidebarCollapseButton] button");
      button?.click();
      return button ?? document.querySelector("[data-testid=stExpandSidebarButton]");
    };
    if (innerWidth > NARROW || folded()) return;
    new MutationObserver((_, observer) => folded() && observer.disconnect()).observe(
      document.body,
      { childList: true, subtree: true },
    );
  }

  /** Each view in the address is an entry of the browser's history, so that going back would undo
      it. Here going back leaves the page. */
  function keepHistory() {
    const push = history.pushState.bind(history);
    const correct = history.replaceState.bind(history);
    history.pushState = (state, title, url) => {
      const same = new URL(url ?? "", location.href).pathname === location.pathname;
      (same ? correct : push)(state, title, url);
    };
    const workspaceAlone = () => {
      const workspace = new URLSearchParams(location.search).get("w");
      correct(history.state, "", location.pathname + (workspace ? `?w=${workspace}` : ""));
    };
    addEventListener("popstate", workspaceAlone, true);
  }

  /** A press on a button takes the text of the field that was left, which draws the page anew while
      the mouse is down; a button that is replaced meanwhile is not clicked. */
  function keepPresses() {
    let pressed = null;
    const drawn = ':not([data-stale="true"])'; // else it may be about to go
    const again = ({ key, place }, tries) => {
      const button = document.querySelectorAll(`.${CSS.escape(key)}${drawn} button`)[place];
      if (button) button.click();
      else if (tries) setTimeout(again, 100, { key, place }, tries - 1);
    };
    const press = ({ target, clientX, clientY }) => {
      const button = target.closest("[class*=st-key-] button");
      const keyed = button?.closest("[class*=st-key-]");
      const key = keyed?.className.match(/st-key-\S+/)[0];
      const place = keyed && [...keyed.querySelectorAll("button")].indexOf(button);
      pressed = button && { button, key, place, clientX, clientY };
    };
    const release = ({ clientX, clientY }) => {
      const was = pressed;
      if (!was) return;
      const moved = Math.hypot(clientX - was.clientX, clientY - was.clientY);
      setTimeout(() => {
        if (was !== pressed) return;
        if (moved < 8) again(was, PRESSED_AGAIN);
        pressed = null;
      }, 50);
    };
    const clicked = ({ target }) => {
      if (pressed?.button.contains(target)) pressed = null;
    };
    document.addEventListener("pointerdown", press, true);
    document.addEventListener("pointerup", release, true);
    document.addEventListener("click", clicked, true);
  }

  /** A button's shortcut Ctrl+Enter also works while somebody types, where the same keys mean "take
      this text". Streamlit's fields listen below the body and its shortcuts above it, so the event
      ends here, after the field has read it. */
  function keepShortcutsOutOfFields() {
    document.body.addEventListener("keydown", (event) => {
      const keys = event.key === "Enter" && (event.ctrlKey || event.metaKey);
      if (!keys || !event.target.matches(":read-write")) return;
      event.stopPropagation();
      if (event.isTrusted)
        event.target
          .closest("[class*=st-key-takes_text]")
          ?.querySelector(".stButton button")
          ?.click();
    });
  }

  /** A text area tells the server its text only when somebody leaves it or presses Ctrl+Enter. */
  function reportTextWhileTyping() {
    const enter = { key: "Enter", ctrlKey: true, bubbles: true };
    let pause;
    document.body.addEventListener("input", (event) => {
      const area = event.target.closest("[class*=st-key-reports_text] textarea");
      if (!area || event.isComposing) return;
      clearTimeout(pause);
      pause = setTimeout(() => area.dispatchEvent(new KeyboardEvent("keydown", enter)), 300);
    });
  }

  /** A text area can't colour its variables as the picture does, so their colours lie in its ground:
      a copy of it says where. The copy stands outside of the body, whose changes are followed. */
  function tintVariables() {
    const AREAS = "[class*=st-key-reports_text-template] textarea";
    const KINDS = {
      context_str: "context",
      context_msg: "context",
      query_str: "query",
      existing_answer: "answer",
    };
    const LIKE = ["font", "lineHeight", "letterSpacing", "padding", "tabSize", "direction"];
    const copy = document.documentElement.appendChild(document.createElement("div"));
    copy.className = "text-copy";
    copy.ariaHidden = "true";
    const write = (text) => {
      copy.textContent = "";
      let end = 0;
      for (const variable of text.matchAll(/\{\{|\}\}|\{([A-Za-z_]\w*)\}/g)) {
        if (!variable[1]) continue;
        const mark = document.createElement("span");
        mark.className = `s-${KINDS[variable[1]] ?? "variable"}`;
        mark.textContent = variable[0];
        copy.append(text.slice(end, variable.index), mark);
        end = variable.index + variable[0].length;
      }
      copy.append(`${text.slice(end)}\n`);
    };
    const draw = (mark, { left, top }) => {
      const { backgroundColor } = getComputedStyle(mark);
      return [...mark.getClientRects()].map(
        (box) =>
          `<rect x="${box.left - left}" y="${box.top - top}" width="${box.width}"` +
          ` height="${box.height}" style="fill:${backgroundColor}"/>`,
      );
    };
    const tint = (area) => {
      const style = getComputedStyle(area);
      for (const name of LIKE) copy.style[name] = style[name];
      copy.style.width = `${area.clientWidth}px`;
      write(area.value);
      const frame = copy.getBoundingClientRect();
      const boxes = [...copy.children].flatMap((mark) => draw(mark, frame)).join("");
      const size = `width="${frame.width}" height="${frame.height}"`;
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${boxes}</svg>`;
      area.style.backgroundImage = `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
      area.style.backgroundAttachment = "local";
      area.style.backgroundRepeat = "no-repeat";
    };
    document.body.addEventListener("input", ({ target }) => {
      if (target.matches(AREAS)) tint(target);
    });
    return () => document.querySelectorAll(AREAS).forEach(tint);
  }

  /** Streamlit prints nothing: only the browser opens its dialog, once the click is through. */
  function printWhenAsked() {
    document.addEventListener("click", ({ target }) => {
      if (target.closest(".st-key-print button")) setTimeout(print, 300);
    });
  }

  /** The cards of the modes are buttons of Streamlit, among which arrows would move nothing. */
  function moveAmongCards() {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    document.body.addEventListener("keydown", (event) => {
      const card = event.target.closest(".st-key-mode_cards button");
      if (!card || !steps[event.key]) return;
      const cards = [...card.closest(".st-key-mode_cards").querySelectorAll("button")];
      cards[cards.indexOf(card) + steps[event.key]]?.focus();
      event.preventDefault();
    });
  }

  /** On a narrow page the inputs are folded: their switch opens them, and folds them again. */
  function foldInputs() {
    let open = null;
    const fold = ({ target }) => {
      const panel = target.closest(".st-key-inputs_shown button")?.innerText;
      if (!panel) return;
      open = panel === open ? null : panel;
      document.documentElement.classList.toggle("inputs-open", open !== null);
    };
    document.addEventListener("click", fold, true); // since the switch ends the event
  }

  function afterEachChange(before, after) {
    let pause;
    const soon = () => {
      before();
      clearTimeout(pause);
      pause = setTimeout(after, STILL);
    };
    addEventListener("resize", soon);
    new MutationObserver(soon).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
      attributeFilter: ["transform"],
    });
  }

  const tintAll = tintVariables();
  copyScheme(tintAll);
  keepHistory();
  keepPresses();
  keepShortcutsOutOfFields();
  reportTextWhileTyping();
  moveAmongCards();
  printWhenAsked();
  foldInputs();
  followSidebar();
  foldSidebar();
  const focused = new Set();
  let focusAgain = null;
  const announcements = announcer();
  const findLostFocus = focusKeeper();
  afterEachChange(announcements.begin, () => {
    keepWordsApart();
    tintAll();
    announcements.say();
    if (!document.activeElement.matches(":read-write")) focusAgain?.();
    focusAgain = null;
    findLostFocus();
  });

  return {
    /** Streamlit never moves the focus; once for each name, since what asks for it is drawn again. A
        text area may come after what asks, or be replaced while the page is drawn: then it has the
        focus when the page is still. */
    focus(key, preventScroll, name) {
      if (!name || focused.has(name)) return;
      focused.add(name);
      focusAgain = () =>
        document.querySelector(`.st-key-${key} textarea`)?.focus({ preventScroll });
      focusAgain();
    },

    /** A switch that has the focus would handle the arrow keys itself. */
    freeTheArrows() {
      if (document.activeElement.closest("[role=radiogroup]")) document.activeElement.blur();
    },
  };
})();

export default ({ data }) => {
  if (data) page[data[0]](...data.slice(1));
};
