import { decodeJwt } from "jose";
import { isPaymentsError } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { createPostbackHandler, PostbackUrlSigner, parsePostback } from "payments-sdk/postbacks";
import { onTestFinished, vi } from "vitest";
import { aPix } from "../support/merchant.ts";
import { warningsOf } from "../support/recording-client.ts";
import { DELIVERIES, ORDERS } from "../system/storm/deliveries.ts";
import { testClaims, textOf } from "./support/figures.ts";
import { knownPostbacks } from "./support/kept-orders.ts";

const PAGE = "docs/postbacks.md";
const ORDER = { externalRef: "order-1", amount: 1990 };
const URL_OF_SHOP = "https://shop.example.com/postbacks";
const signer = new PostbackUrlSigner({ keys: [{ kid: "1", secret: "x".repeat(32) }] });

const claimsOf = async (order: object = {}) =>
  decodeJwt(new URL(await signer.sign(URL_OF_SHOP, { ...ORDER, ...order })).searchParams.get("pbsig") ?? "");

async function daysOf(paymentMethod: "pix" | "credit_card"): Promise<number> {
  const { exp = 0 } = await claimsOf({ paymentMethod });
  return Math.round((exp - Date.now() / 1000) / 86_400);
}

async function bitsOfReference(): Promise<number> {
  const { r } = await claimsOf();
  return Buffer.from(String(r), "base64url").length * 8;
}

/** Whether an action is refused, for each of these. */
function refusals<Value>(values: readonly Value[], action: (value: Value) => unknown): Promise<boolean[]> {
  const tries = values.map(async (value) => {
    try {
      await action(value);
      return false;
    } catch (error) {
      if (isPaymentsError(error)) return true;
      throw error;
    }
  });
  return Promise.all(tries);
}

const keyOf = (bytes: number) =>
  new PostbackUrlSigner({ keys: [{ kid: "1", secret: new Uint8Array(bytes) }] });

/** Signs a URL that is so long once it is signed. */
async function signToLength(length: number): Promise<string> {
  const signed = await signer.sign(`${URL_OF_SHOP}?x=`, ORDER);
  return signer.sign(`${URL_OF_SHOP}?x=${"x".repeat(length - signed.length)}`, ORDER);
}

async function warnsOfLength(length: number): Promise<boolean> {
  const postbackUrl = "https://shop.example.com/".padEnd(length, "x");
  return (await warningsOf("createPix", aPix({ postbackUrl }))).length > 0;
}

const post = (body: BodyInit, options: object = {}) => {
  const handler = createPostbackHandler({ allowUnsigned: true, onPostback: () => undefined, ...options });
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
  return handler.fetch(new Request(URL_OF_SHOP, init));
};

/** What a body gets that never ends, before so many milliseconds are over and after. */
async function answersAt(ms: number): Promise<(number | undefined)[]> {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let status: number | undefined;
  const answered = post(new ReadableStream()).then((response) => {
    status = response.status;
  });
  await vi.advanceTimersByTimeAsync(ms - 1);
  const before = status;
  await vi.advanceTimersByTimeAsync(1);
  await answered;
  return [before, status];
}

async function leaseOfHandler(): Promise<unknown> {
  const store = memoryStore();
  const claim = vi.spyOn(store, "claimPostback");
  await post(JSON.stringify({ id: 7, status: "approved", ...ORDER }), { store });
  return claim.mock.calls[0]?.[2];
}

const testOfStorm = textOf("test/system/postback-storm.test.ts");
const livesOfStorm = () => Number(/^const LIVES = (\d+);$/m.exec(testOfStorm)?.[1]);
const throwsOfStorm = () =>
  /chance\(seed, "throw".*\) < (1 \/ \d+)\)/.exec(textOf("test/system/storm/receiver.ts"))?.[1];
const parse = (id: number) =>
  parsePostback(`{"id":${BigInt(id)},"status":"approved","externalRef":"order-1","amount":1990}`);

testClaims([
  [
    PAGE,
    "it was good once: 180 days for a pix and two years for a card,",
    [180, 2 * 365],
    () => Promise.all([daysOf("pix"), daysOf("credit_card")]),
  ],
  [PAGE, "the reference, by 128 bits of a digest that needs the key;", 128, bitsOfReference],
  [PAGE, "text or bytes of at least 32 bytes.", [true, false], () => refusals([31, 32], keyOf)],
  [
    PAGE,
    "A URL above 255 characters gives a `warning` event,",
    [false, true],
    () => Promise.all([255, 256].map(warnsOfLength)),
  ],
  [
    PAGE,
    "one above `maxLength` (2,048) is an `InvalidRequestError`",
    [false, true],
    () => refusals([2_048, 2_049], signToLength),
  ],
  [PAGE, "a body that takes longer than `timeout` (10 seconds)", [undefined, 408], () => answersAt(10_000)],
  [
    PAGE,
    "a body above `maxBytes` (64 kB)",
    [400, 413],
    () => Promise.all([65_536, 65_537].map(async (bytes) => (await post("x".repeat(bytes))).status)),
  ],
  [PAGE, "ends by itself after `leaseMs` (60 seconds).", 60_000, leaseOfHandler],
  [PAGE, "it remembers the last 20,000 only.", 20_000, () => knownPostbacks(20_001)],
  [PAGE, "2,000 deliveries of 200 orders, twice and more,", [2_000, 200], () => [DELIVERIES, ORDERS]],
  [PAGE, "with an `onPostback` that throws one time in five.", "1 / 5", throwsOfStorm],
  [
    PAGE,
    "the process is killed 8 times, 4 of them between success and record",
    [8, 4],
    () => [2 * livesOfStorm(), livesOfStorm()],
  ],
  [
    PAGE,
    "an id beyond 2^53 - 1 is refused, not rounded;",
    [false, true],
    () => refusals([2 ** 53 - 1, 2 ** 53], parse),
  ],
  [
    "CHANGELOG.md",
    "such as a postback URL above 255 characters.",
    [false, true],
    () => Promise.all([255, 256].map(warnsOfLength)),
  ],
]);
