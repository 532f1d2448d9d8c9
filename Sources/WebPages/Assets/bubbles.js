// Draws the messages of the chat: texts with emoji of the set in use, stickers and what their references offer, places,
// contacts and files. All that a message has is text, and never markup.

import { Daemon, isDrawnByBrowsers, localized, size, thumbnail } from "/assets/client.js";

const prefersReducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const daemon = new Daemon(location.origin);
function request(path, body) { return daemon.request(path, { body }); }

// Returns the elements of a message: one bubble, or, where a text has stickers in it, one for each part.
export async function drawMessage(message, { me, names }) {
  const way = message.from === me ? "out" : "in";
  const context = { message, way, names, isOwn: message.from === me };
  switch (message.kind) {
    case "text": return await textBubbles(context);
    case "location": return [item(context, placeBubble(context))];
    case "contact": case "file": return [item(context, cardBubble(context))];
    default: return [item(context, bubble(context, "text", element("p", {}, "[[This message is of a kind that is not known here.]]")))];
  }
}

function item({ message, way, names }, content) {
  return element("li", { class: `message ${way}`, "data-id": message.id },
    element("span", { class: "visually-hidden" }, `${names[message.from] ?? "?"}: `), content);
}

function bubble(context, type, ...children) {
  return element("div", { class: `bubble ${type}`, "data-skin": `bubble_${context.way}_${type}` }, ...children, foot(context));
}

function foot({ message, way, isOwn }) {
  const time = element("time", { "data-skin": `bubble_${way}_time`, datetime: new Date(message.time).toISOString() },
    new Date(message.time).toLocaleTimeString(document.documentElement.lang || [], { hour: "2-digit", minute: "2-digit" }));
  const line = element("div", { class: "foot" }, time);
  if (isOwn) {
    const sign = element("span", { class: "status", role: "img" });
    line.append(sign);
    showStatus(sign, message);
  }
  return line;
}

function showStatus(sign, { status }) {
  const label = { sending: "[[Sending]]", sent: "[[Sent]]", delivered: "[[Delivered]]", read: "[[Read]]", failed: "[[Not sent]]" }[status];
  Object.assign(sign.dataset, { status, skin: `bubble_out_status_${status}` });
  sign.setAttribute("aria-label", label);
  sign.title = label;
  const again = sign.parentElement.querySelector("[data-again]");
  if (status !== "failed") again?.remove();
  else if (!again) sign.before(element("button", { type: "button", class: "again", "data-again": "" }, "[[Send again]]"));
}

// Shows the delivery status of an own message in its bubbles.
export function updateStatus(list, message) {
  for (const own of list.querySelectorAll(".message.out")) {
    if (own.dataset.id !== message.id) continue;
    for (const sign of own.querySelectorAll("[data-status]")) showStatus(sign, message);
  }
}

function placeBubble(context) {
  const { way, message: { name, detail } } = context;
  return bubble(context, "location",
    element("div", { class: "map", "data-skin": `bubble_${way}_location_map` }),
    element("p", { "data-skin": `bubble_${way}_location_name`, dir: "auto" }, name),
    element("p", { "data-skin": `bubble_${way}_location_address`, dir: "auto" }, detail));
}

function cardBubble(context) {
  const { way, message: { kind, name, detail } } = context;
  const [picture, line] = kind === "contact" ? ["avatar", "detail"] : ["icon", "size"];
  return bubble(context, kind,
    element("div", { class: "card" },
      element("div", { class: "picture", "data-skin": `bubble_${way}_${kind}_${picture}` }),
      element("p", { "data-skin": `bubble_${way}_${kind}_name`, dir: "auto" }, name),
      element("p", { "data-skin": `bubble_${way}_${kind}_${line}`, dir: "auto" }, detail)));
}

// MARK: Texts

