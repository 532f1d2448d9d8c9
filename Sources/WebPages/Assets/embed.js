// Two elements for any web chat: <store-tray> shows the installed stickers, and <store-button product="…"> installs a
// product. The address of the daemon is that of this module, unless the attribute `address` names another; `token` is an
// access token of it. Both stay up to date by the daemon's events.

import {
  Daemon, endOfPress, isDrawnByBrowsers, isEnded, localized, moveWithArrowKeys, progressText, StoreProblem, thumbnail, translated,
  translatedDownload,
} from "./client.js";

// Style sheets of this kind need no permission of the page's content security policy.
function styleSheet(text) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

const commonStyle = styleSheet(`
  :host { display: block; font: inherit; color: var(--store-ink, CanvasText); }
  :host([hidden]) { display: none; }
  * { box-sizing: border-box; }
  button, input { font: inherit; color: inherit; min-height: 2.5rem; border-radius: var(--store-radius, .5rem); }
  button { cursor: pointer; background: transparent; border: 1px solid var(--store-accent, LinkText); color: var(--store-accent, LinkText); padding: .25rem .9rem; }
  button[aria-disabled=true] { cursor: default; border-color: var(--store-line, GrayText); color: var(--store-ink, CanvasText); }
  :focus-visible { outline: 3px solid var(--store-accent, LinkText); outline-offset: 2px; }
  p { margin: .35rem 0; overflow-wrap: anywhere; }
  [hidden] { display: none; }
  [part~=problem] { color: var(--store-bad, CanvasText); }
  .visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`);
const trayStyle = styleSheet(`
  :host { position: relative; max-height: 20rem; overflow-y: auto; }
  [part~=search] { width: 100%; padding: .25rem .6rem; background: var(--store-paper, Canvas); border: 1px solid var(--store-line, GrayText); }
  [part~=title] { font-weight: 600; }
  [part~=grid] { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem; }
  [part~=sticker] { padding: .25rem; border-color: transparent; min-width: 2.5rem; }
  [part~=image] { display: block; width: var(--store-sticker-size, 64px); height: var(--store-sticker-size, 64px); object-fit: contain; }
  [part~=image]:not([src]) { visibility: hidden; }
`);
const buttonStyle = styleSheet(`
  :host { display: inline-block; }
  [part~=box] { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
  [part~=progress] { flex: 1 1 100%; accent-color: var(--store-accent, LinkText); }
  [part~=text] { flex: 1 1 100%; min-height: 1.3em; font-size: .85em; font-variant-numeric: tabular-nums; }
`);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// What both elements have in common: the daemon, its events, and the text of a problem.
class StoreElement extends HTMLElement {
  static observedAttributes = ["address", "token", "product", "store"];
  #token;
  #unsubscribe = null;
  #isScheduled = false;
  // An element sets these up in its constructor.
  problem = make("p", { part: "problem", role: "alert", dir: "auto", hidden: "" });
  daemon;
  // The problem that is shown, and why the last load failed; `null` for none.
  #shownProblem = null;
  #loadProblem = null;

  constructor(sheet) {
    super();
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [commonStyle, sheet];
  }

