// Returns to the page that was asked for: as soon as the daemon responds, or, on the page that asks to log in, as soon as
// this browser is logged in, as it is after the link was opened in another tab.

const shortest = 1_000;
const longest = 30_000;
const isResponseEnough = document.body.dataset.waitsFor === "response";
let pause = shortest;
let timer;
let isAsking = false;

// Asks after growing pauses, and only while the page is visible.
function wait() {
  clearTimeout(timer);
  timer = setTimeout(ask, pause);
  pause = Math.min(longest, pause * 1.5);
}

async function ask() {
  clearTimeout(timer);
  if (isAsking || document.visibilityState !== "visible") return;
  isAsking = true;
  try {
    const response = await fetch("/v1/status", { cache: "no-store" });
    if (isResponseEnough || response.ok) return leave();
  } catch {
    // The daemon still does not respond.
  } finally { isAsking = false; }
  wait();
}

function leave() {
  // The address of this page itself, or of a link that works once, is not what was asked for.
  if (["/assets/offline.html", "/login"].includes(location.pathname)) location.replace("/store");
  else location.reload();
}

function askAtOnce() {
  pause = shortest;
  ask();
}
addEventListener("online", askAtOnce);
addEventListener("focus", askAtOnce);
document.addEventListener("visibilitychange", askAtOnce);
// Never at once on loading: a page that can't be loaded although the daemon responds would be loaded without end.
wait();
