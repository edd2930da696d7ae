import {
  ConnectionError,
  type ConnectionFailure,
  cardBrand,
  formatCardNumber,
  isLuhnValid,
  type PaymentsError,
  parseExpiry,
} from "payments-sdk/browser";
import { expect, test } from "vitest";
import { html, type Reply, resetAfterReading, stall, startServer, text } from "../support/http-server.ts";
import { aCard, failureOf, tokenizerAt } from "../support/merchant.ts";
import { tableOf } from "./support/documented-tables.ts";

async function tokenizing(reply: Reply, options: object = {}): Promise<PaymentsError> {
  const { baseUrl } = await startServer(reply);
  return failureOf(tokenizerAt(baseUrl, options).tokenize(aCard()));
}

/** Nothing is sent to it. */
const nowhere = tokenizerAt("http://127.0.0.1:1");

/** What only a browser can find out has its own tests there; here it is about who can mend it. */
const inPage = async (reason: ConnectionFailure) =>
  new ConnectionError("it failed", { outcome: "not_applicable" }, reason);

const FAILURES: Readonly<Record<string, () => Promise<PaymentsError>>> = {
  invalid_request: () => failureOf(nowhere.tokenize(aCard({ cvv: "" }))),
  validation_failed: () => tokenizing(text(400, "")),
  "connection_failed offline": () => inPage("offline"),
  "connection_failed network": () => tokenizing(resetAfterReading),
  "connection_failed cors": () => inPage("cors"),
  "connection_failed content_security_policy": () => inPage("content_security_policy"),
  timed_out: () => tokenizing(stall, { timeout: 50 }),
  rate_limited: () => tokenizing(text(429, "")),
  server_error: () => tokenizing(text(500, "")),
  unexpected_response: () => tokenizing(html(200, "<title>Sign in</title>")),
  configuration: () => tokenizing(text(200, "tok_1"), { publicKey: undefined }),
  authentication_failed: () => tokenizing(text(401, "")),
  not_found: () => tokenizing(text(404, "")),
  redirected: () => tokenizing(text(307, "", { location: "/x" })),
  api_error: () => tokenizing(text(403, "")),
  aborted: () => failureOf(nowhere.tokenize(aCard(), { signal: AbortSignal.abort() })),
};

const errors = tableOf("tokenization.md", "What to tell the buyer").map(
  ([actor = "", code = "", reason = ""]) => ({
    actor,
    code,
    name: `${code} ${reason}`.trim(),
  }),
);

test("the table of errors has each of them once", () => {
  const names = errors.map(({ name }) => name);

  expect(names.sort()).toEqual(Object.keys(FAILURES).sort());
});

test.each(errors)(
  "the table is right that $name is for the $actor to mend",
  async ({ name, actor, code }) => {
    const error = await FAILURES[name]?.();

    expect(error).toMatchObject({ code, actor });
  },
);

const HELPERS: Readonly<Record<string, (input: string) => unknown>> = {
  formatCardNumber,
  cardBrand,
  isLuhnValid,
  parseExpiry,
};

test.each(tableOf("tokenization.md", "Helpers for the form"))(
  "the table is right that %s gives %s",
  (call, result) => {
    const [, name = "", input = ""] = /^(\w+)\("(.*)"\)$/.exec(call ?? "") ?? [];

    const given = HELPERS[name]?.(input);

    expect(String(JSON.stringify(given))).toBe(result);
  },
);

test("the table of helpers has each of them", () => {
  const calls = tableOf("tokenization.md", "Helpers for the form").map(([call = ""]) => call.split("(")[0]);

  expect([...new Set(calls)].sort()).toEqual(Object.keys(HELPERS).sort());
});