  get address() { return this.getAttribute("address") ?? new URL(import.meta.url).origin; }
  set address(value) { this.setAttribute("address", value); }
  get token() { return this.#token ?? this.getAttribute("token") ?? undefined; }
  set token(value) { this.#token = value; this.#schedule(); }

  connectedCallback() {
    // A token that a script set before this module was loaded hides the property.
    if (Object.hasOwn(this, "token")) {
      const { token } = this;
      delete this.token;
      this.token = token;
    }
    this.#schedule();
  }
  disconnectedCallback() { this.#schedule(); }
  attributeChangedCallback() { this.#schedule(); }

  // Changes of several attributes are one.
  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#unsubscribe?.();
      this.#unsubscribe = null;
      if (!this.isConnected) return this.didDisconnect();
      try {
        this.daemon = Daemon.shared(this.address, this.token);
      } catch {
        return this.report(new StoreProblem(((address) => `[['{address}' is not the address of a store.]]`)(this.address), "address"));
      }
      this.report(null);
      this.#unsubscribe = this.daemon.subscribe((event) => {
        if (event.type === "problem") return this.report(event.problem);
        // What did not respond does again.
        if (event.type === "all") this.report(null);
        this.didReceive(event);
      });
    });
  }

  // Shows why something failed, or, for null, nothing.
  report(problem) {
    this.#shownProblem = problem;
    if (this.problem.textContent !== (problem?.message ?? "")) this.problem.textContent = problem?.message ?? "";
    this.problem.hidden = !problem;
    if (problem) this.dispatchEvent(new CustomEvent("problem", { detail: { code: problem.code, message: problem.message } }));
  }

  // Runs requests. Shows why they failed, and returns it; `null` if they succeeded.
  async attempt(action) {
    try { await action(this.daemon); } catch (error) {
      // A response that breaks off is an error of the browser; a mistake in this script looks the same.
      if (!(error instanceof StoreProblem)) console.error(error);
      const problem = error instanceof StoreProblem ? error : new StoreProblem("[[The daemon does not respond.]]", "no-response");
      this.report(problem);
      return problem;
    }
    return null;
  }

  // Runs the requests for what the element shows. Why they failed is shown until they succeed; the message of a click stays.
  async load(action) {
    const problem = await this.attempt(action);
    if (!problem && this.#loadProblem && this.#shownProblem === this.#loadProblem) this.report(null);
    this.#loadProblem = problem;
  }

  didDisconnect() {}
}

// MARK: The tray

