import { PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { createPostbackHandler, createStatusHandler, PostbackUrlSigner } from "payments-sdk/postbacks";
import { openOrders } from "./orders";

const PAYMENTS = ["BASE_URL", "SECRET_KEY", "PUBLIC_KEY", "POSTBACK_URL", "POSTBACK_SECRET"];
const NAMES = ["SHOP_DATABASE", ...PAYMENTS.map((name) => `PAYMENTS_${name}`)];

function createShop() {
  const missing = NAMES.filter((name) => !process.env[name]);
  if (missing.length > 0)
    throw new Error(`Set ${missing.join(", ")}: without it, the shop takes no payments.`);
  const { SHOP_DATABASE: file = "", PAYMENTS_POSTBACK_URL, PAYMENTS_POSTBACK_SECRET } = process.env;
  const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: PAYMENTS_POSTBACK_SECRET ?? "" }] });
  const orders = openOrders(file);
  const store = sqliteStore(file); // on several machines, or without a disk: postgresStore(pool)
  const payments = new PaymentsClient({
    // also reads PAYMENTS_BASE_URL and both keys
    idempotency: store,
    postbackSigner: signer,
    postbackUrl: PAYMENTS_POSTBACK_URL,
    defaults: { metadata: {}, traceable: true, pix: { expiresInDays: 1 } },
  });
  const postbacks = createPostbackHandler({
    signer,
    store,
    onPaid: ({ externalRef = "" }) => orders.markPaid(externalRef),
    onReturned({ externalRef = "", status }, { amountMatches }) {
      if (amountMatches) orders.markReturned(externalRef);
      else console.error(`A part of ${externalRef} is ${status}: check it.`);
    },
    onReview({ id, externalRef = "" }, { reason }) {
      orders.leaveToPerson(externalRef);
      console.error(`Check ${externalRef}, transaction ${id}: ${reason}`);
    },
  });
  return { orders, store, signer, payments, postbacks, status: createStatusHandler({ signer, store }) };
}

const processWide = globalThis as { shop?: ReturnType<typeof createShop> };

/** One shop per process, also after a hot reload. Created at the first use: `next build` has no keys. */
export function getShop() {
  processWide.shop ??= createShop();
  return processWide.shop;
}

/** On SIGTERM, waits for the payments in flight. With NEXT_MANUAL_SIG_HANDLE=true, Next.js does not end the process before. */
export function closeOnSignal() {
  process.once("SIGTERM", async () => {
    const { payments, postbacks, store } = getShop();
    await new Promise((resolve) => setTimeout(resolve, 3_000)); // requests that have not created their payment yet
    console.log("Closed:", JSON.stringify(await Promise.all([payments.close(), postbacks.close()])));
    await new Promise((resolve) => setTimeout(resolve, 500)); // the last responses
    store.close();
    process.exit(0);
  });
}

/** For tests: the next use opens the shop again, like a new process. */
export function forgetShop() {
  delete processWide.shop;
}
