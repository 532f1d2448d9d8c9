// Keeps a page in the skin in use: a change that comes as an event sets the custom properties that it names; one that brings
// other rules, or that was missed, loads the style sheet again. A skin that the user tries, the attribute `data-skin-of` of the
// style sheet, need not be in use: it is loaded again after a change of any pack with a skin, which may be one that it inherits.

const root = document.documentElement.style;
let loads = 0;

function load(sheet, didLoad) {
  const next = sheet.cloneNode();
  const address = new URL(sheet.href);
  // A fragment, because the daemon refuses queries that it does not know.
  address.hash = loads += 1;
  next.href = address.href;
  next.addEventListener("load", () => {
    // A sheet that was requested later has replaced this one.
    if (!next.isConnected) return;
    const sheets = [...document.querySelectorAll("link#skin")];
    for (const old of sheets.slice(0, sheets.indexOf(next))) old.remove();
    // What was set for the sheet before would win over the new one.
    for (const name of [...root].filter((name) => name.startsWith("--"))) root.removeProperty(name);
    didLoad();
  });
  next.addEventListener("error", () => next.remove());
  [...document.querySelectorAll("link#skin")].at(-1).after(next);
}

// Follows the changes of the skin in use; `didLoad` is called whenever a style sheet of a skin was loaded.
export function followSkin(sheet, didLoad) {
  // The style sheet may have been loaded before this module; there is none while no skin is in use.
  if (sheet.sheet) didLoad(); else sheet.addEventListener("load", didLoad);
  document.addEventListener("store-event", ({ detail }) => {
    if (detail.type === "all") return load(sheet, didLoad);
    if (sheet.dataset.skinOf) return detail.type === "pack" && detail.kind === "skin" ? load(sheet, didLoad) : undefined;
    if (detail.type !== "skin") return;
    if (!detail.change || detail.change.rules) return load(sheet, didLoad);
    for (const [name, value] of Object.entries(detail.change.properties)) root.setProperty(name, value ?? "initial");
  });
}
