import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import { type FetchLike, formatBRL } from "payments-sdk";
import { createGateway, type FaultKind, type Gateway } from "payments-sdk/sandbox";
import { startSandbox } from "payments-sdk/sandbox/server";
import { onTestFinished, vi } from "vitest";
import { resolveOptions } from "../../src/sandbox/gateway-options.ts";
import { closePortOnFault } from "../../src/sandbox/server/close-port-on-fault.ts";
import { readFlags } from "../../src/sandbox/server/read-flags.ts";
import { aCard, aCardPayment, aPix, merchantAt } from "../support/merchant.ts";
import { testClaims } from "./support/figures.ts";

const PAGE = "docs/sandbox.md";

const merchantOf = ({ baseUrl, secretKey, publicKey, fetch }: Gateway) =>
  merchantAt(baseUrl, { secretKey, publicKey, fetch }).payments;

function portOfCommand(): unknown {
  const command = readFlags([]);
  return command.kind === "start" ? command.options.port : command.kind;
}

async function limits(): Promise<string[]> {
  const { limits: cents } = await merchantOf(createGateway()).company.retrieve();
  const { transactionMinAmount = 0, transactionMaxAmount = 0 } = cents ?? {};
  return [transactionMinAmount, transactionMaxAmount].map((amount) =>
    formatBRL(amount).replaceAll("\u00a0", " "),
  );
}

async function statusesOfCards(amounts: readonly number[]): Promise<string[]> {
  const payments = merchantOf(createGateway());
  const statuses: string[] = [];
  for (const amount of amounts) {
    const hash = await payments.cardTokens.create(aCard());
    const items = [{ title: "Livro", unitPrice: amount, quantity: 1, tangible: true }];
    const card = aCardPayment({ amount, items, card: { hash }, externalRef: `order-${amount}` });
    statuses.push((await payments.transactions.createCard(card)).status);
  }
  return statuses;
}

const arm = (times?: number) =>
  createGateway().faults.add({ on: "status.retrieve", kind: "refused_connection", ...(times && { times }) })
    .times;

function isTooOften(times: number): boolean {
  try {
    arm(times);
    return false;
  } catch (error) {
    if (error instanceof TypeError) return true;
    throw error;
  }
}

/** How long a port is closed, for so many times: whether it still is, a moment before and then. */
function isClosedAt(times: number, ms: number): boolean[] {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const gateway = createGateway();
  const address = () => ({ address: "127.0.0.1", port: 1 });
  const calls = {
    address,
    close: () => undefined,
    closeIdleConnections: () => undefined,
    listen: () => undefined,
  };
  const end = closePortOnFault(gateway, Object.assign(new EventEmitter(), calls) as unknown as Server);
  gateway.faults.add({ on: "status.retrieve", kind: "refused_connection", times });
  const isClosed = () => gateway.faults.armed.length > 0;
  vi.advanceTimersByTime(ms - 1);
  const before = isClosed();
  vi.advanceTimersByTime(1);
  const after = isClosed();
  end();
  return [before, after];
}

/** What a create gets that meets a fault. */
async function answerTo(kind: FaultKind): Promise<(number | string | null)[]> {
  const gateway = createGateway();
  gateway.faults.add({ on: "transactions.create", kind });
  let answer: Response | undefined;
  const fetch: FetchLike = async (url, init) => {
    answer = await gateway.fetch(url, init);
    return answer.clone();
  };
  const { baseUrl, secretKey, publicKey } = gateway;
  await failureOrResult(
    merchantAt(baseUrl, { secretKey, publicKey, fetch }).payments.transactions.createPix(aPix()),
  );
  return [answer?.status ?? 0, answer?.headers.get("retry-after") ?? null];
}

const failureOrResult = (call: PromiseLike<unknown>) => call.then(undefined, (error: unknown) => error);

/** How many of 101 the control API lists. */
async function listed(path: string, make: (gateway: Gateway) => Promise<unknown>): Promise<number> {
  const sandbox = await startSandbox({ postbacks: { fetch: async () => new Response() } });
  onTestFinished(() => sandbox.close());
  await make(sandbox.gateway);
  const answer = await fetch(`${sandbox.baseUrl}/sandbox/${path}`);
  const [list = []] = Object.values((await answer.json()) as Record<string, unknown[]>);
  return list.length;
}

const aPixOf = (gateway: Gateway) =>
  merchantOf(gateway).transactions.createPix(aPix({ postbackUrl: "https://shop.example/postbacks" }));

async function manyPostbacks(gateway: Gateway): Promise<void> {
  const { id } = await aPixOf(gateway);
  for (let count = 0; count < 101; count += 1) gateway.sendPostback(id);
}

async function manyTransactions(gateway: Gateway): Promise<void> {
  for (let count = 0; count < 101; count += 1) await aPixOf(gateway);
}

const settings = () => resolveOptions({});

testClaims([
  [PAGE, "takes `--port` (default 4010),", 4010, portOfCommand],
  [
    "docs/tokenization.md",
    "`npx payments-sandbox` listens at `http://127.0.0.1:4010`, with",
    4010,
    portOfCommand,
  ],
  [PAGE, "the limits of the company (R$ 1,00 to R$ 100.000,00) is", ["R$ 1,00", "R$ 100.000,00"], limits],
  [
    PAGE,
    "is `outside_limits`, whatever the number.",
    ["refused", "approved", "approved", "refused"],
    () => statusesOfCards([99, 100, 10_000_000, 10_000_001]),
  ],
  [PAGE, "| `rate_limited` | no | 429 with `Retry-After: 1` |", [429, "1"], () => answerTo("rate_limited")],
  [PAGE, "| `charged_then_500` | yes | a 500 |", [500, null], () => answerTo("charged_then_500")],
  [PAGE, "| `truncated_json` | yes | 201 and half", [201, null], () => answerTo("truncated_json")],
  [PAGE, "| `unknown_status` | yes | 201 with a", [201, null], () => answerTo("unknown_status")],
  [PAGE, "| `drifted_body` | yes | 201 with numbers", [201, null], () => answerTo("drifted_body")],
  [PAGE, "| `redirect_307` | no | a 307 to", [307, null], () => answerTo("redirect_307")],
  [PAGE, "`times` is 1 by default.", 1, () => arm()],
  [
    PAGE,
    "for one second of the machine's time for each of `times`,",
    [true, false],
    () => isClosedAt(2, 2_000),
  ],
  [PAGE, "`times`, 60 at most,", [false, true], () => [60, 61].map(isTooOften)],
  [PAGE, "| the latest 100 postbacks |", 100, () => listed("deliveries", manyPostbacks)],
  [
    PAGE,
    "| `GET transactions?limit=100&before=<id>` |",
    100,
    () => listed("transactions?limit=101", manyTransactions),
  ],
  [
    PAGE,
    "| `secretKey`, `publicKey` | `sk_sandbox_secret`, `pk_sandbox_public` |",
    ["sk_sandbox_secret", "pk_sandbox_public"],
    () => [settings().secretKey, settings().publicKey],
  ],
  [
    PAGE,
    "| `company`, `sellers` | an active company, three sellers |",
    ["active", 3],
    () => [settings().company.status, settings().sellers.length],
  ],
  [PAGE, "| `environment` | `sandbox` |", "sandbox", () => settings().environment],
  [PAGE, "| `pixFields` | `guide` |", "guide", () => settings().pixFields],
  [PAGE, "| `outsideLimits` | `refused` |", "refused", () => settings().outsideLimits],
  [PAGE, "| `alphanumericCnpj` | `false` |", false, () => settings().alphanumericCnpj],
]);
