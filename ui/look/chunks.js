/* The list of chunks: a row is opened, moved and switched off. One instance of the component has the
   rows, another one what changes with each edit: how much of each chunk is sent, and the open chunk.
   Both have what is below in common. A place counts from 0 in the whole list of chunks. */

const FAR = 6; // pixels from which on a pressed row is dragged
const EDGE = 36, // pixels from the ends of the list, where a dragged row scrolls it
  STEP = 14; // pixels, by each move of the pointer there
const PAUSE = 350; // milliseconds after the last key, when the server is told what it did
const LEFT = 500; // milliseconds after the text is left for a part of the list that may be pressed
const PATIENCE = 4000; // milliseconds for which the server may leave the list as it is

let list = null; // the element with the rows
let trigger = () => {};
let marks = {};
let editor = null; // of the open chunk: its place, its element, the tokens when it was opened
let current = 0; // the place of the row that had the focus last
let moving = null; // the row that was moved by a key, of which the server was not told yet
let pressed = null; // the row that may be dragged
let isNew = true; // whether the list came to the page without its marks
let wantsFocus = false; // whether the open chunk was opened just now
let isDrawing = false;

const rows = () => [...list.querySelectorAll("li")];
const rowAt = (place) => list.querySelector(`li[data-place="${place}"]`);
const placeOf = (row) => Number(row.dataset.place);
const area = () => editor?.element.querySelector("textarea");

/** Streamlit may lose the first of two messages in a row: the next waits until the list is drawn. */
const waiting = [];
let patience = 0;
let isAnsweredByRows = true; // what was told last; what opens or closes changes the marks alone

function tellNext() {
  clearTimeout(patience);
  const acts = waiting.shift();
  patience = acts ? setTimeout(tellNext, PATIENCE) : 0;
  if (!acts) return;
  isAnsweredByRows = acts.some(([what]) => what !== "open" && what !== "close");
  trigger(acts);
}

function tell(what, row, value = 0) {
  if (moving) tellMove(moving);
  waiting.push([...editsTaken(), ...(what ? [[what, placeOf(row), value]] : [])]);
  if (!patience) tellNext();
}

function editsTaken() {
  const text = area();
  if (!text || text.value === text.before) return [];
  text.before = text.value;
  return [["edit", editor.place, text.value.toWellFormed?.() ?? text.value]];
}

function report() {
  const text = area();
  if (text && text.value !== text.before) tell();
}

let typing = 0;

function reportSoon({ isComposing }) {
  clearTimeout(typing);
  if (!isComposing) typing = setTimeout(report, PAUSE);
}

/** A row that stands at another place now goes before or after its neighbour there. The rows have
    their new places at once, for what is done before the server has answered. */
function tellMove(row) {
  moving = null;
  if (!row.isConnected) return;
  const [before, after] = [row.previousElementSibling, row.nextElementSibling];
  const from = placeOf(row);
  let to = from;
  if (after && placeOf(after) < from) to = placeOf(after);
  else if (before && placeOf(before) > from) to = placeOf(before);
  if (to === from) return;
  tell("move", row, to);
  const newPlace = (place) => {
    if (place === from) return to;
    const isBetween = (place - from) * (place - to) <= 0;
    return place + (isBetween ? Math.sign(from - to) : 0);
  };
  for (const other of rows()) other.dataset.place = newPlace(placeOf(other));
  if (editor) editor.place = newPlace(editor.place);
  current = to;
  const said = document.getElementById("announcements");
  if (said) said.textContent = `Moved to place ${to + 1}`;
}

let pause = 0;

function moveRow(row, way) {
  const other = way < 0 ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return;
  const part = document.activeElement;
  if (way < 0) other.before(row);
  else other.after(row);
  part.focus();
  row.scrollIntoView({ block: "nearest" });
  clearTimeout(pause);
  moving = row;
  pause = setTimeout(() => moving && tellMove(moving), PAUSE);
}

function typed(event) {
  const { key, target } = event;
  const row = target.closest("li");
  if (target.matches("textarea")) {
    if (key === "Enter" && (event.ctrlKey || event.metaKey)) report();
    if (key !== "Escape" || event.isComposing) return;
    current = placeOf(row);
    row.querySelector(".chunk").focus();
    tell("close", row);
    return;
  }
  const way = { ArrowUp: -1, ArrowDown: 1 }[key];
  const ends = { Home: 0, End: -1 }[key];
  if (way === undefined && ends === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.altKey) {
    if (way && list.matches(".movable")) moveRow(row, way);
    return;
  }
  const other = way < 0 ? row.previousElementSibling : row.nextElementSibling;
  const next = way ? other : rows().at(ends);
  next?.querySelector(target.matches(".eye") ? ".eye" : ".chunk").focus();
}

function clicked({ target }) {
  const row = target.closest("li");
  if (!row || pressed?.far) return;
  const act = target.closest("[data-act]")?.dataset.act;
  if (target.closest(".chunk-editor") && !act) return;
  if (act === "switch") row.classList.toggle("off"); // at once: a plan may take its time
  const opens = row.matches(".open") ? "close" : "open";
  tell(act ?? opens, row, act === "split" ? cursor(area()) : 0);
}

