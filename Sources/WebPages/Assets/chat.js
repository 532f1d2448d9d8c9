// The chat of two people in two windows of one browser. Messages pass through a BroadcastChannel, so nothing leaves the
// browser, and nothing is kept when both windows are closed.

import { drawMessage, updateStatus, updateStickers, showDownload } from "/assets/bubbles.js";
import { Daemon, moveWithArrowKeys } from "/assets/client.js";
import { followSkin } from "/assets/skin.js";

const daemon = new Daemon(location.origin);
const chat = document.getElementById("chat");
const area = document.getElementById("messages");
const list = document.getElementById("message-list");
const field = document.getElementById("text");
const tray = document.getElementById("tray");
const trayButton = document.getElementById("tray-button");
const samples = document.getElementById("samples");
const samplesButton = document.getElementById("samples-button");
const presence = document.getElementById("presence");
const me = chat.dataset.as;
const names = { a: chat.dataset.nameA, b: chat.dataset.nameB };

// MARK: Messages

const messages = new Map();
let drawing = Promise.resolve();
let number = 0;

function isAtEnd() { return area.scrollHeight - area.scrollTop - area.clientHeight < 80; }

// Messages are drawn one after another, and complete before they appear, so that each is announced once.
function add(message) {
  if (messages.has(message.id)) return drawing;
  messages.set(message.id, message);
  drawing = drawing.then(async () => {
    const items = await drawMessage(message, { me, names });
    const wasAtEnd = isAtEnd();
    document.getElementById("no-messages")?.remove();
    list.append(...items);
    if (wasAtEnd || message.from === me) area.scrollTop = area.scrollHeight;
    if (message.from === me) return updateStatus(list, message);
    report("delivered", message);
    if (document.visibilityState === "visible") report("read", message);
  }).catch((error) => console.error(error));
  return drawing;
}

// The delivery statuses, in their order; a message never returns to an earlier one.
const statuses = ["failed", "sending", "sent", "delivered", "read"];
function advance(message, status) {
  if (statuses.indexOf(status) <= statuses.indexOf(message.status)) return;
  message.status = status;
  if (message.from === me) updateStatus(list, message);
}

// Reports to the other window the delivery status of a message that it sent.
function report(status, message) {
  advance(message, status);
  channel.postMessage({ type: "status", id: message.id, status });
}
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  for (const message of messages.values()) if (message.from !== me && message.status === "delivered") report("read", message);
});

async function send(content) {
  const message = { ...content, id: `${me}-${Date.now()}-${number += 1}`, from: me, time: Date.now(), status: "sending" };
  await add(message);
  if (message.isLost) {
    message.status = "failed";
    updateStatus(list, message);
  } else post(message);
}

function post(message) {
  channel.postMessage({ type: "message", message });
  advance(message, "sent");
}

list.addEventListener("click", ({ target }) => {
  const item = target.closest("[data-again]")?.closest("[data-id]");
  const message = messages.get(item?.dataset.id);
  if (!message) return;
  message.isLost = false;
  post(message);
  // The button is gone.
  field.focus();
});

const channel = new BroadcastChannel("storectl-chat");
channel.onmessage = ({ data }) => {
  switch (data.type) {
    case "message": add(data.message); break;
    case "status":
      if (messages.get(data.id)?.from === me) advance(messages.get(data.id), data.status);
      break;
    case "writing":
      if (data.as !== me) showWriting(data.isWriting);
      break;
    // A window that was opened later gets the messages so far.
    case "hello":
      showPresence(data.as);
      channel.postMessage({ type: "messages", as: me, messages: [...messages.values()].filter(({ isLost }) => !isLost) });
      if (isWriting) channel.postMessage({ type: "writing", as: me, isWriting });
      break;
    case "messages":
      showPresence(data.as);
      for (const message of data.messages.sort((a, b) => a.time - b.time)) add(message);
      break;
    case "bye":
      if (data.as === me) break;
      showWriting(false);
      presence.hidden = true;
      break;
  }
};
function showPresence(as) { if (as !== me) presence.hidden = false; }
const present = presence.textContent;
function showWriting(isWriting) {
  presence.textContent = isWriting ? "[[Writing]]" : present;
  presence.dataset.skin = isWriting ? "header_status_typing" : "header_status";
}
channel.postMessage({ type: "hello", as: me });
addEventListener("pagehide", () => channel.postMessage({ type: "bye", as: me }));

