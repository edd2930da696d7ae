import { inspect } from "node:util";
import { ConfigurationError, InvalidRequestError, PaymentsClient, type PaymentsEvent } from "payments-sdk";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { describe, expect, test, vi } from "vitest";
import { closedBaseUrl, resetAfterReading, startServer, text } from "../support/http-server.ts";
import { aCardPayment, aPix, eventsOf, failureOf, merchantAt, thrownBy } from "../support/merchant.ts";
import { wireOf } from "../support/on-the-wire.ts";
import { created } from "../support/service-answers.ts";

const SECRET = "a secret of the tests, which is long enough";
const signer = new PostbackUrlSigner({ keys: [{ kid: "k1", secret: SECRET }] });
const options = { postbackUrl: "https://loja.example/postbacks", postbackSigner: signer };

/** The URL on the wire, and its claims, read without a look at the signature. */
async function signedIn(wire: Awaited<ReturnType<typeof wireOf>>) {
  const { postbackUrl } = wire.body as { postbackUrl: string };
  const token = new URL(postbackUrl).searchParams.get("pbsig") ?? "";
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as {
    exp: number;
  };
  return { postbackUrl, token, days: Math.round((claims.exp - Date.now() / 1000) / 86_400) };
}

describe("a client with a postbackSigner", () => {
  test.each([
    ["pix", 180],
    ["credit_card", 730],
  ] as const)("signs its postback URL for a %s, good for %d days", async (paymentMethod, days) => {
    const params = paymentMethod === "pix" ? aPix() : aCardPayment({ postbackUrl: undefined });

    const wire = await wireOf(
      ({ transactions }) => transactions.create({ ...params, paymentMethod } as never),
      options,
    );

    const signed = await signedIn(wire);
    expect(signed.postbackUrl).toMatch(/^https:\/\/loja\.example\/postbacks\?pbsig=/);
    expect(signed.days).toBe(days);
    expect(await signer.verify(signed.postbackUrl, { externalRef: "order-1", amount: 1990 })).toEqual({
      amountMatches: true,
    });
  });

  test("signs a call's own URL, which may have a query and a fragment", async () => {
    const params = aPix({ postbackUrl: "https://loja.example/p?shop=5#x" });

    const { postbackUrl } = await signedIn(
      await wireOf(({ transactions }) => transactions.createPix(params), options),
    );

    expect(postbackUrl).toMatch(/^https:\/\/loja\.example\/p\?shop=5&pbsig=[\w.-]+#x$/);
  });

  test("signs the order as it is sent", async () => {
    const { body } = await wireOf(
      ({ transactions }) => transactions.createPix(aPix({ amount: 4200 }), { extraBody: { channel: "app" } }),
      options,
    );

    expect(body).toMatchObject({ amount: 4200, channel: "app" });
    const { postbackUrl } = body as { postbackUrl: string };
    expect(await signer.verify(postbackUrl, { externalRef: "order-1", amount: 4200 })).toEqual({
      amountMatches: true,
    });
  });

  test("leaves a create without a postback URL alone, and without a reference", async () => {
    const { body } = await wireOf(
      ({ transactions }) => transactions.createPix(aPix({ externalRef: undefined })),
      { postbackSigner: signer },
    );

    expect(body).not.toHaveProperty("postbackUrl");
  });
});

describe("nothing is sent, and nobody charged,", () => {
  async function refused(params: Parameters<typeof aPix>[0], postbackSigner: object, more: object = {}) {
    const { baseUrl, arrivals } = await startServer(created());
    const { payments, events } = merchantAt(baseUrl, {
      ...options,
      postbackSigner: postbackSigner as never,
      ...more,
    });
    const error = await failureOf(payments.transactions.createPix(aPix(params)));
    expect(arrivals).toEqual([]);
    expect(error).toMatchObject({ outcome: "not_sent", endpoint: "transactions.create" });
    expect(eventsOf(events, "error")).toMatchObject([{ error }]);
    return error;
  }

  test("where the URL would be signed, and there is no reference to sign", async () => {
    const error = await refused({ externalRef: undefined }, signer);

    expect((error as InvalidRequestError).issues).toEqual([
      { field: "externalRef", message: "is required, because the signed postback URL names it" },
    ]);
  });

  test("where the signed URL would be too long, by so much", async () => {
    const error = await refused({ postbackUrl: `https://loja.example/${"p".repeat(2_000)}` }, signer);

    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toMatch(
      /postbackUrl has 2\d\d\d characters once it is signed, \d+ more than maxLength allows \(2048\)/,
    );
    expect(error.externalRef).toBe("order-1");
  });

  test.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("the vault is sealed");
      },
    ],
    ["rejects", () => Promise.reject(new Error("the vault is sealed"))],
    ["rejects with nothing", () => Promise.reject(undefined)],
    ["gives no URL", async () => "postbacks"],
    ["gives a URL of another scheme", async () => "javascript:alert(1)"],
    ["gives an object", async () => new URL("https://loja.example")],
    ["gives nothing", async () => undefined],
  ])("where a signer of the merchant's own %s", async (_what, sign) => {
    const error = await refused({}, { sign });

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain("postbackSigner could not sign the postback URL.");
  });

  test("where it fails: the cause says why, without the URL", async () => {
    const sign = (url: string) => Promise.reject(new Error(`the vault is sealed, so not ${url}`));

    const { cause } = await refused({}, { sign });

    expect(cause).toMatchObject({ message: "the vault is sealed, so not [redacted]" });
  });

  test("where it does not end in time", async () => {
    const error = await refused({}, { sign: () => new Promise(() => undefined) }, { timeout: 30 });

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.cause).toMatchObject({ message: "sign() took longer than 30 ms" });
  });

  test("where the caller ends a signing that does not end", async () => {
    const controller = new AbortController();
    const { baseUrl, arrivals } = await startServer(created());
    const sign = () => {
      setTimeout(() => controller.abort(), 10);
      return new Promise<string>(() => undefined);
    };
    const { payments } = merchantAt(baseUrl, { ...options, postbackSigner: { sign }, timeout: 60_000 });

    const error = await failureOf(payments.transactions.createPix(aPix(), { signal: controller.signal }));

    expect(error).toMatchObject({ code: "aborted", outcome: "not_sent" });
    expect(arrivals).toEqual([]);
  });

  test("where the caller had ended it before, and nothing is signed either", async () => {
    const sign = vi.fn(async (url: string) => url);
    const { payments } = merchantAt("http://127.0.0.1:9", { ...options, postbackSigner: { sign } });

    const error = await failureOf(payments.transactions.createPix(aPix(), { signal: AbortSignal.abort() }));

    expect(error).toMatchObject({ code: "aborted", outcome: "not_sent" });
    expect(sign).not.toHaveBeenCalled();
  });

  test("where the call is aborted while it is signed", async () => {
    const controller = new AbortController();
    const { baseUrl, arrivals } = await startServer(created());
    const sign = async (url: string) => {
      controller.abort();
      return url;
    };
    const { payments } = merchantAt(baseUrl, { ...options, postbackSigner: { sign } });

    const error = await failureOf(payments.transactions.createPix(aPix(), { signal: controller.signal }));

    expect(error).toMatchObject({ code: "aborted", outcome: "not_sent" });
    expect(arrivals).toEqual([]);
  });
});

