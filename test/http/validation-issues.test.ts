import { ValidationError } from "payments-sdk";
import { describe, expect, test } from "vitest";
import { aPix, failureOf, merchantAt } from "../support/merchant.ts";

function failureWith(body: string, status = 400) {
  const fetch = async () => new Response(body, { status });
  return failureOf(merchantAt("https://pay.example", { fetch }).payments.transactions.createPix(aPix()));
}

async function issuesOf(body: unknown): Promise<unknown> {
  const error = await failureWith(typeof body === "string" ? body : JSON.stringify(body));

  expect(error).toBeInstanceOf(ValidationError);
  return (error as ValidationError).issues;
}

const AMOUNT = { field: "amount", message: "is too small" };
const no = (field: string) => ({ field, message: "no" });
const EMAIL = { field: "customer.email", message: "is wrong" };

describe("the issues of a 400 are read from bodies of many shapes", () => {
  test.each([
    ["the specification's", { success: false, message: "Validation Error", errors: [AMOUNT, EMAIL] }],
    ["a map from field to message", { errors: { amount: "is too small", "customer.email": "is wrong" } }],
    ["a map of arrays", { errors: { amount: ["is too small"], "customer.email": ["is wrong"] } }],
    ["`path` instead of `field`", { errors: [{ ...AMOUNT, field: undefined, path: "amount" }, EMAIL] }],
    ["`path` as an array", { errors: [AMOUNT, { path: ["customer", "email"], message: "is wrong" }] }],
    ["`property` and `detail`", { errors: [{ property: "amount", detail: "is too small" }, EMAIL] }],
    ["inside an `error` object", { error: { errors: [AMOUNT, EMAIL] } }],
  ])("%s", async (_shape, body) => {
    expect(await issuesOf(body)).toEqual([AMOUNT, EMAIL]);
  });

  test.each([
    ["an array of strings", { errors: ["no e-mail"] }, [{ field: "", message: "no e-mail" }]],
    ["only a `message`", { message: "no e-mail" }, [{ field: "", message: "no e-mail" }]],
    ["an `error` string", { error: "no e-mail", message: "x" }, [{ field: "", message: "no e-mail" }]],
    [
      "messages in `constraints`",
      { message: [{ property: "amount", constraints: { isInt: "is no integer", min: "is too small" } }] },
      [
        { field: "amount", message: "is no integer" },
        { field: "amount", message: "is too small" },
      ],
    ],
    ["a list of messages", { errors: [{ field: "amount", messages: ["is too small"] }] }, [AMOUNT]],
    ["an `error` that has a field", { error: { ...AMOUNT } }, [AMOUNT]],
    ["a map with arrays of issues", { errors: { amount: [{ message: "no" }] } }, [no("amount")]],
    ["maps inside maps", { errors: { customer: [{ email: ["no"] }] } }, [no("customer.email")]],
    ["empty errors and a message", { errors: [], message: "no" }, [no("")]],
    ["errors of an unknown shape", { errors: [1, null, true], message: "no" }, [no("")]],
    ["blank strings", { errors: ["  "], message: "" }, []],
    ["an array as body", [AMOUNT], []],
    ["an HTML page", "<html>400 Bad Request</html>", []],
  ])("%s", async (_shape, body, issues) => {
    expect(await issuesOf(body)).toEqual(issues);
  });

  test("a 422 is read the same way, and its JSON contains the issues", async () => {
    const error = await failureWith(JSON.stringify({ errors: [AMOUNT] }), 422);

    const shown = { code: "validation_failed", status: 422, issues: [AMOUNT] };
    expect([error, error.toJSON()]).toMatchObject([shown, shown]);
  });
});

test("at most 100 issues are kept, each of at most 500 characters", async () => {
  const message = "x".repeat(900);
  const errors = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, message]));

  const issues = (await issuesOf({ errors })) as { field: string; message: string }[];

  expect(issues).toHaveLength(100);
  expect(issues[0]).toEqual({ field: "f0", message: "x".repeat(500) });
});

describe("the message is one sentence, whatever the service writes", () => {
  test.each([
    [[AMOUNT, EMAIL], "amount is too small; customer.email is wrong"],
    [[{ field: "amount", message: "Must be at least 100." }], "amount must be at least 100"],
    [[{ field: "customer.email", message: "email must be an email" }], "customer.email must be an email"],
    [[{ field: "amount", message: '"amount" is required' }], "amount is required"],
    [[{ field: "amount", message: "The amount is required." }], "amount: The amount is required"],
    [[{ field: "customer.email", message: "Invalid e-mail" }], "customer.email: Invalid e-mail"],
    [[{ field: "amount", message: "" }], "amount is not valid"],
    [[{ field: "amount", message: ["too small.", "not whole"] }], "amount: too small; amount: not whole"],
    [Array(7).fill("no"), "no; no; no; no; no; and 2 more"],
  ])("%j: %s", async (errors, sentence) => {
    const error = await failureWith(JSON.stringify({ errors }));

    expect(error.message).toBe(`The service refused the request (400): ${sentence}. No one was charged.`);
  });
});

test.each([
  [400, "", "it gave no reason"],
  [403, '{"message":"IP not allowed"}', "The service refused the call (403): IP not allowed."],
])(
  "the message of a %i with the body %j contains the reason, if there is one",
  async (status, body, reason) => {
    expect((await failureWith(body, status)).message).toContain(reason);
  },
);
