/* Streamlit 1.67 tells the server of clicks on its own elements alone; this tells of ours, and
   gives back the focus that one with an id loses when its HTML is drawn anew. */

let stop = () => {};
let focused = "";

export default ({ setTriggerValue }) => {
  stop(); // Streamlit calls this anew at each draw, and ends nothing before
  const tell = (event) => {
    const clicked = event.target.closest("[data-click]");
    if (clicked) setTriggerValue("clicked", clicked.dataset.click);
  };
  const follow = (event) => {
    focused = event.target.closest("[data-click]")?.id ?? "";
  };
  const refocus = new MutationObserver(() => {
    if (!focused || document.activeElement !== document.body) return;
    document.getElementById(focused)?.focus({ preventScroll: true });
  });
  document.addEventListener("click", tell);
  document.addEventListener("focusin", follow);
  refocus.observe(document.body, { childList: true, subtree: true });
  stop = () => {
    document.removeEventListener("click", tell);
    document.removeEventListener("focusin", follow);
    refocus.disconnect();
  };
  return stop;
};