/** The characters before the cursor, as the server counts them. */
const cursor = ({ value, selectionStart }) => [...value.slice(0, selectionStart)].length;

function press({ target, button, clientY, pointerId, pointerType }) {
  pressed = null;
  const row = target.closest("li");
  const movable = row && list.matches(".movable") && !target.closest(".eye, .chunk-editor");
  if (!movable || button || (pointerType !== "mouse" && !target.closest(".grip"))) return;
  pressed = { row, y: clientY, top: list.scrollTop, pointerId, far: false };
}

/** The row before which a dragged one goes when it is dropped; none for the end. */
function rowBelow(y) {
  const middle = ({ top, bottom }) => (top + bottom) / 2;
  const others = rows().filter((row) => row !== pressed.row);
  return others.find((row) => middle(row.getBoundingClientRect()) > y);
}

function drag({ clientY }) {
  if (!pressed?.row.isConnected || pressed.dropped) return;
  if (!pressed.far && Math.abs(clientY - pressed.y) < FAR) return;
  if (!pressed.far) {
    pressed.far = true;
    list.setPointerCapture(pressed.pointerId);
    pressed.row.classList.add("lifted");
  }
  const { top, bottom } = list.getBoundingClientRect();
  if (clientY < top + EDGE) list.scrollTop -= STEP;
  if (clientY > bottom - EDGE) list.scrollTop += STEP;
  const by = clientY - pressed.y + list.scrollTop - pressed.top;
  pressed.row.style.setProperty("--by", `${by}px`);
  showDrop(rowBelow(clientY));
}

function showDrop(below) {
  for (const row of list.querySelectorAll(".drop, .drop-end"))
    row.classList.remove("drop", "drop-end");
  if (below) below.classList.add("drop");
  else rows().at(-1).classList.add("drop-end");
}

function drop({ type, clientY }) {
  if (!pressed?.far) pressed = null;
  if (!pressed || pressed.dropped) return;
  const below = rowBelow(clientY);
  pressed.dropped = true; // the click that follows opens nothing
  for (const row of rows()) row.classList.remove("lifted", "drop", "drop-end");
  if (type === "pointercancel") return;
  if (below) below.before(pressed.row);
  else pressed.row.parentElement.append(pressed.row);
  tellMove(pressed.row);
}

function left({ target, relatedTarget }) {
  if (isDrawing || !target.matches("textarea")) return;
  if (list.contains(relatedTarget)) setTimeout(report, LEFT);
  else report();
}

function entered({ target }) {
  const row = target.closest("li");
  if (!row || isDrawing) return;
  current = placeOf(row);
  letTabReach();
}

/** The list is one stop of the Tab key, or two: its current row and the eye in that. */
function letTabReach() {
  const row = rowAt(current) ?? list.querySelector("li");
  for (const part of list.querySelectorAll('[tabindex="0"]')) part.tabIndex = -1;
  for (const part of row?.querySelectorAll(":scope > :is(.chunk, .eye)") ?? []) part.tabIndex = 0;
}

/** The part of the list that has the focus, as it is found again when the list is drawn anew. */
function focusedPart() {
  const active = document.activeElement;
  const row = list?.contains(active) ? active.closest("li") : null;
  if (!row) return () => {};
  const place = placeOf(row);
  const kind = ["textarea", ".eye", ".chunk"].find((one) => active.matches(one)) ?? ".chunk";
  return () => {
    current = Math.min(place, rows().length - 1);
    const part = (rowAt(place) ?? rows().at(-1))?.querySelector(kind);
    if (part !== active) part?.focus({ preventScroll: true });
    else active.focus({ preventScroll: true });
  };
}

/** What all rows have alike is put around their texts here, so that these can be sent quickly. */
const HEAD =
  '<span class="no"><span class="unseen">Chunk </span><i></i></span><span class="unseen fate"></span>';
const GRIP = '<i class="grip" aria-hidden="true" title="Drag, or Alt with an arrow"></i>';
const EYE = '<button class="eye" data-act="switch"></button>';

