import { styleText } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { addressOf } from "../../examples/support/address.ts";
import { jsonOf } from "../../examples/support/json.ts";
import { qrCode, row, shown, statusText, table } from "../../examples/support/terminal.ts";

const ESC = "\u001b";

describe("a text of somebody else's", () => {
  test.each([
    ["Loja Exemplo", "Loja Exemplo"],
    ["Padaria São João 🥖", "Padaria São João 🥖"],
    [`Loja${ESC}[8m hidden`, '"Loja hidden"'],
    [`${ESC}[8mhidden${ESC}[39m`, '"hidden"'],
    [`${ESC}[31mred for ever`, '"red for ever"'],
    [`${ESC}[2J`, '""'],
    [`A${ESC}]0;title\u0007B`, '"AB"'],
    ["two\nlines", '"twolines"'],
    ["back\rover", '"backover"'],
    ["x\u009b31my", '"xy"'],
    ["turned \u202earound", '"turned around"'],
  ])("%j is shown as %j", (text, plain) => {
    expect(shown(text)).toBe(plain);
  });

  test.each(["bold", "red", "green", "yellow"] as const)("in %s of ours stays so", (style) => {
    const ours = `${styleText(style, "approved", { validateStream: false })}, at 12:00`;

    expect(shown(ours)).toBe(ours);
  });

  test("is not hidden in a style of ours", () => {
    const text = styleText("yellow", `onl${ESC}[8mine`, { validateStream: false });

    expect(shown(text)).toBe('"online"');
  });
});

describe("what is printed", () => {
  function printed(print: () => void): string {
    const lines: string[] = [];
    const log = vi.spyOn(console, "log").mockImplementation((line = "") => void lines.push(line));
    onTestFinished(() => log.mockRestore());
    print();
    log.mockRestore();
    return lines.join("\n");
  }

  test.each([
    ["a row", () => row("Status", statusText(`onl${ESC}[8mine`))],
    ["a table", () => table(["id", "name"], [["1", `onl${ESC}[8mine`]])],
  ])("in %s is free of what a terminal would obey", (_what, print) => {
    const text = printed(print);

    expect(text).toContain('"online"');
    expect(text).not.toContain(`${ESC}[8m`);
  });

  test("of a QR code is light on dark of its own, whatever the colours of the terminal", () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv("NO_COLOR", undefined);
    vi.stubEnv("FORCE_COLOR", "1");

    const lines = printed(() => qrCode("00020101021226780014br.gov.bcb.pix")).split("\n");

    const isColoured = (line: string) => line.startsWith(`  ${ESC}[97m${ESC}[40m`);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !isColoured(line))).toEqual([]);
  });

  test.each([
    [80, /█/],
    [20, /^ {2}For the QR code the terminal needs \d+ columns\.$/],
  ])("of a QR code at %i columns is the whole of it, or how many it needs", (columns, pattern) => {
    const { stdout } = process;
    const before = { isTTY: stdout.isTTY, columns: stdout.columns };
    onTestFinished(() => void Object.assign(stdout, before));
    Object.assign(stdout, { isTTY: true, columns });

    const text = printed(() => qrCode("00020101021226780014br.gov.bcb.pix"));

    expect(text).toMatch(pattern);
  });
});

describe("JSON", () => {
  test("has no postback URL, and no more of a webhook than where it is", () => {
    const value = {
      postBackUrl: "https://shop.example.com/postbacks?pbsig=1",
      configuration: { webhook: { url: "https://shop.example.com/hooks?token=1", events: ["a"] } },
    };

    const json = jsonOf(value);

    expect(JSON.parse(json)).toEqual({
      configuration: { webhook: { url: "https://shop.example.com/hooks", events: ["a"] } },
    });
  });

  test("has nothing that a terminal would obey, and reads back as it was", () => {
    const value = { name: `x\u009b31my \u202e ${ESC}[8m` };

    const json = jsonOf(value);

    expect(json).toMatch(/^[ -~]+$/);
    expect(JSON.parse(json)).toEqual(value);
  });
});

test.each([
  ["https://pay.example.com", "https://pay.example.com"],
  ["http://127.0.0.1:4010/", "http://127.0.0.1:4010"],
  ["https://user:hunter2@pay.example.com/v2?token=hunter2#hunter2", "https://pay.example.com/v2"],
  ["hunter2", "not a URL"],
])("of %s the address is %s", (url, address) => {
  expect(addressOf(url)).toBe(address);
});
