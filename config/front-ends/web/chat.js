// A chat with itself: shows what a page has to do to send stickers and to install a product.

const byId = (id) => document.getElementById(id);
const problem = byId("problem");

function show(message) {
  problem.textContent = message;
  problem.hidden = !message;
}

byId("connection").addEventListener("submit", async (event) => {
  event.preventDefault();
  show("");
  const address = new URL(byId("address").value).origin;
  for (const element of [byId("tray"), byId("install")]) Object.assign(element, { token: byId("token").value });
  byId("install").setAttribute("product", byId("product").value.trim());
  try {
    // A page that knows the address has <script type="module" src="ADDRESS/assets/embed.js"> instead.
    await import(`${address}/assets/embed.js`);
    byId("chat").hidden = false;
  } catch {
    show(`The store at ${address} does not let this page in. Is it running, and does its setting 'web.allowedOrigins' have ${location.origin}?`);
  }
});

function add(...content) {
  const message = document.createElement("li");
  message.append(...content);
  byId("messages").append(message);
  return message;
}

// What a chat sends is the reference, by which the receiver's store finds the sticker; the image shows it here.
byId("tray").addEventListener("sticker", ({ detail }) => {
  const image = document.createElement("img");
  image.alt = detail.description ?? detail.emoji.join("");
  image.src = URL.createObjectURL(detail.image);
  add(image).dataset.reference = detail.reference ?? "";
});

byId("compose").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = byId("text").value.trim();
  if (text) add(text);
  byId("text").value = "";
});

byId("install").addEventListener("state", ({ detail }) => {
  if (detail.state === "installed") add(`${detail.productIdentifier} is installed.`);
});
