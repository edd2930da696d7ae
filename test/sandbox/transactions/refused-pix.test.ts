import { createGateway } from "payments-sdk/sandbox";
import { describe, expect, test } from "vitest";
import { aCardPayment, aPix, bodyOf, merchantOf } from "../support/wire.ts";

const FAULT = { on: "transactions.create", kind: "pix_refused" } as const;

describe("the fault pix_refused", () => {
  test("refuses one pix, which is recorded and cannot be paid", async () => {
    const gateway = createGateway();
    const { create } = merchantOf(gateway);
    gateway.faults.add(FAULT);

    const { data } = await bodyOf(await create(aPix()));
    const next = await bodyOf(await create(aPix()));

    expect(data).toMatchObject({ status: "refused", refusedReason: expect.any(String), refusedAmount: 0 });
    expect(data).not.toHaveProperty("pix");
    expect(data).not.toHaveProperty("fault");
    expect(gateway.transactions[0]).toMatchObject({ id: data.id, status: "refused", fault: "pix_refused" });
    expect(gateway.requests[0]).toMatchObject({ transactionId: data.id, fault: "pix_refused", status: 201 });
    expect(() => gateway.pay(data.id)).toThrow("it is refused");
    expect(next.data).toMatchObject({ status: "pending", pix: {} });
    expect(gateway.chargesFor("order-1").map(({ id }) => id)).toEqual([next.data.id]);
  });

  test("is kept by a card payment and by a request that is not valid", async () => {
    const gateway = createGateway();
    const { create, token } = merchantOf(gateway);
    gateway.faults.add(FAULT);

    await create(aCardPayment(await token()));
    await create(aPix({ amount: 0 }));

    expect(gateway.faults.armed).toMatchObject([FAULT]);
    expect((await bodyOf(await create(aPix()))).data.status).toBe("refused");
  });

  test("and the next fault apply to one call each, in order", async () => {
    const gateway = createGateway();
    const { create } = merchantOf(gateway);
    for (const kind of ["charged_then_500", "pix_refused", "charged_then_500"] as const) {
      gateway.faults.add({ ...FAULT, kind });
    }

    const statuses = [];
    for (let call = 0; call < 3; call += 1) statuses.push((await create(aPix())).status);

    expect(statuses).toEqual([500, 201, 500]);
    expect(gateway.transactions.map(({ status }) => status)).toEqual(["pending", "refused", "pending"]);
  });
});
