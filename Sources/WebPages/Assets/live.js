// Makes the pages live: forms act without leaving the page, events replace what they concern, and search follows typing.
// Each page works without this script.

import { endOfPress, firstEvent, isEnded, progressText, translatedDownload } from "/assets/client.js";

const status = document.getElementById("status");
const offline = document.getElementById("offline");

// The HTML of each part of the page as the server sent it. Scripts add attributes to elements, so that the HTML of the element
// itself may differ although the server has nothing new. A part without an entry is compared with its element.
const fetched = new WeakMap();
function html(part) { return part.innerHTML.trim(); }
for (const part of document.querySelectorAll("[data-live]")) fetched.set(part, html(part));

// Resolved when the press of the pointer or the drag in progress ends; `null` without one. No part is replaced meanwhile: a button
// that is not in the page any more when the pointer is released is not clicked, a dragged element can't be dropped, and its event
// `dragend` does not bubble.
let gesture = null;
function beginGesture(end) {
  const current = gesture = end.then(() => { if (gesture === current) gesture = null; });
}
document.addEventListener("pointerdown", ({ button, target }) => {
  // The open list of a select may receive the release.
  if (button === 0 && !target.closest?.("select")) beginGesture(endOfPress(document));
});
document.addEventListener("dragstart", (event) => {
  // If a browser does not send `dragend`: while something is dragged, there are no events of the pointer.
  if (!event.defaultPrevented) beginGesture(firstEvent([[event.target, "dragend"], [document, "pointerdown"]]));
});

// Replaces the parts of the page that depend on the kinds of changes, by those of the same page as the server has it now.
let refreshing = null;
let pending = new Set();
async function refresh(kinds) {
  const concerned = [...document.querySelectorAll("[data-live]")].flatMap((part) => part.dataset.live.split(" "));
  // A request may make the daemon contact stores, so none is made for a change that the page does not show.
  if (!kinds.some((kind) => kind === "all" || concerned.includes(kind))) return;
  for (const kind of kinds) pending.add(kind);
  if (refreshing) return refreshing;
  refreshing = (async () => {
    while (pending.size) {
      while (gesture) await gesture;
      const wanted = pending;
      pending = new Set();
      const address = location.href;
      const response = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
      if (response?.status === 401) return location.reload();
      const text = response?.ok ? await response.text().catch(() => null) : null;
      // A press has begun, or the address has changed, in the meantime: the page is requested again. Where the daemon did not
      // answer, it is requested with the next change.
      if (text === null || gesture || location.href !== address) {
        for (const kind of wanted) pending.add(kind);
        if (text === null) return;
        continue;
      }
      const page = new DOMParser().parseFromString(text, "text/html");
      for (const part of document.querySelectorAll("[data-live]")) {
        if (!part.dataset.live.split(" ").some((kind) => wanted.has(kind) || wanted.has("all"))) continue;
        const fresh = page.getElementById(part.id);
        if (fresh) replace(part, fresh);
      }
    }
  })().catch(() => {}).finally(() => { refreshing = null; });
  return refreshing;
}

// Replaces the content of an element, and keeps the focus where it was, and the texts that the user has not saved yet.
function replace(part, fresh) {
  const wanted = html(fresh);
  const shown = fetched.get(part) ?? html(part);
  fetched.set(part, wanted);
  if (shown === wanted) return;
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const top = focused?.getBoundingClientRect().top;
  const place = focused ? controls(focused.closest("[id]") ?? part).indexOf(focused) : -1;
  const { selectionStart, selectionEnd, selectionDirection } = focused ?? {};
  measure(part);
  const chosen = new Set([...part.querySelectorAll("input[type=checkbox]:checked")].map(({ name }) => name));
  const typed = [...part.querySelectorAll("input[id]:not([type=checkbox], [type=hidden])")].filter(({ value, defaultValue }) => value !== defaultValue);
  part.replaceChildren(...fresh.childNodes);
  for (const box of part.querySelectorAll("input[type=checkbox]")) box.checked ||= chosen.has(box.name);
  for (const { id, value, defaultValue } of typed) {
    const field = document.getElementById(id);
    // What was saved here or elsewhere in the meantime is shown.
    if (field?.defaultValue === defaultValue) field.value = value;
  }
  holdHeights(part);
  if (!focused) return;
  const again = focusAgain(focused, part, place);
  // Only fields for text have a selection.
  if (typeof selectionStart === "number" && focused.id && again.id === focused.id) again.setSelectionRange(selectionStart, selectionEnd, selectionDirection);
  // What the user looks at stays where it was, whatever was inserted before it.
  if (label(again) === label(focused)) scrollBy(0, again.getBoundingClientRect().top - top);
}

