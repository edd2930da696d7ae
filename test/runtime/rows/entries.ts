import type { Proofs } from "../matrix/row.ts";

/** What works on every runtime. `idempotency` is its `memoryStore`, which needs nothing. */
export const NEUTRAL = ["payments-sdk", "browser", "postbacks", "idempotency", "sandbox"] as const;

/** What has to pass where there is no Node: the store that needs it says so. */
export const PASSES_WITHOUT_NODE = [...NEUTRAL, "no sqliteStore"] as const;

/** What works where the modules of Node are offered. */
export const WITH_NODE = [...NEUTRAL, "node", "sqliteStore", "sandbox/server"] as const;

/** What works on Node itself: msw intercepts nothing elsewhere. */
export const ON_NODE = [...WITH_NODE, "msw"] as const;

/** What Node can prove, and Bun. */
export const PROVES_ALL: Proofs = { fetch: "not_sent", nodeTransport: "not_sent" };

/** What the smoke test says of creates that cannot have left. */
export const saying = (proofs: Proofs): string[] =>
  Object.entries(proofs).map(
    ([way, outcome]) => `by ${way} a refused connection is ${outcome}, a wrong certificate ${outcome}`,
  );
