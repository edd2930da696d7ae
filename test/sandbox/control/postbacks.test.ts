import type { SandboxOptions } from "payments-sdk/sandbox/server";
import { describe, expect, test } from "vitest";
import { controlOf } from "../support/control.ts";
import { start } from "../support/running.ts";
import { aGuidePix, aPix, merchantOf } from "../support/wire.ts";

/** A sandbox with one pix, whose postbacks go to the sandbox's own inbox. */
async function open(options: SandboxOptions = {}, pix = aPix) {
  const sandbox = await start(options);
  const inbox = `${sandbox.baseUrl}/sandbox/inbox`;
  const { create } = merchantOf(sandbox.gateway);
  await create(pix({ postbackUrl: inbox }));
  const id = sandbox.gateway.transactions.at(-1)?.id ?? 0;
  return { ...sandbox, id, inbox, create, control: controlOf(sandbox) };
}

describe("POST transactions/<id>/postback", () => {
  test("posts the present status, though nothing changed", async () => {
    const { control, id, gateway, inbox } = await open();

    const { status, body } = await control("POST", `transactions/${id}/postback`);
    await gateway.settled();

    expect(status).toBe(200);
    expect(body.transaction).toMatchObject({ id, status: "pending" });
    expect(body.deliveries).toMatchObject([
      { id: 1, transactionId: id, url: inbox, body: { status: "pending" } },
    ]);
    expect(gateway.deliveries).toMatchObject([{ status: "delivered", attempts: [{ status: 204 }] }]);
  });

  test("without a postback URL is a 409", async () => {
    const { control, create, gateway } = await open();
    await create(aGuidePix());

    const { status, body } = await control("POST", "transactions/latest/postback");

    expect([status, body]).toEqual([
      409,
      { success: false, message: expect.stringMatching(/: it has no postback URL\.$/) },
    ]);
    expect(gateway.deliveries).toEqual([]);
  });
});

describe("GET deliveries", () => {
  test("lists them newest first, with their attempts", async () => {
    const { control, id, gateway } = await open();
    gateway.pay(id);
    gateway.refund(id);
    await gateway.settled();

    const { status, body } = await control("GET", "deliveries");

    expect(status).toBe(200);
    expect(body).toEqual({ deliveries: gateway.deliveries.toReversed() });
    expect(body.deliveries).toMatchObject([
      { id: 2, status: "delivered", body: { id, status: "refunded" }, attempts: [{ status: 204, body: "" }] },
      { id: 1, status: "delivered", body: { id, status: "approved" }, attempts: [{ status: 204, body: "" }] },
    ]);
  });

  test("lists the 100 newest", async () => {
    const { control, id, gateway } = await open({ postbacks: { fetch: async () => new Response() } });
    for (let count = 0; count < 103; count += 1) gateway.sendPostback(id);

    const { deliveries } = (await control("GET", "deliveries")).body;

    expect(deliveries).toHaveLength(100);
    expect([deliveries[0].id, deliveries[99].id]).toEqual([103, 4]);
  });
});

describe("POST deliveries/<id>/resend", () => {
  test("delivers the same body again, as a delivery of its own", async () => {
    const { control, id, gateway } = await open();
    gateway.pay(id);
    gateway.refund(id);
    await gateway.settled();
    const [first] = gateway.deliveries;

    const { status, body } = await control("POST", "deliveries/1/resend");
    await gateway.settled();

    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 3, transactionId: id, body: first?.body });
    expect(gateway.deliveries.at(-1)).toMatchObject({ id: 3, status: "delivered", body: first?.body });
  });

  test.each(["2", "0", "-1", "latest", "1.5"])("of %s, which there is not, is a 404", async (id) => {
    const { control, gateway, id: pix } = await open();
    gateway.pay(pix);

    const { status, body } = await control("POST", `deliveries/${id}/resend`);

    expect([status, body]).toEqual([
      404,
      { success: false, message: expect.stringMatching(/^There is no postback .+\.$/) },
    ]);
    expect(gateway.deliveries).toHaveLength(1);
  });
});
