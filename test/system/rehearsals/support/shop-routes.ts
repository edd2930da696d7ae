import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ShopService } from "payments-sdk/testing";
import { root } from "../../../support/running.ts";
import { nextPort, type Program, startProgram } from "./program.ts";

/** Serves the routes as Nuxt and SvelteKit do: an error is printed, and is a 500. */
const SERVER = `
import { createServer } from "node:http";
import { Readable } from "node:stream";
import * as routes from "./shop-routes.ts";

const url = "http://localhost:" + process.env.PORT;
process.env.SHOP_URL = url;
process.env.SHOP_DATABASE = import.meta.dirname + "/shop.db";
createServer(async (request, response) => {
  const { method, headers } = request;
  const path = new URL(request.url, url);
  const body = method === "POST" ? Readable.toWeb(request) : undefined;
  try {
    const result = await routes[path.pathname.slice(1)](new Request(path, { method, headers, body, duplex: "half" }));
    response.writeHead(result.status, Object.fromEntries(result.headers)).end(await result.text());
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
}).listen(process.env.PORT, () => console.log(url));
`;

/** Inside the package, so that the sample can import it by its name. */
const parent = join(root, "reports");

/** A shop with the routes of docs/samples/shop-routes.ts, and its data. */
export interface RoutesShop {
  readonly url: string;
  /** Sends a POST of JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** What it printed, before and after a restart. */
  printed(): string;
  /** Changes its table. */
  changeOrders(sql: string): void;
  /** Kills the process, and starts it on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startRoutesShop(service: ShopService, amount = 1990): Promise<RoutesShop> {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "shop-routes-"));
  const sample = readFileSync(join(root, "docs/samples/shop-routes.ts"), "utf8");
  writeFileSync(join(folder, "shop-routes.ts"), sample.replaceAll("1990", String(amount)));
  writeFileSync(join(folder, "server.ts"), SERVER);
  const place = { port: await nextPort(), folder };
  const programs: Program[] = [];
  const open = async () => void programs.push(await startProgram(["server.ts"], service, place));
  await open();
  const url = `http://localhost:${place.port}`;
  return {
    url,
    post: (path, body, headers = { "content-type": "application/json" }) =>
      fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) }),
    printed: () => programs.map(({ stdout, stderr }) => stdout() + stderr()).join(""),
    changeOrders(sql) {
      const database = new DatabaseSync(join(folder, "shop.db"));
      database.exec(sql);
      database.close();
    },
    async restart() {
      await programs.at(-1)?.stop();
      await open();
      await fetch(`${url}/status`); // the shop opens at the first request
    },
    async stop() {
      await programs.at(-1)?.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
