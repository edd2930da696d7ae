import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { apiReports } from "../../scripts/api-report.ts";

const folder = join(import.meta.dirname, "../../api");
const FILES = [
  "payments-sdk-browser.api.md",
  "payments-sdk-idempotency.api.md",
  "payments-sdk-msw.api.md",
  "payments-sdk-node.api.md",
  "payments-sdk-postbacks.api.md",
  "payments-sdk-sandbox-server.api.md",
  "payments-sdk-sandbox.api.md",
  "payments-sdk.api.md",
];
let reports: ReadonlyMap<string, string>;

beforeAll(() => {
  reports = apiReports();
});

test("every entry has a report of its public types, and no report is left over", () => {
  expect([...reports.keys()].sort()).toEqual(FILES);
  expect(readdirSync(folder).sort()).toEqual(FILES);
});

test.each(FILES)("%s says what the types are: whoever changes them runs `npm run api`", (file) => {
  const committed = readFileSync(join(folder, file), "utf8");

  expect(committed, "run npm run api, and look at what changed for merchants").toBe(reports.get(file));
});

test.each([
  [
    "payments-sdk.api.md",
    "createPix(params: CreatePixParams, options?: CreateOptions): PaymentsPromise<PixTransaction>;",
  ],
  [
    "payments-sdk-browser.api.md",
    "tokenize(card: CardParams, options?: RequestOptions): PaymentsPromise<CardToken>;",
  ],
  ["payments-sdk-idempotency.api.md", "export function sqliteStore("],
  ["payments-sdk-msw.api.md", "chargesFor(externalRef: string): readonly SandboxTransaction[];"], // not exported, but in reach
])("%s tells what a merchant can reach through its entry: %s", (file, declaration) => {
  expect(reports.get(file)).toContain(declaration);
});