test("options that change while the URL is signed change nothing", async () => {
  const headers: Record<string, string> = { "x-order": "a" };
  const { baseUrl, arrivals } = await startServer(created());
  const { payments } = merchantAt(baseUrl, options);

  const call = payments.transactions.createPix(aPix(), { headers });
  headers["x-order"] = "b";
  await call;

  expect(arrivals.map(({ headers: sent }) => sent["x-order"])).toEqual(["a"]);
});

test("a parameter that changes while the URL is signed changes nothing", async () => {
  const params = aPix();
  const sign = async (url: string) => {
    params.amount = 1;
    return url;
  };

  const { body } = await wireOf(({ transactions }) => transactions.createPix(params), {
    ...options,
    postbackSigner: { sign },
  });

  expect(body).toMatchObject({ amount: 1990 });
});

test.each([null, "key", {}, { sign: "x" }])(
  "a signer that is none is refused at once: %j",
  (postbackSigner) => {
    const error = thrownBy(() => new PaymentsClient({ postbackSigner: postbackSigner as never }));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain("postbackSigner must be a PostbackUrlSigner.");
  },
);

describe("the signed URL, which is a credential,", () => {
  const shownBy = (...values: unknown[]) =>
    values
      .map((value) => inspect(value, { depth: 9, showHidden: true, getters: true }) + JSON.stringify(value))
      .join();

  test("is in no event and no error, also where the service repeats it", async () => {
    let url = "";
    const sign = async (...given: Parameters<typeof signer.sign>) => {
      url = await signer.sign(...given);
      return url;
    };
    const events: PaymentsEvent[] = [];
    const echoing = await startServer(async ({ response, whole }) => {
      await whole;
      response
        .writeHead(400, { "x-request-id": url.slice(url.indexOf("pbsig=") + 6) })
        .end(JSON.stringify({ message: url, errors: [{ field: url, message: `bad ${url}` }] }));
    });
    const ends = [echoing.baseUrl, (await startServer(resetAfterReading)).baseUrl, await closedBaseUrl()];

    for (const baseUrl of ends) {
      const { payments } = merchantAt(baseUrl, {
        ...options,
        postbackSigner: { sign },
        onEvent: (event) => events.push(event),
      });
      const error = await failureOf(payments.transactions.createPix(aPix()));

      const token = new URL(url).searchParams.get("pbsig") ?? "";
      expect(shownBy(error, error.cause, events)).not.toContain(token.slice(-43));
    }
    expect(events.length).toBeGreaterThan(3);
  });

  test("is struck out also without its query, which may lead to an address that nobody should know", async () => {
    const echoing = await startServer(text(400, "cannot reach https://loja.example/c4nary"));
    const { payments } = merchantAt(echoing.baseUrl, {
      postbackUrl: "https://loja.example/c4nary",
      postbackSigner: signer,
    });

    const error = await failureOf(payments.transactions.createPix(aPix()));

    expect(shownBy(error)).not.toContain("c4nary");
  });

  test("is not shown by what a create gives, though it can be read there", async () => {
    const { baseUrl } = await startServer(async ({ request: _request, response, whole }) => {
      await whole;
      response.writeHead(201).end(
        JSON.stringify({
          data: {
            id: 7,
            amount: 1990,
            postBackUrl: "https://loja.example/p?pbsig=eyJc4nary",
            pix: { qrcodeText: "000201" },
          },
        }),
      );
    });
    const { payments } = merchantAt(baseUrl, options);

    const pix = await payments.transactions.createPix(aPix());

    expect(pix.postBackUrl).toContain("c4nary");
    expect(inspect(pix)).not.toContain("c4nary");
  });
});

describe("a postback URL gives a warning", () => {
  const warningsOf = async (postbackUrl: string, more: object = {}) =>
    (await wireOf(({ transactions }) => transactions.createPix(aPix({ postbackUrl })), more)).warnings;
  const base = "https://loja.example/";

  test.each([
    [255, []],
    [256, ["postbackUrl has 256 characters; above 255 a service may not keep all of them"]],
  ])("of %d characters: %j", async (length, warnings) => {
    expect(await warningsOf(base.padEnd(length, "p"))).toEqual(warnings);
  });

  test("that counts the signature", async () => {
    const [warning] = await warningsOf(base.padEnd(200, "p"), { postbackSigner: signer });

    expect(warning).toMatch(/^postbackUrl has 3\d\d characters/);
  });

  test.each([
    ["http://loja.example/p", "is http, so anybody on the way can read it"],
    ["http://localhost:3000/p", "is a loopback address, which the service cannot reach"],
    ["https://127.0.0.1/p", "is a loopback address, which the service cannot reach"],
  ])("%s", async (url, message) => {
    expect(await warningsOf(url, { postbackSigner: signer })).toEqual([`postbackUrl ${message}`]);
  });
});
