import { once } from "node:events";
import { connect as connectTo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { Pool } from "pg";
import { onTestFinished } from "vitest";
import { sharedPostgres } from "../../../support/postgres-server.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import type { Schema } from "./schema.ts";

/** `before`: a statement does not arrive. `after`: it is done, and nobody hears of it. */
export type Cut = "before" | "after";

export interface CuttingProxy {
  readonly pool: Pool;
  /** The connection is cut at the next statement, or at one of those that follow it. */
  cutAt(when: Cut, statement?: number): Promise<void>;
  readonly cuts: () => number;
}

/** What the server says at the end of each statement. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

/** Stands between a pool and the server. Connections that are made after a cut are whole again. */
export async function cuttingProxy(schema: Schema): Promise<CuttingProxy> {
  const { address } = await sharedPostgres();
  const host = temporaryFolder();
  const socketIn = (folder: string) => join(folder, `.s.PGSQL.${address.port}`);
  let planned: Cut | undefined;
  let statementsLeft = 0;
  let cuts = 0;
  const isTime = (when: Cut) => planned === when && statementsLeft === 0;

  const server = createServer((client) => {
    const upstream = connectTo(socketIn(address.host));
    const cut = () => {
      cuts += 1;
      planned = undefined;
      client.destroy();
      upstream.destroy();
    };
    client.on("data", (data) => (isTime("before") ? cut() : upstream.write(data)));
    upstream.on("data", (data) => {
      if (isTime("after")) return cut();
      if (data.includes(READY)) statementsLeft -= 1;
      client.write(data);
    });
    endTogether(client, upstream);
  });
  server.listen(socketIn(host));
  await once(server, "listening");

  const pool = new Pool({ ...address, host, max: 1, options: `-c search_path=${schema.name}` });
  pool.on("error", () => undefined);
  onTestFinished(async () => {
    await pool.end();
    server.close();
  });
  return {
    pool,
    cuts: () => cuts,
    async cutAt(when, statement = 1) {
      await pool.query("SELECT 1"); // whatever is on its way has come back then: there is one connection
      statementsLeft = statement - 1;
      planned = when;
    },
  };
}

function endTogether(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => undefined);
    from.on("close", () => to.destroy());
  }
}
