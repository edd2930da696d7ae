import type { Outcome, PaymentsError, PaymentsErrorCode } from "payments-sdk";
import { type ErrorClass, errorClasses, firstSentence } from "./error-classes.ts";
import { occasions } from "./error-occasions.ts";
import { type Occasion, Scene } from "./error-scene.ts";
import { inPortuguese } from "./error-texts-in-portuguese.ts";

const INTRODUCTION = `# Errors

Whatever goes wrong in a call ends in a \`PaymentsError\`, which says by its \`outcome\` what became of the charge. One rule is enough:

**Unless \`outcome\` is \`unknown\` or \`created\`, this call charged nobody.**

[Timeouts: what now?](timeouts.md) is about those two. The messages are for people and may change; \`code\` and \`outcome\` are for
programs, and stay. How to let each of them happen to your own code: [Testing your integration](testing.md).

This page is made from the classes and from errors that were let happen, by \`npm run pages\`; change it in \`src/core/errors\`.`;

const IN_CODE = `## In code

\`\`\`ts
import { CardRefusedError, CardTokenExpiredError, isPaymentsError, PaymentsClient } from "payments-sdk";
import { createGateway } from "payments-sdk/sandbox";

const gateway = createGateway();
const { baseUrl, secretKey, publicKey } = gateway;
const payments = new PaymentsClient({ baseUrl, secretKey, publicKey, fetch: (url, init) => gateway.fetch(url, init) });
const customer = { name: "Maria Exemplo", email: "maria@example.com", document: { type: "cpf", number: "529.982.247-25" } } as const;

async function pay(): Promise<string> {
  try {
    return (await payments.transactions.createPix({ amount: 1990, customer, externalRef: "order-1" })).status;
  } catch (error) {
    if (!isPaymentsError(error)) throw error; // holds where two copies of the package are installed, too
    // For the log: no key, no card, no body.
    console.log(JSON.stringify(error));
    if (error instanceof CardRefusedError) return "The card was declined. Please take another one."; // by assertNotRefused
    if (error.outcome === "unknown" || error.outcome === "created") return "We are checking your payment. Please do not pay again.";
    if (error instanceof CardTokenExpiredError) return "Please type your card again."; // a class knows its own fields
    if (error.code === "rate_limited") return "Please try again in a minute."; // a code is a text, for switch and for alerts
    return error.actor === "customer" ? "Please check your data." : "That did not work. Please try again later.";
  }
}

gateway.faults.add({ on: "transactions.create", kind: "html_502" });
console.log(await pay()); // We are checking your payment. Please do not pay again.
\`\`\`

\`actor\` is who can mend it: the \`merchant\`, whose code calls the SDK, the \`customer\`, the \`network\` or the \`service\`. Next to it each
error has \`endpoint\` and \`externalRef\` where there is one. \`toJSON()\` leaves out \`stack\`, \`cause\` and bodies.`;

/** Where a matter has a page of its own. */
const MORE: Readonly<Partial<Record<PaymentsErrorCode, string>>> = {
  card_token_expired: "[Tokenization](tokenization.md)",
  server_error: "[Timeouts: what now?](timeouts.md)",
  connection_failed:
    "[Timeouts: what now?](timeouts.md), and for the reasons in a page [Tokenization](tokenization.md)",
  timed_out: "[Timeouts: what now?](timeouts.md)",
  aborted: "[Timeouts: what now?](timeouts.md)",
  unexpected_response: "[Timeouts: what now?](timeouts.md)",
  card_refused: "[Refused cards](refused-cards.md)",
  idempotency_conflict: "[Idempotency](idempotency.md)",
  outcome_pending: "[Timeouts: what now?](timeouts.md)",
  idempotency_store_failed: "[Stores](stores.md)",
  invalid_postback: "[Postbacks](postbacks.md)",
  untrusted_postback: "[Postbacks](postbacks.md), with every `reason`",
};

