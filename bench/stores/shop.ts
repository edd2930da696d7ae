import { PaymentsClient } from "payments-sdk";
import { PUBLIC_KEY, SECRET_KEY } from "../support/keys.ts";
import { anOrder } from "../support/orders.ts";
import { type CountedStore, counted } from "./counted.ts";
import type { OpenStore } from "./open-stores.ts";

/** Every shop has its own, so that no create is a repeat of another. */
let orders = 0;

/** A client with one of the stores. */
export class Shop {
  readonly name: string;
  readonly #payments: PaymentsClient;
  readonly #counted: CountedStore;
  readonly #roundTrips: (() => number) | undefined;

  constructor(baseUrl: string, { name, store, roundTrips }: OpenStore) {
    this.name = name;
    this.#counted = counted(store);
    this.#roundTrips = roundTrips;
    this.#payments = new PaymentsClient({
      baseUrl,
      publicKey: PUBLIC_KEY,
      secretKey: SECRET_KEY,
      idempotency: this.#counted.store,
      onEvent: () => undefined, // which keeps the warning of the memory store from the terminal
    });
  }

  /** Milliseconds from the first of so many creates to the last. */
  async createMany(count: number, atATime: number): Promise<number> {
    let begun = 0;
    const lane = async () => {
      while (begun < count) {
        begun += 1;
        orders += 1;
        await this.#payments.transactions.create(anOrder("card", orders));
      }
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: atATime }, lane));
    return performance.now() - start;
  }

  /** What a create asks of the store, and the store of its server. */
  async usage(
    count: number,
  ): Promise<{ readonly operations: number; readonly roundTrips: number | undefined }> {
    this.#counted.takeCount();
    const before = this.#roundTrips?.();
    await this.createMany(count, 1);
    const after = this.#roundTrips?.();
    const operations = this.#counted.takeCount() / count;
    const trips = after === undefined || before === undefined ? undefined : (after - before) / count;
    return { operations, roundTrips: trips };
  }
}