class StoreTray extends StoreElement {
  #search = make("input", { part: "search", type: "search", "aria-label": "[[Search stickers]]", placeholder: "[[Search stickers]]", autocomplete: "off" });
  #sections = make("div", { part: "sections" });
  #status = make("div", { class: "visually-hidden", role: "status" });
  #images = new Map();
  // The number of the newest list: an older one that arrives later is not shown.
  #number = 0;
  // Resolved when the press of the pointer in progress ends; `null` without one. The list is not replaced meanwhile.
  #press = null;
  #timer;
  #visible = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) this.#load(target);
  }, { rootMargin: "200px" });

  constructor() {
    super(trayStyle);
    this.shadowRoot.append(this.#search, this.problem, this.#sections, this.#status);
    this.#search.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#show(), 60);
    });
    this.#sections.addEventListener("click", ({ target }) => {
      const button = target.closest("button[data-sticker]");
      if (button) this.#choose(button.entry);
    });
    this.#sections.addEventListener("pointerdown", ({ button }) => {
      if (button !== 0) return;
      const press = this.#press = endOfPress(this.ownerDocument).then(() => { if (this.#press === press) this.#press = null; });
    });
    moveWithArrowKeys(this.#sections);
  }

  didReceive({ type }) { if (["all", "pack", "stickers"].includes(type)) this.#show(); }

  didDisconnect() {
    for (const address of this.#images.values()) address.then(URL.revokeObjectURL, () => {});
    this.#images.clear();
    this.#sections.replaceChildren();
  }

  async #show() {
    const number = this.#number += 1;
    const words = this.#search.value.trim();
    await this.load(async (daemon) => {
      const sections = words ? await this.#found(daemon, words) : await this.#all(daemon);
      while (this.#press) await this.#press;
      if (number !== this.#number) return;
      this.#replace(sections);
      const count = sections[0]?.entries.length ?? 0;
      this.#status.textContent = words ? `[[Stickers found: {count}]]` : "";
    });
  }

  async #found(daemon, words) {
    const { stickers } = await daemon.request(`/v1/stickers/search?${new URLSearchParams({ words, limit: 100 })}`);
    return [{ id: "found", title: stickers.length ? "[[Found]]" : "[[No sticker matches.]]", entries: stickers }];
  }

  async #all(daemon) {
    const [recents, favourites, { packs }] = await Promise.all([
      daemon.request("/v1/stickers/recents"), daemon.request("/v1/stickers/favourites"), daemon.request("/v1/stickers"),
    ]);
    const sections = [
      { id: "recents", title: "[[Recent]]", entries: recents.stickers }, { id: "favourites", title: "[[Favourites]]", entries: favourites.stickers },
    ];
    for (const { productIdentifier, name, stickers } of packs)
      sections.push({ id: "pack", title: localized(name), entries: stickers.map((sticker) => ({ productIdentifier, sticker })) });
    if (!packs.length) sections.push({ id: "none", title: "[[No sticker pack is installed.]]", entries: [] });
    return sections.filter(({ title, entries }) => entries.length || title.endsWith("."));
  }

  // Shows other stickers; the focus stays on the sticker that has it, and images that are there are not loaded again.
  #replace(sections) {
    const focused = this.shadowRoot.activeElement?.dataset.key;
    this.#visible.disconnect();
    this.#sections.replaceChildren(...sections.map(({ id, title, entries }, index) => {
      const grid = make("ul", { part: "grid" }, ...entries.map((entry) => make("li", {}, this.#button(entry, id))));
      return make("div", { part: "section", role: "group", "aria-labelledby": `title-${index}` },
        make("p", { part: "title", id: `title-${index}` }, make("bdi", {}, title)), ...entries.length ? [grid] : []);
    }));
    if (!focused) return;
    const buttons = [...this.#sections.querySelectorAll("button")];
    (buttons.find(({ dataset }) => dataset.key === focused) ?? buttons[0] ?? this.#search).focus();
  }

  #button(entry, section) {
    const { productIdentifier, sticker } = entry;
    const label = [...sticker.emoji, localized(sticker.description) ?? sticker.keywords[0] ?? sticker.id].join(" ");
    const image = make("img", { part: "image", alt: "" });
    const button = make("button", { part: "sticker", type: "button", "aria-label": label, title: label, "data-sticker": sticker.id,
      "data-key": JSON.stringify([section, productIdentifier, sticker.id]) }, image);
    Object.assign(button, { entry });
    this.#visible.observe(button);
    return button;
  }

  // An image of another origin can't be loaded with a token by the element itself.
  async #load(button) {
    this.#visible.unobserve(button);
    const { sticker } = button.entry;
    const path = sticker.thumbnail ? thumbnail(sticker, { size: 128 }) : sticker.url;
    if (!this.#images.has(path)) this.#images.set(path, this.daemon.fetch(path).then((response) => response.blob()).then(URL.createObjectURL));
    try {
      const image = button.querySelector("img");
      image.src = await this.#images.get(path);
      // Where no thumbnail can be made, it is the file itself, which browsers may not draw.
      await image.decode();
    } catch {
      // Its name stands for it until it is shown again.
      this.#images.delete(path);
      button.replaceChildren(make("span", { part: "name" }, button.title));
    }
  }

  async #choose({ productIdentifier, sticker }) {
    this.report(null);
    await this.attempt(async (daemon) => {
      const [image, reference] = await Promise.all([
        daemon.fetch(shown(sticker)).then((response) => response.blob()),
        // A sticker that no store has can only be sent as an image.
        daemon.send({ productIdentifier, sticker: sticker.id }).catch((error) => {
          if (error.code !== "sticker.not-referable") throw error;
          return null;
        }),
      ]);
      const { emoji, id } = sticker;
      const detail = { reference, image, address: new URL(sticker.url, daemon.address).href, emoji,
        description: localized(sticker.description) ?? null, productIdentifier, sticker: id };
      this.dispatchEvent(new CustomEvent("sticker", { detail, bubbles: true, composed: true }));
    });
  }
}

// The address of an image for a message: the sticker itself, or, of what no browser draws, an animated thumbnail.
function shown(sticker) {
  return isDrawnByBrowsers(sticker) || !sticker.thumbnail ? sticker.url : thumbnail(sticker, { size: 256, animated: true });
}