/** Of creates, from harmless to not. */
const OUTCOMES = ["not_sent", "rejected", "unknown", "created"] as const satisfies readonly Outcome[];

interface Happened extends Occasion {
  readonly error: PaymentsError;
}

interface Documented extends ErrorClass {
  readonly occasions: readonly Happened[];
}

const START = "<!-- error codes: made by npm run pages -->";
const END = "<!-- end of error codes -->";

/** Every code with what happened and what to do, in both languages. */
export function errorCodesTable(): string {
  return table(
    ["code", "English", "Português"],
    errorClasses().map(({ code, happened, advice }) => [
      `\`${code}\``,
      `${firstSentence(happened)} ${firstSentence(advice)}`,
      inPortuguese[code],
    ]),
  );
}

/** A page with the table of codes between the marks that it has for it. */
export function withErrorCodes(page: string): string {
  const [before, rest] = page.split(START);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`The page lacks ${START} and ${END}.`);
  return `${before}${START}\n\n${errorCodesTable()}\n\n${END}${after}`;
}

/** The page of the documentation about errors. */
export async function errorsPage(): Promise<string> {
  const documented = await letThemHappen();
  const overview = table(
    ["code", "class", "outcome on a create", "what to do"],
    documented.map((error) => [
      `[\`${error.code}\`](#${error.code})`,
      `\`${error.name}\``,
      outcomesOf(error),
      firstSentence(error.advice),
    ]),
  );
  const parts = [
    INTRODUCTION,
    "## All of them",
    overview,
    IN_CODE,
    "## One by one",
    ...documented.map(section),
  ];
  return `${parts.join("\n\n")}\n`;
}

function letThemHappen(): Promise<Documented[]> {
  const classes = errorClasses();
  return Promise.all(
    classes.map(async (error) => ({
      ...error,
      occasions: await Promise.all(occasions[error.code].map(happen)),
    })),
  );
}

async function happen(occasion: Occasion): Promise<Happened> {
  return { ...occasion, error: await occasion.provoke(new Scene()) };
}

function outcomesOf({ occasions: list }: Documented): string {
  const thrown = new Set(list.filter(({ byEvent }) => byEvent !== true).map(({ error }) => error.outcome));
  const ofCreates = OUTCOMES.filter((outcome) => thrown.has(outcome)).map((outcome) => `\`${outcome}\``);
  return ofCreates.length === 0 ? "no create" : ofCreates.join(", ");
}

function section(error: Documented): string {
  const { name, base, code, happened, advice, specification, fields } = error;
  const more = MORE[code];
  const parts = [
    `### \`${code}\``,
    wrapped(
      `\`${name}\`${base === "ApiError" ? ", an [`ApiError`](#api_error) with its fields" : ""}. ${happened}`,
    ),
    wrapped(`**What to do.** ${advice}${more === undefined ? "" : ` More: ${more}.`}`),
    table(
      ["when", "outcome", "actor", "message"],
      error.occasions.map(({ when, error: { outcome, actor, message } }) => [
        when,
        `\`${outcome}\``,
        actor,
        message,
      ]),
    ),
  ];
  if (fields.length > 0) {
    const rows = fields.map((field) => [`\`${field.name}\``, `\`${field.type}\``, field.meaning]);
    parts.push(table(["field", "type", "meaning"], rows));
  }
  if (specification !== undefined) parts.push(`Specification: ${specification}.`);
  return parts.join("\n\n");
}

/** Prose in lines of the length that the other pages have; what is code stays as it is. */
function wrapped(text: string): string {
  const parts = text.split(/(^```.*?^```)/ms);
  return parts
    .map((part) =>
      part.startsWith("```")
        ? part
        : part
            .split(/\n{2,}/)
            .map(lines)
            .join("\n\n"),
    )
    .join("");
}

function lines(paragraph: string): string {
  return paragraph
    .replaceAll(/\s+/g, " ")
    .replaceAll(/(.{1,130})(?: |$)/g, "$1\n")
    .trimEnd();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
