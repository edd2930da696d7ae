import { inspect } from "node:util";
import type { PaymentsClient } from "payments-sdk";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";
import { json, text } from "../support/http-server.ts";
import { aCardPayment, aPix, eventsOf, failureOf } from "../support/merchant.ts";
import { created } from "../support/service-responses.ts";
import { sentRequest, startMerchant } from "../support/start-merchant.ts";

const signer = new PostbackUrlSigner({
  keys: [{ kid: "k1", secret: "a secret of the tests, which is long enough" }],
});
const options = { postbackUrl: "https://loja.example/postbacks", postbackSigner: signer };

/** As a custom signer may sign. */
const OWN = "https://loja.example/p?s=c4nary";
const OWN_SIGN = async () => OWN;

const tokenIn = (url: string) => new URL(url).searchParams.get("pbsig") ?? "";

/** Days for which a signed URL is valid, read without checking the signature. */
function validDaysOf(url: string): number {
  const claims: { exp: number } = JSON.parse(
    Buffer.from(tokenIn(url).split(".")[1] ?? "", "base64url").toString(),
  );
  return Math.round((claims.exp - Date.now() / 1000) / 86_400);
}

describe("a client with a postbackSigner", () => {
  test.each([
    ["pix", 180],
    ["credit_card", 730],
  ] as const)("signs its postback URL for a %s for %d days", async (paymentMethod, days) => {
    const params =
      paymentMethod === "pix" ? aPix({ postbackUrl: undefined }) : aCardPayment({ postbackUrl: undefined });

    const { body } = await sentRequest(
      ({ transactions }) => transactions.create({ ...params, paymentMethod } as never),
      options,
    );

    const { postbackUrl } = body as { postbackUrl: string };
    const postback = { externalRef: "order-1", amount: 1990 };
    expect(postbackUrl).toMatch(/^https:\/\/loja\.example\/postbacks\?pbsig=/);
    expect(validDaysOf(postbackUrl)).toBe(days);
    expect(await signer.verify(postbackUrl, postback)).toMatchObject({ amountMatches: true });
  });

  test("signs the URL of a call, and sends extraBody with it", async () => {
    const params = aPix({ postbackUrl: "https://loja.example/p?shop=5#x" });

    const { body } = await sentRequest(
      ({ transactions }) => transactions.createPix(params, { extraBody: { channel: "app" } }),
      options,
    );

    expect(body).toMatchObject({
      channel: "app",
      postbackUrl: expect.stringMatching(/^https:\/\/loja\.example\/p\?shop=5&pbsig=[\w.-]+#x$/),
    });
  });

  test("includes the signature in the warning of a long URL", async () => {
    const postbackUrl = "https://loja.example/".padEnd(200, "p");

    const create = ({ transactions }: PaymentsClient) => transactions.createPix(aPix({ postbackUrl }));
    const { warnings } = await sentRequest(create, { postbackSigner: signer });

    expect(warnings).toEqual([expect.stringMatching(/^postbackUrl has 3\d\d characters/)]);
  });
});

describe("no request is sent", () => {
  const hanging = () => new Promise<string>(() => undefined);
  const sealed = (url: string) => Promise.reject(new Error(`the vault is sealed, so not ${url}`));
  const FAILED = {
    code: "configuration",
    message: expect.stringContaining("postbackSigner could not sign the postback URL."),
  };
  const MISSING = {
    field: "externalRef",
    message: "is required, because the signed postback URL contains it",
  };

  test.each<[string, (url: string) => unknown, object, Parameters<typeof aPix>[0]?]>([
    ["the request has no reference to sign", OWN_SIGN, { issues: [MISSING] }, { externalRef: undefined }],
    ["a custom signer throws", () => JSON.parse("{"), FAILED],
    ["a custom signer rejects with nothing", () => Promise.reject(undefined), FAILED],
    ["a custom signer resolves with something other than a URL", async () => "postbacks", FAILED],
    ["a custom signer resolves with a URL of another scheme", async () => "javascript:alert(1)", FAILED],
    ["a custom signer resolves with an object", async () => new URL("https://loja.example"), FAILED],
    ["the vault is sealed", sealed, { cause: { message: "the vault is sealed, so not [redacted]" } }],
    ["signing takes too long", hanging, { ...FAILED, cause: { message: "sign() took longer than 100 ms" } }],
  ])("if %s", async (_what, sign, expected, params = {}) => {
    const { payments, events, arrivals } = await startMerchant(created(), {
      ...{ ...options, postbackSigner: { sign } as never, timeout: 100 },
    });

    const error = await failureOf(payments.transactions.createPix(aPix(params)));

    expect(error).toMatchObject({ ...expected, outcome: "not_sent", endpoint: "transactions.create" });
    expect(eventsOf(events, "error")).toMatchObject([{ error }]);
    expect(arrivals).toEqual([]);
  });

  test("if the call is aborted during the signing, which does not end", async () => {
    const controller = new AbortController();
    const sign = () => {
      setTimeout(() => controller.abort(), 10);
      return hanging();
    };
    const { payments, arrivals } = await startMerchant(created(), {
      ...{ ...options, postbackSigner: { sign }, timeout: 60_000 },
    });

    const error = await failureOf(payments.transactions.createPix(aPix(), { signal: controller.signal }));

    expect(error).toMatchObject({ code: "aborted", outcome: "not_sent" });
    expect(arrivals).toEqual([]);
  });
});

test("parameters and options that change during signing do not change the request", async () => {
  const headers: Record<string, string> = { "x-order": "a" };
  const params = aPix();
  const { payments, arrivals } = await startMerchant(created(), options);

  const call = payments.transactions.createPix(params, { headers });
  headers["x-order"] = "b";
  params.amount = 1;
  await call;

  expect(arrivals[0]?.headers["x-order"]).toBe("a");
  expect(JSON.parse(arrivals[0]?.body ?? "")).toMatchObject({ amount: 1990 });
});

describe("the signed URL, which is a credential,", () => {
  const shownTextOf = (...values: unknown[]) =>
    values
      .map((value) => inspect(value, { depth: 9, showHidden: true, getters: true }) + JSON.stringify(value))
      .join();

  test("is in no event and no error, even if the service repeats it", async () => {
    const url = await signer.sign("https://loja.example/p", { externalRef: "order-1", amount: 1990 });
    const token = tokenIn(url);
    const echo = { message: url, errors: [{ field: url, message: `bad ${url}` }] };
    const { payments, events } = await startMerchant(json(400, echo, { "x-request-id": token }), {
      ...options,
      postbackSigner: { sign: async () => url },
    });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(shownTextOf(error, error.cause, events)).not.toContain(token.slice(-43));
  });

  test.each([
    ["even without its signature, because its path may be secret", signer, "https://loja.example/c4nary"],
    ["if a custom signer wrote it in a form of its own", { sign: OWN_SIGN }, OWN],
  ])("is redacted %s", async (_when, postbackSigner, quoted) => {
    const { payments } = await startMerchant(text(400, `cannot reach ${quoted}`), { postbackSigner });
    const postbackUrl = quoted.replace(/\?.*/, "");

    const error = await failureOf(payments.transactions.createPix(aPix({ postbackUrl })));

    expect(error).toMatchObject({ body: "cannot reach [redacted]" });
    expect(shownTextOf(error)).not.toContain("c4nary");
  });
});
