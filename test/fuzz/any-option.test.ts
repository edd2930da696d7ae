import fc from "fast-check";
import { CardTokenizer, PaymentsClient } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aCardData, envelope } from "../support/service-answers.ts";
import { anyValue, Made, makeAll } from "./support/any-value.ts";
import { CALLS, endOf, endOfSync, scriptedClient } from "./support/scripted-client.ts";

const BASE_URL = "https://pay.example";

const OPTIONS = [
  "baseUrl",
  "secretKey",
  "publicKey",
  "timeout",
  "maxRetries",
  "postbackUrl",
  "sellersPath",
  "sellersAuth",
  "headers",
  "fetch",
  "onEvent",
  "allowInsecureHttp",
  "dangerouslyAllowBrowser",
] as const;

const text = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.string().map((rest) => `sk_${rest}`),
  fc.string().map((rest) => `pk_${rest}`),
  fc.string().map((rest) => `/${rest}`),
  fc.constantFrom("basic", "none", "http://localhost", ""),
);
const dictionaryOf = (names: readonly string[], values = anyValue()) =>
  fc
    .dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), values, { maxKeys: 4 })
    .map((made) => new Made(made, () => makeAll(made)));

describe("any value as the options of", () => {
  test.each<[string, (options: never) => unknown]>([
    ["a client", (options) => new PaymentsClient(options)],
    ["a tokenizer", (options) => new CardTokenizer(options)],
  ])("%s makes one, or a ConfigurationError", (_what, construct) => {
    fc.assert(
      fc.property(fc.oneof(anyValue(), dictionaryOf(OPTIONS, anyValue(text))), (options) => {
        const end = endOfSync(() => construct(options.make() as never));

        if ("result" in end) return;
        expect(end.error.code).toBe("configuration");
        expect(end.error.message).not.toMatch(/canary|\[object /);
      }),
      { numRuns: 300 },
    );
  });

  test.each(Object.entries(CALLS))(
    "the call %s ends it with a result or a PaymentsError",
    async (name, call) => {
      const script = scriptedClient({ baseUrl: BASE_URL });
      script.answer = () => new Response(JSON.stringify(envelope(aCardData())), { status: 201 });
      const callOptions = fc.oneof(anyValue(), dictionaryOf(["timeout", "signal", "headers", "extraBody"]));

      await fc.assert(
        fc.asyncProperty(callOptions, async (options) => {
          script.sent.length = 0;

          const end = await endOf(() => call(script.payments, options.make() as never));

          if (!("error" in end) || end.error.code !== "invalid_request") return;
          expect(script.sent).toEqual([]);
          expect(end.error.outcome).toBe(name.startsWith("create") ? "not_sent" : "not_applicable");
        }),
        { numRuns: 60 },
      );
    },
  );

  test("extraBody never changes what was checked", async () => {
    const script = scriptedClient();
    script.answer = () => new Response(JSON.stringify(envelope(aCardData())), { status: 201 });
    await endOf(() => CALLS["createCard"]?.(script.payments) ?? Promise.reject());
    const plain = JSON.parse(script.sent[0] ?? "");
    const extra = dictionaryOf([...Object.keys(plain), "pix", "__proto__", "constructor"]);

    await fc.assert(
      fc.asyncProperty(extra, async (made) => {
        script.sent.length = 0;
        const extraBody = made.make();

        await endOf(() => CALLS["createCard"]?.(script.payments, { extraBody } as never) ?? Promise.reject());

        for (const sent of script.sent) expect(JSON.parse(sent)).toMatchObject(plain);
      }),
      { numRuns: 150 },
    );
  });
});
