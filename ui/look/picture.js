/* A picture says what the pointer is on and lights its way, tells of clicks, and has handles that
   can be dragged. Streamlit 1.67 takes SVG out of its own HTML, so this is a component; it keeps
   its place on the page while the SVG in it is replaced. */

const GAP = 4; // pixels to the edges of the window
const FAR = 6; // pixels from which on a pressed chunk is dragged
const STEP = 8,
  LEAP = 64; // tokens by which an arrow key moves a handle, and with Shift
const NEXT = 1,
  FURTHER = 10; // the same for the calls of a lens
const PAUSE = 400; // milliseconds after the last key, when the number is told

/** The first line in bold, when others follow. */
function write(says, text) {
  const [first, ...rest] = text.split("\n");
  says.textContent = rest.length ? `\n${rest.join("\n")}` : first;
  if (rest.length) says.prepend(Object.assign(document.createElement("b"), { textContent: first }));
}

function place(says, x, y) {
  const { width, height } = says.getBoundingClientRect();
  const below = y + 16 + height < innerHeight;
  says.style.left = `${Math.max(GAP, Math.min(x + 12, innerWidth - width - GAP))}px`;
  says.style.top = `${below ? y + 16 : y - height - 10}px`;
}

/** A title is taken out of the SVG before it is shown, or the browser would show it once more. */
function takeTitle(target, texts) {
  const title = target.querySelector(":scope > title");
  if (!title) return;
  const text = texts[target.dataset.text];
  target.says = title.textContent + (text ? `\n${text}` : "");
  title.remove();
}

/** A chunk lights with the ribbons from it and its part of each call; a call with all it reads. */
function light(drawing, { mark, from }) {
  for (const near of drawing.querySelectorAll(".near")) near.classList.remove("near");
  const on = from ?? mark;
  drawing.classList.toggle("hovering", Boolean(on));
  if (!on) return;
  const add = (selector) => {
    for (const one of drawing.querySelectorAll(selector)) one.classList.add("near");
  };
  add(`[data-mark="${on}"], [data-from="${on}"]`);
  if (!on.startsWith("call")) return;
  const read = [...drawing.querySelectorAll(`[data-mark="${on}"][data-from]`)];
  for (const source of new Set(read.map((one) => one.dataset.from)))
    add(`[data-mark="${source}"]:not([data-from])`);
}

/** The hatches of all pictures stand in the app once: a picture has none of one that is hidden. */
function addHatches() {
  if (document.getElementById("hatches")) return;
  document.querySelector(".stApp").insertAdjacentHTML("beforeend", HATCHES);
}

/** The number of tokens at which a handle stands when it is at this share of the width. */
function tokensAt({ origin, scale }, share) {
  return Math.max(1, Math.round((100 * share - origin) / scale));
}

function moveTo(handle, tokens) {
  const { origin, scale } = handle.dataset;
  handle.style.left = `${Math.min(100, Math.max(0, +origin + tokens * scale))}%`;
  handle.setAttribute("aria-valuenow", tokens);
  handle.querySelector("output").textContent = tokens.toLocaleString("en");
}

function makeHandle(handle, drawing, tell) {
  const told = () => tell(`${handle.dataset.handle} ${handle.getAttribute("aria-valuenow")}`);
  handle.onpointerdown = (event) => {
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    handle.classList.add("moving");
    handle.onpointermove = ({ clientX }) => {
      const { left, width } = drawing.getBoundingClientRect();
      moveTo(handle, tokensAt(handle.dataset, Math.min(1, Math.max(0, (clientX - left) / width))));
    };
    handle.onpointerup = () => {
      handle.onpointermove = handle.onpointerup = null;
      handle.classList.remove("moving");
      told();
    };
  };
  let pause;
  handle.onkeydown = (event) => {
    const ways = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const grows = handle.dataset.scale > 0 || event.key.match(/Up|Down/) ? way : -way;
    const [near, wide] = handle.dataset.handle === "lens" ? [NEXT, FURTHER] : [STEP, LEAP];
    const by = grows * (event.shiftKey ? wide : near);
    moveTo(handle, Math.max(1, +handle.getAttribute("aria-valuenow") + by));
    clearTimeout(pause);
    pause = setTimeout(told, PAUSE);
  };
}

/** A chunk that is dragged goes before the one whose middle is right of the pointer. */
function dragChunks(parent, drawing, tell) {
  let pressed = null;
  const chunks = () => [...drawing.querySelectorAll('rect[data-mark^="chunk "]:not([data-from])')];
  parent.onpointerdown = ({ target, clientX }) => {
    if (target.matches('rect[data-mark^="chunk "]:not([data-from])'))
      pressed = { mark: target.dataset.mark, x: clientX, far: false };
  };
  parent.onpointerup = ({ clientX }) => {
    const was = pressed;
    pressed = null;
    for (const one of drawing.querySelectorAll(".dragged")) one.classList.remove("dragged");
    if (!was?.far) return;
    const middles = new Map();
    for (const one of chunks()) {
      const { left, right } = one.getBoundingClientRect();
      const [low, high] = middles.get(one.dataset.mark) ?? [left, right];
      middles.set(one.dataset.mark, [Math.min(low, left), Math.max(high, right)]);
    }
    middles.delete(was.mark);
    const before = [...middles.values()].filter(([low, high]) => (low + high) / 2 < clientX);
    tell(`${was.mark} ${before.length + 1}`);
  };
  return ({ clientX }) => {
    if (!pressed || Math.abs(clientX - pressed.x) < FAR) return false;
    pressed.far = true;
    for (const one of drawing.querySelectorAll(`[data-mark="${pressed.mark}"]`))
      one.classList.add("dragged");
    return true;
  };
}

/** What is drawn anew while a handle is dragged would take it out of the hand, so it waits. */
export default (component) => {
  const moving = component.parentElement.querySelector(".handle.moving");
  if (moving) moving.onlostpointercapture = () => draw(component);
  else draw(component);
};

function draw({ data, parentElement, setTriggerValue }) {
  const focused = document.activeElement?.closest(".handle");
  const name = parentElement.contains(focused) ? focused.dataset.handle : "";
  addHatches();
  parentElement.innerHTML = data.html;
  if (name) parentElement.querySelector(`.handle.${name}`)?.focus();
  const drawing = parentElement.querySelector(".drawing");
  const says = parentElement.appendChild(document.createElement("div"));
  says.className = "says";
  says.hidden = true;
  let drags = () => false;
  let dragged = false;
  parentElement.onpointerdown = parentElement.onpointerup = null;
  if (data.movable) {
    const tell = (words) => setTriggerValue("moved", words);
    drags = dragChunks(parentElement, drawing, tell);
    for (const handle of parentElement.querySelectorAll(".handle"))
      makeHandle(handle, drawing, tell);
  }
  parentElement.onpointermove = (event) => {
    const { target, clientX, clientY } = event;
    dragged = drags(event);
    takeTitle(target, data.texts);
    says.hidden = !target.says || dragged;
    light(drawing, target.dataset ?? {});
    if (says.hidden) return;
    write(says, target.says);
    place(says, clientX, clientY);
  };
  parentElement.onpointerleave = () => {
    says.hidden = true;
    light(drawing, {});
  };
  parentElement.onclick = ({ target }) => {
    if (target.dataset.mark && !dragged) setTriggerValue("clicked", target.dataset.mark);
    dragged = false;
  };
}