// MARK: The button

class StoreButton extends StoreElement {
  #progress = make("progress", { part: "progress", max: "1", hidden: "" });
  #text = make("span", { part: "text", dir: "auto", hidden: "" });
  #main = make("button", { part: "button main", type: "button", "aria-disabled": "true" }, "…");
  #cancel = make("button", { part: "button cancel", type: "button", hidden: "" }, "[[Cancel]]");
  #status = make("span", { class: "visually-hidden", role: "status" });
  #product = null;
  #download = null;
  #pending = new Set();
  #number = 0;
  #shown;

  constructor() {
    super(buttonStyle);
    this.shadowRoot.append(make("div", { part: "box" }, this.#progress, this.#text, this.#main, this.#cancel), this.problem, this.#status);
    this.#main.addEventListener("click", () => {
      const { label, act } = this.#product ? this.#state() : {};
      if (act) this.#send(label, act);
    });
    this.#cancel.addEventListener("click", () => this.#send("cancel", (daemon) => daemon.request(this.#downloadPath, { method: "DELETE" })));
  }

  get product() { return this.getAttribute("product") ?? ""; }
  set product(value) { this.setAttribute("product", value); }

  get #downloadPath() { return `/v1/downloads/${encodeURIComponent(this.product)}`; }

  didReceive(event) {
    if (event.type === "download") {
      if (event.productIdentifier !== this.product) return;
      this.#download = event;
      this.report(event.state === "Failed" ? new StoreProblem(event.error?.message ?? "[[The download failed.]]", event.error?.code ?? "failed") : null);
      if (isEnded(event)) this.#load(); else this.#show();
    } else if (["all", "catalogue", "skin"].includes(event.type) || event.key === "emoji.set" || event.productIdentifier === this.product) {
      this.#load();
    }
  }

