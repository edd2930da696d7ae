import { describe, expect, test } from "vitest";
import { openSandbox } from "../support/control.ts";

describe("POST transactions/<id>/<move>", () => {
  test.each([
    ["pay", "approved"],
    ["expire", "expired"],
    ["cancel", "cancelled"],
  ])("%s of a pending pix makes it %s, and answers with its detail", async (move, status) => {
    const { control, aPixId } = await openSandbox();
    const id = await aPixId();

    const { body, ...answer } = await control("POST", `transactions/${id}/${move}`);

    expect(answer.status).toBe(200);
    expect(body.transaction).toMatchObject({ id, status });
    expect(body.moves).toEqual(status === "approved" ? ["refund"] : []);
    expect(body.deliveries).toMatchObject([{ transactionId: id, body: { id, status } }]);
  });

  test("chargeback of an approved card", async () => {
    const { control, aCardId } = await openSandbox();
    await aCardId();

    const { body } = await control("POST", "transactions/latest/chargeback");

    expect(body.transaction.status).toBe("chargedback");
  });

  test.each<[unknown, string, number]>([
    [undefined, "refunded", 1990],
    ["", "refunded", 1990],
    [{}, "refunded", 1990],
    [{ amount: 1990 }, "refunded", 1990],
    [{ amount: 490 }, "approved", 490],
  ])("refund with the body %j leaves it %s, with %i cents given back", async (body, status, refunded) => {
    const { control, aCardId } = await openSandbox();
    await aCardId();

    const answer = await control("POST", "transactions/latest/refund", body);

    expect(answer.status).toBe(200);
    expect(answer.body.transaction).toMatchObject({ status, refundedAmount: refunded });
  });

  test.each<[string, unknown, number, RegExp]>([
    ["refund", { amount: 0 }, 400, /whole number of cents/],
    ["refund", { amount: 1.5 }, 400, /whole number of cents/],
    ["refund", { amount: "490" }, 400, /amount must be a number of cents/],
    ["refund", { amount: null }, 400, /amount must be a number of cents/],
    ["refund", { cents: 490 }, 400, /cents is no field; known: amount/],
    ["refund", "{", 400, /must be a JSON object/],
    ["refund", [490], 400, /must be a JSON object/],
    ["refund", "null", 400, /must be a JSON object/],
    ["refund", { amount: 1991 }, 409, /only 1990 cents of it are left/],
    ["pay", { amount: 1990 }, 400, /amount is no field; known: none/],
    ["pay", undefined, 409, /cannot pay: it is approved/],
    ["expire", undefined, 409, /cannot expire: that is for a pix only/],
    ["cancel", undefined, 409, /cannot cancel: it is approved/],
  ])(
    "%s of an approved card with the body %j is a %i, and changes nothing",
    async (move, sent, status, message) => {
      const { control, aCardId, gateway } = await openSandbox();
      await aCardId();
      const before = gateway.transactions;

      const answer = await control("POST", `transactions/latest/${move}`, sent);

      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({ success: false, message: expect.stringMatching(message) });
      expect(gateway.transactions).toEqual(before);
    },
  );

  test.each(["pay", "expire", "refund", "chargeback", "cancel", "postback"])(
    "%s of what does not exist is a 404",
    async (move) => {
      const { control } = await openSandbox();

      const statuses = [
        (await control("POST", `transactions/latest/${move}`)).status,
        (await control("POST", `transactions/4021/${move}`)).status,
      ];

      expect(statuses).toEqual([404, 404]);
    },
  );
});
