import { join } from "node:path";
import { PaymentsClient } from "payments-sdk";
import { sqliteStore } from "payments-sdk/idempotency";
import { createGateway } from "payments-sdk/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { aPix } from "../../support/merchant.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Separated by spaces, and those with one. */
const SENT = [
  ..."💳 👩‍👩‍👧‍👦🏽 🇧🇷 ação ac\u0327a\u0303o AÇÃO Z\u0351\u036ba\u0329l\u0348g\u0321o مرحبا\u200f \u202eedoc 日本語 Ω \u2126 ſ ß ẞ ı İ ﬁ fi １ 1".split(
    " ",
  ),
  ..."a A a\u00a0 a\u200b a\u00ad \ufeffa a\u2028b a\ufffd a\uffff \u{10ffff} a\\ %s%n a%00b {0} {{7*7}} $(id) `id` % _ * ?".split(
    " ",
  ),
  ...'<script>alert(1)</script> <!-- ]]> &amp; ../../etc/passwd C:\\con javascript:0 http://a/?b=c#d a:b a/b {} [] "'.split(
    " ",
  ),
  ..."null undefined NaN true 0 -1 1e3 0x1 __proto__ constructor toString".split(" "),
  ...["a ", " a", "'; DROP TABLE orders;--", '" OR ""="', "[object Object]"],
];

/** A client of a sandbox, and what it sent. */
function start(options: object = {}) {
  const gateway = createGateway();
  const { baseUrl, secretKey, publicKey } = gateway;
  const sent: Record<string, unknown>[] = [];
  const fetch = (url: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)));
    return gateway.fetch(url, init);
  };
  return { sent, payments: new PaymentsClient({ baseUrl, secretKey, publicKey, fetch, ...options }) };
}

test("any text is sent as it is, and its echo is the same text", async () => {
  const { sent, payments } = start();

  for (const text of SENT) {
    const params = aPix({
      externalRef: text,
      customer: { ...aPix().customer, name: text },
      items: [{ title: text, unitPrice: 1990, quantity: 1, tangible: false }],
      metadata: { text, [text]: 1 },
    });
    const { externalId, customer } = await payments.transactions.createPix(params);

    expect([externalId, customer?.name]).toEqual([text, text]);
    expect(sent.at(-1)).toMatchObject({
      externalRef: text,
      customer: { name: text },
      items: [{ title: text }],
    });
    expect(Object.entries(JSON.parse(String(sent.at(-1)?.["metadata"])))).toContainEqual([text, 1]);
  }
});

test("each reference is an order of its own in a store, however similar it looks, and is replayed as such", async () => {
  const store = sqliteStore(join(temporaryFolder(), "store.db"));
  onTestFinished(() => store.close());
  const { sent, payments } = start({ idempotency: store });
  const create = async (externalRef: string) =>
    (await payments.transactions.createPix(aPix({ externalRef }))).id;

  const ids: number[] = [];
  for (const text of SENT) ids.push(await create(text));
  const replayed: number[] = [];
  for (const text of SENT) replayed.push(await create(text));

  expect(new Set(ids).size).toBe(SENT.length);
  expect(replayed).toEqual(ids);
  expect(sent).toHaveLength(SENT.length);
});
