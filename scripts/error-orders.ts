import type { PaymentsError } from "payments-sdk";
import { aPix, create, errorOf, type Occasions, type Scene } from "./error-scene.ts";

const ANOTHER_PROCESS = {
  externalRef: aPix.externalRef,
  owner: "another",
  amount: 1990,
  paymentMethod: "pix",
} as const;

/** What an idempotency store ends a call with. */
export const occasionsOfOrders = {
  idempotency_conflict: [
    {
      when: "the payment that has the reference exists",
      provoke: async (scene) => {
        const client = scene.client({ idempotency: scene.store });
        await client.transactions.createPix(aPix);
        return errorOf(() => client.transactions.createPix({ ...aPix, amount: 2990 }));
      },
    },
    {
      when: "nobody knows what became of that payment",
      provoke: async (scene) => {
        const client = scene.broken("charged_then_reset", { idempotency: scene.store });
        await create(client);
        return errorOf(() => client.transactions.createPix({ ...aPix, amount: 2990 }));
      },
    },
  ],
  outcome_pending: [
    {
      when: "another call is under way",
      provoke: async (scene) => {
        await scene.store.claim(ANOTHER_PROCESS, 60_000);
        return create(scene.client({ idempotency: scene.store }));
      },
    },
    {
      when: "an earlier call ended without a known outcome",
      provoke: async (scene) => {
        const client = scene.broken("charged_then_reset", { idempotency: scene.store });
        await create(client);
        return create(client);
      },
    },
    {
      when: "`resolve()` of the store while a call may be under way",
      provoke: async (scene) => {
        await scene.store.claim(ANOTHER_PROCESS, 60_000);
        return errorOf(() => scene.store.resolve(aPix.externalRef, { charged: false }));
      },
    },
  ],
  idempotency_store_failed: [
    {
      when: "the store cannot be reached",
      provoke: (scene) => {
        const claim = () => Promise.reject(new Error("connect ECONNREFUSED"));
        return create(scene.client({ idempotency: { ...scene.store, claim } }));
      },
    },
    {
      when: "it could not record how a create ended: not thrown, an `error` event",
      byEvent: true,
      provoke: (scene) => recordLost(scene),
    },
  ],
} satisfies Occasions;

async function recordLost(scene: Scene): Promise<PaymentsError> {
  const told: PaymentsError[] = [];
  const end = () => Promise.reject(new Error("disk is full"));
  const client = scene.client({
    idempotency: { ...scene.store, end },
    onEvent: (event) => {
      if (event.type === "error") told.push(event.error);
    },
  });
  await client.transactions.createPix(aPix);
  return errorOf(() => {
    throw told[0];
  });
}
