import { readTransportOptions } from "../../src/transport/transport-options.ts";
import { failureOf, merchantAt } from "../support/merchant.ts";
import { cpuRatios, measured } from "./support/benchmark-tables.ts";
import { testClaims } from "./support/figures.ts";

const ratiosOf = (contender: string, of = "card") =>
  cpuRatios(contender, of)
    .map((ratio) => ratio.toFixed(2))
    .join(" / ");

const START_UP = "## Start-up";
const startOf = (contender: string) => Number(measured(START_UP, contender, 1).toFixed(1));

const sum = (ratios: readonly number[]) => ratios.reduce((one, other) => one + other);
/** Tenths of what a create over fetch costs. */
const tenthsOf = (cost: number) => Math.round((10 * cost) / sum(cpuRatios("payments-sdk")));
const costOfNodeTransport = () => tenthsOf(sum(cpuRatios("payments-sdk over nodeTransport")));

/** Whether an answer of so many bytes is read to its end. */
async function isReadWhole(bytes: number): Promise<boolean> {
  const body = JSON.stringify({ success: true, data: {} }).padEnd(bytes);
  const { payments } = merchantAt("https://pay.example", { fetch: async () => new Response(body) });
  const error = await failureOf(payments.company.retrieve());
  return !error.message.includes("the body is too long");
}

const { maxSockets, idleTimeout, connectTimeout } = readTransportOptions({});

testClaims([
  ["docs/speed.md", "| CPU at 1 / 16 / 64 at a time |", [1, 1, 1], () => cpuRatios("fetch")],
  [
    "docs/speed.md",
    "| `PaymentsClient`, as it comes | yes | 1.29 / 1.27 / 1.37 |",
    "1.29 / 1.27 / 1.37",
    () => ratiosOf("payments-sdk"),
  ],
  [
    "docs/speed.md",
    "| `PaymentsClient` over `nodeTransport()` | yes | 0.61 / 0.68 / 0.64 |",
    "0.61 / 0.68 / 0.64",
    () => ratiosOf("payments-sdk over nodeTransport"),
  ],
  ["docs/speed.md", "| stripe | no | 0.74 / 0.89 / 0.84 |", "0.74 / 0.89 / 0.84", () => ratiosOf("stripe")],
  ["docs/speed.md", "| openai | no | 1.41 / 1.59 / 1.50 |", "1.41 / 1.59 / 1.50", () => ratiosOf("openai")],
  ["docs/speed.md", "| square | no | 1.52 / 1.91 / 1.72 |", "1.52 / 1.91 / 1.72", () => ratiosOf("square")],
  [
    "docs/speed.md",
    "half of what a create costs is what `fetch` takes beyond `node:http`.",
    5,
    () => tenthsOf(sum(cpuRatios("fetch")) - sum(cpuRatios("node:http"))),
  ],
  [
    "docs/decisions/fetch-stays-the-default.md",
    "`nodeTransport()` costs half of its CPU,",
    5,
    costOfNodeTransport,
  ],
  ["README.md", "a `fetch` over `node:http` at half of the CPU, that", 5, costOfNodeTransport],
  ["README.pt-BR.md", "um `fetch` sobre `node:http` com metade da CPU, que", 5, costOfNodeTransport],
  ["CHANGELOG.md", "`PaymentsClient({ fetch })`: half of the CPU, and", 5, costOfNodeTransport],
  [
    "docs/speed.md",
    '`import "payments-sdk"` takes 1.8 times as long as `node -e 0`, stripe 4.8.',
    [1.8, 4.8],
    () => [startOf("payments-sdk"), startOf("stripe")],
  ],
  [
    "docs/decisions/zod-is-compiled-in.md",
    "and ky loaded late the import costs 1.8.",
    1.8,
    () => startOf("payments-sdk"),
  ],
  ["docs/speed.md", "// one for the whole process; default 256 connections a host", 256, () => maxSockets],
  [
    "docs/speed.md",
    "A pix with a picture of 8 kB costs more: `PaymentsClient` as it comes 1.21 / 1.42 / 1.51.",
    "1.21 / 1.42 / 1.51",
    () => ratiosOf("payments-sdk", "pix, answered with a picture of 8 kB"),
  ],
  ["docs/speed.md", "| `maxSockets` | 256 |", 256, () => maxSockets],
  [
    "docs/scale.md",
    "`nodeTransport` keeps 256 connections a host and process by default,",
    256,
    () => maxSockets,
  ],
  ["docs/speed.md", "| `idleTimeout` | 4,000 ms |", 4_000, () => idleTimeout],
  ["docs/speed.md", "// ends idle connections now, not 4 s later;", 4_000, () => idleTimeout],
  ["docs/speed.md", "| `connectTimeout` | 10,000 ms |", 10_000, () => connectTimeout],
  [
    "docs/speed.md",
    "an answer is read to 5,000,000 bytes and no further,",
    [true, false],
    () => Promise.all([5_000_000, 5_000_001].map(isReadWhole)),
  ],
]);
