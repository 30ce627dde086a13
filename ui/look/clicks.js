/* Streamlit 1.67 tells the server of clicks on its own elements alone; this tells of ours. */

export default ({ setTriggerValue }) => {
  const tell = (event) => {
    const clicked = event.target.closest("[data-click]");
    if (clicked) setTriggerValue("clicked", clicked.dataset.click);
  };
  document.addEventListener("click", tell);
  return () => document.removeEventListener("click", tell);
};
