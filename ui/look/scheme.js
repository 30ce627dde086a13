/* Tells the server of a switch between light and dark while a chart of Plotly is shown: the colours
   of such a chart are sent with it, all others are variables of CSS. */

export default ({ setTriggerValue }) => {
  const app = document.querySelector(".stApp");
  const scheme = () => getComputedStyle(app).colorScheme;
  let shown = scheme();
  const compare = () => {
    if (scheme() === shown) return;
    shown = scheme();
    if (document.querySelector(".js-plotly-plot")) setTriggerValue("scheme", shown);
  };
  const observer = new MutationObserver(compare);
  observer.observe(app, { attributeFilter: ["class"] });
  return () => observer.disconnect();
};
