import { describe, expect, test } from "vitest";
import { aCardPayment, aPix } from "../../support/merchant.ts";
import { bodyOf, issuesOfCard, issuesOfPix } from "../../support/recording-client.ts";

/** Parameters of a card payment with one field replaced at any depth. */
function cardWith(path: string, value: unknown): unknown {
  const params: unknown = structuredClone(aCardPayment());
  const steps = path.split(".");
  let parent = params as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) parent = parent[step] as Record<string, unknown>;
  parent[steps.at(-1) ?? ""] = value;
  return params;
}

const STRING_FIELDS = ["customer.name", "customer.phone", "externalRef", "ip", "items.0.title"];

describe("a string must not be blank", () => {
  const wrong: [string, unknown, string][] = [
    ["empty", "", "must not be empty"],
    ["non-ASCII white space", "\u00a0\u2003\u2028", "must not be empty"],
    ["a number", 7, "must be a string"],
    ["missing", undefined, "is required"],
  ];

  test.each(STRING_FIELDS.flatMap((field) => wrong.map((row) => [field, ...row] as const)))(
    "%s must not be %s",
    async (field, _what, value, message) => {
      const issues = await issuesOfCard(cardWith(field, value));

      expect(issues).toEqual([{ field, message }]);
    },
  );

  test.each(["Ana", " Ana Exemplo ", "Zoë 💳", "名前", "a\u0000b", "x".repeat(10_000)])(
    "%j is sent unchanged: the specification shows no lengths or formats",
    async (name) => {
      const params = aPix({ customer: { ...aPix().customer, name } });

      const body = await bodyOf("createPix", params);

      expect(body["customer"]).toMatchObject({ name });
    },
  );
});

test("a reference has at most 1,000 characters, because postbacks with a longer one cannot be read", async () => {
  const [longest, tooLong] = ["x".repeat(1_000), "x".repeat(1_001)];
  const issues = [{ field: "externalRef", message: "must have at most 1000 characters" }];

  expect(await bodyOf("createPix", aPix({ externalRef: longest }))).toMatchObject({ externalRef: longest });
  expect(await issuesOfPix(aPix({ externalRef: tooLong }))).toEqual(issues);
  expect(await issuesOfCard(aCardPayment({ externalRef: tooLong }))).toEqual(issues);
});

test.each([
  ["NUL", "\u0000", true],
  ["a line feed", "\n", true],
  ["a space", " ", false],
  ["DEL", "\u007f", true],
  ["the last of C1", "\u009f", true],
  ["a line separator", "\u2028", false], // a separator, not a control character
])("a reference has no control characters: %s: %j is refused: %s", async (_what, character, isRefused) => {
  const externalRef = `order-${character}1`;
  const found = await Promise.all([
    bodyOf("createPix", aPix({ externalRef })).catch(({ issues }) => issues),
    bodyOf("createCard", aCardPayment({ externalRef })).catch(({ issues }) => issues),
  ]);

  const issues = [{ field: "externalRef", message: "must not contain control characters" }];
  const expected = isRefused ? issues : expect.objectContaining({ externalRef });
  expect(found).toEqual([expected, expected]);
});

describe("an e-mail address has text on both sides of an @", () => {
  test.each(["a@b", "ana+loja@loja.example", "ána@exämple.com"])("%s is sent", async (email) => {
    const body = await bodyOf("createPix", aPix({ customer: { ...aPix().customer, email } }));

    expect(body["customer"]).toMatchObject({ email });
  });

  test.each<[string, unknown, string]>([
    ["no @", "ana.loja.example", "must be an e-mail address"],
    ["nothing after the @", "ana@", "must be an e-mail address"],
    ["a space", "ana @loja.example", "must be an e-mail address"],
    ["null", null, "must be a string"],
    ["undefined", undefined, "is required"],
  ])("an address with %s is not sent", async (_what, email, message) => {
    const issues = await issuesOfCard(cardWith("customer.email", email));

    expect(issues).toContainEqual({ field: "customer.email", message });
  });
});

describe("a postback URL is an absolute http or https URL", () => {
  test.each(["https://loja.example/pb?x=1", "http://loja.example", "HTTPS://LOJA.EXAMPLE/pb"])(
    "%s is sent",
    async (postbackUrl) => {
      const body = await bodyOf("createPix", aPix({ postbackUrl }));

      expect(body["postbackUrl"]).toBe(postbackUrl);
    },
  );

  const NOT_A_URL =
    "must be an absolute http or https URL without spaces, invisible characters or backslashes";

  test.each<[string, unknown, string]>([
    ["a path", "/postbacks", NOT_A_URL],
    ["another scheme", "ftp://loja.example", NOT_A_URL],
    ["a script", "javascript:alert(1)", NOT_A_URL],
    ["a URL object", new URL("https://loja.example"), "must be a string"],
    ["null", null, "must be a string"],
  ])("%s is not sent", async (_what, postbackUrl, message) => {
    const issues = await issuesOfPix({ ...aPix(), postbackUrl });

    expect(issues).toEqual([{ field: "postbackUrl", message }]);
  });
});

test.each<[string, unknown]>([
  ["a number", 1],
  ["a string", "true"],
  ["null", null],
])("a flag is true or false: %s is not sent", async (_what, flag) => {
  const issues = await issuesOfPix({
    ...aPix(),
    traceable: flag,
    items: [{ title: "Livro", unitPrice: 1990, quantity: 1, tangible: flag }],
  });

  expect(issues).toEqual([
    { field: "traceable", message: "must be true or false" },
    { field: "items.0.tangible", message: "must be true or false" },
  ]);
});
