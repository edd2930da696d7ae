import { ConfigurationError, PaymentsClient } from "payments-sdk";
import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";
import { aPix, failureOf, merchantAt, thrownBy } from "../../support/merchant.ts";
import { sentRequest } from "../../support/start-merchant.ts";

/** What a URL parser makes of a URL is not always what was typed. */
const UNCHANGED = [
  "HTTPS://Loja.Example:443/a/../b/./c?x=1&x=2#f",
  "http://user:word@10.0.0.1:8080/p?q=%00%0a%5c",
  "https://[2001:db8::1]/p",
  "https://café.example./pedidos/ação?emoji=💳",
  "https://xn--caf-dma.example/a|b^c`d{e}\"f'?next=https://other.example//a",
];

const TRIMMED = [" ", "\r\n", "\u00a0", "\u202f", "\ufeff", "\u200b", "\u00ad"];

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
const sign = (url: string) => signer.sign(url, { externalRef: "order-1", amount: 1 });

describe("a postback URL is sent exactly as it was checked", () => {
  test.each([
    ...UNCHANGED.map((url) => [url, url]),
    ...TRIMMED.map((space) => [`${space}https://loja.example/p${space}${space}`, "https://loja.example/p"]),
  ])("%j is sent as %j, whichever way it is passed", async (url = "", expected) => {
    const params = aPix({ postbackUrl: undefined });
    const sent = await Promise.all([
      sentRequest(({ transactions }) => transactions.createPix({ ...params, postbackUrl: url })),
      sentRequest(({ transactions }) => transactions.createPix(params), { postbackUrl: url }),
      sentRequest(({ transactions }) => transactions.createPix(aPix()), {
        postbackSigner: { sign: async () => url },
      }),
    ]);

    expect(sent).toMatchObject(Array(3).fill({ body: { postbackUrl: expected } }));
    expect((await sign(url)).replace(/[?&]pbsig=[\w.-]+/, "")).toBe(expected);
  });

  test("any other URL is refused as a parameter, as the default, by the signer and from a signer", async () => {
    for (const url of REFUSED) {
      const { payments } = merchantAt("https://pay.example", { postbackSigner: { sign: async () => url } });

      const asParameter = await failureOf(payments.transactions.createPix(aPix({ postbackUrl: url })));
      const fromSigner = await failureOf(payments.transactions.createPix(aPix()));
      const asDefault = thrownBy(() => new PaymentsClient({ postbackUrl: url }));

      expect(asParameter, url).toMatchObject({ code: "invalid_request", outcome: "not_sent" });
      expect(fromSigner, url).toMatchObject({ code: "configuration", outcome: "not_sent" });
      expect(await failureOf(sign(url)), url).toMatchObject({ issues: [{ field: "postbackUrl" }] });
      expect(asDefault, url).toBeInstanceOf(ConfigurationError);
    }
  });
});

test("a base URL has no characters that a parser removes or changes, except around it", () => {
  for (const character of INSIDE) {
    for (const baseUrl of [`https://pay${character}.example`, `https://pay.example/a${character}b`]) {
      expect(thrownBy(() => new PaymentsClient({ baseUrl })).message).toContain("must be an absolute URL");
    }
  }
  for (const space of TRIMMED) new PaymentsClient({ baseUrl: `${space}https://pay.example${space}` });
});
