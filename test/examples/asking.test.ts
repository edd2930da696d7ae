import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { type Sandbox, startSandbox } from "payments-sdk/sandbox/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { askForYes } from "../../examples/support/ask.ts";
import { askForCard } from "../../examples/support/card.ts";
import { CVV, HOLDER, NUMBER, tracesIn } from "../support/canaries.ts";
import { runAtTerminal } from "./support/at-a-terminal.ts";
import { envOf } from "./support/run-example.ts";

/** Somebody who answers one question after the other. */
function answering(...answers: readonly string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const left = [...answers];
  const seen = new PassThrough();
  output.on("data", (chunk: Buffer) => {
    seen.write(chunk);
    if (/[:?] /.test(chunk.toString())) setImmediate(() => input.write(left.shift() ?? "\u0004"));
  });
  const shown = () => {
    seen.end();
    return text(seen);
  };
  return { input, output, shown };
}

describe("the question before somebody is charged", () => {
  test.each([
    ["yes\n", true],
    [" YES \r", true],
    ["no\n", false],
    ["y\n", false],
    ["yes please\n", false],
    ["\n", false],
    ["\u0004", false], // Ctrl-D
  ])("%j means %s", async (typed, expected) => {
    const { input, output } = answering(typed);

    const answer = await askForYes("Charge? ", { input, output });

    expect(answer).toBe(expected);
  });

  test.each(["yes\n", "yes", "yes\nyes\n"])(
    "is not answered by %j, typed before it was asked",
    async (before) => {
      const { input, output } = answering("\n");
      input.write(before);

      const answer = await askForYes("Charge? ", { input, output });

      expect(answer).toBe(false);
    },
  );

  test("is no yes where the input ends", async () => {
    const { input, output } = answering();
    output.on("data", () => input.end());

    const answer = await askForYes("Charge", { input, output });

    expect(answer).toBe(false);
  });
});

describe("a card that is asked for", () => {
  test("shows neither its number nor its code while they are typed", async () => {
    const dialogue = answering(`${NUMBER}\n`, `${HOLDER}\n`, "12/39\n", `${CVV}\n`);

    const card = await askForCard(dialogue);

    expect(card).toEqual({
      ...{ number: NUMBER, holderName: HOLDER, cvv: CVV },
      ...{ expirationMonth: "12", expirationYear: "2039" },
    });
    expect(tracesIn(await dialogue.shown())).toEqual(["holder"]);
  });

  test.each([
    [["\u0004"], "No card was given."],
    [[`${NUMBER}\n`, `${HOLDER}\n`, `${CVV}\n`], "That is no date such as 03/29."],
  ])("is given up in a line that does not repeat it, after %#", async (answers, complaint) => {
    const dialogue = answering(...answers);

    const card = askForCard(dialogue);

    await expect(card).rejects.toThrow(new Error(complaint));
  });
});

const POSTBACKS = ["--postback-url", "https://shop.example.com/postbacks"];
const QUESTION = /Type "yes" to go on: /;

async function startService(): Promise<{ service: Sandbox; env: Record<string, string> }> {
  const service = await startSandbox({ secretKey: "sk_of_a_merchant" });
  onTestFinished(() => service.close());
  const PAYMENTS_POSTBACK_SECRET = "a secret of the tests, which is long enough";
  return { service, env: { ...envOf(service), PAYMENTS_POSTBACK_SECRET } };
}

describe("at a terminal and a service that is no sandbox", () => {
  test.each([
    ["card", "no\n", "Nothing was charged."],
    ["pix", "no\n", "Nothing was created."],
    ["quickstart", "no\n", "Nothing was charged."],
    ["card", "\u0004", "Nothing was charged."],
  ])("%s charges nobody after the answer %j", async (name, typed, told) => {
    const { service, env } = await startService();

    const { code, stdout, stderr } = await runAtTerminal(name, POSTBACKS, env, [[QUESTION, typed]]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`\\n${told}\\n$`));
    expect(service.gateway.transactions).toEqual([]);
  });

  test.each([
    ["card", 1],
    ["pix", 1],
    ["quickstart", 3],
  ])("%s goes on after a yes, and makes %i payments", async (name, count) => {
    const { service, env } = await startService();

    const { code } = await runAtTerminal(name, POSTBACKS, env, [[QUESTION, "yes\n"]]);

    expect(code).toBe(0);
    expect(service.gateway.transactions).toHaveLength(count);
  });

  test("a Ctrl-C at the question ends with 130", async () => {
    const { service, env } = await startService();

    const { code, stderr } = await runAtTerminal("card", POSTBACKS, env, [[QUESTION, "\u0003"]]);

    expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
    expect(service.gateway.transactions).toEqual([]);
  });
});
