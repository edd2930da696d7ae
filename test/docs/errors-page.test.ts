import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { errorClasses } from "../../scripts/error-classes.ts";
import { errorCodesTable, errorsPage, withErrorCodes } from "../../scripts/errors-page.ts";
import { pageOf } from "./support/documented-site.ts";
import { tableOf } from "./support/documented-tables.ts";

const root = join(import.meta.dirname, "../..");
const rows = errorCodesTable().split("\n").slice(2);

describe("the page of errors", () => {
  test("is the one that `npm run pages` makes", async () => {
    const page = readFileSync(join(root, "docs/errors.md"), "utf8");

    expect(page).toBe(await errorsPage());
  });

  test("names every code with its class and what became of the charge", () => {
    const named = tableOf("errors.md", "All of them").map(([code, name, outcomes]) => [
      /\[(.*)\]/.exec(code ?? "")?.[1],
      name,
      outcomes,
    ]);

    expect(named).toEqual([
      ["configuration", "ConfigurationError", "not_sent"],
      ["invalid_request", "InvalidRequestError", "not_sent"],
      ["card_token_expired", "CardTokenExpiredError", "not_sent"],
      ["validation_failed", "ValidationError", "rejected"],
      ["authentication_failed", "AuthenticationError", "rejected"],
      ["not_found", "NotFoundError", "rejected"],
      ["rate_limited", "RateLimitError", "rejected"],
      ["api_error", "ApiError", "rejected, unknown, created"],
      ["server_error", "ServerError", "unknown"],
      ["redirected", "RedirectError", "rejected, unknown"],
      ["connection_failed", "ConnectionError", "not_sent, unknown"],
      ["timed_out", "TimeoutError", "not_sent, unknown"],
      ["aborted", "AbortedError", "not_sent, unknown"],
      ["unexpected_response", "UnexpectedResponseError", "unknown, created"],
      ["card_refused", "CardRefusedError", "created"],
      ["idempotency_conflict", "IdempotencyConflictError", "not_sent"],
      ["outcome_pending", "OutcomePendingError", "unknown"],
      ["idempotency_store_failed", "IdempotencyStoreError", "not_sent"],
      ["environment_mismatch", "EnvironmentMismatchError", "no create"],
      ["invalid_postback", "InvalidPostbackError", "no create"],
      ["untrusted_postback", "UntrustedPostbackError", "no create"],
    ]);
  });

  test("warns of a second charge wherever the outcome may be `unknown` or `created`", () => {
    const overview = tableOf("errors.md", "All of them");

    const silent = overview
      .filter(([, , outcomes]) => /unknown|created/.test(outcomes ?? ""))
      .filter(([, , , advice]) => !/do not send|never pay/i.test(advice ?? ""));

    expect(silent.map(([, name]) => name)).toEqual(["CardRefusedError"]); // it is known that nothing was taken
  });

  test("leads from every code of the table to its section", () => {
    const page = pageOf("errors.md");

    const linked = [...page.matchAll(/^\| \[`\w+`\]\(#(\w+)\)/gm)].map((match) => match[1]);
    const sections = [...page.matchAll(/^### `(\w+)`$/gm)].map((match) => match[1]);

    expect(sections).toHaveLength(21);
    expect(linked).toEqual(sections);
  });
});

describe("the classes of errors", () => {
  test("are all on the page: each file that has one says what to do in its documentation", () => {
    const files = readdirSync(join(root, "src/core/errors")).filter((file) => file.endsWith("-error.ts"));
    const classes = errorClasses();

    expect(classes).toHaveLength(files.length - 1); // the base has no code of its own
    expect(classes.filter(({ advice }) => advice === "").map(({ name }) => name)).toEqual([]);
  });

  test("say what each of their fields means", () => {
    const unsaid = errorClasses().flatMap(({ name, fields }) =>
      fields.filter(({ meaning }) => meaning === "").map((field) => `${name}.${field.name}`),
    );

    expect(unsaid).toEqual([]);
  });
});

describe("the table of codes in both languages", () => {
  test("is in the Portuguese README as `npm run pages` makes it", () => {
    const page = readFileSync(join(root, "README.pt-BR.md"), "utf8");

    expect(page).toBe(withErrorCodes(page));
  });

  test("has a row of three cells for every code", () => {
    expect(rows).toHaveLength(21);
    expect(rows.filter((row) => !/^\| `\w+` \| [^|]+\. \| [^|]+\. \|$/.test(row))).toEqual([]);
  });

  test.each([
    ["timed_out", "não envie a cobrança de novo"],
    ["server_error", "não envie a cobrança de novo"],
    ["connection_failed", "não envie a cobrança de novo"],
    ["aborted", "não envie a cobrança de novo"],
    ["redirected", "não envie a cobrança de novo"],
    ["api_error", "não envie a cobrança de novo"],
    ["unexpected_response", "não envie a cobrança de novo"],
    ["outcome_pending", "nunca cobre o mesmo pedido"],
  ])("warns in Portuguese of a second charge after `%s`", (code, warning) => {
    const row = rows.find((line) => line.startsWith(`| \`${code}\` `)) ?? "";

    expect(row.toLowerCase()).toContain(warning);
  });

  test("stands in a page between its marks, and only there", () => {
    const marked = (inner: string) =>
      `# Um\n\n<!-- error codes: made by npm run pages -->\n${inner}\n<!-- end of error codes -->\n\nfim\n`;

    const page = withErrorCodes(marked("| old |"));

    expect(page).toBe(marked(`\n${errorCodesTable()}\n`));
    expect(withErrorCodes(page)).toBe(page);
  });

  test.each(["", "<!-- error codes: made by npm run pages -->", "<!-- end of error codes -->"])(
    "cannot be put into a page that lacks a mark: %j",
    (page) => {
      expect(() => withErrorCodes(page)).toThrow("The page lacks");
    },
  );
});
