import { join } from "node:path";
import { PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { aPix } from "../../support/merchant.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Separated by spaces, and those with one. */
const TEXTS = [
  ..."💳 👩‍👩‍👧‍👦🏽 ação ac\u0327a\u0303o AÇÃO مرحبا\u200f \u202eedoc Ω \u2126 ſ ß ẞ ı İ ﬁ fi １ 1".split(
    " ",
  ),
  ..."a A a\u00a0 a\u200b a\u00ad \ufeffa a\u2028b a\ufffd a\uffff \u{10ffff} a\\ %s%n a%00b {{7*7}} $(id) % _ *".split(
    " ",
  ),
  ...'<script>alert(1)</script> <!-- &amp; ../../etc/passwd http://a/?b=c#d a:b a/b {} [] "'.split(" "),
  ..."null undefined NaN true 0 -1 1e3 0x1 __proto__ constructor toString".split(" "),
  ...["a ", " a", "'; DROP TABLE orders;--", '" OR ""="', "[object Object]"],
];

test("any text is sent and echoed as it is, and each reference is an order of its own in a store", async () => {
  const gateway = createGateway();
  const { baseUrl, secretKey, publicKey } = gateway;
  const idempotency = sqliteStore(join(temporaryFolder(), "store.db"));
  onTestFinished(() => idempotency.close());
  const sent: Record<string, unknown>[] = [];
  const fetch = (url: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)));
    return gateway.fetch(url, init);
  };
  const { transactions } = new PaymentsClient({ baseUrl, secretKey, publicKey, fetch, idempotency });
  const items = (title: string) => [{ title, unitPrice: 1990, quantity: 1, tangible: false }];
  const ids = [];

  for (const text of TEXTS) {
    const customer = { ...aPix().customer, name: text };
    const metadata = { text, [text]: 1 };
    const pix = await transactions.createPix(
      aPix({ externalRef: text, customer, items: items(text), metadata }),
    );

    ids.push(pix.id);
    expect([pix.externalId, pix.customer.name]).toEqual([text, text]);
    expect(sent.at(-1)).toMatchObject({
      externalRef: text,
      customer: { name: text },
      items: [{ title: text }],
    });
    expect(Object.entries(JSON.parse(String(sent.at(-1)?.["metadata"])))).toContainEqual([text, 1]);
  }
  expect(new Set(ids).size).toBe(TEXTS.length);

  const replayed = [];
  for (const externalRef of TEXTS) replayed.push((await transactions.createPix(aPix({ externalRef }))).id);
  expect(replayed).toEqual(ids);
  expect(sent).toHaveLength(TEXTS.length);
});
