// The daemon's interface for scripts of web pages, of the daemon's own and of other origins, and what their trays and
// buttons have in common.

const shortestPause = 1_000;
const longestPause = 30_000;

// An error that the daemon reported, or the reason why there is no response. `code` is stable, as in `storectl --json`.
export class StoreProblem extends Error {
  // The status is that of the response; there is none if the daemon did not respond.
  constructor(message, code, permissions = [], status = undefined) {
    super(message);
    this.name = "StoreProblem";
    this.code = code;
    this.permissions = permissions;
    this.status = status;
  }
}

// A daemon, with an access token; without one, a page of the daemon itself is meant, whose requests have its cookie.
export class Daemon {
  static #shared = new Map();
  #token;
  #listeners = new Map();
  #stream = null;
  #isOpen = false;
  #last;

  constructor(address, token) {
    this.address = new URL(address).origin;
    this.#token = token;
    document.addEventListener("visibilitychange", () => {
      // A browser opens only six connections to a server, and each stream keeps one: pages that are not visible go without.
      if (document.visibilityState === "visible") this.#follow(); else this.#stop();
    });
  }

  // Returns the daemon at an address: all elements of a page with the same token have one event stream.
  static shared(address, token) {
    const key = JSON.stringify([new URL(address).origin, token]);
    if (!Daemon.#shared.has(key)) Daemon.#shared.set(key, new Daemon(address, token));
    return Daemon.#shared.get(key);
  }

  // Sends a request, and returns the response if it has succeeded.
  async fetch(path, { body, method = body === undefined ? "GET" : "POST", signal } = {}) {
    const headers = {};
    if (this.#token) headers.Authorization = `Bearer ${this.#token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let response;
    try {
      response = await fetch(new URL(path, this.address), { method, headers, body: body && JSON.stringify(body), signal });
    } catch (error) {
      if (signal?.aborted) throw error;
      // A browser does not say which of the two it is.
      throw new StoreProblem(this.address === location.origin ? "[[The daemon does not respond.]]"
        : ((address, origin) => `[[The store at {address} does not respond to this page. Either it is not running, or its setting 'web.allowedOrigins' does not have {origin}.]]`)(this.address, location.origin), "no-response");
    }
    if (response.ok) return response;
    const problem = await response.json().catch(() => ({}));
    const detail = problem.detail && await translated(problem.detail, this.address);
    throw new StoreProblem(sentence(detail || ((status) => `[[the store responded with status {status}]]`)(response.status)), problem.code ?? "failed", problem.permissions, response.status);
  }

  // Sends a request, and returns the document of the response.
  async request(path, options) {
    const response = await this.fetch(path, options);
    return response.status === 204 ? null : await response.json();
  }

  // Returns the reference to a sticker for a message, and records that the sticker was sent, where the token permits that.
  async send({ productIdentifier, sticker }) {
    const { reference } = await this.request(`/v1/stickers/${encodeURIComponent(productIdentifier)}/${encodeURIComponent(sticker)}/reference`);
    // The recent stickers of every front-end have it from now on.
    this.request("/v1/stickers/sent", { body: { stickers: [{ productIdentifier, sticker }] } }).catch(() => {});
    return reference;
  }

  // MARK: Events

  // Calls a function with each event from now on. `{ type: "all" }` means that everything has to be read again: at first, and
  // after a gap or a problem; `{ type: "problem", problem }` that there are no events. Returns a function that ends the calls.
  subscribe(listener) {
    this.#listeners.set(listener, this.#isOpen);
    if (this.#isOpen) listener({ type: "all" }); else this.#follow();
    return () => {
      this.#listeners.delete(listener);
      if (!this.#listeners.size) this.#stop();
    };
  }

  #publish(event) { for (const listener of [...this.#listeners.keys()]) listener(event); }

  #stop() {
    this.#stream?.abort();
    this.#stream = null;
    this.#isOpen = false;
  }

  // Follows the events until the last listener has gone, or the daemon refuses them.
  async #follow() {
    if (this.#stream || !this.#listeners.size || document.visibilityState !== "visible") return;
    const stream = this.#stream = new AbortController();
    let pause = shortestPause;
    while (!stream.signal.aborted) {
      try {
        // An EventSource can't send a token.
        const response = await this.fetch(this.#last ? `/v1/events?after=${this.#last}` : "/v1/events", { signal: stream.signal });
        pause = shortestPause;
        this.#didOpen();
        for await (const { id, event } of messages(response.body)) {
          this.#last = id;
          this.#publish(event.type === "download" ? await translatedDownload(event, this.address) : event);
        }
      } catch (error) {
        if (stream.signal.aborted) return;
        if (error instanceof StoreProblem) {
          for (const listener of this.#listeners.keys()) this.#listeners.set(listener, false);
          if (error.code === "events.gone") {
            this.#last = undefined;
            continue;
          }
          this.#publish({ type: "problem", problem: error });
        }
        // The daemon refuses the token, which stays as it is.
        if ([401, 403].includes(error.status)) return this.#stop();
      }
      this.#isOpen = false;
      await rest(pause, stream.signal);
      pause = Math.min(longestPause, pause * 1.5);
    }
  }

  #didOpen() {
    this.#isOpen = true;
    for (const [listener, isCurrent] of [...this.#listeners]) {
      // A stream that continues where the one before it ended lacks no event.
      if (isCurrent && this.#last) continue;
      this.#listeners.set(listener, true);
      listener({ type: "all" });
    }
  }
}

async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const parts = (rest + piece.value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const fields = Object.fromEntries(part.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
      if (fields.data) yield { id: fields.id, event: JSON.parse(fields.data) };
    }
  }
}

// Waits, until the network is back at most.
function rest(time, signal) {
  const done = new AbortController();
  return new Promise((resolve) => {
    setTimeout(resolve, time);
    addEventListener("online", resolve, { signal: done.signal });
    signal.addEventListener("abort", resolve, { signal: done.signal });
  }).finally(() => done.abort());
}

// MARK: Texts

// Returns a text in the best of the user's languages: it is a string, or an object with a string for each language tag.
export function localized(text) {
  if (text === null || text === undefined || typeof text === "string") return text ?? undefined;
  for (const language of [...navigator.languages, "en"])
    for (const tag of [language, language.split("-")[0]]) if (text[tag]) return text[tag];
  return Object.values(text)[0];
}

// Returns a finished English text of the daemon, such as the message of an error, in the language of this script's texts.
export async function translated(text, address = location.origin) {
  try {
    const from = new URL(`/assets/translation?${new URLSearchParams({ text })}`, address);
    // Events wait for the text.
    const response = await fetch(from, { signal: AbortSignal.timeout(5_000) });
    return response.ok ? await response.text() : text;
  } catch { return text; }
}

// Returns a download with its texts for people translated.
export async function translatedDownload(download, address) {
  const { reason, reasonCode, error } = download;
  return { ...download, reason: reason && !reasons[reasonCode] ? await translated(reason, address) : reason,
    error: error && { ...error, message: await translated(error.message, address) } };
}

// Returns a number of bytes rounded to a unit that is easy to read, as the pages have it.
export function size(bytes) {
  const units = ["[[bytes]]", "[[kB]]", "[[MB]]", "[[GB]]", "[[TB]]", "[[PB]]", "[[EB]]"];
  let unit = 0;
  while (bytes >= 999.5 && unit < units.length - 1) { bytes /= 1000; unit += 1; }
  const tenths = Math.round(bytes * 10) / 10;
  // The text is the decimal separator.
  return `${String(tenths >= 10 ? Math.round(bytes) : tenths).replace(".", "[[.]]")} ${units[unit]}`;
}

const reasons = {
  paused: "[[paused]]", prerequisites: "[[waiting for a pack that it needs]]", slot: "[[waiting for other downloads]]",
  network: "[[waiting for the network]]",
};
const activities = {
  queued: "[[queued]]", connecting: "[[connecting]]", transferring: "[[downloading]]", paused: "[[paused]]", waiting: "[[waiting]]",
  verifying: "[[verifying]]", unpacking: "[[unpacking]]", saving: "[[saving]]",
};

// Returns the time that a download still takes, in its two largest units, as the pages have it.
export function timeLeft(total) {
  const [days, hours, minutes, seconds] = [Math.floor(total / 86_400), Math.floor(total / 3600) % 24, Math.floor(total / 60) % 60, total % 60];
  if (total < 60) return `[[{seconds} s left]]`;
  if (total < 3600) return `[[{minutes} min {seconds} s left]]`;
  return total < 86_400 ? `[[{hours} h {minutes} min left]]` : `[[{days} d {hours} h left]]`;
}

// Returns what a running download does, with its progress.
export function progressText(download) {
  if (download.reason) return reasons[download.reasonCode] ?? download.reason;
  const parts = [activities[download.activity] ?? download.state];
  if (download.bytesExpected) {
    const [received, expected] = [size(download.bytesReceived), size(download.bytesExpected)];
    parts.push(`[[{received} of {expected}]]`);
  }
  if (download.rate) {
    const amount = size(download.rate);
    parts.push(`[[{amount}/s]]`);
  }
  if (download.secondsLeft) parts.push(timeLeft(download.secondsLeft));
  return parts.join(" · ");
}

// Whether a download has ended.
export function isEnded({ state }) { return ["Finished", "Cancelled", "Failed"].includes(state); }

// Returns a message of the daemon as a sentence.
function sentence(text) { return text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : "."); }

// MARK: Stickers

// Whether an image element draws the file of a sticker; no browser draws TGS and WebM there. Lists do not have the properties
// of images that were not read yet, but names that say as much.
export function isDrawnByBrowsers({ file, image }) { return image ? image.mediaType.startsWith("image/") : !/\.(tgs|webm)$/i.test(file); }

// Returns the path and query of a thumbnail of a sticker. It is animated as the sticker is if `animated`.
export function thumbnail(sticker, { size, animated = false }) {
  // Only the thumbnails of packs from stores have a query, which names the version. Of the address no host is needed.
  const address = new URL(sticker.thumbnail, "http://localhost");
  address.searchParams.set("size", size);
  if (animated) address.searchParams.set("animated", "true");
  return address.pathname + address.search;
}

// MARK: The pointer

// Returns a promise that is fulfilled after the handlers of the first of some events, each given by its target and its type.
//
// - delay: returns the milliseconds to wait after an event; `null` for an event that does not count.
export function firstEvent(events, delay = () => 0) {
  const ended = new AbortController();
  return new Promise((resolve) => {
    for (const [target, type] of events) {
      target.addEventListener(type, (event) => {
        const wait = delay(event);
        if (wait !== null) setTimeout(resolve, wait);
      }, { capture: true, signal: ended.signal });
    }
  }).then(() => ended.abort());
}

// Returns a promise that is fulfilled when the press of the pointer that has begun in a document has ended, and the click after it was
// handled. What is pressed has to stay in the document until then, or nothing is clicked.
export function endOfPress(document) {
  const window = document.defaultView;
  // A menu or another window may cover this one and receive the release.
  const types = ["pointerup", "click", "pointercancel", "pointermove", "contextmenu"];
  return firstEvent([...types.map((type) => [document, type]), [window, "blur"]], (event) => {
    // A button was released outside the window if the pointer moves without it.
    if (event.type === "pointermove" && event.buttons !== 0) return null;
    // The window also sees that its elements lose the focus, as most do when another one is pressed.
    if (event.type === "blur" && event.target !== window) return null;
    // The click of a mouse follows its release at once; that of a finger or a pen comes later, if at all.
    return event.type === "pointerup" && event.pointerType !== "mouse" ? 400 : 0;
  });
}

// MARK: Trays

// Makes all stickers of a tray, its elements `button[data-sticker]`, one stop of the Tab key, in which the arrow keys move.
export function moveWithArrowKeys(tray) {
  const all = () => [...tray.querySelectorAll("button[data-sticker]")];
  const rove = (current) => { for (const button of all()) button.tabIndex = button === current ? 0 : -1; };
  const focused = () => tray.getRootNode().activeElement;
  const roveAgain = () => rove(all().find((button) => button === focused()) ?? all().find((button) => button.getAttribute("tabindex") === "0") ?? all()[0]);
  tray.addEventListener("focusin", ({ target }) => { if (target.dataset.sticker) rove(target); });
  tray.addEventListener("keydown", (event) => {
    const buttons = all();
    const index = buttons.indexOf(focused());
    if (index < 0) return;
    const forward = getComputedStyle(tray).direction === "rtl" ? -1 : 1;
    const place = buttons[index].getBoundingClientRect();
    // The nearest sticker of the next row, above or below.
    const vertical = (way) => {
      const others = buttons.map((button) => ({ button, box: button.getBoundingClientRect() }))
        .filter(({ box }) => (box.top - place.top) * way > 1);
      const row = Math.min(...others.map(({ box }) => Math.abs(box.top - place.top)));
      return others.filter(({ box }) => Math.abs(box.top - place.top) === row)
        .sort((a, b) => Math.abs(a.box.left - place.left) - Math.abs(b.box.left - place.left))[0]?.button;
    };
    const next = {
      ArrowRight: () => buttons[index + forward], ArrowLeft: () => buttons[index - forward],
      ArrowDown: () => vertical(1), ArrowUp: () => vertical(-1), Home: () => buttons[0], End: () => buttons.at(-1),
    }[event.key]?.();
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  // The content is replaced when packs are installed or removed.
  new MutationObserver(roveAgain).observe(tray, { childList: true, subtree: true });
  roveAgain();
}