// Where a download of this page runs or has ended, nothing moves because buttons, progress or an update go: the parts
// `data-steady` keep the largest height that they had, by the identifier of the element that has them.
const heights = new Map();
function measure(part) {
  for (const box of part.querySelectorAll("[data-steady]")) {
    const product = box.closest("[data-product]")?.dataset.product;
    if (product ? !states.has(product) : !states.size) continue;
    const { id } = box.closest("[id]");
    heights.set(id, Math.max(heights.get(id) ?? 0, box.getBoundingClientRect().height));
  }
}
function holdHeights(part) {
  if (!heights.size) return;
  for (const box of part.querySelectorAll("[data-steady]")) {
    const height = heights.get(box.closest("[id]").id);
    if (height) box.style.minHeight = `${height}px`;
  }
}
// In a window of another width, texts have other lines.
let width = innerWidth;
addEventListener("resize", () => {
  if (innerWidth === width) return;
  width = innerWidth;
  heights.clear();
  for (const box of document.querySelectorAll("[data-steady]")) box.style.minHeight = "";
});

// What tells an element from others of its part: its label, or else its name and text.
function label(element) { return element.getAttribute("aria-label") ?? `${element.getAttribute("name") ?? ""} ${element.textContent}`; }

function controls(part) { return [...part.querySelectorAll("button, a, input")].filter((control) => !control.closest("noscript")); }

// Gives the focus to the element that has taken the place of another, which is in the page no longer, and returns it.
function focusAgain(element, part = document.getElementById("main"), place = -1) {
  const holder = document.getElementById(element.closest("[id]")?.id) ?? part;
  const all = controls(holder);
  const isSame = (other) => label(other) === label(element);
  // Where it has left a list, the focus moves to the next one, or to the last.
  const next = place < 0 || all.length === 0 ? undefined : all[Math.min(place, all.length - 1)];
  // Several elements may have the same label.
  const again = element.isConnected ? element : (next && isSame(next) ? next : all.find(isSame))
    ?? (next?.tagName === element.tagName ? next : undefined) ?? all.find(({ tagName }) => tagName === element.tagName) ?? all[0] ?? holder;
  again.focus();
  return again;
}

function say(text) { if (status) status.textContent = text; }

function showProgress(event) {
  const ended = isEnded(event);
  const isNewState = states.get(event.productIdentifier) !== event.state + event.activity;
  states.set(event.productIdentifier, event.state + event.activity);
  for (const card of document.querySelectorAll("[data-product]")) {
    if (card.dataset.product !== event.productIdentifier) continue;
    const box = card.querySelector("[data-progress]");
    if (!box) continue;
    // The part no longer shows what the server sent.
    fetched.delete(card.closest("[data-live]"));
    if (isNewState) measure(card);
    // Progress comes and goes together with the buttons that belong to it, when the part is replaced.
    if (ended || box.hidden) continue;
    const bar = box.querySelector("progress");
    if (event.fraction === null) bar.removeAttribute("value"); else bar.value = event.fraction;
    box.querySelector("[data-progress-text]").textContent = progressText(event);
    if (isNewState) holdHeights(card);
  }
  if (ended || isNewState) {
    if (event.state === "Failed") say(event.error?.message ?? "[[The download failed.]]");
    if (event.state === "Finished") say("[[Installed.]]");
    refresh(["products"]);
  }
}
const states = new Map();

// Other scripts of a page follow the same events, since each stream is a connection of its own; `all` follows a gap in them.
function publish(event) { document.dispatchEvent(new CustomEvent("store-event", { detail: event })); }

