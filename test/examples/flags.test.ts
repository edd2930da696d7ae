import { describe, expect, test } from "vitest";
import { lineOf, UsageError } from "../../examples/support/failure.ts";
import { choice, money, parse, read, text, toggle, url, wholeNumber } from "../../examples/support/flags.ts";
import { NUMBER, tracesIn } from "../support/canaries.ts";

const FLAGS = {
  amount: money("19,90", "what it costs"),
  parts: wholeNumber("<number>", "in how many parts", [1, 99]),
  ref: text("<reference>", "whose it is"),
  how: choice("<way>", ["by_card", "by_pix"], "how it is paid"),
  where: url("where it goes"),
  fast: toggle("at once"),
};

const readFlags = (...args: readonly string[]) => read(parse(args, FLAGS), FLAGS);

/** What is told of the error that reading ends with. */
function complaintOf(...args: readonly string[]): string {
  try {
    readFlags(...args);
  } catch (error) {
    return lineOf(error, "Usage: ask.");
  }
  throw new Error("nothing was wrong with it");
}

describe("reading flags", () => {
  test("flags that are not given have their defaults, or none", () => {
    const values = readFlags();

    expect(values).toEqual({ amount: 1990, fast: false });
  });

  test.each([
    ["amount", "1.249,90", 124_990],
    ["amount", "10", 1000],
    ["parts", "12", 12],
    ["parts", "99", 99],
    ["ref", "order-1", "order-1"],
    ["how", "by_pix", "by_pix"],
    ["where", "https://shop.example.com/", "https://shop.example.com"],
  ] as const)("--%s %s is %j", (name, given, value) => {
    const values = readFlags(`--${name}`, given);

    expect(values[name]).toBe(value);
  });

  test("what is no flag is kept as a word", () => {
    const { words } = parse(["resolve", "--fast", "order-1"], FLAGS);

    expect(words).toEqual(["resolve", "order-1"]);
  });

  test.each([
    [["--colour"], "--colour is no flag."],
    [[`--number=${NUMBER}`], "--number is no flag."],
    [[`--${NUMBER}`], "That is no flag."],
    [["-x"], "-x is no flag."],
    [["--ref"], "--ref needs a value."],
    [["--ref", NUMBER, "--ref", "order-1"], "--ref was given twice."],
    [["--fast", "--fast"], "--fast was given twice."],
    [["--ref", "--fast"], "--ref needs a value."],
    [[`--fast=${NUMBER}`], "--fast takes no value."],
    [["--amount", "19.90"], "--amount must be reais such as 19,90, with a comma before the cents."],
    [["--amount", NUMBER.repeat(2)], "--amount must be reais such as 19,90, with a comma before the cents."],
    [["--parts", "0"], "--parts must be a whole number from 1 to 99."],
    [["--parts", "100"], "--parts must be a whole number from 1 to 99."],
    [["--parts", "1e1"], "--parts must be a whole number from 1 to 99."],
    [["--parts", ""], "--parts must be a whole number from 1 to 99."],
    [["--how", NUMBER], "--how must be one of by_card, by_pix."],
    [["--where", "shop.example.com"], "--where must be a URL."],
    [["--where", "file:///etc/passwd"], "--where must be a URL."],
  ])("%j is refused in a line that does not repeat the value", (args, complaint) => {
    const line = complaintOf(...args);

    expect(line).toBe(`${complaint} Usage: ask.`);
    expect(tracesIn(line)).toEqual([]);
  });
});

describe("the line that is told of an error", () => {
  test.each([
    ["an error of several lines", new Error("It broke:\n  at the end\n"), "It broke: at the end"],
    ["what a terminal would obey", new Error("red \u001b[31m alarm \u0007"), "red [31m alarm"],
    [
      "an error with nothing but a code",
      Object.assign(new Error(""), { code: "ECONNREFUSED" }),
      "ECONNREFUSED",
    ],
    ["what is no error", "it broke", "it broke"],
    ["a wrong flag", new UsageError("No."), "No. Usage: ask."],
  ])("%s", (_what, error, line) => {
    const told = lineOf(error, "Usage: ask.");

    expect(told).toBe(line);
  });
});
