import { inspect } from "node:util";
import { isPaymentsError } from "payments-sdk";
import { InvalidPostbackError, parsePostback } from "payments-sdk/postbacks";
import { describe, expect, test } from "vitest";

const BODY = { id: 81_001, status: "approved", externalRef: "pedido-77", amount: 10_000 };
const WHOLE = "must be a whole number of at most 2^53 - 1";

/** The error that a body gets; fails the test where it is read. */
function refusalOf(input: unknown): InvalidPostbackError {
  try {
    parsePostback(input as string);
  } catch (error) {
    if (error instanceof InvalidPostbackError) return error;
    throw new Error("the body got another error", { cause: error });
  }
  throw new Error("the body was expected to be refused, and was read");
}

const issuesOf = (input: unknown) => refusalOf(input).issues;

describe("a body that is no JSON object is refused", () => {
  test.each<[string, unknown, string]>([
    ["a page", "<html><body>hello</body></html>", "the body is not JSON"],
    ["a form", "id=81001&status=approved&amount=10000", "the body is not JSON"],
    ["JSON that broke off", '{"id":81001,"status":"appr', "the body is not JSON"],
    ["JSON with a comment", '{"id":1} // paid', "the body is not JSON"],
    ["an empty text", "", "the body is empty"],
    ["spaces", " \r\n", "the body is empty"],
    ["no bytes", new Uint8Array(), "the body is empty"],
    ["bytes that are no text", new Uint8Array([0xff, 0xfe, 0x00]), "the body is not JSON"],
    ["a JSON text", '"approved"', "must be a JSON object"],
    ["a JSON number", "81001", "must be a JSON object"],
    ["null", "null", "must be a JSON object"],
    ["an array", JSON.stringify([BODY]), "must be a JSON object"],
    ["nothing, from a framework", undefined, "the body came as nothing"],
    ["null, from a framework", null, "the body came as null"],
    ["an array, from a framework", [BODY], "the body came as an array"],
    ["a number, from a framework", 81_001, "the body came as a number"],
    ["a function", () => BODY, "the body came as a function"],
  ])("%s", (_what, input, message) => {
    expect(issuesOf(input)).toEqual([{ field: "", message }]);
  });
});

describe("id, status and amount must be there and be what they are", () => {
  test.each<[object, string, string]>([
    [{ id: undefined }, "id", "is required"],
    [{ id: null }, "id", WHOLE],
    [{ id: "" }, "id", WHOLE],
    [{ id: "tra_81001" }, "id", WHOLE],
    [{ id: 1.5 }, "id", WHOLE],
    [{ id: 0 }, "id", "must be above zero"],
    [{ id: -1 }, "id", "must be above zero"],
    [{ id: {} }, "id", WHOLE],
    [{ id: [81_001] }, "id", WHOLE],
    [{ id: true }, "id", WHOLE],
    [{ status: undefined }, "status", "is required"],
    [{ status: null }, "status", "must be a string"],
    [{ status: "" }, "status", "must not be empty"],
    [{ status: 201 }, "status", "must be a string"],
    [{ status: "x".repeat(256) }, "status", "must have at most 255 characters"],
    [{ externalRef: "x".repeat(1_001) }, "externalRef", "must have at most 1000 characters"],
    [{ transactionDate: "x".repeat(256) }, "transactionDate", "must have at most 255 characters"],
    [{ status: { name: "approved" } }, "status", "must be a string"],
    [{ amount: undefined }, "amount", "is required"],
    [{ amount: null }, "amount", WHOLE],
    [{ amount: 100.5 }, "amount", WHOLE],
    [{ amount: "99.99999999999999999" }, "amount", WHOLE],
    [{ amount: "100.00" }, "amount", WHOLE], // reais, it seems
    [{ amount: "100,00" }, "amount", WHOLE],
    [{ amount: -1 }, "amount", "must not be negative"],
    [{ externalRef: 7 }, "externalRef", "must be a string"],
    [{ transactionDate: 1_772_366_460 }, "transactionDate", "must be a string"],
  ])("%j", (part, field, message) => {
    const asObject = issuesOf({ ...BODY, ...part });
    const asText = issuesOf(JSON.stringify({ ...BODY, ...part }));

    expect(asObject).toEqual([{ field, message }]);
    expect(asText).toEqual([{ field, message }]);
  });

  test("all that is wrong is told together", () => {
    expect(issuesOf("{}").map(({ field }) => field)).toEqual(["id", "status", "amount"]);
  });
});

