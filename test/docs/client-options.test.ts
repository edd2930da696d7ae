import type { PaymentsClientOptions } from "payments-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { CLIENT_OPTION_NAMES } from "../../src/client/client-options.ts";
import { aPix, failureOf, PUBLIC_KEY, SECRET_KEY } from "../support/merchant.ts";
import { tableOf } from "./support/documented-tables.ts";
import { attemptsOf, openFailing, timeOf } from "./support/failing-client.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const createPix = async (options: PaymentsClientOptions) => {
  const { payments, sent } = openFailing({ maxRetries: 0, ...options });
  await failureOf(payments.transactions.createPix({ ...aPix(), externalRef: undefined }));
  return sent[0];
};

const throwing = (make: () => unknown) => {
  try {
    make();
    return "true";
  } catch {
    return "false";
  }
};

const inABrowser = () => {
  vi.stubGlobal("window", {});
  vi.stubGlobal("document", {});
  return throwing(openFailing);
};

const sellersRequest = async () => {
  const { payments, sent } = openFailing({ maxRetries: 0 });
  await failureOf(payments.sellers.list());
  return sent[0];
};

/** What is so where an option is not given, in the page's words; `said` is what the page says. */
const DEFAULTS: Readonly<Record<string, (said: string) => unknown>> = {
  async baseUrl(said) {
    vi.stubEnv(said, "https://pay.example.com");
    return (await createPix({ baseUrl: undefined }))?.url.startsWith("https://pay.example.com/") && said;
  },
  async secretKey(said) {
    vi.stubEnv(said, "sk_env");
    const { headers } = (await createPix({ secretKey: undefined })) ?? {};
    return headers?.get("authorization") === `Basic ${btoa(`sk_env:${PUBLIC_KEY}`)}` && said;
  },
  async publicKey(said) {
    vi.stubEnv(said, "pk_env");
    const { headers } = (await createPix({ publicKey: undefined })) ?? {};
    return headers?.get("authorization") === `Basic ${btoa(`${SECRET_KEY}:pk_env`)}` && said;
  },
  timeout: async () => {
    const { payments } = openFailing({}, () => new Promise(() => undefined));
    return String(await timeOf(() => payments.transactions.createPix(aPix())));
  },
  maxRetries: async () => String((await attemptsOf((payments) => payments.company.retrieve())) - 1),
  headers: async () => {
    const names = [...((await createPix({}))?.headers.keys() ?? [])];
    return names.filter((name) => !["accept", "authorization", "content-type", "user-agent"].includes(name))
      .length === 0
      ? "none"
      : names;
  },
  async fetch() {
    const platforms = vi.fn(async () => new Response("", { status: 502 }));
    vi.stubGlobal("fetch", platforms);
    await failureOf(openFailing({ fetch: undefined }).payments.transactions.createPix(aPix()));
    return platforms.mock.calls.length === 1 && "the platform's";
  },
  onEvent: async () => {
    const written = (["log", "warn", "error", "info", "debug"] as const).map((level) =>
      vi.spyOn(console, level),
    );
    await createPix({});
    return written.every((spy) => spy.mock.calls.length === 0) && "none";
  },
  postbackUrl: async () => !String((await createPix({}))?.body).includes("postbackUrl") && "none",
  async postbackSigner() {
    const sent = await createPix({ postbackUrl: "https://shop.example.com/postbacks" });
    const { postbackUrl } = JSON.parse(String(sent?.body)) as { postbackUrl: unknown };
    return postbackUrl === "https://shop.example.com/postbacks" && "none";
  },
  async idempotency() {
    const { payments, sent } = openFailing();
    for (const _ of [1, 2]) await failureOf(payments.transactions.createPix(aPix()));
    return sent.length === 2 && "none";
  },
  sellersPath: async () => new URL((await sellersRequest())?.url ?? "").pathname,
  sellersAuth: async () =>
    (await sellersRequest())?.headers.get("authorization")?.split(" ")[0]?.toLowerCase(),
  allowInsecureHttp: () => throwing(() => openFailing({ baseUrl: "http://api.example.com" })),
  dangerouslyAllowBrowser: inABrowser,
};

describe("the table of options", () => {
  const rows = tableOf("client.md", "Options");

  test("has each option once", () => {
    expect(rows.map(([name]) => name).sort()).toEqual([...CLIENT_OPTION_NAMES].sort());
  });

  test.each(rows)("is right that %s is by default %s", async (name = "", said = "") => {
    expect(await DEFAULTS[name]?.(said)).toBe(said);
  });
});
