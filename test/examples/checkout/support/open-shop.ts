import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import { onTestFinished } from "vitest";
import type { Order } from "../../../../examples/checkout/server/orders.ts";
import { type RunningShop, startShop } from "../../../../examples/checkout/server/start-shop.ts";

export const BUYER = {
  name: "Maria",
  email: "m@example.com",
  phone: "11999998888",
  document: "52998224725",
} as const;

/** A shop without a browser, one order in it, and the service behind it. */
export interface OpenedShop {
  readonly sandbox: Sandbox;
  readonly shop: RunningShop;
  readonly order: Order;
  /** Of the order's page. */
  readonly path: string;
  /** Every line that the shop's server wrote. */
  readonly log: readonly string[];
  /** Posts as the shop's own page does. */
  post(to: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  state(): Promise<string>;
}

/** The sandbox sends no postback by itself, unless other `postbacks` are asked for. */
export async function openShop(postbacks: object = { delayMs: 3_600_000 }): Promise<OpenedShop> {
  const sandbox = await startSandbox({ postbacks });
  onTestFinished(() => sandbox.close());
  const log: string[] = [];
  const shop = await startShop({ service: sandbox, log: (line) => log.push(line) });
  onTestFinished(() => shop.close());
  const visited = await fetch(shop.url);
  const path = new URL(visited.url).pathname;
  const order = shop.orders.find(path.split("/").at(-1) ?? "");
  if (order === undefined) throw new Error("A visit makes an order.");
  return {
    sandbox,
    shop,
    order,
    path,
    log,
    post: (to, body, headers = {}) =>
      fetch(shop.url + to, {
        method: "POST",
        headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    state: async () =>
      ((await (await fetch(`${shop.url}${path}/state`)).json()) as { state: { kind: string } }).state.kind,
  };
}

/** What the page of a buyer makes of a card. */
export async function tokenFor({ sandbox }: OpenedShop, number: string): Promise<string> {
  const { baseUrl, publicKey } = sandbox;
  const card = { number, holderName: "MARIA", expirationMonth: "12", expirationYear: "2039", cvv: "123" };
  const made = await fetch(`${baseUrl}/api/v1/card-token?publicKey=${publicKey}`, {
    method: "POST",
    body: JSON.stringify(card),
  });
  return made.text();
}
