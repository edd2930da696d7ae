import { SANDBOX_SECRET_KEY } from "payments-sdk/sandbox";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { postbackSignerFor } from "../../../../examples/checkout/server/postback-signer.ts";
import { startShop } from "../../../../examples/checkout/server/start-shop.ts";

const SECRET = "the merchant's own, of 32 bytes and more";

const SANDBOX = { secretKey: SANDBOX_SECRET_KEY };
const LIVE = { baseUrl: "https://payments.example.com", secretKey: "sk_live_1", publicKey: "pk_live_1" };

beforeEach(() => void vi.stubEnv("PAYMENTS_POSTBACK_SECRET", undefined));
afterEach(() => vi.unstubAllEnvs());

const ORDER = { externalRef: "order-1", amount: 9000 };

/** Whether a shop takes what comes to an address that another start of it gave to the service. */
async function verifyAfterRestart(service: { readonly secretKey: string }): Promise<unknown> {
  const url = await postbackSignerFor(service).sign("https://shop.example.com/postbacks", ORDER);
  return postbackSignerFor(service).verify(url, ORDER);
}

test.each([
  ["the sandbox", SANDBOX],
  ["a service", LIVE],
])(
  "with the secret of the environment, addresses outlive a restart of the shop, at %s",
  async (_where, service) => {
    vi.stubEnv("PAYMENTS_POSTBACK_SECRET", SECRET);

    expect(await verifyAfterRestart(service)).toEqual({ amountMatches: true });
  },
);

test.each([undefined, ""])(
  "with the secret %j, each start at the sandbox has one of its own",
  async (secret) => {
    vi.stubEnv("PAYMENTS_POSTBACK_SECRET", secret);

    await expect(verifyAfterRestart(SANDBOX)).rejects.toMatchObject({ reason: "bad_signature" });
  },
);

test("at a service that is no sandbox, a shop without a secret does not open", async () => {
  await expect(startShop({ service: LIVE })).rejects.toThrow("PAYMENTS_POSTBACK_SECRET is not set");
});

test("nor does one whose secret is too short, and the secret is not repeated", async () => {
  vi.stubEnv("PAYMENTS_POSTBACK_SECRET", "hunter2");

  const opened = startShop({ service: LIVE });

  await expect(opened).rejects.toThrow(/at least 32 bytes/);
  await expect(opened).rejects.not.toThrow(/hunter2/);
});
