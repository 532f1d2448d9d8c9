// The service worker: shows a page of its own while the daemon does not respond. It keeps the files of that page and
// nothing else, so that no content of a store or a pack outlives the session, and nothing that is shown is out of date.

const page = "/assets/offline.html";
const files = [page, "/assets/return.js", "/assets/pages.css", "/assets/icon.svg"];
// The daemon writes the hash of the files here: other files are another script, which the browser installs with them.
const cacheName = "offline-{version}";

addEventListener("install", (event) => event.waitUntil((async () => {
  // Browsers with static routes send these requests without this script: while the user types, each millisecond counts; and
  // the response to a login removes this service worker, which Chromium does only when no request waits in it.
  try {
    await event.addRoutes?.(["{/stickers}?/results", "/login"].map((pathname) => ({ condition: { urlPattern: new URLPattern({ pathname }) }, source: "network" })));
  } catch {}
  const cache = await caches.open(cacheName);
  await cache.addAll(files.map((file) => new Request(file, { cache: "reload" })));
  await skipWaiting();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
  // The browser then sends the requests of navigations itself, with the same headers as without this script.
  await registration.navigationPreload?.enable();
})()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(responseOrKept(event, page));
  else if (origin === location.origin && files.includes(pathname)) event.respondWith(responseOrKept(event, pathname));
});

async function responseOrKept(event, path) {
  try {
    return await event.preloadResponse ?? await fetch(event.request);
  } catch {
    const cache = await caches.open(cacheName);
    return await cache.match(path) ?? Response.error();
  }
}
