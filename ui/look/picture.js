/* A picture says what the pointer is on, and tells of clicks. Streamlit 1.67 takes SVG out of its own
   HTML, so this is a component; it keeps its place on the page while the SVG in it is replaced. */

const GAP = 4; // pixels to the edges of the window

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

/** The hatches of all pictures stand in the app once: a picture has none of one that is hidden. */
function addHatches() {
  if (document.getElementById("hatches")) return;
  document.querySelector(".stApp").insertAdjacentHTML("beforeend", HATCHES);
}

export default ({ data, parentElement, setTriggerValue }) => {
  addHatches();
  parentElement.innerHTML = data.html;
  const says = parentElement.appendChild(document.createElement("div"));
  says.className = "says";
  says.hidden = true;
  parentElement.onpointermove = ({ target, clientX, clientY }) => {
    takeTitle(target, data.texts);
    says.hidden = !target.says;
    if (says.hidden) return;
    write(says, target.says);
    place(says, clientX, clientY);
  };
  parentElement.onpointerleave = () => {
    says.hidden = true;
  };
  parentElement.onclick = ({ target }) => {
    if (target.dataset.mark) setTriggerValue("clicked", target.dataset.mark);
  };
};