describe("an id beyond 2^53 - 1 is refused, not rounded", () => {
  test.each([
    "9007199254740992",
    "9007199254740993", // JSON.parse makes ...992 of it
    "12345678901234567890",
    "99999999999999999999999999999999999999999999",
    "9.007199254740993e15",
    "9007199254740993.0",
    '"9007199254740992"',
    '"9999999999999999"',
    '"12345678901234567890"',
  ])("%s", (id) => {
    expect(issuesOf(`{"id":${id},"status":"approved","amount":1}`)).toEqual([
      { field: "id", message: WHOLE },
    ]);
  });

  test("also where a framework has rounded it", () => {
    expect(issuesOf({ ...BODY, id: 2 ** 53 })).toEqual([{ field: "id", message: WHOLE }]);
  });
});

describe("a body of another shape is not guessed at", () => {
  test.each(["data", "transaction", "object"])(
    "an envelope that repeats at its root what is inside, in %s",
    (name) => {
      const issues = issuesOf({ ...BODY, id: 5, [name]: BODY });

      expect(issues).toEqual([
        { field: "", message: "has a transaction inside, so it may be that the id is another's" },
      ]);
    },
  );

  test.each<[string, object, string[]]>([
    [
      "an envelope with its own id",
      { id: "dlv_1", event: "transaction.approved", data: BODY },
      ["id", "status", "amount"],
    ],
    ["an envelope whose id is a number", { id: 5, type: "transaction", data: BODY }, ["status", "amount"]],
    ["an envelope without an id", { success: true, data: BODY }, ["id", "status", "amount"]],
    ["the answer to a create", { success: true, status: 201, data: BODY }, ["id", "status", "amount"]],
  ])("%s", (_what, body, fields) => {
    expect(issuesOf(body).map(({ field }) => field)).toEqual(fields);
  });
});

describe("the error", () => {
  test("keeps what came as raw, and shows it nowhere", () => {
    const error = refusalOf('{"id":"canary"}');

    const shown = [inspect(error, { getters: true }), JSON.stringify(error), String(error)];
    expect(error.raw).toBe('{"id":"canary"}');
    expect(Object.keys(error)).not.toContain("raw");
    expect(shown.join()).not.toContain("canary");
  });

  test("names the fields in its message and its JSON, and is the service's to mend", () => {
    const error = refusalOf({ ...BODY, amount: "1,5" });

    expect(isPaymentsError(error)).toBe(true);
    expect(error).toMatchObject({
      name: "InvalidPostbackError",
      code: "invalid_postback",
      outcome: "not_applicable",
      actor: "service",
    });
    expect(error.message).toContain(`amount ${WHOLE}`);
    expect(error.toJSON()).toMatchObject({ issues: [{ field: "amount" }] });
  });
});

describe("what cannot be read is refused too", () => {
  const explode = (): never => {
    throw new Error("canary");
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();

  test.each<[string, unknown]>([
    ["a getter that throws", Object.defineProperty({ ...BODY }, "id", { get: explode })],
    ["a proxy that throws", new Proxy({}, { get: explode, getPrototypeOf: explode })],
    ["a proxy whose target is gone", proxy],
  ])("%s", (_what, input) => {
    const error = refusalOf(input);

    expect(error.issues).toEqual([{ field: "", message: "the body could not be read" }]);
    expect(error.raw).toBe(input);
  });
});
