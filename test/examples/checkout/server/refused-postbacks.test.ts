import { PostbackUrlSigner } from "payments-sdk/postbacks";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type OpenedShop, openShop } from "../support/open-shop.ts";
import { type Charge, orderPix, send, sendPostback, signatureIn } from "../support/postbacks.ts";

afterEach(() => vi.unstubAllEnvs());

const SECRET = "the merchant's own, of 32 bytes and more";

const signedWith = (secret: string, { url, externalRef }: Charge, amount = 9000) =>
  new PostbackUrlSigner({ keys: [{ kid: "1", secret }] }).sign(url, { externalRef, amount });

/** A shop whose secret the test knows, and a pix in it. */
async function openPix() {
  vi.stubEnv("PAYMENTS_POSTBACK_SECRET", SECRET);
  const opened = await openShop();
  return { opened, pix: await orderPix(opened) };
}

describe("a postback changes nothing", () => {
  test.each([
    ["another transaction", { id: 1 }, 500],
    ["another reference", { externalRef: "order-1" }, 401],
    ["no reference", { externalRef: undefined }, 401],
    ["another amount", { amount: 1 }, 200],
    ["the end of another amount", { status: "expired", amount: 1 }, 200],
    ["no status", { status: undefined }, 400],
    ["an envelope", { data: {}, id: "x" }, 400],
  ])("about %s", async (_what, changes, status) => {
    const { opened, pix } = await openPix();

    const answer = await sendPostback(pix, changes);

    expect(answer.status).toBe(status);
    expect(await opened.state()).toBe("pix");
  });

  test.each([["not JSON"], ["[]"], [""], ["<html>"], ['{"__proto__":{"status":"approved"}}']])(
    "that is %j",
    async (body) => {
      const { opened, pix } = await openPix();

      expect((await send(pix.url, body)).status).toBe(400);
      expect(await opened.state()).toBe("pix");
    },
  );

  type Forge = (pix: Charge, opened: OpenedShop) => string | Promise<string>;

  test.each<[string, Forge, string]>([
    ["has no signature", ({ url }) => url.replace(/\?.*/, ""), "missing_signature"],
    ["has a shorter one", ({ url }) => url.slice(0, -1), "bad_signature"],
    [
      "has another one",
      ({ url }) => url.replace(/.(?=.$)/, (last) => (last === "A" ? "B" : "A")),
      "bad_signature",
    ],
    ["a forger signed", (pix) => signedWith("a forger's own, of 32 bytes and more", pix), "bad_signature"],
    [
      "is another order's",
      async (_, opened) => (await orderPix(opened, opened.shop.orders.create())).url,
      "other_order",
    ],
    ["was good once", (pix) => inThePast(() => signedWith(SECRET, pix)), "expired"],
  ])("to an address that %s", async (_which, forge, reason) => {
    const { opened, pix } = await openPix();

    const answer = await sendPostback({ ...pix, url: await forge(pix, opened) });

    expect(answer).toEqual({ status: 401, body: { error: "untrusted_postback", reason } });
    expect(await opened.state()).toBe("pix");
  });

  test("about an order that the shop does not know, and may come again", async () => {
    const { pix } = await openPix();
    const opened = await openShop(); // another one, with the same secret and no such order

    const sent = await sendPostback({ ...pix, url: pix.url.replace(/^http:\/\/[^/]+/, opened.shop.url) });

    expect(sent.status).toBe(500);
    expect(opened.log.join("\n")).toContain(`${pix.externalRef}: no such order`);
  });
});

test("whoever knows one order's address cannot keep a postback from another order", async () => {
  const { opened, pix } = await openPix();
  const other = opened.shop.orders.create();
  const victim = await orderPix(opened, other);

  const swapped = await sendPostback({ ...pix, id: victim.id });
  const own = await sendPostback(victim);

  expect([swapped.status, own.body.result]).toEqual([500, "handled"]);
  expect([await opened.state(), other.kind]).toEqual(["pix", "paid"]);
});

describe("of a postback that is not taken", () => {
  test.each([
    [
      "a reference that is not the address's",
      { externalRef: "forged\nline" },
      /postback got 401: .*other_order/,
    ],
    ["a body that is none", { id: "forged\nline" }, /postback got 400: .*id/],
    ["another transaction", { id: 1 }, /postback got 500: .*: transaction 1 is not its \d+/],
    ["an amount of its own", { amount: 1 }, /: another amount is approved/],
  ])("the log tells the reason and no more: %s", async (_what, changes, line) => {
    const { opened, pix } = await openPix();
    const before = opened.log.length;

    await sendPostback(pix, changes);

    expect(opened.log.slice(before)).toEqual([expect.stringMatching(line)]);
    expect(opened.log.join()).not.toMatch(/forged|\n/);
    expect(opened.log.join()).not.toContain(signatureIn(pix.url));
  });

  test("a probe is told what is wanted, and the log is left alone", async () => {
    const { opened, pix } = await openPix();
    const before = [...opened.log];

    const probed = await fetch(pix.url);

    expect([probed.status, probed.headers.get("allow")]).toEqual([405, "POST"]);
    expect(opened.log).toEqual(before);
  });

  test("too much is not read to its end, also where its length is not said", async () => {
    const { opened, pix } = await openPix();
    const body = new ReadableStream({ pull: (stream) => stream.enqueue(Buffer.alloc(1_000, " ")) }); // without end
    const request = { method: "POST", body, duplex: "half" }; // Node asks for it, and its types do not know it

    const answer = await fetch(pix.url, request);

    expect(answer.status).toBe(413);
    expect(await opened.state()).toBe("pix");
  });
});

/** What is done as if the year were 2020. */
async function inThePast<Result>(work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2020-01-01") });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
