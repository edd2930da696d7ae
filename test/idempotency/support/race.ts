import type { QueryingPostgresClient } from "payments-sdk/idempotency";

/** A client that can make two changes of a document begin at the same time, so that one of them must fail. */
export interface RacingClient extends QueryingPostgresClient {
  /** Holds the next change until another one begins. */
  race(): void;
}

export function racing(client: Pick<QueryingPostgresClient, "query">): RacingClient {
  let waiting: (() => void)[] | undefined;
  return {
    race: () => {
      waiting = [];
    },
    async query(text, values) {
      if (waiting !== undefined && text.includes("SET version")) {
        const both = waiting;
        if (both.length === 1) waiting = undefined;
        await new Promise<void>((resolve) => {
          both.push(resolve);
          if (both.length === 2) for (const start of both) start();
        });
      }
      return client.query(text, values);
    },
  };
}
