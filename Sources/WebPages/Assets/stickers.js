// The page of the stickers: the arrow keys move within a list, packs are moved by dragging their headings, and the position of a
// pack that was moved is announced. Forms make the changes, so that the page works without this script.

import { moveWithArrowKeys } from "/assets/client.js";

const results = document.getElementById("results");
const status = document.getElementById("status");
// The pack whose new position is to be announced once the page shows it, with the position that it had.
let moved = null;

function packs() { return [...results.querySelectorAll("[data-pack]")]; }
function position(pack) { return packs().findIndex(({ dataset }) => dataset.pack === pack) + 1; }

// live.js replaces the lists after each change, but not during a drag.
const prepared = new WeakSet();
function prepare() {
  for (const tray of results.querySelectorAll("ul.tray")) {
    if (prepared.has(tray)) continue;
    prepared.add(tray);
    tray.setAttribute("aria-label", "[[Stickers; the arrow keys move between them]]");
    moveWithArrowKeys(tray);
  }
  for (const pack of packs()) pack.querySelector(".pack-title").draggable = true;
  if (dragged && !dragged.isConnected) endDrag();
  if (moved) announcePosition();
}

function announcePosition() {
  const [all, number] = [packs(), position(moved.pack)];
  // The lists may be replaced for another reason before the pack has moved.
  if (!number || number === moved.position) return;
  moved = null;
  const [name, total] = [all[number - 1].querySelector("h2 bdi").textContent, all.length];
  status.textContent = `[[{name}: position {number} of {total}]]`;
}

results.addEventListener("submit", ({ target, submitter }) => {
  if (!target.matches("form.order") || submitter?.getAttribute("aria-disabled") === "true") return;
  const pack = target.elements.pack.value;
  moved = { pack, position: position(pack) };
});

// MARK: Dragging

let dragged = null;

results.addEventListener("dragstart", (event) => {
  const title = event.target.closest?.(".pack-title");
  if (!title) return;
  dragged = title.closest("[data-pack]");
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", dragged.querySelector("h2 bdi").textContent);
  // Only the headings stay, among which each position is easy to reach. A browser ends a drag whose element changes at once.
  setTimeout(() => {
    if (!dragged) return;
    results.classList.add("arranging");
    dragged.classList.add("dragged");
    dragged.scrollIntoView({ block: "center" });
  });
});

// Returns the pack before which the dragged one would be dropped, and on which side of the pack under the pointer that is.
function dropPosition(event) {
  const over = dragged && event.target.closest?.("[data-pack]");
  if (!over) return null;
  const box = over.getBoundingClientRect();
  const isBefore = event.clientY < box.top + box.height / 2;
  const all = packs();
  return { over, isBefore, before: isBefore ? over : all[all.indexOf(over) + 1] ?? null };
}

function unmark() { for (const pack of packs()) pack.classList.remove("before", "after"); }

results.addEventListener("dragover", (event) => {
  const drop = dropPosition(event);
  if (!drop) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "move";
  unmark();
  drop.over.classList.add(drop.isBefore ? "before" : "after");
});

results.addEventListener("drop", (event) => {
  const drop = dropPosition(event);
  if (!drop) return;
  event.preventDefault();
  const all = packs();
  const isThere = drop.before === dragged || drop.before === (all[all.indexOf(dragged) + 1] ?? null);
  if (isThere) return;
  const form = dragged.querySelector("form.order");
  const { before } = form.elements;
  before.disabled = false;
  before.value = drop.before?.dataset.pack ?? "";
  form.requestSubmit();
  before.disabled = true;
});

function endDrag() {
  unmark();
  dragged?.classList.remove("dragged");
  dragged = null;
  results.classList.remove("arranging");
}
results.addEventListener("dragend", endDrag);

new MutationObserver(prepare).observe(results, { childList: true });
prepare();
