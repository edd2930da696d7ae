import { expect } from "vitest";
import type { Schema } from "./schema.ts";

/** Resolves when so many statements of the schema wait for another transaction. Returns their process ids. */
export async function waitingFor(schema: Schema, count: number): Promise<readonly number[]> {
  const client = await schema.client();
  const pids = async () => {
    const { rows } = await client.query(
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = $1",
      [schema.name],
    );
    return rows.map(({ pid }) => Number(pid));
  };
  await expect.poll(pids, { interval: 5 }).toHaveLength(count);
  return pids();
}
