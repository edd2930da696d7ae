import { ConfigurationError, PaymentsClient } from "payments-sdk";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";
import { aPix, failureOf, merchantAt, thrownBy } from "../../support/merchant.ts";
import { sentRequest } from "../../support/start-merchant.ts";

/** What a URL parser makes of a URL is not always what was typed. */
const UNCHANGED = [
  "https://loja.example",
  "HTTPS://Loja.Example:443/a/../b/./c?x=1&x=2#f",
  "http://user:word@10.0.0.1:8080/p?q=%00%0a%5c",
  "https://[2001:db8::1]/p",
  "https://café.example./pedidos/ação?emoji=💳",
  "https://xn--caf-dma.example/a|b^c`d{e}\"f'?next=https://other.example//a",
];

const TRIMMED = [" ", "\n", "\r\n", "\t", "\u00a0", "\u202f", "\u2028", "\ufeff", "\u200b", "\u00ad"];

/** A parser removes them, turns them into a slash, or writes them in another way. */
const INSIDE = [..." \t\n\r\0\u001f\u007f\u0085\u00a0\u2003\u200b\u2060\ufeff\u00ad\\\ud800"];

const NOT_A_URL = [
  ..."//loja.example/p https:loja.example https:/loja.example https:///loja.example https:// https://?x".split(
    " ",
  ),
  ..."https://loja.example:65536 https://[::1 https://a<b.example https://256.256.256.256 https://%00.example".split(
    " ",
  ),
  ..."loja.example/p data:text/plain,https://loja.example file:///etc/passwd".split(" "),
  ...["", "\0https://loja.example", "https://loja.example\u001f"],
];

const REFUSED = [
  ...NOT_A_URL,
  ...INSIDE.flatMap((character) => [
    `https://loja.example/a${character}b`,
    `https://loja${character}.example/`,
    `ht${character}tps://loja.example/`,
    `https:/${character}/loja.example/`,
  ]),
];

const signer = new PostbackUrlSigner({ keys: [{ kid: "k1", secret: "k".repeat(32) }] });

/** The postback URL that arrives, for each way to pass one. */
async function arrivals(url: string): Promise<unknown[]> {
  const params = aPix({ postbackUrl: undefined });
  const sent = await Promise.all([
    sentRequest(({ transactions }) => transactions.createPix({ ...params, postbackUrl: url })),
    sentRequest(({ transactions }) => transactions.createPix(params), { postbackUrl: url }),
    sentRequest(({ transactions }) => transactions.createPix(aPix()), {
      postbackSigner: { sign: async () => url },
    }),
  ]);
  const signed = await signer.sign(url, { externalRef: "order-1", amount: 1 });
  return [
    ...sent.map(({ body }) => (body as { postbackUrl: unknown }).postbackUrl),
    signed.replace(/[?&]pbsig=[\w.-]+/, ""),
  ];
}

describe("a postback URL is sent exactly as it was checked", () => {
  test.each(UNCHANGED)("%j is sent unchanged", async (url) => {
    expect(new Set(await arrivals(url))).toEqual(new Set([url]));
  });

  test.each(TRIMMED)("white space and invisible characters around it are removed: %j", async (space) => {
    const sent = await arrivals(`${space}https://loja.example/p${space}${space}`);

    expect(new Set(sent)).toEqual(new Set(["https://loja.example/p"]));
  });

  test("any other URL is refused as a parameter, as the default, by the signer and from a signer", async () => {
    const client = (url: string) => () => new PaymentsClient({ postbackUrl: url });
    for (const url of REFUSED) {
      const { payments } = merchantAt("https://pay.example", { postbackSigner: { sign: async () => url } });

      const asParameter = await failureOf(payments.transactions.createPix(aPix({ postbackUrl: url })));
      const fromSigner = await failureOf(payments.transactions.createPix(aPix()));
      const bySigner = await failureOf(signer.sign(url, { externalRef: "order-1", amount: 1 }));

      expect(asParameter, JSON.stringify(url)).toMatchObject({
        code: "invalid_request",
        outcome: "not_sent",
      });
      expect(fromSigner, JSON.stringify(url)).toMatchObject({ code: "configuration", outcome: "not_sent" });
      expect(bySigner, JSON.stringify(url)).toMatchObject({ issues: [{ field: "postbackUrl" }] });
      if (url !== "") expect(thrownBy(client(url)), JSON.stringify(url)).toBeInstanceOf(ConfigurationError);
    }
  });
});

describe("a base URL has no characters that a parser removes or changes", () => {
  test.each(INSIDE)("%j is refused", (character) => {
    for (const baseUrl of [`https://pay${character}.example`, `https://pay.example/a${character}b`]) {
      expect(thrownBy(() => new PaymentsClient({ baseUrl })).message).toContain("must be an absolute URL");
    }
  });

  test.each(TRIMMED)("%j around it is removed", (space) => {
    expect(new PaymentsClient({ baseUrl: `${space}https://pay.example${space}` })).toBeDefined();
  });
});