async function textBubbles(context) {
  const { text } = context.message;
  const spans = text.includes("sticker1~") ? (await request("/v1/sticker-text", { text }).catch(() => ({ spans: [] }))).spans : [];
  const items = [];
  let end = 0;
  for (const span of [...spans, { start: text.length, end: text.length }]) {
    const part = text.slice(end, span.start).trim();
    // A mark that only ends the sentence around a sticker needs no bubble.
    if (part && !(spans.length && /^[.,;:!?]$/.test(part))) items.push(item(context, await textBubble(context, part, items.length === 0)));
    if (span.reference) items.push(item(context, await stickerBubble(context, span)));
    end = span.end;
  }
  return items;
}

async function textBubble(context, text, isFirst) {
  const { way, names, message } = context;
  const body = element("p", { class: "body", "data-skin": `bubble_${way}_text_body`, dir: "auto" }, await textContent(text, way));
  // A few emoji alone are drawn larger.
  if (!body.textContent.trim() && body.querySelectorAll("img").length <= 3) body.classList.add("large");
  const parts = [body];
  if (message.quote && isFirst) {
    const skin = `bubble_${way}_text_quote`;
    parts.unshift(element("blockquote", { class: "quote", "data-skin": skin },
      element("p", { "data-skin": `${skin}_name` }, names[message.quote.from] ?? "?"),
      element("p", { "data-skin": `${skin}_body`, dir: "auto" }, await textContent(message.quote.text.slice(0, 80), way))));
  }
  return bubble(context, "text", ...parts);
}

// Returns a text with its emoji, emoticons and shortcodes drawn by the emoji set in use, and with its links.
async function textContent(text, way) {
  const content = document.createDocumentFragment();
  const { spans } = await request("/v1/emoji-text", { text }).catch(() => ({ spans: [] }));
  let end = 0;
  for (const span of [...spans, { start: text.length, end: text.length }]) {
    content.append(...withLinks(text.slice(end, span.start), way));
    if (span.image) content.append(element("img", { class: "emoji", src: span.image, alt: span.emoji, title: span.text, draggable: "false" }));
    else if (span.emoji) content.append(span.emoji);
    end = span.end;
  }
  return content;
}

function withLinks(text, way) {
  return text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/).map((part, index) => index % 2 === 0 ? part
    : element("a", { href: part, target: "_blank", rel: "noopener noreferrer", "data-skin": `bubble_${way}_text_link` }, part));
}

// MARK: Stickers

async function stickerBubble(context, span) {
  const { way } = context;
  const box = element("div", { class: "sticker-box", tabindex: "-1", "data-reference": span.reference, "data-product": span.productIdentifier });
  await resolve(box, span);
  const line = foot(context);
  line.querySelector("time").dataset.skin = `bubble_${way}_sticker_time`;
  // The sign whether it has arrived is for bubbles, and a sticker stands alone.
  line.querySelector("[data-status]")?.classList.add("visually-hidden");
  return element("div", { class: "sticker", "data-skin": `bubble_${way}_sticker` }, box, line);
}

// Looks a reference up, which contacts no store unless the user's settings allow it, and shows the result.
async function resolve(box, span = {}) {
  try {
    await showSticker(box, await request(`/v1/stickers/resolve?reference=${encodeURIComponent(box.dataset.reference)}`));
  } catch (error) {
    box.replaceChildren(span.emoji ?? "[[Sticker]]", element("p", { class: "note" }, error.message));
  }
}

// Looks up again what was not on this machine, after packs were installed or removed.
export async function updateStickers(list) {
  for (const box of list.querySelectorAll("[data-reference]")) await resolve(box);
}

async function showSticker(box, found) {
  const hadFocus = box.contains(document.activeElement);
  box.dataset.state = found.state;
  const parts = [];
  if (found.sticker) parts.push(image(found));
  else parts.push(element("p", { class: "stand-in", role: "img", "aria-label": `[[Sticker]] ${found.emoji ?? ""}`.trim() },
    found.emoji ? await textContent(found.emoji, "in") : "[[Sticker]]"));
  const { pack } = found;
  if (pack && !pack.installed) parts.push(offer(box, found));
  else if (!found.sticker) parts.push(...whyNot(box, found));
  // The same picture again would be announced again.
  if (found.sticker && parts.length === 1 && box.children.length === 1 && box.querySelector("img.sticker-image")?.alt === parts[0].alt) return;
  box.replaceChildren(...parts);
  if (hadFocus) (box.querySelector("button") ?? box).focus();
}

