import { ConfigurationError, PaymentsClient, type PaymentsClientOptions } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aCardPayment, aPix, eventsOf, thrownBy } from "../support/merchant.ts";
import { aCardData, created } from "../support/service-responses.ts";
import { startMerchant } from "../support/start-merchant.ts";

const NONE = { metadata: undefined, traceable: undefined } as object;
const defaults = { metadata: { shop: 7 }, traceable: true, pix: { expiresInDays: 3 } };

const bodiesOf = (arrivals: readonly { readonly body: string }[]) =>
  arrivals.map(({ body }) => JSON.parse(body));

describe("what a create call leaves out is taken from the defaults of its client", () => {
  test("for a pix", async () => {
    const { payments, arrivals, events } = await startMerchant(created(), { defaults });

    await payments.transactions.createPix(aPix({ ...NONE, pix: undefined }));
    await payments.transactions.create({ ...aPix({ ...NONE, pix: {} }), paymentMethod: "pix" });

    const expected = { metadata: '{"shop":7}', traceable: true, pix: { expiresInDays: 3 } };
    expect(bodiesOf(arrivals)).toMatchObject([expected, expected]);
    expect(eventsOf(events, "warning")).toEqual([]);
  });

  test("for a card, except pix", async () => {
    const { payments, arrivals } = await startMerchant(created(aCardData()), { defaults });

    await payments.transactions.createCard(aCardPayment(NONE));

    expect(bodiesOf(arrivals)).toMatchObject([{ metadata: '{"shop":7}', traceable: true }]);
    expect(bodiesOf(arrivals)[0]).not.toHaveProperty("pix");
  });

  test("but what the call has wins, and its metadata replaces the default", async () => {
    const { payments, arrivals } = await startMerchant(created(), { defaults });
    const own = { metadata: { cart: 1 }, traceable: false, pix: { expiresInDays: 1 } };

    await payments.transactions.createPix(aPix(own));

    expect(bodiesOf(arrivals)).toMatchObject([{ ...own, metadata: '{"cart":1}' }]);
  });

  test("as they were when the client was created", async () => {
    const changing = { metadata: { shop: 7 }, pix: { expiresInDays: 3 } };
    const { payments, arrivals } = await startMerchant(created(), { defaults: changing });
    changing.metadata.shop = 8;
    changing.pix.expiresInDays = 9;

    await payments.transactions.createPix(aPix({ ...NONE, pix: undefined }));

    expect(bodiesOf(arrivals)).toMatchObject([{ metadata: '{"shop":7}', pix: { expiresInDays: 3 } }]);
    expect(bodiesOf(arrivals)[0]).not.toHaveProperty("traceable");
  });
});

const THROWING = Object.defineProperty({}, "traceable", { enumerable: true, get: () => JSON.parse("{") });

test.each<[unknown, string]>([
  [{ traceable: "yes" }, "defaults.traceable must be true or false"],
  [{ metadata: 7 }, "defaults.metadata must be an object, or a string of JSON"],
  [{ pix: { expiresInDays: 0 } }, "defaults.pix.expiresInDays must be one or more"],
  [{ pix: { expireInDays: 1 } }, "defaults.pix.expireInDays is not an option (did you mean expiresInDays?)"],
  [{ tracable: true }, "defaults.tracable is not an option (did you mean traceable?)"],
  [{ amount: 1 }, "defaults.amount is not an option"],
  [null, "defaults must be an object"],
  [{ traceable: 1, metadata: 1 }, "or a string of JSON; defaults.traceable must"],
  [THROWING, "defaults.traceable could not be read"],
])("invalid defaults are refused (%#) when the client is created", (invalid, message) => {
  const error = thrownBy(() => new PaymentsClient({ defaults: invalid } as PaymentsClientOptions));

  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.message).toContain(message);
});
