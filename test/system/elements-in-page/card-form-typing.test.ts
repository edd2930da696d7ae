import "payments-sdk/elements";
import { afterEach, describe, expect, test } from "vitest";
import { cdp, userEvent } from "vitest/browser";

afterEach(() => document.body.replaceChildren());

/** An input of a card form with a text in it, and the caret or selection that `|` marks. */
function anInput(name: string, marked = "|"): HTMLInputElement {
  const card = document.createElement("payment-card-form");
  document.body.append(card);
  const input = card.querySelector<HTMLInputElement>(`.payment-${name} input`);
  if (input === null) throw new Error("no such input");
  const [before = "", selected = "", after] = marked.split("|");
  input.value = before + (after === undefined ? selected : selected + after);
  input.focus();
  input.setSelectionRange(before.length, before.length + (after === undefined ? 0 : selected.length));
  return input;
}

/** The text of an input with `|` at the caret. */
function marked({ value, selectionStart, selectionEnd }: HTMLInputElement): string {
  const at = selectionEnd ?? 0;
  return selectionStart === at ? `${value.slice(0, at)}|${value.slice(at)}` : `selection in ${value}`;
}

const NUMBER = "4111 1111 1111 1111";
const FULL = "6304 0000 0000 0000 123";

describe("the caret stays where the buyer edits", () => {
  test.each([
    ["number", "|", "4111111111111111", `${NUMBER}|`],
    ["number", "411|1 1111", "9", "4119 |1111 1"],
    ["number", "4111 |1111", "{Backspace}", "411|1 111"], // over the space: the digit before it
    ["number", "4111| 1111", "{Delete}", "4111| 111"], // the digit behind it
    ["number", "41|11 11|11 2", "{Backspace}", "41|11 2"],
    ["number", "41|11 11|11 2", "9", "419|1 12"],
    ["number", "|378282246310005", "3", "3|378 2822 4631 0005"], // no longer an Amex
    ["number", "63|04 0000 0000 0000 123", "9", "63|04 0000 0000 0000 123"], // full: nothing is lost at the end
    ["number", `${FULL}|`, "9", `${FULL}|`],
    ["expiry", "|", "4", "04/|"],
    ["expiry", "|", "1339", "13/39|"],
    ["expiry", "|", "12/2039", "12/39|"],
    ["expiry", "|", "1/39", "01/39|"],
    ["expiry", "12/|", "{Backspace}", "1|"],
    ["expiry", "04/|", "{Backspace}{Backspace}", "|"],
    ["expiry", "12/|39", "{Backspace}", "1|3/9"],
    ["expiry", "1|2/39", "{Backspace}0", "0|2/39"],
    ["expiry", "|12|/39", "4", "04/|39"],
    ["expiry", "|1|2/39", "5", "5|2/39"], // wrong, and not another date
    ["expiry", "|11/34", "{Delete}9", "9|1/34"],
    ["expiry", "|12/3", "5", "5|1/23"],
    ["code", "|", "12a345", "1234|"],
  ])("%s %s, %s: %s", async (name, before, keys, after) => {
    const input = anInput(name, before);

    await userEvent.keyboard(keys);

    expect(marked(input)).toBe(after);
  });

  test.each([
    ["number", "41|11 1111", "22-33", "4122 33|11 1111"],
    ["number", "|", "４１１１　１１１１", "4111 1111|"],
    ["number", "6304 00|00 0000 0000", "987654", "6304 0098 7|000 0000 000"],
    ["expiry", "|", "2039-03", "03/39|"],
    ["expiry", "|", "０３／２０３９", "03/39|"],
    ["code", "|", "１２３", "123|"],
  ])("pasted into %s %s: %s gives %s", async (name, before, text, after) => {
    const input = anInput(name, before);

    document.execCommand("insertText", false, text);

    expect(marked(input)).toBe(after);
  });
});

describe("undo and redo", () => {
  test.each([
    ["{Control>}z{/Control}", "4111 12|"],
    ["{Meta>}z{/Meta}", "4111 12|"],
    ["{Control>}zzzzzzzzzz{/Control}", "|"],
    ["{Control>}zz{Shift>}z{/Shift}{/Control}", "4111 12|"],
    ["{Control>}zzzzyyy{/Control}", "4111 12|"],
    ["{Control>}zz{/Control}3{Control>}y{/Control}", "4111 13|"], // what was undone is gone
    ["{ArrowLeft}{ArrowLeft}{Backspace}{Control>}z{/Control}", "4111 1|23"],
  ])("%s", async (keys, after) => {
    const input = anInput("number");
    await userEvent.keyboard("4111123");

    await userEvent.keyboard(keys);

    expect(marked(input)).toBe(after);
  });

  test("an expiry date that a deletion has left without a slash is restored without it", async () => {
    const input = anInput("expiry");

    await userEvent.keyboard("123{Backspace}4{Control>}z{/Control}");

    expect(marked(input)).toBe("12|");
  });

  test("the menu of the browser does the same", async () => {
    const input = anInput("number");
    await userEvent.keyboard("41111");
    const event = new InputEvent("beforeinput", { inputType: "historyUndo", cancelable: true });

    input.dispatchEvent(event);

    expect(event.defaultPrevented).toBe(true);
    expect(marked(input)).toBe("4111|");
  });
});

test("a text that an input method composes is formatted when it is complete", async () => {
  const input = anInput("number", "4111|");

  await cdp().send("Input.imeSetComposition", { text: "１２", selectionStart: 2, selectionEnd: 2 });
  const composing = input.value;
  await cdp().send("Input.insertText", { text: "１２" });

  expect(composing).toBe("4111１２");
  expect(marked(input)).toBe("4111 12|");
});

test("what a browser fills in is formatted", () => {
  const input = anInput("expiry");

  input.value = "2039-03";
  input.dispatchEvent(new Event("input", { bubbles: true }));

  expect(input.value).toBe("03/39");
});
