import {
  type CardTransaction,
  type CreateCardParams,
  type CreateDefaults,
  PaymentsClient,
  type PaymentsClientOptions,
  type PaymentsPromise,
} from "payments-sdk";
import { assertType, expectTypeOf, test } from "vitest";

declare const cardParams: CreateCardParams;
declare const order: Omit<CreateCardParams, "metadata" | "traceable">;

const without = new PaymentsClient();
const both = new PaymentsClient({ defaults: { metadata: {}, traceable: true } });
const onlyTraceable = new PaymentsClient({ defaults: { traceable: true } });

test("a card payment may leave out exactly what the defaults of its client contain", () => {
  const { traceable, metadata } = cardParams;

  expectTypeOf(both.transactions.createCard(order)).toEqualTypeOf<PaymentsPromise<CardTransaction>>();
  both.transactions.create({ ...order, paymentMethod: "credit_card" }).catch(() => undefined);
  both.transactions.createCard({ ...order, metadata: undefined, traceable: false }).catch(() => undefined);
  onlyTraceable.transactions.createCard({ ...order, metadata }).catch(() => undefined);
  // @ts-expect-error metadata is not in the defaults
  onlyTraceable.transactions.createCard(order).catch(() => undefined);
  // @ts-expect-error the client has no defaults
  without.transactions.createCard(order).catch(() => undefined);
  // @ts-expect-error the client has no defaults
  without.transactions.create({ ...order, paymentMethod: "credit_card" }).catch(() => undefined);
  // @ts-expect-error the client has no default for metadata
  without.transactions.createCard({ ...order, traceable }).catch(() => undefined);
  // @ts-expect-error traceable is a boolean
  both.transactions.createCard({ ...order, traceable: "yes" }).catch(() => undefined);
  // @ts-expect-error an unknown parameter
  both.transactions.createCard({ ...order, tracable: true }).catch(() => undefined);
});

test("defaults that may be missing do not make a parameter optional", () => {
  const settings: CreateDefaults = { traceable: true, metadata: {} };
  const options: PaymentsClientOptions = { defaults: settings };

  // @ts-expect-error the type of the defaults does not say that they are there
  new PaymentsClient({ defaults: settings }).transactions.createCard(order).catch(() => undefined);
  // @ts-expect-error nor does the type of the options
  new PaymentsClient(options).transactions.createCard(order).catch(() => undefined);
  const missing = new PaymentsClient({ defaults: { traceable: undefined, metadata: {} } });
  // @ts-expect-error undefined is no default
  missing.transactions.createCard(order).catch(() => undefined);
  const isTest = Math.random() > 0.5;
  const either = new PaymentsClient({ defaults: isTest ? { metadata: {} } : { traceable: true } });
  // @ts-expect-error each has only one of them
  either.transactions.createCard(order).catch(() => undefined);
  const bothOrNone = new PaymentsClient({ defaults: isTest ? { metadata: {}, traceable: true } : {} });
  // @ts-expect-error one of them is empty
  bothOrNone.transactions.createCard(order).catch(() => undefined);
  const always = new PaymentsClient({
    defaults: { traceable: true, metadata: isTest ? { shop: 1 } : "test" },
  });
  always.transactions.createCard(order).catch(() => undefined);
});

test("unknown defaults and wrong types do not compile", () => {
  // @ts-expect-error a typo
  new PaymentsClient({ defaults: { tracable: true } });
  // @ts-expect-error a typo beside a known name
  new PaymentsClient({ defaults: { traceable: true, metdata: {} } });
  // @ts-expect-error amount is not a default
  new PaymentsClient({ defaults: { amount: 1 } });
  // @ts-expect-error traceable is a boolean
  new PaymentsClient({ defaults: { traceable: "yes" } });
  // @ts-expect-error a typo in pix
  new PaymentsClient({ defaults: { pix: { expireInDays: 1 } } });
});

test("a client with defaults is a PaymentsClient, and a subclass can have them", () => {
  class Shop extends PaymentsClient<{ traceable: boolean; metadata: object }> {
    constructor() {
      super({ defaults: { traceable: true, metadata: {} } });
    }
  }
  class Plain extends PaymentsClient {}
  const options: PaymentsClientOptions = {};

  assertType<PaymentsClient>(both);
  assertType<PaymentsClient>(new PaymentsClient(options));
  assertType<PaymentsClient>(new Shop());
  assertType<PaymentsClient>(new Plain(options));
  assertType<(payments: PaymentsClient) => void>((payments) => payments.transactions.createCard(cardParams));
  new Shop().transactions.createCard(order).catch(() => undefined);
  // @ts-expect-error without defaults, both parameters are required
  new Plain().transactions.createCard(order).catch(() => undefined);
});
