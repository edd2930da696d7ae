import { PaymentsClient } from "payments-sdk";
import { startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { payments as paid } from "../../../examples/postbacks/settle-order.ts";
import { signerFromEnv } from "../../../examples/postbacks/signer-from-env.ts";
import { aPix } from "../../support/merchant.ts";
import {
  BODY,
  bodyWithId,
  catchPrinted,
  DUPLICATE,
  HANDLED,
  INEXACT_ID,
  post,
  printedOnce,
  SIGNER,
  signedUrl,
  wronglySignedUrl,
} from "./support/postbacks.ts";
import { EXPRESS, FASTIFY, HONO, NEXT, NODE_HTTP, type Recipe } from "./support/recipes.ts";

/** The app of a recipe, with a shop that only counts. */
async function open({ start }: Recipe) {
  const onPostback = vi.fn();
  const baseUrl = await start({ signer: SIGNER, onPostback });
  return { baseUrl, onPostback };
}

describe.each([EXPRESS, FASTIFY, HONO, NEXT, NODE_HTTP])("$name", (recipe) => {
  test("handles a postback once, however often it comes", async () => {
    const { baseUrl, onPostback } = await open(recipe);
    const url = await signedUrl(baseUrl);

    const answers = [await post(url), await post(url), await post(url)];

    expect(answers).toEqual([HANDLED, DUPLICATE, DUPLICATE]);
    expect(onPostback.mock.calls).toEqual([
      [
        expect.objectContaining({ id: 7, status: "approved", amount: 1990, externalRef: "order-1" }),
        {
          ...{ trust: "signed", amountMatches: true, previousStatus: undefined, transition: "advance" },
          ...{ rivals: [], signal: expect.any(AbortSignal) },
        },
      ],
    ]);
  });

  test.each([
    ["without a signature", "missing_signature", async (baseUrl: string) => `${baseUrl}/postbacks`],
    ["with a wrong one", "bad_signature", wronglySignedUrl],
  ])("refuses a postback %s", async (_what, reason, urlAt) => {
    const { baseUrl, onPostback } = await open(recipe);

    const answer = await post(await urlAt(baseUrl));

    expect(answer).toEqual({ status: 401, body: { error: "untrusted_postback", reason } });
    expect(onPostback).not.toHaveBeenCalled();
  });

  test.each(["GET", "HEAD", "PUT"])("answers 405 to %s", async (method) => {
    const { baseUrl, onPostback } = await open(recipe);

    const { status, headers } = await fetch(await signedUrl(baseUrl), { method });

    expect(status).toBe(405);
    expect(headers.get("allow")).toBe(recipe.allow);
    expect(onPostback).not.toHaveBeenCalled();
  });

  test.each([
    [65_536, 200],
    [65_537, 413],
    [1_000_000, 413],
  ])("answers a body of %i bytes with %i", async (bytes, expected) => {
    const { baseUrl, onPostback } = await open(recipe);

    const { status } = await post(await signedUrl(baseUrl), BODY.padEnd(bytes));

    expect(status).toBe(expected);
    expect(onPostback).toHaveBeenCalledTimes(expected === 200 ? 1 : 0);
  });

  test("answers 413 also to a body that does not tell its length", async () => {
    const { baseUrl, onPostback } = await open(recipe);
    const body = new Blob([BODY.padEnd(65_537)]).stream();

    const { status } = await post(await signedUrl(baseUrl), body);

    expect(status).toBe(413);
    expect(onPostback).not.toHaveBeenCalled();
  });

  test("runs again what failed, when it comes again", async () => {
    const { baseUrl, onPostback } = await open(recipe);
    const printed = catchPrinted();
    onPostback.mockRejectedValueOnce(new Error("the database is away"));
    const url = await signedUrl(baseUrl);

    const answers = [await post(url), await post(url), await post(url)];

    expect(answers).toEqual([expect.objectContaining({ status: 500 }), HANDLED, DUPLICATE]);
    expect(onPostback).toHaveBeenCalledTimes(2);
    expect(printed).toEqual(printedOnce(/^the database is away$/));
  });

  test.each([
    "application/json; charset=utf-8",
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
    "no/such;type;at=all",
  ])("reads a postback that calls itself %s", async (type) => {
    const { baseUrl } = await open(recipe);

    const answer = await post(await signedUrl(baseUrl), BODY, { "content-type": type });

    expect(answer).toEqual(HANDLED);
  });

  test("reads a postback that does not say what it is", async () => {
    const { baseUrl } = await open(recipe);

    const answer = await post(await signedUrl(baseUrl), Buffer.from(BODY), {});

    expect(answer).toEqual(HANDLED);
  });

  test.each([
    ["9007199254740991", 200, [9_007_199_254_740_991]],
    [INEXACT_ID, 400, []],
  ])("takes the id %s as it is, or not at all", async (id, expected, handled) => {
    const { baseUrl, onPostback } = await open(recipe);

    const { status } = await post(await signedUrl(baseUrl), bodyWithId(id));

    expect(status).toBe(expected);
    expect(onPostback.mock.calls.map(([postback]) => postback.id)).toEqual(handled);
  });

  test("as it stands, settles an order that was paid in the sandbox", async () => {
    vi.stubEnv("PAYMENTS_POSTBACK_SECRET", "a secret of the environment, 32 bytes");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { gateway, close, ...service } = await startSandbox();
    onTestFinished(close);
    const postbackUrl = `${await recipe.start()}/postbacks`;
    const payments = new PaymentsClient({ ...service, postbackUrl, postbackSigner: signerFromEnv() });
    const externalRef = `an order of ${recipe.name}`;
    const { id } = await payments.transactions.createPix(aPix({ externalRef }));

    gateway.pay(id);
    await gateway.settled();

    expect(gateway.deliveries.map(({ status }) => status)).toEqual(["delivered"]);
    expect([...(paid.get(externalRef) ?? [])]).toEqual([id]);
  });
});

// A route of Next.js is a file of its own: it has no other routes beside it.
test.each([EXPRESS, FASTIFY, HONO, NODE_HTTP])("$name leaves the other routes alone", async (recipe) => {
  const { baseUrl } = await open(recipe);
  await post(await signedUrl(baseUrl));

  const answer = await post(`${baseUrl}/carts`, '{"items":["book","pen"]}');

  expect(answer).toEqual({ status: 201, body: { cart: { items: ["book", "pen"] } } });
});