// The browser connects again by itself, with the number of the last event; after a gap everything is read again.
let events;
let retry;
let last = document.querySelector("meta[name=sequence]").content;
// Events are handled in their order, also where one waits for the translation of its texts.
let handled = Promise.resolve();
async function handle(event) {
  if (event.type === "download") event = await translatedDownload(event);
  publish(event);
  if (event.type === "download") showProgress(event);
  else refresh({ pack: ["packs"], catalogue: ["products", "catalogue"], updates: ["packs"], purchase: ["products"] }[event.type]
    ?? [event.type]);
}
function connect(after) {
  clearTimeout(retry);
  events?.close();
  // A browser opens only six connections to a server, and each stream keeps one: pages that nobody sees go without.
  if (document.visibilityState !== "visible") return;
  events = new EventSource(after ? `/v1/events?after=${after}` : "/v1/events");
  events.onopen = () => {
    // The stream that the page began with continues where its content ends; any other may lack events.
    if (after && offline.hidden) return;
    offline.hidden = true;
    handled = handled.then(() => { publish({ type: "all" }); refresh(["all"]); }).catch((error) => console.error(error));
  };
  events.onerror = () => {
    offline.hidden = false;
    if (events.readyState === EventSource.CLOSED) reconnectLater();
  };
  events.onmessage = ({ data, lastEventId }) => {
    last = lastEventId;
    handled = handled.then(() => handle(JSON.parse(data))).catch((error) => console.error(error));
  };
}
// Says that the daemon does not respond, until a new stream is open.
function reconnectLater() {
  offline.hidden = false;
  events?.close();
  clearTimeout(retry);
  retry = setTimeout(reconnect, 2000);
}
// A session ends with the daemon: then this page can only be reloaded, which says how to log in.
async function reconnect() {
  if (document.visibilityState !== "visible") return;
  try {
    const response = await fetch("/v1/status");
    if (response.status === 401) return location.reload();
    connect();
  } catch { reconnectLater(); }
}

// The method and address with which a form is sent: those of the button, where it has its own.
function destination(form, button) {
  return { method: button?.getAttribute("formmethod") ?? form.method, action: button?.getAttribute("formaction") ?? form.getAttribute("action") };
}

// Whether the page shows a question or an error instead of its own content.
let isReplaced = false;
document.addEventListener("submit", async (event) => {
  const form = event.target;
  const button = event.submitter;
  if (!(form instanceof HTMLFormElement)) return;
  const { method, action } = destination(form, button);
  if (method !== "post" || !action.startsWith("/actions/")) return;
  event.preventDefault();
  const dialog = form.closest("dialog");
  if (form.dataset.confirm && !confirm(form.dataset.confirm)) return;
  // A disabled button would lose the focus.
  if (button?.getAttribute("aria-disabled") === "true") return;
  const fields = new FormData(form, button);
  const body = form.enctype === "multipart/form-data" ? fields : new URLSearchParams(fields);
  button?.setAttribute("aria-disabled", "true");
  try {
    const response = await fetch(action, { method: "POST", body, headers: { Accept: "text/html" } });
    if (response.redirected && response.ok) {
      dialog?.close("done");
      // Where this page asked, or has nothing to show any more, the server leads to another one.
      if (isReplaced || new URL(response.url).pathname !== location.pathname) return location.assign(response.url);
      return await refresh(["all"]);
    }
    if (response.status === 401) return location.reload();
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // Of several packs, some may have been changed nevertheless.
    if (form.dataset.dialog !== undefined) {
      showDialog(page.getElementById("main"), button);
      // Without waiting: the button, to which the focus returns from the dialog, works again at once.
      refresh(["all"]);
      return;
    }
    // A question, or an error: shown as the page that it is.
    dialog?.close("replaced");
    document.getElementById("main").replaceChildren(...page.getElementById("main").childNodes);
    document.getElementById("main").focus();
    isReplaced = true;
  } catch { reconnectLater(); } finally { button?.removeAttribute("aria-disabled"); }
});

