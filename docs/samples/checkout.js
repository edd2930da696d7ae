// The script of the page in docs/elements.md. Its server is checkout-server.mjs.
const form = document.querySelector("form");
const card = document.querySelector("payment-card-form");
const cardButton = document.querySelector("form button");
const pix = document.querySelector("payment-pix");
const pixButton = document.querySelector("#pay-with-pix");
const message = document.querySelector("#message");

async function post(path, body = {}) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  return response.json();
}

function setPaying(isPaying) {
  cardButton.disabled = pixButton.disabled = isPaying; // one payment at a time
  pix.hidden = isPaying || !pix.code;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  setPaying(true);
  const unknown = { text: "We do not know yet whether you have paid. Please do not pay again." };
  const { text, again } = await post("/pay", { token: card.value }).catch(() => unknown);
  message.textContent = text;
  if (!again) return card.reset();
  card.clearSecurityCode();
  card.focus();
  setPaying(false);
});

pixButton.addEventListener("click", async () => {
  setPaying(true);
  const failed = { text: "There is no pix code yet. Please try again." };
  const { text, pix: created } = await post("/pix").catch(() => failed);
  message.textContent = text;
  if (created) {
    const { qrcodeText, qrcode, expirationDate, statusUrl } = created;
    Object.assign(pix, { code: qrcodeText, qrcode, expiresAt: expirationDate, statusUrl });
    pixButton.hidden = true;
  }
  setPaying(false);
});

function offerNewCode(isOffered) {
  pixButton.hidden = !isOffered;
  pixButton.textContent = "New code";
}

// The server decides what is paid, and whether there is a new code: this only shows it.
pix.addEventListener("payment-status", ({ detail: { status } }) => {
  form.hidden = status === "approved";
  message.textContent = "";
  offerNewCode(["expired", "cancelled", "refused"].includes(status));
});
pix.addEventListener("payment-pix-expired", () => offerNewCode(true));