function image({ sticker, emoji }) {
  return element("img", { class: "sticker-image", src: source(sticker), alt: localized(sticker.description) ?? emoji ?? sticker.emoji[0] ?? sticker.id,
    width: "128", height: "128", draggable: "false" });
}

// The image itself, or a thumbnail of what a browser does not draw or what must not be animated.
function source(sticker) {
  if (!sticker.thumbnail) return sticker.url;
  const isDrawn = isDrawnByBrowsers(sticker);
  const mustBeStatic = prefersReducedMotion.matches && (sticker.image?.animated || !isDrawn);
  return isDrawn && !mustBeStatic ? sticker.url : thumbnail(sticker, { size: 256, animated: !mustBeStatic });
}

function whyNot(box, found) {
  const reason = {
    unknownStore: "[[It is from a store that is not added here.]]",
    unknownProduct: "[[Its store does not offer the pack any more.]]", withdrawn: "[[Its store has withdrawn the pack.]]",
  }[found.state];
  return reason ? [element("p", { class: "note" }, reason)] : [actions(box, found)];
}

// The pack of a sticker that is not installed, with what the user can do.
function offer(box, found) {
  const { pack } = found;
  const facts = [pack.size === null ? null : size(pack.size), pack.price === "free" ? "[[Free]]" : pack.price].filter((fact) => fact);
  return element("div", { class: "offer" },
    element("p", {}, "[[From]] ", element("a", { href: pageOf(pack), target: "_blank" }, element("bdi", {}, localized(pack.name) ?? pack.productIdentifier)),
      ...facts.flatMap((fact) => [" · ", element("bdi", {}, fact)])),
    actions(box, found));
}

// A pack with a price is bought, or installed by a user who has bought it, on its page.
function pageOf(pack) { return `/store/${encodeURIComponent(pack.store)}/${encodeURIComponent(pack.productIdentifier)}`; }

function actions(box, found) {
  const note = element("p", { class: "note", "data-note": "" });
  const line = element("div", { class: "offer-actions" });
  const add = (label, title, act) => {
    const button = element("button", { type: "button", title }, label);
    button.addEventListener("click", async () => {
      if (button.getAttribute("aria-disabled") === "true") return;
      button.setAttribute("aria-disabled", "true");
      note.textContent = "";
      try { await act(); } catch (error) { note.textContent = error.message; } finally { button.removeAttribute("aria-disabled"); }
    });
    line.append(button);
  };
  if (found.state === "available") {
    add("[[Show sticker]]", "[[Asks the store for this sticker, which shows the store that the message was read]]", async () => {
      await showSticker(box, await request("/v1/stickers/resolve", { reference: found.reference }));
    });
  }
  if (found.pack && !found.pack.installed && found.pack.price === "free") {
    add("[[Install pack]]", "[[Installs the pack of this sticker]]", async () => {
      note.textContent = "[[Installing]]";
      await request("/v1/downloads", { productIdentifier: found.pack.productIdentifier, store: found.pack.store });
    });
  } else if (found.pack && !found.pack.installed) {
    line.append(element("a", { class: "button", href: pageOf(found.pack), target: "_blank" }, "[[Show in the store]]"));
  }
  return element("div", {}, line, note);
}

// Shows the progress of a pack's download beside the stickers that offer it.
export function showDownload(list, download) {
  for (const box of list.querySelectorAll("[data-reference]")) {
    const note = box.dataset.product === download.productIdentifier ? box.querySelector("[data-note]") : null;
    if (!note) continue;
    if (download.state === "Failed") note.textContent = download.error?.message ?? "[[The download failed.]]";
    else if (download.state === "Cancelled") note.textContent = "";
    // A live region must not read every percent.
    else if (note.textContent !== "[[Installing]]") note.textContent = "[[Installing]]";
  }
}
