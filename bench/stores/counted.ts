import type { PaymentsStore } from "payments-sdk/idempotency";

/** A store that counts what a create asks of it. */
export interface CountedStore {
  readonly store: PaymentsStore | undefined;
  /** Calls of `claim`, `renew` and `end`, since the count was last taken. */
  takeCount(): number;
}

export function counted(store: PaymentsStore | undefined): CountedStore {
  let count = 0;
  const takeCount = () => {
    const taken = count;
    count = 0;
    return taken;
  };
  if (store === undefined) return { store, takeCount };
  const counting =
    <Args extends readonly unknown[], Result>(operation: (...args: Args) => Result) =>
    (...args: Args): Result => {
      count += 1;
      return operation(...args);
    };
  const { claim, renew, end } = store;
  return {
    store: { ...store, claim: counting(claim), renew: counting(renew), end: counting(end) },
    takeCount,
  };
}