function partOf(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function fillRows(made, numbers) {
  const [head, grip, eye] = [HEAD, GRIP, EYE].map(partOf);
  const isMovable = made.matches(".movable");
  for (const [index, [place, number]] of numbers.entries()) {
    const row = made.children[index];
    const isOff = row.matches(".off");
    row.dataset.place = place;
    row.firstElementChild.prepend(head.cloneNode(true));
    row.querySelector(".no i").textContent = number ?? "–";
    if (number === null) {
      row.classList.toggle("left-out", !isOff);
      row.querySelector(".fate").textContent = isOff ? "switched off" : "left out";
    }
    if (isMovable) row.prepend(grip.cloneNode(true));
    row.append(eye.cloneNode(true));
    row.lastElementChild.title = row.lastElementChild.ariaLabel = isOff
      ? "Switch on"
      : "Switch off";
  }
}

/** Where somebody types, the row stays, or a letter that is being composed would be lost. */
function replaceRows(made) {
  const typing = editor?.element.contains(document.activeElement)
    ? editor.element.parentElement
    : null;
  const twin = typing && made.querySelector(`[data-place="${editor.place}"]`);
  if (!twin || !list?.contains(typing)) return false;
  const fresh = [...made.children];
  const place = fresh.indexOf(twin);
  list.className = made.className;
  for (const row of rows()) if (row !== typing) row.remove();
  typing.before(...fresh.slice(0, place));
  typing.after(...fresh.slice(place + 1));
  typing.className = twin.className;
  for (const part of [...typing.children]) if (part !== editor.element) part.remove();
  typing.prepend(...twin.children);
  return true;
}

function drawRows(parent, { html, numbers }) {
  const findFocus = focusedPart();
  const top = list?.scrollTop ?? 0;
  if (!list?.isConnected) isNew = !marks.early;
  const drawn = partOf(html);
  const made = drawn.querySelector(".chunk-list");
  isDrawing = true;
  fillRows(made, numbers);
  if (!replaceRows(made)) {
    parent.replaceChildren(drawn);
    list = made;
    listen();
  }
  showMarks();
  list.scrollTop = top;
  findFocus();
  isDrawing = false;
  letTabReach();
  if (patience && isAnsweredByRows) tellNext();
}

function listen() {
  Object.assign(list, {
    onclick: clicked,
    oninput: reportSoon,
    onkeydown: typed,
    onpointerdown: press,
    onpointermove: drag,
    onpointerup: drop,
    onpointercancel: drop,
  });
  list.addEventListener("focusin", entered);
  list.addEventListener("focusout", left);
}

function showMarks() {
  for (const row of rows()) {
    const sent = marks.sent?.[placeOf(row)] ?? -1;
    const isKnown = sent >= 0 && !row.matches(".off, .left-out");
    const words = sent === 100 ? "sent" : sent ? `${sent} % sent` : "not sent";
    row.dataset.sent = isKnown ? words.replace(/\d+ %/, "partly") : "";
    row.style.setProperty("--sent", `${sent}%`);
    row.classList.toggle("followed", marks.followed?.includes(placeOf(row)) ?? false);
    if (isKnown) row.querySelector(".fate").textContent = words;
  }
  showOpen();
}

function showOpen() {
  const { open } = marks;
  const row = open ? rowAt(open.place) : null;
  for (const other of list.querySelectorAll("li.open")) {
    if (other === row) continue;
    other.classList.remove("open");
    other.querySelector(".chunk").setAttribute("aria-expanded", "false");
    const tokens = other.querySelector(".tokens");
    tokens.replaceChildren(tokens.lastChild);
  }
  if (!row) {
    editor?.element.remove();
    if (!open) editor = null;
    return;
  }
  const isSame = editor && (editor.place === open.place || area()?.before === open.text);
  if (!isSame) editor = makeEditor(row, open);
  editor.place = open.place;
  editor.element.querySelector(".chunk-foot").innerHTML = open.foot;
  const text = area();
  if (text && text.value === text.before && text.value !== open.text) write(text, open.text);
  row.classList.add("open");
  row.querySelector(".chunk").setAttribute("aria-expanded", "true");
  if (editor.element.parentElement !== row) row.append(editor.element); // or it loses the focus
  const tokens = row.querySelector(".tokens");
  if (tokens.textContent !== editor.tokens && !tokens.querySelector("del"))
    tokens.prepend(
      Object.assign(document.createElement("del"), { textContent: editor.tokens }),
      " ",
    );
  if (!wantsFocus) return;
  wantsFocus = false;
  text?.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function makeEditor(row, open) {
  editor?.element.remove();
  const element = document.createElement("div");
  element.className = "chunk-editor";
  if (open.text !== null) {
    const text = document.createElement("textarea");
    Object.assign(text, { ariaLabel: "Text of the chunk", dir: "auto", maxLength: open.most });
    text.spellcheck = false;
    write(text, open.text);
    element.append(text);
  }
  const foot = document.createElement("div");
  foot.className = "chunk-foot";
  element.append(foot);
  return { place: open.place, element, tokens: row.querySelector(".tokens").textContent };
}

/** A text area has its own line ends, so what it holds is compared with what it was given. */
function write(text, value) {
  text.value = value;
  text.before = text.value;
}

export default ({ data, parentElement, setTriggerValue }) => {
  if (data.html !== undefined) {
    trigger = (acts) => setTriggerValue("done", acts);
    drawRows(parentElement, data);
    return;
  }
  const isMounted = Boolean(list?.isConnected);
  const isOpened = data.open && data.open.place !== marks.open?.place;
  if (isMounted && !isNew) wantsFocus = isOpened && data.open.text !== area()?.before;
  marks = { ...data, early: !isMounted };
  if (!isMounted) return;
  isDrawing = true;
  const findFocus = focusedPart();
  const before = document.activeElement;
  showMarks();
  if (before !== document.activeElement && document.activeElement === document.body) findFocus();
  isDrawing = isNew = false;
  if (patience && !isAnsweredByRows) tellNext();
};
