import { createGateway } from "payments-sdk/sandbox";
import { cpuOfCreate, measured } from "./support/benchmark-tables.ts";
import { operations } from "./support/counted-operations.ts";
import { testClaims, textOf } from "./support/figures.ts";

const PAGE = "docs/scale.md";
const RATES = [10, 1_000, 100_000];
const BYTES = "## Bytes allocated by a create";
const STORES = "## The idempotency stores";
const POSTBACKS = "## Taking a postback";

/** What the page says that one thing costs; the rows about those say where it is from. */
const CREATE_MS = { fetch: 0.32, nodeTransport: 0.16 };
const POSTBACK_MS = 0.15;
const ANSWER_SECONDS = 0.4;
const POSTBACKS_A_PAYMENT = 2;
const OPERATIONS = { create: 2, postback: 5 };
const ORDER_KB = 4;

const DAY_SECONDS = 86_400;

const to = (places: number, value: number) => Number(value.toFixed(places));
/** As many digits as tell something. */
const digits = (count: number, value: number) => Number(value.toPrecision(count));
const atRates = (count: number, figure: (rate: number) => number) =>
  RATES.map((rate) => digits(count, figure(rate)));

const gigabytesADay = (rate: number) => (rate * DAY_SECONDS * ORDER_KB) / 1e6;
const coresOfPostbacks = (rate: number) => (rate * POSTBACKS_A_PAYMENT * POSTBACK_MS) / 1000;

const operationsOfPayment = () => OPERATIONS.create + POSTBACKS_A_PAYMENT * OPERATIONS.postback;

const kernelPorts = () => 60_999 - 32_768 + 1; // net.ipv4.ip_local_port_range, as Linux has it

/** Answers to so many requests for the status within a minute, by what became of them. */
async function statusesOfService(requests: number): Promise<number[]> {
  const { fetch, baseUrl } = createGateway({ now: 0 });
  const statuses: number[] = [];
  for (let count = 0; count < requests; count += 1)
    statuses.push((await fetch(`${baseUrl}/api/v1/status`)).status);
  return statuses;
}

testClaims([
  [
    PAGE,
    "(Node 24 on two shared cores, everything on one machine, no TLS)",
    ["24", "2"],
    () => /: Node (\d+)\.[\d.]+ on (\d+) cores/.exec(textOf("bench/results.md"))?.slice(1),
  ],
  [
    PAGE,
    "| 0.32 ms / 0.16 ms of CPU,",
    [CREATE_MS.fetch, CREATE_MS.nodeTransport],
    () =>
      [cpuOfCreate("payments-sdk"), cpuOfCreate("payments-sdk over nodeTransport")].map((ms) => to(2, ms)),
  ],
  [
    PAGE,
    "102 kB / 51 kB of short-lived memory |",
    [102, 51],
    () =>
      ["payments-sdk", "payments-sdk over nodeTransport"].map((name) => Math.round(measured(BYTES, name, 0))),
  ],
  [
    PAGE,
    "0.5 ms SQLite, 0.7 ms Redis, 1.1 ms PostgreSQL, on the same machine;",
    [0.5, 0.7, 1.1],
    () => ["SQLite", "Redis", "PostgreSQL"].map((name) => to(1, measured(STORES, name, 1))),
  ],
  [
    PAGE,
    "| with a store | 2 operations, both waited for:",
    OPERATIONS.create,
    async () => (await operations())[0],
  ],
  [PAGE, "| a repeat of a create | 1 operation, nothing is sent |", 1, async () => (await operations())[1]],
  [
    PAGE,
    "5 operations where it is news, 2 where it came before |",
    [OPERATIONS.postback, 2],
    async () => (await operations()).slice(2),
  ],
  [
    PAGE,
    "| a signed postback, taken and settled | 0.15 ms of CPU;",
    POSTBACK_MS,
    () => to(2, measured(POSTBACKS, "handler.fetch, a new postback", 1) / 1e6),
  ],
  [PAGE, "| payments a second | 10 | 1,000 | 100,000 |", [10, 1_000, 100_000], () => RATES],
  [
    PAGE,
    "| creates under way (rate x 0.4 s) | 4 | 400 | 40,000 |",
    [4, 400, 40_000],
    () => atRates(1, (rate) => rate * ANSWER_SECONDS),
  ],
  [
    PAGE,
    "| cores for creates, `fetch` / `nodeTransport()` | 0.003 / 0.002 | 0.32 / 0.16 | 32 / 16 |",
    [0.003, 0.002, 0.32, 0.16, 32, 16],
    () =>
      RATES.flatMap((rate) =>
        [CREATE_MS.fetch, CREATE_MS.nodeTransport].map((ms) =>
          digits(rate === 10 ? 1 : 2, (rate * ms) / 1000),
        ),
      ),
  ],
  [
    PAGE,
    "| postbacks a second, and cores for them | 20, none | 2,000, 0.3 | 200,000, 30 |",
    [20, 0, 2_000, 0.3, 200_000, 30],
    () => RATES.flatMap((rate) => [rate * POSTBACKS_A_PAYMENT, to(1, coresOfPostbacks(rate))]),
  ],
  [
    PAGE,
    "| store operations a second (2 a create, 5 a postback) | 120 | 12,000 | 1,200,000 |",
    [120, 12_000, 1_200_000],
    () => RATES.map((rate) => rate * operationsOfPayment()),
  ],
  [
    PAGE,
    "| orders kept after a day, at 4 kB | 3.5 GB | 350 GB | 35 TB |",
    [3.5, 350, 35_000],
    () => atRates(2, gigabytesADay),
  ],
  [
    PAGE,
    "spends less than one hundredth of a core on payments.",
    true,
    () => (10 * CREATE_MS.fetch) / 1000 + coresOfPostbacks(10) < 1 / 100,
  ],
  [
    PAGE,
    "and 400 days of pix pictures are a terabyte.",
    1,
    () => Math.round((400 * gigabytesADay(10)) / 1000),
  ],
  [PAGE, "- **Sockets.** 400 creates are under way at any moment.", 400, () => 1_000 * ANSWER_SECONDS],
  [
    PAGE,
    "and was measured at 1,200 creates a second.",
    1_200,
    () => Math.floor(measured(STORES, "SQLite", 3) / 100) * 100,
  ],
  [PAGE, "- **Store.** 12,000 operations a second are", 12_000, () => 1_000 * operationsOfPayment()],
  [
    PAGE,
    "for one Redis (two scripts a create, each one round trip)",
    [2, 2],
    async () => [(await operations())[0], measured(STORES, "Redis", 5)],
  ],
  [PAGE, "- **Postbacks.** 2,000 a second for", 2_000, () => 1_000 * POSTBACKS_A_PAYMENT],
  [
    PAGE,
    "If one create in ten thousand ends as `unknown`, that is 8,640 a day.",
    8_640,
    () => (1_000 * DAY_SECONDS) / 10_000,
  ],
  [
    PAGE,
    "Linux gives a connection to one destination 28,000 ports by default.",
    28_000,
    () => Math.round(kernelPorts() / 1000) * 1000,
  ],
  [
    PAGE,
    "one in a million lost is one every five seconds:",
    5,
    () => 1_000_000 / (100_000 * POSTBACKS_A_PAYMENT),
  ],
  [
    PAGE,
    "allows 60 requests a minute to `GET /api/v1/status`, for each address**",
    [200, 429],
    async () => (await statusesOfService(61)).slice(-2),
  ],
]);
