// An input that formats digits while they are typed: caret, selection, and undo.

import { toAscii } from "../spec/check-digits.ts";

/** How the digits of an input are shown. */
export interface Mask {
  /** Formats a text to which something was added. */
  readonly format: (text: string) => string;
  /** Formats a text from which something was deleted: adds nothing that the buyer would have to delete again. Default `format`. */
  readonly formatShorter?: (text: string) => string;
  /** How many digits fit if one is typed before others. */
  readonly maxDigits: number;
}

interface State {
  readonly value: string;
  readonly start: number | null;
  readonly end: number | null;
}

const EVENTS = ["beforeinput", "input", "keydown", "compositionend", "dragend", "change"] as const;

/** The digits of a text in ASCII. */
export const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");

/**
 * Formats an input after each edit, because only then all ways to edit look the same: keys, paste, drop, autofill, the
 * keyboards of phones.
 *
 * Setting `value` destroys the undo history of the browser, so it has its own. The history contains what was typed, so
 * {@link MaskedInput.forget} has to be called when the input is cleared.
 */
export class MaskedInput {
  readonly #input: HTMLInputElement;
  readonly #mask: Mask;
  /** The states before and after each edit. */
  #history: State[];
  /** The index of the current state. */
  #at = 0;

  constructor(input: HTMLInputElement, mask: Mask) {
    this.#input = input;
    this.#mask = mask;
    this.#history = [this.#state()];
    for (const type of EVENTS) input.addEventListener(type, this);
  }

  /** Forgets all edits: undo cannot restore them. */
  forget(): void {
    this.#history = [this.#state()];
    this.#at = 0;
  }

  /** @internal */
  handleEvent(event: Event): void {
    if (event.type === "beforeinput") this.#onBeforeInput(event as InputEvent);
    else if (event.type === "input") this.#onInput(event as InputEvent);
    else if (event.type === "keydown") this.#onKeyDown(event as KeyboardEvent);
    // The text of a composition or a drag may not be changed before it ends. Some password managers emit `change` alone.
    else if (this.#input.value !== this.#before.value) this.#notify();
  }

  #state(): State {
    const { value, selectionStart: start, selectionEnd: end } = this.#input;
    return { value, start, end };
  }

  /** The state before the edit that happens now. */
  get #before(): State {
    return this.#history[this.#at] ?? this.#state();
  }

  #onBeforeInput(event: InputEvent): void {
    const { inputType, isComposing } = event;
    if (inputType === "historyUndo") this.#travel(event, -1);
    else if (inputType === "historyRedo") this.#travel(event, 1);
    // A drop can be the second half of a move within the input, whose first half has already changed the text.
    else if (!isComposing && inputType !== "insertFromDrop") this.#history[this.#at] = this.#state();
  }

  #onInput({ inputType = "", isComposing }: InputEvent): void {
    // After the first half of a move, the browser knows where to insert the text: it must stay as it is.
    if (isComposing || inputType === "deleteByDrag" || inputType.startsWith("history")) return;
    this.#format(inputType);
    if (this.#input.value !== this.#before.value) {
      this.#at += 1;
      this.#history.length = this.#at;
    }
    this.#history[this.#at] = this.#state();
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing || event.altKey || event.ctrlKey === event.metaKey) return;
    const key = event.key.toLowerCase();
    if (key === "z") this.#travel(event, event.shiftKey ? 1 : -1);
    else if (key === "y" && event.ctrlKey) this.#travel(event, 1);
  }

  /** Restores the state before the last edit, or after the next one. */
  #travel(event: Event, step: 1 | -1): void {
    event.preventDefault();
    const state = this.#history[this.#at + step];
    if (state === undefined || this.#input.readOnly) return;
    this.#at += step;
    this.#input.value = state.value;
    this.#input.setSelectionRange(state.start, state.end);
    this.#notify("historyUndo");
  }

  /** Lets the form see a change for which the browser emits no event. */
  #notify(inputType = ""): void {
    this.#input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType }));
  }

  #format(inputType: string): void {
    const { value, selectionEnd } = this.#input;
    const caret = selectionEnd ?? value.length;
    const isShorter = inputType.startsWith("delete");
    let before = toAscii(value.slice(0, caret));
    let after = toAscii(value.slice(caret));
    if (!isShorter) {
      const isMonth = /^[2-9]$/.test(before) && /^\D/.test(after); // typed in place of the whole month
      after = digitsOf(after); // its separators may no longer be where they belong
      before = this.#beforeCaret(before, after.length) + (isMonth ? "/" : "");
    } else if (this.#isSeparatorDeleted(before + after)) {
      // Formatting would add it again, so the digit beside it is meant.
      if (inputType.endsWith("Forward")) after = after.replace(/\d/, "");
      else before = before.replace(/\d(?=\D*$)/, "");
    }
    const { format, formatShorter = format } = this.#mask;
    const text = (isShorter ? formatShorter : format)(before + after);
    if (text === value) return;
    this.#input.value = text;
    if (!this.#input.matches(":focus")) return; // WebKit would move the focus
    const position = findCaret(text, digitsOf(after).length, isShorter);
    this.#input.setSelectionRange(position, position);
  }

  #isSeparatorDeleted(text: string): boolean {
    const { value, start, end } = this.#before;
    return start === end && digitsOf(text) === digitsOf(value);
  }

  /**
   * The text before the caret after an insertion. In front of other digits, its separators mean nothing; of digits that do not
   * fit, those that were inserted are dropped, not those at the end.
   */
  #beforeCaret(before: string, digitsAfter: number): string {
    if (digitsAfter === 0) return before;
    return digitsOf(before).slice(0, Math.max(0, this.#mask.maxDigits - digitsAfter));
  }
}

/** The position in front of the last digits: before a separator after a deletion, else behind it. */
function findCaret(text: string, digitsAfter: number, isShorter: boolean): number {
  const lastDigits = new RegExp(`${isShorter ? "\\D*" : ""}(\\d\\D*){${digitsAfter}}$`);
  return Math.max(0, text.search(lastDigits));
}
