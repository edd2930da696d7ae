import { inspect } from "node:util";
import { type PaymentsEvent, UnexpectedResponseError } from "payments-sdk";
import { memoryStore } from "payments-sdk/idempotency";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Reply, text } from "../../support/http-server.ts";
import { eventsOf, failureOf } from "../../support/merchant.ts";
import { aPixData, created, PIX_CODE } from "../../support/service-responses.ts";
import {
  alteredStore,
  byCard,
  byPix,
  heldReply,
  merchantWithStore,
  WITHOUT_CODE,
} from "../support/merchant-with-store.ts";

const REPLACE = { replaceLost: true };
const LOST: Reply = text(500, "no");
const SECOND = created(aPixData({ id: 4022 }));

test("a lost pix is created again with replaceLost, and a repeat gets the new one", async () => {
  const { payments, arrivals } = await merchantWithStore([LOST, SECOND]);
  await failureOf(byPix(payments));

  expect(await byPix(payments, REPLACE)).toMatchObject({ id: 4022, pix: { qrcodeText: expect.any(String) } });

  expect(await byPix(payments, REPLACE)).toMatchObject({ id: 4022 });
  expect(await byPix(payments)).toMatchObject({ id: 4022 });
  expect(arrivals).toHaveLength(2);
});

test("without the option, and for a card, an order whose outcome is unknown is not sent again", async () => {
  const { payments, arrivals } = await merchantWithStore([LOST]);
  await failureOf(byPix(payments));
  for (const options of [{}, { replaceLost: false }]) {
    const error = await failureOf(byPix(payments, options));
    expect(error).toMatchObject({ code: "outcome_pending", state: "unresolved" });
  }

  const store = memoryStore();
  const claimed = vi.fn(store.claim);
  const card = await merchantWithStore([LOST], { store: alteredStore({ claim: claimed }, store) });
  await failureOf(byCard(card.payments));
  expect(await failureOf(byCard(card.payments, REPLACE))).toMatchObject({ code: "outcome_pending" });

  expect([...arrivals, ...card.arrivals]).toHaveLength(2);
  expect(claimed.mock.calls.map(([, , options]) => options?.replaceLost)).toEqual([false, false]);
});

test("a pix that was created without its code is replaced, without a false alarm", async () => {
  const events: PaymentsEvent[] = [];
  const { payments } = await merchantWithStore([WITHOUT_CODE, SECOND], {
    onEvent: (event) => events.push(event),
  });
  expect(await failureOf(byPix(payments))).toMatchObject({ outcome: "created", transactionId: 4021 });
  expect(await failureOf(byPix(payments))).toMatchObject({ outcome: "created", transactionId: 4021 });

  expect(await byPix(payments, REPLACE)).toMatchObject({ id: 4022 });

  expect(events).not.toContainEqual(expect.objectContaining({ type: "warning", field: "externalRef" }));
});

test.each([
  ["pending", true],
  ["processing", false], // someone may be paying it
])("the error for a pix without its code that is %s names replaceLost: %s", async (status, isNamed) => {
  const { payments } = await merchantWithStore([created(aPixData({ pix: {}, status }))]);
  await failureOf(byPix(payments));

  expect((await failureOf(byPix(payments))).message.includes("replaceLost")).toBe(isNamed);
});

test("a call whose pix was replaced meanwhile does not return its code: the next call gets the other one", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { gate, held } = heldReply(created());
  const { payments, events, arrivals } = await merchantWithStore([held, SECOND]);
  const first = failureOf(byPix(payments));
  await vi.waitFor(() => expect(arrivals).toHaveLength(1));
  vi.advanceTimersByTime(36_000); // the clock of the store jumps beyond the lease
  expect(await byPix(payments, REPLACE)).toMatchObject({ id: 4022 });

  gate.open();
  const error = await first;

  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(error.toJSON()).toMatchObject({ outcome: "created", transactionId: 4021, externalRef: "order-1" });
  expect(inspect([error, events], { depth: 9 })).not.toContain(PIX_CODE);
  expect(eventsOf(events, "error").map((event) => event.error)).toEqual([error]);
  expect(await byPix(payments, REPLACE)).toMatchObject({ id: 4022 });
});
