import { expect, test } from "vitest";
import { Output, red } from "../../src/cli/output.ts";

/** What is printed to a terminal, or elsewhere. */
function printed(print: (output: Output) => void, { isTTY = true, isJson = false, env = {} } = {}): string {
  let text = "";
  const stdout = { isTTY, write: (piece: string) => (text += piece) };
  print(new Output({ stdout, stderr: stdout, env }, isJson));
  return text;
}

const ESCAPE = "\u001b";

test("only a terminal without NO_COLOR shows colours", () => {
  const print = (output: Output) => output.line("status: ", red("refused"));

  expect(printed(print)).toBe(`status: ${ESCAPE}[31mrefused${ESCAPE}[39m\n`);
  expect(printed(print, { env: { NO_COLOR: "1" } })).toBe("status: refused\n");
  expect(printed(print, { isTTY: false })).toBe("status: refused\n");
});

test("a table has aligned columns in a terminal, and is lines with tabs elsewhere", () => {
  const print = (output: Output) =>
    output.table(
      ["check", "state"],
      [
        ["1", "created"],
        ["order-2", red("unresolved")],
      ],
    );

  expect(printed(print, { env: { NO_COLOR: "1" } })).toBe(
    "check    state\n1        created\norder-2  unresolved\n",
  );
  expect(printed(print, { isTTY: false })).toBe("1\tcreated\norder-2\tunresolved\n");
});

test("a space at the start or end of a value is escaped, because it would look like the space around it", () => {
  const rows = [
    [" a", "b  "],
    [red(" "), ""],
  ];

  const text = printed((output) => output.table(["reference", "state"], rows), { isTTY: false });

  expect(text).toBe("\\u0020a\tb\\u0020\\u0020\n\\u0020\t\n");
});

test("one wide cell does not make each other row as wide", () => {
  const rows = [["x".repeat(1_000), "created"], ...Array.from({ length: 100 }, () => ["1", "created"])];

  const lines = printed((output) => output.table(["reference", "state"], rows)).split("\n");

  expect(lines[1]).toBe(`${"x".repeat(1_000)}  created`);
  expect(lines[2]).toBe(`${"1".padEnd(60)}  created`);
});

test("a table that is printed in parts has one header, and its columns grow", () => {
  const print = (output: Output) => {
    const printRows = output.startTable(["check", "state"]);
    for (const order of ["1", "order-2", "3"]) printRows([[order, "created"]]);
  };

  expect(printed(print, { env: { NO_COLOR: "1" } })).toBe(
    "check  state\n1      created\norder-2  created\n3        created\n",
  );
  expect(printed(print, { isTTY: false })).toBe("1\tcreated\norder-2\tcreated\n3\tcreated\n");
});

test("a table may have more rows than a function has arguments", () => {
  const rows = Array.from({ length: 200_000 }, () => ["1", "created"]);

  expect(printed((output) => output.table(["check", "state"], rows))).toMatch(/1 {6}created\n$/);
});

test.each([
  [`a${ESCAPE}[2Jb`, "a\\u001b[2Jb"],
  ["a\r\nb\tc", "a\\u000d\\u000ab\\u0009c"],
  ["a\u009b31mb\u202ec", "a\\u009b31mb\\u202ec"],
  ["a\u200bb\u2060\ufe0f\u3164\u00adc", "a\\u200bb\\u2060\\ufe0f\\u3164\\u00adc"], // zero width or invisible
  ["a\u{e0041}b\ufff9", "a\\udb40\\udc41b\\ufff9"],
  ["\u2800a b\u00a0c\u2003d", "\\u2800a b\\u00a0c\\u2003d"], // spaces other than U+0020, and an empty Braille cell
  ["e\u0301 \u212b \u1100\u1161\uac00\u11a8", "e\\u0301 \\u212b \\u1100\\u1161\\uac00\\u11a8"], // not in NFC
  ["ação 订单 🛒 R$ 1,00 हिन्दी", "ação 订单 🛒 R$ 1,00 हिन्दी"],
])("the control and invisible characters of %j are escaped", (text, safe) => {
  expect(printed((output) => output.line("ref ", text))).toBe(`ref ${safe}\n`);
  expect(printed((output) => output.table(["reference"], [[text]]), { isTTY: false })).toBe(`${safe}\n`);
  const json = printed((output) => output.result({ text }, () => {}), { isJson: true });
  expect(JSON.parse(json)).toEqual({ text });
  for (const character of "\u001b\u009b\u202e\r\t\u200b\u{e0041}") expect(json).not.toContain(character);
});
