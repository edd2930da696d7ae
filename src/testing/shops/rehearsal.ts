import type { Gateway } from "../../sandbox.ts";
import { type Sandbox, startSandbox } from "../../sandbox-server.ts";
import { rulesFor } from "../rules.ts";
import { within } from "../waiting.ts";
import { APPROVED, Customer, type Method, type Stage } from "./customer.ts";
import { type DrivenShop, driveShop } from "./driven-shop.ts";
import type { Shop, ShopService } from "./shop.ts";

/** One test: a shop, with a sandbox of its own. */
export interface Rehearsal {
  readonly shop: DrivenShop;
  readonly gateway: Gateway;
  /** The optional methods that the shop lacks. */
  readonly missing: readonly Need[];
  /** How customers pay whose payment succeeds. */
  readonly paying: readonly Method[];
  /** A customer with a new order. @throws {MissingMethod} */
  newCustomer(method: Method): Customer;
  isUp(): Promise<boolean>;
  stop(): Promise<void>;
}

type Need = "restart" | "failOnce";

export const { rules, needs, forEach } = rulesFor<Rehearsal, Need>();

export { APPROVED };
export const DECLINED = "4000000000009995";
/** Waits for the customer or a person. */
export const PENDING = "4000000000009235";
/** Processed for 5 seconds before it is approved, or declined. */
export const APPROVED_LATER = "4000000000003220";
export const DECLINED_LATER = "4000008400001629";

/** How a customer pays whose payment succeeds. */
export const METHODS = { pix: "pix", card: APPROVED } as const;

/** Below the ports that systems give away: a sandbox that is down for a second must get its own port again. */
const PORTS = { first: 20_000, count: 10_000 };

let portsUsed = Math.floor(Math.random() * PORTS.count);

/** Milliseconds for the start of a shop, which may open a browser or build an app. */
const START_MS = 60_000;

/** Milliseconds before the service repeats a postback that failed, doubled for each further one. */
const BACKOFF_MS = 250;

export async function startRehearsal(
  start: (service: ShopService) => Promise<Shop>,
  { timeoutMs, methods }: Pick<Stage, "timeoutMs" | "methods">,
): Promise<Rehearsal> {
  const sandbox = await startOnFreePort();
  const { baseUrl, secretKey, publicKey, gateway } = sandbox;
  try {
    const own = await within(START_MS, "start()", () => start({ baseUrl, secretKey, publicKey }));
    const shop = driveShop(own, timeoutMs);
    const stage = { shop, sandbox, timeoutMs, methods, amounts: new Set<number>() };
    return {
      shop,
      gateway,
      missing: (["restart", "failOnce"] as const).filter((name) => own[name] === undefined),
      paying: methods.map((method) => (method === "pix" ? method : APPROVED)),
      newCustomer: (method) => new Customer(stage, method),
      async isUp() {
        if (gateway.faults.armed.length > 0) return false;
        return fetch(baseUrl, { method: "HEAD" }).then(Boolean, () => false);
      },
      async stop() {
        sandbox.closeConnections(); // the shop may still wait for a response
        try {
          await shop.stop();
        } finally {
          await sandbox.close();
        }
      },
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

async function startOnFreePort(): Promise<Sandbox> {
  for (let attempts = 1; ; attempts += 1) {
    portsUsed += 1;
    const port = PORTS.first + (portsUsed % PORTS.count);
    try {
      return await startSandbox({ port, postbacks: { backoffMs: BACKOFF_MS }, pixReturnedAs: "chargedback" });
    } catch (error) {
      const { cause } = error as { readonly cause?: { readonly code?: unknown } };
      const isTaken = cause?.code === "EADDRINUSE" || cause?.code === "EACCES";
      if (!isTaken || attempts === PORTS.count) throw error;
    }
  }
}
