// An input that formats digits while they are typed: caret, selection, and undo.

import { toAscii } from "../tokenizer/card-form.ts";

/** How the digits of an input are shown. */
export interface Mask {
  /** Formats a text to which something was added. */
  readonly format: (text: string) => string;
  /** Formats a text from which something was deleted. Adds nothing that the buyer would have to delete again. */
  readonly formatShorter: (text: string) => string;
  /** How many digits fit if one is typed before others. */
  readonly maxDigits: number;
}

interface State {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");

/**
 * Formats an input after each edit, because only then all ways to edit look the same: keys, paste, drop, autofill, the
 * keyboards of phones.
 *
 * Setting `value` destroys the undo history of the browser, so it has its own. The history contains what was typed, so
 * {@link MaskedInput.clear} has to be called when the input is cleared.
 */
export class MaskedInput {
  readonly #input: HTMLInputElement;
  readonly #mask: Mask;
  #undo: State[] = [];
  #redo: State[] = [];
  /** The state before the edit that happens now. */
  #before: State;

  constructor(input: HTMLInputElement, mask: Mask) {
    this.#input = input;
    this.#mask = mask;
    this.#before = this.#state();
    input.addEventListener("beforeinput", (event) => this.#onBeforeInput(event));
    input.addEventListener("input", (event) => this.#onInput(event as InputEvent));
    input.addEventListener("keydown", (event) => this.#onKeyDown(event));
    // The text of a composition and of a drag may not be changed before they end.
    for (const type of ["compositionend", "dragend"]) input.addEventListener(type, () => this.#notify());
  }

  /** Removes the text and all that undo knows of it. */
  clear(): void {
    this.#input.value = "";
    this.#undo = [];
    this.#redo = [];
    this.#before = this.#state();
  }

  #state(): State {
    const { value, selectionStart, selectionEnd } = this.#input;
    return { value, start: selectionStart ?? value.length, end: selectionEnd ?? value.length };
  }

  #onBeforeInput(event: InputEvent): void {
    if (event.inputType === "historyUndo") this.#travel(event, this.#undo, this.#redo);
    else if (event.inputType === "historyRedo") this.#travel(event, this.#redo, this.#undo);
    else if (!event.isComposing) this.#before = this.#state();
  }

  #onInput({ inputType = "", isComposing }: InputEvent): void {
    // Moving a text by drag is a deletion and an insertion. After the first, the browser knows where to insert.
    if (isComposing || inputType === "deleteByDrag") return;
    this.#format(inputType);
    const { value } = this.#input;
    if (value !== this.#before.value) {
      this.#undo.push(this.#before);
      this.#redo = [];
    }
    this.#before = this.#state();
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing || event.altKey || event.ctrlKey === event.metaKey) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) this.#travel(event, this.#undo, this.#redo);
    else if (key === "z" || (key === "y" && event.ctrlKey)) this.#travel(event, this.#redo, this.#undo);
  }

  /** Returns to the last state of one history, and adds the current one to the other. */
  #travel(event: Event, from: State[], to: State[]): void {
    event.preventDefault();
    const state = this.#input.readOnly ? undefined : from.pop();
    if (state === undefined) return;
    to.push(this.#state());
    this.#input.value = state.value;
    this.#input.setSelectionRange(state.start, state.end);
    this.#before = state;
    this.#notify();
  }

  /** Formats the text, and lets the form look at it. */
  #notify(): void {
    this.#input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #format(inputType: string): void {
    const { value, start } = this.#state();
    const before = toAscii(value.slice(0, start));
    const after = toAscii(value.slice(start));
    const isShorter = inputType.startsWith("delete");
    const [left, right] = isShorter
      ? this.#deleteDigit(before, after, inputType)
      : [this.#dropExcess(before, after), after];
    const text = this.#mask[isShorter ? "formatShorter" : "format"](left + right);
    if (text === value) return;
    this.#input.value = text;
    const caret = caretBefore(text, digitsOf(right).length, isShorter);
    // In WebKit this would move the focus.
    if (document.activeElement === this.#input) this.#input.setSelectionRange(caret, caret);
  }

  /** Deletes the digit beside a separator, if the buyer deleted only the separator, which formatting would add again. */
  #deleteDigit(before: string, after: string, inputType: string): [before: string, after: string] {
    const { value, start, end } = this.#before;
    if (start !== end || digitsOf(before + after) !== digitsOf(value)) return [before, after];
    return inputType.endsWith("Forward")
      ? [before, after.replace(/\d/, "")]
      : [before.replace(/\d(?=\D*$)/, ""), after];
  }

  /** Of digits that do not fit, those that were inserted are dropped, not those at the end. */
  #dropExcess(before: string, after: string): string {
    const rest = digitsOf(after).length;
    const fits = Math.max(0, this.#mask.maxDigits - rest);
    return rest === 0 ? before : digitsOf(before).slice(0, fits);
  }
}

/** The position that has a number of digits behind it: the first for a deletion, the last for an insertion. */
function caretBefore(text: string, digitsBehind: number, isFirst: boolean): number {
  const positions = Array.from({ length: text.length + 1 }, (_, position) => position);
  const matches = positions.filter((position) => digitsOf(text.slice(position)).length === digitsBehind);
  return matches.at(isFirst ? 0 : -1) ?? text.length;
}