// A page that asks before something is changed is shown in a dialog over this one.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  const button = event.submitter;
  if (!(form instanceof HTMLFormElement) || form.dataset.dialog === undefined) return;
  const { method, action } = destination(form, button);
  if (method !== "get") return;
  event.preventDefault();
  if (button?.getAttribute("aria-disabled") === "true") return;
  button?.setAttribute("aria-disabled", "true");
  say(button?.dataset.announcement || form.dataset.dialog || "[[Looking for newer versions]]");
  try {
    const address = `${action}?${new URLSearchParams(new FormData(form, button))}`;
    const response = await fetch(address, { headers: { Accept: "text/html" } });
    if (response.status === 401) return location.reload();
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    showDialog(page.getElementById("main"), button);
  } catch { reconnectLater(); } finally { button?.removeAttribute("aria-disabled"); }
});

let opener = null;
function showDialog(content, button) {
  const before = document.querySelector("dialog");
  // A dialog that leads to another one hands on the button that opened it.
  if (!before) opener = button;
  before?.close("replaced");
  const dialog = document.createElement("dialog");
  dialog.append(...content.childNodes);
  const heading = dialog.querySelector("h1");
  // It says what the dialog is about, so that is read first.
  heading.id = "dialog-title";
  heading.tabIndex = -1;
  heading.autofocus = true;
  dialog.setAttribute("aria-labelledby", heading.id);
  // A result asks nothing: it is announced before the rest of the page, with its live region, becomes inert.
  const result = dialog.querySelector("[data-result]");
  if (result) {
    result.id = "dialog-result";
    dialog.setAttribute("aria-describedby", result.id);
  }
  dialog.addEventListener("click", (event) => {
    if (!event.target.closest("[data-cancel]")) return;
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (dialog.returnValue === "replaced") return;
    say(dialog.returnValue === "done" || !dialog.querySelector("form.answer") ? "" : "[[cancelled]]");
    focusAgain(opener);
  });
  document.body.append(dialog);
  say(result?.textContent ?? "");
  dialog.showModal();
}

// Search as you type. The address follows the form: each choice, and each text as a whole, is an entry of the browser's history.
const search = document.querySelector("[data-search]");
if (search) {
  const words = search.querySelector("[type=search]");
  const results = document.getElementById("results");
  // The query to show: that of the form, or after going back that of the address.
  let wanted = null;
  let isTyping = false;
  let isNewEntry = false;
  const find = async (query) => {
    const response = await fetch(`${search.dataset.search}?${query}`, { headers: { Accept: "text/html" } });
    if (response.status === 401) return location.reload();
    if (!response.ok || wanted !== query) return;
    const found = await response.text();
    while (gesture) await gesture;
    if (wanted !== query) return;
    // The templates of the daemon escape all texts, as in a page.
    results.innerHTML = found;
    fetched.set(results, html(results));
    say(document.getElementById("count").textContent);
    if (location.search.slice(1) === query) return;
    history[isNewEntry ? "pushState" : "replaceState"](null, "", `${search.getAttribute("action")}?${query}`);
    isNewEntry = false;
  };
  // Each change is searched for at once; of those that follow before the response is there, only the last.
  let isFinding = false;
  const follow = async () => {
    if (isFinding) return;
    isFinding = true;
    for (let found = null; found !== wanted;) {
      found = wanted;
      await find(found).catch(() => {});
    }
    isFinding = false;
  };
  const read = () => {
    wanted = new URLSearchParams([...new FormData(search)].filter(([, value]) => value)).toString();
    follow();
  };
  search.addEventListener("input", ({ target }) => {
    if (target !== words || !isTyping) isNewEntry = true;
    isTyping = target === words;
    read();
  });
  search.addEventListener("submit", (event) => {
    event.preventDefault();
    isTyping = false;
    read();
  });
  addEventListener("popstate", () => {
    const values = new URLSearchParams(location.search);
    for (const field of search.elements) {
      if (field.type === "checkbox") field.checked = values.get(field.name) === field.value;
      else if (field.name) field.value = values.get(field.name) ?? field.options?.[0].value ?? "";
    }
    isTyping = false;
    isNewEntry = false;
    wanted = location.search.slice(1);
    follow();
  });
}

// Shows a page that comes back by itself while the daemon is away. Some browsers refuse, as in private windows; then they
// show their own error page.
navigator.serviceWorker?.register("/assets/worker.js", { scope: "/" }).catch(() => {});

document.addEventListener("visibilitychange", () => connect(last));
connect(last);