// MARK: Writing

document.getElementById("compose").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = field.value.trim();
  if (!text) return field.focus();
  send({ kind: "text", text });
  field.value = "";
  changeDraft();
  field.focus();
});
field.addEventListener("keydown", (event) => {
  // While an input method composes a character, Return ends that.
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  field.form.requestSubmit();
});
let isWriting = false;
function changeDraft() {
  field.rows = Math.min(5, field.value.split("\n").length);
  if (isWriting === (field.value !== "")) return;
  isWriting = !isWriting;
  channel.postMessage({ type: "writing", as: me, isWriting });
}
field.addEventListener("input", changeDraft);

function toggle(button, part, isOpen = part.hidden) {
  const wasAtEnd = isAtEnd();
  part.hidden = !isOpen;
  if (wasAtEnd) area.scrollTop = area.scrollHeight;
  button.setAttribute("aria-expanded", String(isOpen));
}
for (const [button, part] of [[trayButton, tray], [samplesButton, samples]]) {
  button.addEventListener("click", () => {
    toggle(button, part);
    if (!part.hidden) part.querySelector("button[tabindex='0'], button:not([tabindex])")?.focus();
    trayButton.dataset.skin = tray.hidden ? "button_input_sticker" : "button_input_sticker_selected";
  });
  part.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    toggle(button, part, false);
    trayButton.dataset.skin = tray.hidden ? "button_input_sticker" : "button_input_sticker_selected";
    button.focus();
  });
}

// One message of each other kind, to see its bubble, and one that fails.
const contents = {
  answer: () => {
    const last = [...messages.values()].filter((message) => message.kind === "text").at(-1);
    return { kind: "text", text: "That is a good idea :-)", quote: { from: last?.from ?? "a", text: last?.text ?? "Shall we go?" } };
  },
  link: () => ({ kind: "text", text: "All about it: https://example.org/ferry" }),
  location: () => ({ kind: "location", name: "Cais do Sodré", detail: "Praça Duque da Terceira, Lisbon" }),
  contact: () => ({ kind: "contact", name: "Ines Duarte", detail: "+351 555 0142" }),
  file: () => ({ kind: "file", name: "Walks around Almada.pdf", detail: "2.1 MB" }),
  // A message that has not left: it goes out when it is sent again.
  failure: () => ({ kind: "text", text: "Are you there?", isLost: true }),
};
samples.addEventListener("click", ({ target }) => {
  const make = contents[target.closest("button")?.dataset.sample];
  if (make) send(make());
});

// MARK: Stickers

const problem = document.getElementById("chat-problem");
tray.addEventListener("click", async ({ target }) => {
  const button = target.closest("button[data-sticker]");
  if (!button) return;
  const { product, sticker } = button.dataset;
  problem.hidden = true;
  try {
    send({ kind: "text", text: await daemon.send({ productIdentifier: product, sticker }) });
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
});

moveWithArrowKeys(tray);

// MARK: Surroundings

document.getElementById("other").addEventListener("click", (event) => {
  const { href, dataset } = event.currentTarget;
  if (open(href, dataset.window, "popup,width=520,height=820")) event.preventDefault();
});
document.addEventListener("store-event", ({ detail }) => {
  if (detail.type === "download") showDownload(list, detail);
  // A pack that was installed or removed, or events that were missed.
  if (["pack", "all"].includes(detail.type)) updateStickers(list);
});
followSkin(document.getElementById("skin"), () => chat.classList.add("skinned"));
chat.hidden = false;