  async #load() {
    const number = this.#number += 1;
    if (!this.product) return this.report(new StoreProblem("[[The attribute 'product' names no product.]]", "product"));
    if (this.#product?.product.productIdentifier !== this.product) this.#reset();
    const known = this.#download;
    const path = [this.getAttribute("store"), this.product].filter((part) => part).map(encodeURIComponent).join("/");
    await this.load(async (daemon) => {
      const product = await daemon.request(`/v1/products/${path}`);
      const download = await daemon.request(this.#downloadPath).then(
        (found) => translatedDownload(found, daemon.address),
        (error) => {
          if (error.code !== "download.unknown") throw error;
          return null;
        });
      const emojiSet = product.product.kind === "emoji" ? (await daemon.request("/v1/emoji-set")).set : null;
      if (number !== this.#number) return;
      this.#product = { ...product, isEmojiSetInUse: emojiSet === this.product };
      // An event that arrived in the meantime may be newer, and those that follow are.
      if (this.#download === known) this.#download = download;
      this.#show();
    });
  }

  // Shows nothing of the product before.
  #reset() {
    this.#product = this.#download = this.#shown = null;
    for (const part of [this.#progress, this.#text, this.#cancel]) part.hidden = true;
    this.#main.textContent = "…";
    this.#main.removeAttribute("aria-label");
    this.#main.setAttribute("aria-disabled", "true");
    this.removeAttribute("state");
  }

  // Returns the state of the product, the label of the button, and the request that it sends.
  #state() {
    const { product, state, store, isEmojiSetInUse } = this.#product;
    const has = (name) => state.includes(name);
    if (this.#download && !isEnded(this.#download)) {
      const paused = this.#download.reasonCode === "paused";
      return { state: paused ? "paused" : "downloading", label: paused ? "[[Resume]]" : "[[Pause]]", act: (daemon) => daemon.request(this.#downloadPath, { method: "PATCH", body: { paused: !paused } }) };
    }
    if (has("Downloaded") || has("In Use")) {
      if (has("Updatable")) return { state: "updatable", label: "[[Update]]", act: (daemon) => this.#update(daemon) };
      if (has("In Use") || isEmojiSetInUse) return { state: "inUse", label: "[[In use]]" };
      const use = { skin: "/v1/skin", emoji: "/v1/emoji-set" }[product.kind];
      return use ? { state: "usable", label: "[[Use]]", act: (daemon) => daemon.request(use, { method: "PUT", body: { identifier: this.product } }) }
        : { state: "installed", label: "[[Installed]]" };
    }
    if (product.withdrawn || product.defect) return { state: "unavailable", label: product.withdrawn ? "[[Withdrawn]]" : "[[Unavailable]]" };
    if (has("Not Purchased")) return { state: "notPurchased", label: ((price) => `[[Buy for {price}]]`)(product.productPrice), act: () => this.#openPage() };
    return { state: "available", label: "[[Install]]", act: (daemon) => daemon.request("/v1/downloads", { body: { productIdentifier: this.product, store } }) };
  }

  async #update(daemon) {
    const { results } = await daemon.request("/v1/updates", { body: { productIdentifiers: [this.product] } });
    const error = results[0]?.error;
    if (error) throw new StoreProblem(await translated(error.message, daemon.address), error.code, error.permissions);
  }

  // The store's own page asks for what only its user may decide: a purchase, or consent to permissions.
  #openPage() {
    open(new URL(`/store/${encodeURIComponent(this.#product.store)}/${encodeURIComponent(this.product)}`, this.daemon.address), "_blank", "noopener");
  }

  // Sends the request of a click, once at a time. An event may show the next state before the response to the last request:
  // a click on what the button says then is another request.
  async #send(name, act) {
    if (this.#pending.has(name)) return;
    this.#pending.add(name);
    this.report(null);
    try {
      await this.attempt(async (daemon) => {
        try { await act(daemon); } catch (error) {
          if (error.code !== "consent.needed") throw error;
          this.#openPage();
          throw new StoreProblem("[[The product asks for permissions. Install it on the page of the store, which lists them.]]", error.code);
        }
      });
    } finally { this.#pending.delete(name); }
  }

  #show() {
    if (!this.#product) return;
    const { state, label, act } = this.#state();
    const name = localized(this.#product.product.productName) ?? this.product;
    const download = ["downloading", "paused"].includes(state) ? this.#download : null;
    // The buttons stay the same elements, so that they keep the focus.
    this.#main.textContent = label;
    this.#main.setAttribute("aria-label", `${label}: ${name}`);
    if (act) this.#main.removeAttribute("aria-disabled"); else this.#main.setAttribute("aria-disabled", "true");
    if (!download && this.shadowRoot.activeElement === this.#cancel) this.#main.focus();
    this.#cancel.setAttribute("aria-label", `[[Cancel: {name}]]`);
    for (const part of [this.#progress, this.#text, this.#cancel]) part.hidden = !download;
    this.#progress.setAttribute("aria-label", `[[Download of {name}]]`);
    if (download?.fraction === null || !download) this.#progress.removeAttribute("value"); else this.#progress.value = download.fraction;
    this.#text.textContent = download ? progressText(download) : "";
    if (this.getAttribute("state") !== state) this.setAttribute("state", state);
    const shown = JSON.stringify([state, download?.fraction]);
    if (shown === this.#shown) return;
    const wasState = this.#shown && JSON.parse(this.#shown)[0];
    this.#shown = shown;
    // A live region must not read every percent.
    if (wasState && wasState !== state) this.#status.textContent = { downloading: "[[Installing]]", paused: "[[Paused]]", installed: "[[Installed]]" }[state] ?? label;
    this.dispatchEvent(new CustomEvent("state", { detail: { productIdentifier: this.product, state, fraction: download?.fraction ?? null } }));
  }
}

// A page may load this module from two daemons; an element's attribute says which of them it is for.
for (const [name, type] of [["store-tray", StoreTray], ["store-button", StoreButton]]) if (!customElements.get(name)) customElements.define(name, type);
